"""Two people turn out to be one: the events of their tables say so from then on."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from spieltisch.tables.events import Event, Opened, Place, Seated
from spieltisch.tables.names import device_of
from spieltisch.tables.results import Result
from spieltisch.tables.summary import Summary


def seats_of(person: str, events: Iterable[Event]) -> set[int]:
    """The seats in which this person, or who sat beside them, ever sat, or that were kept for them."""
    seats: set[int] = set()
    for event in events:
        if isinstance(event, Seated) and device_of(event.person) == person:
            seats.add(event.seat)
        if isinstance(event, Opened):
            seats |= {number for number, place in enumerate(event.places) if device_of(place.person) == person}
    return seats


class OneSelf:
    """Puts a person in the place of another of their selves.

    >>> OneSelf("telephone", "ada").event(Seated(seat=1, person="telephone/2", name="Ben")).person
    'ada/2'
    """

    def __init__(self, other: str, person: str) -> None:
        self._other = other
        self._person = person

    def id(self, person: str) -> str:
        """An id as it is from now on."""
        return self._person + person.removeprefix(self._other) if device_of(person) == self._other else person

    def event(self, event: Event) -> Event:
        """The same event of the one person."""
        if isinstance(event, Opened):
            return msgspec.structs.replace(
                event, host=self.id(event.host), places=tuple(self._place(one) for one in event.places)
            )
        if isinstance(event, Seated):
            return msgspec.structs.replace(event, person=self.id(event.person))
        return event

    def summary(self, summary: Summary) -> Summary:
        seats = tuple(msgspec.structs.replace(seat, person=self.id(seat.person)) for seat in summary.seats)
        return msgspec.structs.replace(summary, seats=seats, host=self.id(summary.host))

    def result(self, result: Result) -> Result:
        players = tuple(msgspec.structs.replace(one, person=self.id(one.person)) for one in result.players)
        return msgspec.structs.replace(result, players=players)

    def _place(self, place: Place) -> Place:
        return msgspec.structs.replace(place, person=self.id(place.person))
