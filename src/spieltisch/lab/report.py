"""A report on the balance of a game: who wins from where, where points come from, and what is offered, taken and worth.

It is counted from rows of results and of moves, so that it knows no game. A chance is a seat in a game that could
choose a thing at least once.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

import msgspec

from spieltisch.core.setup import Setup
from spieltisch.lab.arena import Z_SCORE, interval
from spieltisch.lab.engines import on_plain_python
from spieltisch.lab.move_rows import Countable, MoveRow, countables_of
from spieltisch.lab.result_rows import Row

DEAD_SHARE: Final = 0.02
"""A thing that is taken in a smaller share of its chances is dead."""

DOMINANT_RATIO: Final = 1.5
"""A thing is dominant if it is certain that those who take it win more than so many times an even share."""

MIN_CHANCES: Final = 20
"""The smallest number of chances of a dead thing, of users of a dominant one, and of games with a clear difference."""


@dataclass
class Mean:
    """A mean of numbers, with its 95 % confidence interval.

    >>> heights = Mean()
    >>> for height in (1, 2, 3):
    ...     heights.add(height)
    >>> heights.mean, [round(end, 2) for end in heights.interval()]
    (2.0, [0.87, 3.13])
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, number: float) -> None:
        """Add a number to those of which this is the mean."""
        self.count += 1
        self.total += number
        self.squares += number * number

    @property
    def mean(self) -> float:
        """The mean, 0 of no numbers."""
        return self.total / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        if self.count < 2:
            return 0.0
        variance = max(0.0, self.squares - self.total * self.total / self.count) / (self.count - 1)
        return sqrt(variance / self.count)

    def interval(self) -> tuple[float, float]:
        """Return the ends of the interval."""
        return self.mean - Z_SCORE * self.error, self.mean + Z_SCORE * self.error


class WinRow(msgspec.Struct, frozen=True):
    """The wins of seats that have something in common.

    - `group`, `name`: what they have in common, such as "turn" and "1"
    - `count`: their number, over all games
    - `share`, `low`, `high`: the share of their games that they won, and its interval
    - `ratio`: the share as a multiple of an even one
    - `points`: their mean points
    """

    group: str
    name: str
    count: int
    share: float
    low: float
    high: float
    ratio: float
    points: float


class ThingRow(msgspec.Struct, frozen=True):
    """The decisions that offered and took a thing, and its worth to those who took it.

    - `group`, `thing`: see `MoveRow`
    - `offered`, `taken`: decisions at which it could be chosen, and was
    - `chances`, `users`: seats in a game that could choose it at least once, and did
    - `rate`: users to chances
    - `points`: the mean points that one such move gained at once
    - `share`, `low`, `high`: the share of their games that the users won, and its interval
    - `ratio`: the share as a multiple of an even one
    - `lead`: the users' points at the end, less the mean of their table, on average
    - `verdict`: "dead", "dominant", "never offered" or ""
    """

    group: str
    thing: str
    offered: int
    taken: int
    chances: int
    users: int
    rate: float
    points: float
    share: float
    low: float
    high: float
    ratio: float
    lead: float
    verdict: str


@dataclass
class _Seats:
    count: int = 0
    won: float = 0.0
    points: float = 0.0

    def add(self, won: float, points: float) -> None:
        self.count += 1
        self.won += won
        self.points += points


@dataclass
class _Thing:
    offered: int = 0
    taken: int = 0
    chances: int = 0
    points: int = 0
    users: _Seats = field(default_factory=_Seats)


class Report:
    """The report on games with one setup, added one by one."""

    def __init__(self, setup: Setup) -> None:
        self.setup = on_plain_python(setup)
        self.games = 0
        self.ended: Counter[str] = Counter()
        self.lengths: list[int] = []
        self.sources: dict[str, Mean] = {}
        """The mean points of a seat by source."""
        self.winning_sources: dict[str, Mean] = {}
        """The same of the winners."""
        self._seats: dict[Countable, _Seats] = {}
        names = dict.fromkeys(name for names in countables_of(self.setup).values() for name in names)
        groups = {group: at for at, group in enumerate(dict.fromkeys(group for group, _ in names))}
        self._things = {name: _Thing() for name in sorted(names, key=lambda name: groups[name[0]])}

    def add(self, rows: Sequence[Row], moves: Iterable[MoveRow]) -> None:
        """Count a game: the rows of its seats, and those of its moves. Raise KeyError for a thing of another board."""
        self.games += 1
        self.ended[rows[0].ended_by] += 1
        self.lengths.append(rows[0].moves)
        mean = sum(row.points for row in rows) / len(rows)
        for row in rows:
            for name in groups_of(row):
                self._seats.setdefault(name, _Seats()).add(row.won, row.points)
        winners = [row for row in rows if row.won]
        for source in rows[0].sources:
            for means, seats in ((self.sources, rows), (self.winning_sources, winners)):
                # One number of each game: what seats of the same game receive is not independent.
                means.setdefault(source, Mean()).add(sum(row.sources[source] for row in seats) / len(seats))
        for move in moves:
            thing, row = self._things[move.group, move.thing], rows[move.seat]
            thing.chances += 1
            thing.offered += move.offered
            thing.taken += move.taken
            thing.points += move.points
            if move.taken:
                thing.users.add(row.won, row.points - mean)

    def wins(self) -> list[WinRow]:
        """Return how often seats win by place in turn order, seat, bot and trait."""
        order = {group: at for at, group in enumerate(dict.fromkeys(group for group, _ in self._seats))}
        return [
            WinRow(*name, seats.count, *self._shares(seats), seats.points / seats.count)
            for name, seats in sorted(self._seats.items(), key=lambda item: (order[item[0][0]], item[0][1]))
        ]

    def things(self) -> list[ThingRow]:
        """Return what could be chosen by group, in the order of the move space."""
        return [
            ThingRow(
                *name,
                thing.offered,
                thing.taken,
                thing.chances,
                thing.users.count,
                thing.users.count / thing.chances if thing.chances else 0.0,
                thing.points / thing.taken if thing.taken else 0.0,
                *self._shares(thing.users),
                thing.users.points / thing.users.count if thing.users.count else 0.0,
                self._verdict(thing),
            )
            for name, thing in self._things.items()
        ]

    def _shares(self, seats: _Seats) -> tuple[float, float, float, float]:
        """Return the share of games won, its interval, and the multiple of an even share."""
        share = seats.won / seats.count if seats.count else 0.0
        return share, *interval(seats.won, seats.count), share * self.setup.seats

    def _verdict(self, thing: _Thing) -> str:
        if not thing.chances:
            return "never offered"
        users = thing.users.count
        if thing.chances >= MIN_CHANCES and users < DEAD_SHARE * thing.chances:
            return "dead"
        low, _ = interval(thing.users.won, users)
        return "dominant" if users >= MIN_CHANCES and low * self.setup.seats > DOMINANT_RATIO else ""


def groups_of(row: Row) -> list[Countable]:
    """Return what a seat has in common with others: its place in turn order, its number, its bot and its traits."""
    turn = [("turn", str(row.turn))] if row.turn else []
    return [*turn, ("seat", str(row.seat + 1)), ("bot", row.bot), *row.traits.items()]


def quantities(rows: Sequence[Row], moves: Iterable[MoveRow]) -> dict[Countable, float]:
    """Return what two games are compared by; what is missing is 0.

    >>> import spieltisch
    >>> from spieltisch.lab.result_rows import rows
    >>> from spieltisch.lab.simulation import Simulation
    >>> simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1)
    >>> measured = quantities(rows(simulation, 1, simulation.game(1)), [])
    >>> measured["wins by turn", "2"], measured["game", "moves"]
    (1.0, 198)
    """
    seats = len(rows)
    counted: dict[Countable, float] = {("game", "moves"): rows[0].moves, ("ended by", rows[0].ended_by): 1}

    def add(group: str, name: str, number: float) -> None:
        counted[group, name] = counted.get((group, name), 0.0) + number

    for row in rows:
        for group, name in groups_of(row):
            if group not in ("seat", "bot"):
                add(f"wins by {group}", name, row.won)
                add(f"points by {group}", name, row.points)
        add("game", "points of a seat", row.points / seats)
        for source, points in row.sources.items():
            add("points by source", source, points / seats)
    for move in moves:
        if move.taken:
            add(f"taken by a seat: {move.group}", move.thing, 1 / seats)
    return counted


class Difference(msgspec.Struct, frozen=True):
    """A quantity before and after the change of a variant, and the interval of the difference.

    `is_clear` is True if the difference is more than three standard errors, in `MIN_CHANCES` games or more. Of a
    hundred quantities that do not change, hardly one looks clear.
    """

    group: str
    name: str
    before: float
    after: float
    difference: float
    low: float
    high: float
    is_clear: bool


CLEAR_ERRORS: Final = 3.0
"""The number of standard errors from which on a difference is clear."""


class Comparison:
    """Games of two setups with the same seeds, compared in pairs.

    >>> compared = Comparison()
    >>> for before, after in ((5, 6), (7, 9), (6, 7)) * 7:
    ...     compared.add({("game", "moves"): before}, {("game", "moves"): after})
    >>> [(row.before, row.after, round(row.low, 2), row.is_clear) for row in compared.differences()]
    [(6.0, 7.333333333333333, 1.13, True)]
    """

    def __init__(self) -> None:
        self.games = 0
        self._sums: dict[Countable, tuple[float, float, float]] = {}

    def add(self, before: Mapping[Countable, float], after: Mapping[Countable, float]) -> None:
        """Count a pair of games."""
        self.games += 1
        for name in before.keys() | after.keys():
            old, new = before.get(name, 0.0), after.get(name, 0.0)
            olds, news, squares = self._sums.get(name, (0.0, 0.0, 0.0))
            self._sums[name] = olds + old, news + new, squares + (new - old) ** 2

    def differences(self) -> list[Difference]:
        """Return all differences, by group and name."""
        rows = []
        for name, (olds, news, squares) in sorted(self._sums.items()):
            mean = Mean(self.games, news - olds, squares)
            is_clear = self.games >= MIN_CHANCES and abs(mean.mean) > CLEAR_ERRORS * mean.error
            rows.append(Difference(*name, olds / self.games, news / self.games, mean.mean, *mean.interval(), is_clear))
        return rows
