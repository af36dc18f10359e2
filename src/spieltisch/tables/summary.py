"""What the lobby shows of a table, without the table's events."""

from __future__ import annotations

from typing import Literal

import msgspec

from spieltisch.tables.names import device_owner

Status = Literal["open", "running", "finished", "aborted", "frozen"]
SeatKind = Literal["person", "bot", "open", "link", "kept", "left"]
"""Who is in a seat: a person, a bot; nobody: free to all, by link, kept for somebody, or left by somebody."""

FREE_KINDS: frozenset[str] = frozenset({"open", "link", "kept", "left"})


class SeatSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat: `person` is the id of who sits there, sat there last, or for whom it is kept; `name` their name or the
    bot's.
    """

    kind: SeatKind
    person: str = ""
    name: str = ""


class TableSummary(
    msgspec.Struct, frozen=True, rename={"deadline": "due", "has_substitute": "stood_in", "withheld": "kept_back"}
):
    """A table in the lobby. `to_decide` is a seat, `host` a person's id, `winners` are seats; `title` is the game's
    key.
    """

    status: Status
    seats: tuple[SeatSummary, ...]
    to_decide: int | None = None
    winners: tuple[int, ...] = ()
    host: str = ""
    watch: str = "open"
    deadline: float | None = None
    """Until when who is to decide has time, in UTC seconds, where the table has a clock that runs."""
    has_substitute: bool = False
    """Whether a bot plays for who is to decide, whose time was up."""
    deal: str = ""
    """The id of the deal that is played at other tables, too."""
    withheld: bool = False
    """See `Table.kept_back`."""

    def seat_of(self, person: str) -> int | None:
        """The first seat that is played on the person's device."""
        return next(
            (n for n, seat in enumerate(self.seats) if seat.kind == "person" and device_owner(seat.person) == person),
            None,
        )

    def is_hidden_duplicate(self, person: str) -> bool:
        """Whether nothing of the table may be told to this person but how far it is: it is another of the same deal."""
        return self.withheld and self.status != "open" and self.seat_of(person) is None

    @property
    def mover(self) -> SeatSummary | None:
        """The person or bot who is to move; None unless the game runs, and where the seat was left and waits."""
        if self.status != "running" or self.to_decide is None:
            return None
        seat = self.seats[self.to_decide]
        return seat if seat.kind in ("person", "bot") or self.has_substitute else None

    def left_by(self, person: str) -> tuple[int, ...]:
        """Return the seats in which this person, or who played beside them on their device, can sit down again."""
        sitting = {seat.person for seat in self.seats if seat.kind == "person"}
        left = (n for n, seat in enumerate(self.seats) if seat.kind == "left" and device_owner(seat.person) == person)
        return tuple(n for n in left if self.status == "running" and self.seats[n].person not in sitting)

    @property
    def people(self) -> frozenset[str]:
        """The people among whose own tables the lobby lists this one: the host, and whom a seat belongs to."""
        return frozenset(device_owner(one) for one in (self.host, *(seat.person for seat in self.seats)) if one)

    @property
    def waiting_for(self) -> str:
        """The person on whose device a decision is waited for; "" where nobody is waited for, or a bot."""
        seat = self.mover
        return (
            device_owner(seat.person) if seat is not None and seat.kind == "person" and not self.has_substitute else ""
        )

    def is_turn_of(self, person: str) -> bool:
        """Whether the table waits for a decision on this person's device."""
        return bool(person) and self.waiting_for == person

    @property
    def free_seats(self) -> int:
        """How many seats anybody may take before the game begins."""
        return sum(seat.kind == "open" for seat in self.seats) if self.status == "open" else 0
