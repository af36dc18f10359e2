"""A person is taken out of the events of a table: others' games stay whole, and nobody learns who it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from spieltisch.core.words import removed_person_name, removed_person_number
from spieltisch.tables.events import EntropyAdded, Event, Opened, Seated, SeatOffer, Started
from spieltisch.tables.names import device_owner


class Anonymizer:
    """Puts guests without a name in place of a person, and of those who sat beside them on their device.

    `stranger` is the id that stands for them at this table; each of them is a guest with a number of their own, which
    none of those who are called by the `names` has.

    >>> anonymous = Anonymizer("ada", "x7", ())
    >>> anonymous.anonymize(Seated(seat=1, person="ada/2", name="Ben")).person, anonymous.names
    ('x7/2', {'Ben'})
    """

    def __init__(self, person: str, stranger: str, events: Sequence[Event], names: Iterable[str] = ()) -> None:
        self._person = person
        self._stranger = stranger
        self._guests: dict[str, str] = {}
        others = [*names, *(event.name for event in events if isinstance(event, Seated))]
        self._first = max((removed_person_number(name) or 0 for name in others), default=0) + 1
        self._seats: set[int] = set()
        begun = any(isinstance(event, Started) for event in events)
        self._dealt = {event.seat: event for event in events if isinstance(event, EntropyAdded)} if begun else {}
        self.names: set[str] = set()
        """The names that are gone."""

    def anonymize(self, event: Event) -> Event:
        """The same event without them; asked in the order of the events. A seat that was kept for them is one that
        anybody with a link may take. What they added to chance stays where the game was dealt with it.
        """
        if isinstance(event, Opened):
            places = tuple(self._place(place) for place in event.seat_offers)
            return msgspec.structs.replace(event, host=self._id(event.host), seat_offers=places)
        if isinstance(event, EntropyAdded) and event.seat in self._seats and event != self._dealt.get(event.seat):
            return msgspec.structs.replace(event, text="")
        if isinstance(event, Seated):
            self._seats.discard(event.seat)
        if isinstance(event, Seated) and device_owner(event.person) == self._person:
            self._seats.add(event.seat)
            self.names.add(event.name)
            return msgspec.structs.replace(event, person=self._id(event.person), name=self._guest(event.person))
        return event

    def replacement(self, person: str) -> tuple[str, str]:
        """The id and the name under which one of them is known from now on."""
        return self._id(person), self._guest(person)

    def _place(self, place: SeatOffer) -> SeatOffer:
        if device_owner(place.person) != self._person:
            return place
        self.names.add(place.name)
        return SeatOffer("link")

    def _id(self, person: str) -> str:
        return self._stranger + person.removeprefix(self._person) if device_owner(person) == self._person else person

    def _guest(self, person: str) -> str:
        return self._guests.setdefault(person, removed_person_name(self._first + len(self._guests)))
