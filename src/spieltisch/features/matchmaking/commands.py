"""The kinds of games that people seek, and groups of people who fit together."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from spieltisch.core.game import Game
from spieltisch.core.words import message
from spieltisch.tables import TableRefusal
from spieltisch.tables.confusables import confusable_with
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.table_settings import MINUTE

CLOCKS: Final = ("live", "")
"""The clocks, by their names in `PRESETS`; those who wait for a game want to begin now."""
BOT_MINUTES: Final = (0, 1, 3, 10)
"""The minutes after which bots may fill a table; 0: never."""
PEOPLE_WITH_BOTS: Final = 2
"""The number of people from which on bots fill a table: a game against bots alone needs no waiting."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of game: with `fewest` to `most` players, and one of `CLOCKS`.

    Once a person has waited for `bot_minutes`, bots may take seats that no one else does. `origin` is the hash of the
    address that asked, for which a table counts that this person hosts.
    """

    game: str
    fewest: int
    most: int
    clock: str
    bot_minutes: int
    origin: bytes = b""


class Seek(msgspec.Struct, frozen=True):
    """A person who has been waiting for a kind of game since a time in UTC seconds."""

    person: str
    name: str
    kind: Kind
    since: float

    @property
    def id(self) -> str:
        """The id of the person, who takes a seat."""
        return self.person

    @property
    def bots_from(self) -> float:
        """The time (UTC seconds) from which on bots may fill a table for this person; infinite for never."""
        minutes = self.kind.bot_minutes
        return self.since + minutes * MINUTE if minutes else float("inf")


class Group(msgspec.Struct, frozen=True):
    """The people for one table, the first of them its host, and its number of seats; bots take the others."""

    seeks: tuple[Seek, ...]
    seats: int


def parse_kind(game: Game, form: Mapping[str, str]) -> Kind:
    """Return the kind of game that a form describes, with the numbers of players that the game allows.

    Raise `TableRefusal` `seats` if there are none, or `settings`.
    """
    numbers = [form.get(name, "") for name in ("fewest", "most")]
    first, last = (int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0 for text in numbers)
    fewest, most = max(first, game.seats[0]), min(last, game.seats[-1])
    if fewest > most:
        words = message("This game is for {fewest} to {most} players.", fewest=game.seats[0], most=game.seats[-1])
        raise TableRefusal(RefusalCode.SEATS, words)
    clock, minutes = form.get("clock", ""), form.get("bot_minutes", "0")
    for chosen, known in ((clock, CLOCKS), (minutes, map(str, BOT_MINUTES))):
        if chosen not in known:
            words = message("“{word}” is not a valid table setting.", word=chosen[:40])
            raise TableRefusal(RefusalCode.SETTINGS, words)
    return Kind(game.key, fewest, most, clock, int(minutes))


def find_group(seeks: Sequence[Seek], now: float) -> Group | None:
    """Return people for a table at a time (UTC seconds), None if no one is to be seated yet.

    Those who wait longest come first. A table is full with people as soon as that is possible, of all sizes the largest
    first; with bots it has as many people as possible.
    """
    waiting = sorted(seeks, key=lambda seek: (seek.since, seek.person))
    for first in waiting:
        for seats in range(first.kind.most, first.kind.fewest - 1, -1):
            people = _fitting(first, waiting, seats)
            if len(people) >= seats:
                return Group(people[:seats], seats)
    with_bots = [seek for seek in waiting if seek.kind.bot_minutes]
    for first in with_bots:
        if first.bots_from <= now:
            sizes = range(first.kind.fewest, first.kind.most + 1)
            people, seats = max(
                ((_fitting(first, with_bots, seats), seats) for seats in sizes),
                key=lambda found: (len(found[0]), -found[1]),
            )
            if len(people) >= PEOPLE_WITH_BOTS:
                return Group(people, seats)
    return None


def _fitting(first: Seek, waiting: Iterable[Seek], seats: int) -> tuple[Seek, ...]:
    """Return who can sit at a table of this size with the first one; no two have names that look alike."""
    people = [first]
    for seek in waiting:
        kind, names = seek.kind, [other.name for other in people]
        is_same = (kind.game, kind.clock) == (first.kind.game, first.kind.clock) and kind.fewest <= seats <= kind.most
        if is_same and seek is not first and confusable_with(seek.name, names) is None:
            people.append(seek)
    return tuple(people)
