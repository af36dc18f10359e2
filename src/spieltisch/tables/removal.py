"""A person is taken out of the events of a table: others' games stay whole, and nobody learns who it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from spieltisch.core.words import guest, guest_number
from spieltisch.tables.events import Event, Opened, Place, Seated, Started, Stirred
from spieltisch.tables.names import device_of


class Anonymous:
    """Puts guests without a name in place of a person, and of those who sat beside them on their device.

    `stranger` is the id that stands for them at this table; each of them is a guest with a number of their own, which
    none of those who are called by the `names` has.

    >>> anonymous = Anonymous("ada", "x7", ())
    >>> anonymous.event(Seated(seat=1, person="ada/2", name="Ben")).person, anonymous.names
    ('x7/2', {'Ben'})
    """

    def __init__(self, person: str, stranger: str, events: Sequence[Event], names: Iterable[str] = ()) -> None:
        self._person = person
        self._stranger = stranger
        self._guests: dict[str, str] = {}
        others = [*names, *(event.name for event in events if isinstance(event, Seated))]
        self._first = max((guest_number(name) or 0 for name in others), default=0) + 1
        self._seats: set[int] = set()
        begun = any(isinstance(event, Started) for event in events)
        self._dealt = {event.seat: event for event in events if isinstance(event, Stirred)} if begun else {}
        self.names: set[str] = set()
        """The names that are gone."""

    def event(self, event: Event) -> Event:
        """The same event without them; asked in the order of the events. A seat that was kept for them is one that
        anybody with a link may take. What they added to chance stays where the game was dealt with it.
        """
        if isinstance(event, Opened):
            places = tuple(self._place(place) for place in event.places)
            return msgspec.structs.replace(event, host=self._id(event.host), places=places)
        if isinstance(event, Stirred) and event.seat in self._seats and event != self._dealt.get(event.seat):
            return msgspec.structs.replace(event, text="")
        if isinstance(event, Seated):
            self._seats.discard(event.seat)
        if isinstance(event, Seated) and device_of(event.person) == self._person:
            self._seats.add(event.seat)
            self.names.add(event.name)
            return msgspec.structs.replace(event, person=self._id(event.person), name=self._guest(event.person))
        return event

    def guest(self, person: str) -> tuple[str, str]:
        """The id and the name under which one of them is known from now on."""
        return self._id(person), self._guest(person)

    def _place(self, place: Place) -> Place:
        if device_of(place.person) != self._person:
            return place
        self.names.add(place.name)
        return Place("link")

    def _id(self, person: str) -> str:
        return self._stranger + person.removeprefix(self._person) if device_of(person) == self._person else person

    def _guest(self, person: str) -> str:
        return self._guests.setdefault(person, guest(self._first + len(self._guests)))
