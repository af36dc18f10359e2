"""Several people on one device: who of them speaks, and who sits down."""

from __future__ import annotations

from dataclasses import dataclass

from spieltisch.tables.names import Participant, hot_seat_id
from spieltisch.tables.table import Table


def hot_seat_person(person_id: str, me: str) -> str:
    """Who on this person's device is meant by `me`: a seat counted from 1, "0" or nothing for the person themselves.

    >>> hot_seat_person("ada", "3"), hot_seat_person("ada", "0"), hot_seat_person("ada", "")
    ('ada/3', 'ada', 'ada')
    """
    return hot_seat_id(person_id, int(me) - 1) if me.isdecimal() and len(me) < 4 and int(me) > 0 else person_id


def acting_person(table: Table, person_id: str, me: str) -> str:
    """Who speaks at a table: on the device of this person the one that `me` says. When it says nothing, the only one
    who plays there; of several, where a game without secrets draws no curtain between them, whoever of them is to
    decide.
    """
    here = table.seats_on_device(person_id)
    if me or table.status != "running" or not here or (len(here) > 1 and table.game.has_hidden_information):
        return hot_seat_person(person_id, me)
    return next((seat.person for seat in here if seat.number == table.to_decide), here[0].person)


@dataclass(frozen=True)
class HotSeatPlayer:
    """Somebody who plays beside a person on their device, and has no session of their own."""

    id: str
    name: str


def person_to_seat(table: Table, person: Participant, seat: int | None) -> Participant:
    """Who takes a seat when this person's device asks for it: who sits beside them, where it is kept for those."""
    kept = next((one for one in table.seats_kept_for(person.id) if one.number == seat), None)
    return HotSeatPlayer(kept.person, kept.name) if kept is not None and kept.person != person.id else person
