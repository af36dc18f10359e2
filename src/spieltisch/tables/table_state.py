"""The parts of a table: seats, moves, requests for consent, turns of bots and their failures."""

from collections.abc import Iterable

import msgspec

from spieltisch.tables.events import Opened
from spieltisch.tables.summary import FormerPlayer, SeatKind


class Seat(msgspec.Struct, frozen=True):
    """A seat at the table, numbered from 0.

    `kind` is one of:

    - `person`: `person` (an id) sits here under `name`. `reclaim_requested`: the host has asked them to give up the
      seat.
    - `bot`: the bot `bot`, called `name`, with a `style` ("": none).
    - `open`, `link`, `reserved`: empty, for anyone, for anyone with a link, or for `person`.
    - `left`: `person` sat here in the running game until they left.

    `given_away_from` are the people who lost the seat in the running game without their consent, and who may return
    while it is free. `link_version` is the number of times the links to this seat were revoked, `times_taken` the
    number of times it was taken, each of which ends its links.
    """

    number: int
    kind: SeatKind
    person: str = ""
    name: str = ""
    bot: str = ""
    style: str = ""
    given_away_from: tuple[FormerPlayer, ...] = ()
    link_version: int = 0
    times_taken: int = 0
    reclaim_requested: bool = False

    @property
    def hot_seat(self) -> str:
        """The player of a device, as written in URLs.

        "0" is the owner of the device; a hot-seat player has the number of their seat, from 1.
        """
        return self.person.partition("/")[2] or "0"


class PlayedMove(msgspec.Struct, frozen=True):
    """A move that has not been undone, after `number` moves before it.

    `version` and `at` are those of its event; `seat`, `move` (its text) and `drew` (its draws) describe the move.
    `ended_decision`: it passed the decision on, or ended the game. `revealed`: its seat learnt something by it.
    `secret`: see `Moved`.
    """

    number: int
    version: int
    at: float
    seat: int
    move: str
    drew: tuple[str, ...]
    revealed: bool
    ended_decision: bool
    secret: bool = False

    @property
    def final(self) -> bool:
        """True if this move cannot be undone without consent: it drew, revealed something or ended the decision."""
        return bool(self.drew) or self.revealed or self.ended_decision


class ConsentRequest(msgspec.Struct, frozen=True):
    """A request to the other people at the table.

    `seat` asks, the seats `agreed` have agreed; a takeback leaves the first `undo_to` moves.
    """

    seat: int
    agreed: frozenset[int] = frozenset()
    undo_to: int = 0


class BotTurn(msgspec.Struct, frozen=True):
    """A bot that has to move.

    `version` is that of the position it has to decide in, `failures` how often it has failed at this move.
    """

    seat: int
    bot: str
    version: int
    failures: int


class BotFailure(msgspec.Struct, frozen=True):
    """A bot that could not move: the reason, the number of the attempt in a row, and the time."""

    seat: int
    bot: str
    what: str
    attempt: int
    at: float


def is_public(opened: Opened, seats: Iterable[Seat]) -> bool:
    """Return True if anyone may watch a table at which a seat was offered to anyone."""
    offered_seats = zip(opened.seat_offers, seats, strict=True)
    return opened.spectators == "open" and any(
        offer.kind == "open" and seat.kind != "bot" for offer, seat in offered_seats
    )
