"""Sign-in: a visitor becomes a person by giving a name, without account or password."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from litestar.datastructures import Cookie

from spieltisch.core.words import base_language, message
from spieltisch.store import Person, Preferences
from spieltisch.tables import Participant, refusals
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.sessions import Visitor, session_cookie


@dataclass(frozen=True)
class Newcomer:
    """A visitor who is not a person yet, to check a request before the person is created.

    So a refused visitor leaves no trace.
    """

    name: str
    id: str = "newcomer"


async def person_or_newcomer(
    request: Request, form: Form, check: Callable[[Participant], Awaitable[None]]
) -> tuple[Person, list[Cookie]]:
    """Return the person who sent the form; create one from the form's `name` if needed, with a session cookie.

    A guest without a name of their own gets the form's. `check` raises if the request of the newcomer must be refused.
    Raise that refusal, TableRefusal for an invalid name, and PageRefusal 429 if too many new names came from this
    address.
    """
    visitor, live = request.visitor, request.live
    if visitor.person is not None:
        if visitor.is_unnamed and form.get("name"):
            return await live.people.update(visitor.person.id, name=form["name"]), []
        return visitor.person, []
    name = live.quotas.clean_name(form.get("name", ""))
    await check(Newcomer(name))
    request.rate_limits.name(address_of(request))
    person, token = await live.people.create(name, base_language(visitor.language), Preferences(theme=visitor.theme))
    return person, [session_cookie(visitor.site, token)]


def require_person(visitor: Visitor) -> Person:
    """Return the visitor's person. Raise TableRefusal not-your-seat for a visitor without a name, who has no seat."""
    if visitor.person is None:
        raise refusals.not_your_seat()
    return visitor.person


def require_own_person(request: Request) -> Person:
    """Return the visitor's person. Raise PageRefusal 403 for a visitor without a name, under which nothing is saved."""
    if request.visitor.person is None:
        raise PageRefusal(403, "nobody", message("Nothing here yet. Join a table first."))
    return request.visitor.person
