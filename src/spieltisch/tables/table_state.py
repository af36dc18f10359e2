"""What a table consists of: seats, the moves that stand, questions, a bot's turn and its trouble."""

from __future__ import annotations

import msgspec

from spieltisch.tables.summary import SeatKind


class Seat(msgspec.Struct, frozen=True):
    """A seat at the table, `number` from 0.

    `kind` `person`: `person` (an id) sits here under `name`; `asked`: the host has asked them to give the seat up.
    `bot`: the bot `bot`, called `name`. `open`, `link`, `kept`: nobody yet; anybody, who has a link, or the `person` it
    is kept for may sit down. `left`: `person` sat here in the running game until they left. `links` counts how often
    the links to this seat were made void. `text`: what was added to chance from here.
    """

    number: int
    kind: SeatKind
    person: str = ""
    name: str = ""
    bot: str = ""
    link_version: int = 0
    reclaim_requested: bool = False
    entropy: str = ""

    @property
    def hot_seat(self) -> str:
        """Which of those on a device this seat's person is, as in addresses: "0" for whose device it is, a number of a
        seat, from 1, for who sits beside them.
        """
        return self.person.partition("/")[2] or "0"


class PlayedMove(msgspec.Struct, frozen=True):
    """A move that stands: the `number` of moves before it, its event's version and time, its seat, text and draws.

    `passed`: it handed the decision on, or ended the game. `told`: its seat learnt something by it. `secret`: see
    `Moved`.
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
        """Whether free undo stops here."""
        return bool(self.drew) or self.revealed or self.ended_decision


class ConsentRequest(msgspec.Struct, frozen=True):
    """A question to the other people at the table: the seat that asks, the seats that agreed, where an undo goes
    `to`.
    """

    seat: int
    agreed: frozenset[int] = frozenset()
    undo_to: int = 0


class BotTurn(msgspec.Struct, frozen=True):
    """A bot has to move: its seat and kind, the version that made it its turn, and how often it failed at this move."""

    seat: int
    bot: str
    version: int
    failures: int


class BotFailure(msgspec.Struct, frozen=True):
    """A bot that could not move: what happened, for the how many-th time in a row, when."""

    seat: int
    bot: str
    what: str
    attempt: int
    at: float
