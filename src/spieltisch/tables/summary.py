"""The lobby's summary of a table, without the table's events."""

from enum import IntEnum
from typing import Literal

import msgspec

from spieltisch.tables.names import device_owner

Status = Literal["open", "running", "finished", "aborted", "frozen"]
SeatKind = Literal["person", "bot", "open", "link", "reserved", "left"]
"""The state of a seat: a person, a bot, or empty: open to anyone, by link, reserved for a person, or left by one."""


class Section(IntEnum):
    """A section of a person's own tables in the lobby. The numbers are stored."""

    TURN = 0
    UNFINISHED = 1
    OVER = 2


FREE_KINDS: frozenset[str] = frozenset({"open", "link", "reserved", "left"})


class FormerPlayer(msgspec.Struct, frozen=True):
    """A person, by id, and the name under which they sat in a seat."""

    person: str
    name: str


class SeatSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat in the lobby.

    `person` is the id of the person who sits there, sat there last, or has the seat reserved; `name` is their name or
    the bot's. `given_away_from` are those who lost the seat without their consent.
    """

    kind: SeatKind
    person: str = ""
    name: str = ""
    given_away_from: tuple[FormerPlayer, ...] = ()


class TableSummary(msgspec.Struct, frozen=True):
    """A table in the lobby.

    `to_decide` is a seat, `host` a person's id, and `winners` are seats.
    """

    status: Status
    seats: tuple[SeatSummary, ...]
    to_decide: int | None = None
    winners: tuple[int, ...] = ()
    host: str = ""
    watch: str = "open"
    deadline: float | None = None
    """The end of the time of the seat to decide, in UTC seconds, if the table has a clock that runs."""
    has_substitute: bool = False
    """True if a bot plays for the seat to decide because its time was up."""
    duplicate: str = ""
    """The id of the duplicate that the table belongs to; "" if there is none."""
    is_withheld: bool = False
    """See `Table.is_withheld`."""
    is_suspended: bool = False
    """See `Table.is_suspended`."""
    is_public: bool = False
    """True if anyone may watch, and the lobby offered a seat to anyone when the table was opened."""
    watch_delay: int = 0
    """See `TableSettings`."""
    what_if_at: int | None = None
    """The move after which the game continues another one against bots; None if it is no what-if game."""
    turns: int = 0
    """The number of turns that have ended."""

    def seat_of(self, person: str) -> int | None:
        """Return the first seat that is played on the person's device."""
        return next(
            (n for n, seat in enumerate(self.seats) if seat.kind == "person" and device_owner(seat.person) == person),
            None,
        )

    def is_hidden_duplicate(self, person: str) -> bool:
        """Return True if this person may know only the table's progress, since its deal is still being played."""
        return self.is_withheld and self.status != "open" and self.seat_of(person) is None

    def hides_progress_from(self, person: str) -> bool:
        """Return True if this person has no seat and sees the running game with a delay."""
        return bool(self.watch_delay) and self.status in ("running", "frozen") and self.seat_of(person) is None

    def seen_by(self, person: str) -> "TableSummary":
        """Return the summary as this person may know it: without the progress of a game that is hidden from them."""
        if self.is_hidden_duplicate(person):
            return msgspec.structs.replace(self._without_progress(), winners=())
        return self._without_progress() if self.hides_progress_from(person) else self

    def _without_progress(self) -> "TableSummary":
        return msgspec.structs.replace(self, to_decide=None, deadline=None, has_substitute=False, turns=0)

    @property
    def mover(self) -> SeatSummary | None:
        """The person or bot to move; None unless the game runs, and if the seat was left and waits."""
        if self.status != "running" or self.to_decide is None:
            return None
        seat = self.seats[self.to_decide]
        return seat if seat.kind in ("person", "bot") or self.has_substitute else None

    def seats_to_take_again(self, person: str) -> dict[int, FormerPlayer]:
        """Return the seats that this person, or their hot-seat players, had and can take again, and who had them."""
        sitting = {seat.person for seat in self.seats if seat.kind == "person"}
        return {
            number: player
            for number, seat in enumerate(self.seats)
            if seat.kind == "left" and self.status == "running"
            for player in (FormerPlayer(seat.person, seat.name), *seat.given_away_from)
            if device_owner(player.person) == person and player.person not in sitting
        }

    def keeps_seat_of(self, person: str) -> bool:
        """Return True if a seat is reserved for this person or for another player on their device."""
        return any(seat.kind == "reserved" and device_owner(seat.person) == person for seat in self.seats)

    @property
    def given_away(self) -> frozenset[tuple[int, str]]:
        """The seats that the host has given away without consent, each with the player who had it."""
        return frozenset((n, player.person) for n, seat in enumerate(self.seats) for player in seat.given_away_from)

    @property
    def dispossessed(self) -> frozenset[str]:
        """The people from whose devices the host has given a seat away without their consent."""
        return frozenset(device_owner(player) for _, player in self.given_away)

    @property
    def people(self) -> frozenset[str]:
        """The people whose own tables in the lobby include this one: the host, and those who have or had a seat."""
        seated = frozenset(
            device_owner(person) for person in (self.host, *(seat.person for seat in self.seats)) if person
        )
        return seated | self.dispossessed

    @property
    def invited(self) -> frozenset[str]:
        """The people for whom seats are kept, and who have no other part in the table."""
        kept = {device_owner(seat.person) for seat in self.seats if seat.kind == "reserved"}
        others = {device_owner(seat.person) for seat in self.seats if seat.kind != "reserved"}
        return frozenset(kept - others - {self.host} - self.dispossessed)

    @property
    def waiting_for(self) -> str:
        """The person on whose device a decision is due; "" if none is, or if a bot is to decide."""
        seat = self.mover
        return (
            device_owner(seat.person) if seat is not None and seat.kind == "person" and not self.has_substitute else ""
        )

    @property
    def is_turn_of_bot(self) -> bool:
        """True if a bot is to decide, in its own seat or as a substitute."""
        seat = self.mover
        return seat is not None and (seat.kind == "bot" or self.has_substitute)

    def is_turn_of(self, person: str) -> bool:
        """Return True if the table waits for a decision on this person's device."""
        return bool(person) and self.waiting_for == person

    def section_of(self, person: str) -> Section:
        """Return the section of this person's own tables that lists the table."""
        if self.is_turn_of(person):
            return Section.TURN
        return Section.OVER if self.status in ("finished", "aborted") else Section.UNFINISHED

    @property
    def watched_seats(self) -> tuple[SeatSummary, ...]:
        """The seats as the lobby shows them to everyone while the game runs; none if the table is not public."""
        return self.seats if self.is_public and self.status == "running" and not self.is_withheld else ()

    @property
    def free_seats(self) -> int:
        """The number of seats that anyone may take before the game begins."""
        return sum(seat.kind == "open" for seat in self.seats) if self.status == "open" else 0
