"""Removing a person from the events of a table: the games of others stay complete, and the identity is lost."""

from collections.abc import Iterable, Sequence

import msgspec

from spieltisch.core.names import removed_person_name, removed_person_number
from spieltisch.tables.events import Declined, Event, Opened, Seated, SeatOffer
from spieltisch.tables.names import device_owner


class Anonymizer:
    """Replaces a person and their hot-seat players by guests without a name.

    `stranger` is the id that replaces the person's at this table. Each guest has a different number, one that no guest
    in `names` or in the events has.

    >>> anonymous = Anonymizer("ada", "x7", ())
    >>> anonymous.anonymize(Seated(seat=1, person="ada/2", name="Ben")).person, anonymous.names
    ('x7/2', {'Ben'})
    """

    def __init__(self, person: str, stranger: str, events: Sequence[Event], names: Iterable[str] = ()) -> None:
        self._person = person
        self._stranger = stranger
        self._guests: dict[str, str] = {}
        other_names = [*names, *(event.name for event in events if isinstance(event, Seated))]
        self._first = max((removed_person_number(name) or 0 for name in other_names), default=0) + 1
        self.names: set[str] = set()
        """The names that were removed."""

    def anonymize(self, event: Event) -> Event:
        """Return the event without the person. Call this in the order of the events.

        A seat that was reserved for them becomes one for anyone with a link.
        """
        if isinstance(event, Opened):
            offers = tuple(self._seat_offer(offer) for offer in event.seat_offers)
            return msgspec.structs.replace(event, host=self._replaced_id(event.host), seat_offers=offers)
        if isinstance(event, Seated) and device_owner(event.person) == self._person:
            self.names.add(event.name)
            return msgspec.structs.replace(
                event, person=self._replaced_id(event.person), name=self._guest_name(event.person)
            )
        if isinstance(event, Declined):
            return msgspec.structs.replace(event, person=self._replaced_id(event.person))
        return event

    def replacement(self, person: str) -> tuple[str, str]:
        """Return the id and the name by which one of these people is known from now on."""
        return self._replaced_id(person), self._guest_name(person)

    def _seat_offer(self, offer: SeatOffer) -> SeatOffer:
        if device_owner(offer.person) != self._person:
            return offer
        self.names.add(offer.name)
        return SeatOffer("link")

    def _replaced_id(self, person: str) -> str:
        return self._stranger + person.removeprefix(self._person) if device_owner(person) == self._person else person

    def _guest_name(self, person: str) -> str:
        return self._guests.setdefault(person, removed_person_name(self._first + len(self._guests)))
