"""A visitor becomes a person by giving a name: no account, no password."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from litestar.datastructures import Cookie

from spieltisch.core.words import message
from spieltisch.store import Person, Preferences
from spieltisch.tables import Table, beside, check_name
from spieltisch.web.answers import Asked, house_of, site_of, visit
from spieltisch.web.limits import address_of, gate_of
from spieltisch.web.refusals import PageRefusal
from spieltisch.web.visits import session_cookie


@dataclass(frozen=True)
class Newcomer:
    """Somebody who is no person yet, to try whether their wish can be granted: who is refused leaves no trace."""

    name: str
    id: str = "newcomer"


@dataclass(frozen=True)
class Neighbour:
    """Somebody who plays beside a person on their device, and has no session of their own."""

    name: str
    id: str


async def person_of(
    request: Asked, form: Mapping[str, str], check: Callable[[Person | Newcomer], Any]
) -> tuple[Person, list[Cookie]]:
    """The person who sent the form; a visitor without one arrives with the form's `name`, and gets the cookie of
    their session.

    `check` raises what is against their wish. Raises that, TableRefusal 422 for a name that cannot be one,
    and PageRefusal 429 where too many are new.
    """
    who = visit(request)
    if who.person is not None:
        return who.person, []
    name = name_of(request, form.get("name", ""))
    check(Newcomer(name))
    gate_of(request).name(address_of(request))
    person, token = await house_of(request).arrive(name, language=who.language)
    if who.theme:
        person = await house_of(request).change(person.id, preferences=Preferences(theme=who.theme))
    return person, [session_cookie(site_of(request), token)]


def name_of(request: Asked, text: str) -> str:
    """The name that somebody typed, as it is kept. Raises TableRefusal and PageRefusal 422 for one that cannot be."""
    return gate_of(request).named(check_name(text))


def seated(request: Asked, form: Mapping[str, str] | None = None) -> str:
    """The id of the person who asks, or, with `me` in the form, of who plays beside them on the same device.

    Raises PageRefusal 403 for a visitor without a name: they sit nowhere.
    """
    person_id = visit(request).person_id
    if person_id is None:
        raise PageRefusal(403, "not-your-seat", message("You do not sit at this table."))
    return beside_me(person_id, form.get("me", "") if form else "")


def speaking(table: Table, person_id: str, me: str) -> str:
    """The id of who speaks at a table when nobody said with `me` who they are: the only one who plays on this person's
    device; of several, where a game without secrets draws no curtain between them, whoever of them is to decide.
    """
    here = table.seats_at(person_id)
    if me or table.status != "running" or not here or (len(here) > 1 and table.game.secrets):
        return person_id
    return next((seat.person for seat in here if seat.number == table.to_decide), here[0].person)


def beside_me(person_id: str, me: str) -> str:
    """Who on this person's device is meant by `me`: a seat counted from 1, "0" or nothing for the person themselves."""
    return beside(person_id, int(me) - 1) if me.isdecimal() and len(me) < 4 and int(me) > 0 else person_id
