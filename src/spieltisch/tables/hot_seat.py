"""Hot seat: the player of a shared device who acts, and the one who takes a seat."""

from dataclasses import dataclass

from spieltisch.tables.names import Participant, hot_seat_id
from spieltisch.tables.table import Table


def hot_seat_person(person_id: str, me: str) -> str:
    """Return the id of the player that `me` means on this person's device.

    A seat number, counted from 1, means the hot-seat player of that seat; "0" or "" means the owner of the device.

    >>> hot_seat_person("ada", "3"), hot_seat_person("ada", "0"), hot_seat_person("ada", "")
    ('ada/3', 'ada', 'ada')
    """
    return hot_seat_id(person_id, int(me) - 1) if me.isdecimal() and len(me) < 4 and int(me) > 0 else person_id


def acting_person(table: Table, person_id: str, me: str) -> str:
    """Return the player of this person's device who acts at a table.

    It is the one given by `me`. If `me` is empty, it is the only player of the device; of several, it is the one to
    decide, provided the game has no secrets and thus no handoff screen between them.
    """
    seats = table.seats_on_device(person_id)
    if me or table.status != "running" or not seats or (len(seats) > 1 and table.game.has_hidden_information):
        return hot_seat_person(person_id, me)
    return next((seat.person for seat in seats if seat.number == table.to_decide), seats[0].person)


@dataclass(frozen=True)
class HotSeatPlayer:
    """A player on another person's device, without a session of their own."""

    id: str
    name: str


def person_to_seat(table: Table, person: Participant, seat: int | None) -> Participant:
    """Return the player who takes a seat at the request of this device: a hot-seat player if it is reserved for one."""
    for reserved in table.seats_reserved_for(person.id):
        if reserved.number == seat:
            return person if reserved.person == person.id else HotSeatPlayer(reserved.person, reserved.name)
    return person
