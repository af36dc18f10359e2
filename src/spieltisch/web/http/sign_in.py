"""A visitor becomes a person by giving a name: no account, no password."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

from litestar.datastructures import Cookie

from spieltisch.live import Live
from spieltisch.store import Person, Preferences
from spieltisch.tables import Participant, refusals
from spieltisch.web.http.rate_limits import RateLimits, address_of
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.sessions import Visitor, session_cookie, visitor_of


@dataclass(frozen=True)
class Newcomer:
    """Somebody who is no person yet, to try whether their wish can be granted: who is refused leaves no trace."""

    name: str
    id: str = "newcomer"


async def person_or_newcomer(
    request: Request, form: Form, check: Callable[[Participant], Awaitable[None]]
) -> tuple[Person, list[Cookie]]:
    """The person who sent the form; a visitor without one arrives with the form's `name`, and gets the cookie of
    their session.

    `check` raises what is against the newcomer's wish. Raises that, TableRefusal for a name that cannot be one, and
    PageRefusal 429 where too many are new.
    """
    visitor = visitor_of(request)
    if visitor.person is not None:
        return visitor.person, []
    live, limits = cast(Live, request.app.state.live), cast(RateLimits, request.app.state.rate_limits)
    name = live.quotas.clean_name(form.get("name", ""))
    await check(Newcomer(name))
    limits.name(address_of(request))
    person, token = await live.people.create(name, visitor.language, Preferences(theme=visitor.theme))
    return person, [session_cookie(visitor.site, token)]


def require_person(visitor: Visitor) -> Person:
    """The person who asks. Raises TableRefusal not-your-seat for a visitor without a name: they sit nowhere."""
    if visitor.person is None:
        raise refusals.not_your_seat()
    return visitor.person
