"""An arena: bots against each other in pairs, until it is certain which of them is better.

In a duel two bots share a table, every other seat to one of them; where the number of seats is odd, now the one has a
seat more and now the other. Game 17 of every duel has the same seed, so that all meet the same deals, and depends on
nothing but that and the two bots: neither on the number of processes nor on what was played before.
"""

from __future__ import annotations

import csv
import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any, Final

import msgspec

from spieltisch.bots import check
from spieltisch.core.setup import Setup, found
from spieltisch.lab.simulation import Simulation

CERTAIN: Final = 1.96
"""How many standard errors a share must be from one half to be clear."""

FEWEST: Final = 20
"""Games before a duel is called clear."""

TRIES: Final = 3
"""How often games are begun anew whose process ended."""


class Row(msgspec.Struct, frozen=True):
    """One seat in one game: the duel ("engineer greedy") and the game's number in it, its seed, the seat (from 0; who
    begins is drawn by the game), the bot in it, its points, its place (shared places have the same number), its part of
    the win, the rule that ended the game and the number of moves.
    """

    duel: str
    number: int
    seed: int
    seat: int
    bot: str
    points: int
    place: int
    won: float
    ended_by: str
    moves: int


class Score(msgspec.Struct, frozen=True):
    """A duel as it stands: the share of wins of the first bot, and the interval it lies in with 95 % (Wilson, "Probable
    Inference", 1927).
    """

    one: str
    other: str
    games: int
    share: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether it is certain who is better."""
        return self.games >= FEWEST and not self.low <= 0.5 <= self.high


def interval(won: float, games: int) -> tuple[float, float]:
    """Where the true share of wins lies with 95 %.

    >>> [round(end, 2) for end in interval(65, 100)]
    [0.55, 0.74]
    """
    if not games:
        return 0.0, 1.0
    share, z = won / games, CERTAIN
    middle = share + z * z / (2 * games)
    span = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return (middle - span) / whole, (middle + span) / whole


class Arena:
    """Duels of all pairs of these bots with one setup. `rows` holds what was played; a file of rows can be gone on
    with. Raises UnknownBot, ValueError.
    """

    def __init__(self, setup: Setup, bots: Sequence[str], seed: int) -> None:
        for name in bots:
            check(name)
        if len(set(bots)) != len(bots) or len(bots) < 2:
            raise ValueError("an arena needs two bots or more, each of them once")
        self.setup, self.bots, self.seed = setup, tuple(bots), seed
        self.rows: dict[tuple[str, int], tuple[Row, ...]] = {}

    def scores(self) -> list[Score]:
        """All duels, in the order of the bots."""
        return [self._score(one, other) for one, other in combinations(self.bots, 2)]

    def order(self) -> list[tuple[str, float]]:
        """The bots with their share of wins over all their duels, the best first."""
        shares: dict[str, list[float]] = {name: [] for name in self.bots}
        for score in self.scores():
            if score.games:
                shares[score.one].append(score.share)
                shares[score.other].append(1 - score.share)
        means = {name: sum(all_) / len(all_) if all_ else 0.0 for name, all_ in shares.items()}
        return sorted(means.items(), key=lambda item: -item[1])

    def play(self, games: int, jobs: int = 1) -> Iterator[int]:
        """Play up to so many games of each duel that is not clear, in so many processes; yields how many were played
        since the last time. A process that is killed changes nothing: its games are begun anew. Raises RuntimeError
        when processes end again and again.
        """
        tries = 0
        while waiting := self._waiting(games):
            context = multiprocessing.get_context("spawn")
            try:
                with ProcessPoolExecutor(min(jobs, len(waiting)), mp_context=context) as pool:
                    yield from self._drain(pool, waiting, jobs)
            except BrokenProcessPool:
                tries += 1
                if tries == TRIES:
                    raise RuntimeError("processes of the arena end before their games do") from None

    def _drain(self, pool: ProcessPoolExecutor, waiting: list[tuple[str, str, int]], jobs: int) -> Iterator[int]:
        under_way: set[Future[tuple[Row, ...]]] = set()
        while waiting or under_way:
            while waiting and len(under_way) < 2 * jobs:
                one, other, number = waiting.pop(0)
                if not self._score(one, other).clear:
                    under_way.add(pool.submit(play_game, self._told(), one, other, self.seed, number))
            if not under_way:
                return
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                self.add(future.result())
            yield len(done)

    def add(self, rows: Sequence[Row]) -> None:
        """Count the rows of one game."""
        self.rows[rows[0].duel, rows[0].number] = tuple(rows)

    def _waiting(self, games: int) -> list[tuple[str, str, int]]:
        """The games that are still to be played, the duels taking turns."""
        return [
            (one, other, number)
            for number in range(1, games + 1)
            for one, other in combinations(self.bots, 2)
            if (f"{one} {other}", number) not in self.rows and not self._score(one, other).clear
        ]

    def _told(self) -> tuple[str, str, int, tuple[tuple[str, Any], ...]]:
        setup = self.setup
        return setup.game.key, setup.own_components, setup.seats, tuple(sorted(setup.options.items()))

    def _score(self, one: str, other: str) -> Score:
        """Counted up to the first game that is missing, so that the order in which games end decides nothing."""
        won, number = 0.0, 0
        while (rows := self.rows.get((f"{one} {other}", number + 1))) is not None:
            number += 1
            won += sum(row.won for row in rows if row.bot == one)
        return Score(one, other, number, won / number if number else 0.0, *interval(won, number))


def play_game(
    told: tuple[str, str, int, tuple[tuple[str, Any], ...]], one: str, other: str, seed: int, number: int
) -> tuple[Row, ...]:
    """One game of a duel, in whichever process."""
    key, components, seats, options = told
    first, second = (one, other) if number % 2 else (other, one)
    bots = tuple(first if seat % 2 == 0 else second for seat in range(seats))
    played = _simulation(key, components, seats, options, bots, seed).game(number)
    return _rows(_simulation(key, components, seats, options, bots, seed), f"{one} {other}", number, played)


@lru_cache(maxsize=4)
def _simulation(
    key: str, components: str, seats: int, options: tuple[tuple[str, Any], ...], bots: tuple[str, ...], seed: int
) -> Simulation:
    return Simulation(found(key, False, components, seats, dict(options)), bots, seed)


def _rows(simulation: Simulation, duel: str, number: int, played: Any) -> tuple[Row, ...]:
    end = simulation.end(played)
    points = end.scores
    outcome = end.outcome
    assert outcome is not None  # noqa: S101  # a game of a simulation is played to its end
    share = 1 / len(outcome.winners)
    return tuple(
        Row(
            duel, number, played.seed, seat, bot, points[seat],
            1 if seat in outcome.winners else 1 + sum(its > points[seat] for its in points),
            share if seat in outcome.winners else 0.0, outcome.ended_by, len(played.steps),
        )
        for seat, bot in enumerate(played.players)
    )  # fmt: skip


FIELDS: Final = Row.__struct_fields__


def read(file: Path) -> Iterator[tuple[Row, ...]]:
    """The games in a file of rows; of one that was cut off in the middle nothing. Raises ValueError naming the line."""
    with file.open(newline="", encoding="utf-8") as text:
        lines = csv.DictReader(text)
        if tuple(lines.fieldnames or ()) != FIELDS:
            raise ValueError(f"{file}: line 1: not the columns {', '.join(FIELDS)}")
        games: dict[tuple[str, int], list[Row]] = {}
        for line in lines:
            try:
                row = msgspec.convert(line, Row, strict=False)
            except msgspec.ValidationError as problem:
                raise ValueError(f"{file}: line {lines.line_num}: {problem}") from problem
            games.setdefault((row.duel, row.number), []).append(row)
    most = max((len(rows) for rows in games.values()), default=0)
    yield from (tuple(rows) for rows in games.values() if len(rows) == most)


def write(file: Path, games: Mapping[tuple[str, int], Sequence[Row]]) -> None:
    """All games to a file of rows, in the order of duels and numbers; the file is whole or as it was."""
    beside = file.with_suffix(f".{os.getpid()}")
    with beside.open("w", newline="", encoding="utf-8") as text:
        lines = csv.DictWriter(text, FIELDS)
        lines.writeheader()
        for _, rows in sorted(games.items()):
            lines.writerows(msgspec.structs.asdict(row) for row in rows)
    beside.replace(file)
