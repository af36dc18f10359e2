"""The accuracy that an analysis finds for bots of known strength, and whether it orders their levels.

    python -m bench.accuracy --games 12 --jobs 16 --file accuracy.jsonl
    python -m bench.accuracy --games 0 --file accuracy.jsonl

In each game four of the six levels sit at one table. Every game that has been played, and every analysis, is a line of
the file; a run continues after the last one, so it may be stopped at any time (`--seconds` stops it). The tables show,
for each game and level, the accuracy with its standard error over the games, the middle between neighbours, and how
often the better of two levels in one game was the more accurate.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import combinations, pairwise
from math import nan, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import msgspec

import spieltisch
from spieltisch import bots
from spieltisch.bots.analysis import Accuracy, Analysis
from spieltisch.bots.judging import AnalysisJob, judge, questions
from spieltisch.bots.search import native_library
from spieltisch.core.record import Record, RecordedMove
from spieltisch.games import GAMES

LEVELS: Final = ("random", "beginner", "easy", "medium", "hard", "expert")
"""The levels, from the weakest to the strongest."""
SEATS: Final = 4
"""The number of players of a table."""
SEED: Final = 32
"""The seed of the tables with which the thresholds are fitted; tables that test them need another."""


class Table(NamedTuple):
    """A table of the batch: the key of the game, its number, the levels by seat, and the seed of the batch."""

    game: str
    number: int
    levels: tuple[str, ...]
    seed: int


def tables_to_play(games: Sequence[str], levels: Sequence[str], count: int, seed: int) -> Iterator[Table]:
    """Yield the tables: of six levels, each choice of four sits at one of 15 successive tables of a game."""
    choices = [*combinations(levels, SEATS)]
    random.Random(seed).shuffle(choices)
    for number in range(count):
        for game in games:
            seated = [*choices[number % len(choices)]]
            random.Random(f"{seed} {game} {number}").shuffle(seated)
            yield Table(game, number, tuple(seated), seed)


def play_game(table: Table) -> str:
    """Play the game of a table, and return its record as text."""
    position = spieltisch.game(table.game).start(SEATS, seed=table.seed + table.number)
    plays, turns = list[RecordedMove](), [bots.Turns() for _ in range(SEATS)]
    while (seat := position.seat) is not None:
        legal = position.legal_moves
        move = (
            legal.numbers[0]
            if len(legal) == 1
            else turns[seat].decide(table.levels[seat], position.observe(seat), lambda: position.number)
        )
        result = position.play(move)
        plays.append(RecordedMove(seat, result.move.text, result.drew))
    return Record.of(position, plays, players=table.levels, seed=table.seed + table.number).text


class Batch:
    """The tables of a run, the lines of its file, and the work in progress."""

    def __init__(self, file: Path, pool: ProcessPoolExecutor, seconds: float, simulations: int) -> None:
        self._file, self._pool, self._seconds, self._simulations = file, pool, seconds, simulations
        self.records: dict[Table, str] = {}
        self.analyses: dict[Table, Analysis] = {}
        for line in file.read_text().splitlines() if file.exists() else ():
            row = json.loads(line)
            table = Table(row["game"], row["number"], tuple(row["levels"]), row["seed"])
            if "record" in row:
                self.records[table] = row["record"]
            else:
                self.analyses[table] = msgspec.convert(row["analysis"], Analysis)
        self._tasks: dict[Future[Any], tuple[Table, AnalysisJob | None]] = {}
        self._left: dict[Table, int] = {}

    def run(self, wanted: Sequence[Table], end: float) -> None:
        """Play and analyse these tables until `end` on the monotonic clock."""
        for table in wanted:
            if table not in self.records:
                self._tasks[self._pool.submit(play_game, table)] = table, None
            elif table not in self.analyses:
                self._ask(table)
        while self._tasks and (left := end - time.monotonic()) > 0:
            done, _ = wait(self._tasks, left, FIRST_COMPLETED)
            for task in done:
                table, job = self._tasks.pop(task)
                if job is None:
                    self._add(table, "record", task.result())
                    self.records[table] = task.result()
                    self._ask(table)
                else:
                    self._answer(table, job, task.result())
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _ask(self, table: Table) -> None:
        record = Record.parse(self.records[table])
        asked = [*questions(next(record.positions()), record.moves)]
        self._submit(table, AnalysisJob(asked, self._seconds, self._simulations), first=True)

    def _submit(self, table: Table, job: AnalysisJob, *, first: bool) -> None:
        batch = job.first_pass() if first else job.second_pass()
        self._left[table] = len(batch) if first else -len(batch)  # below 0: the second pass
        for question in batch:
            self._tasks[self._pool.submit(judge, *question)] = table, job

    def _answer(self, table: Table, job: AnalysisJob, answer: bytes) -> None:
        job.add_answer(answer)
        is_first = self._left[table] > 0
        self._left[table] += -1 if is_first else 1
        if self._left[table] == 0 and is_first:
            self._submit(table, job, first=False)
        elif self._left[table] == 0:
            record = Record.parse(self.records[table])
            analysis = job.finish(record.replay(), record.moves)
            self.analyses[table] = analysis
            self._add(table, "analysis", msgspec.to_builtins(analysis))

    def _add(self, table: Table, what: str, content: Any) -> None:
        with self._file.open("a") as lines:
            lines.write(json.dumps({**table._asdict(), what: content}) + "\n")


def report(analyses: dict[Table, Analysis], game: str) -> None:
    """Print the tables for a game."""
    accuracies: dict[str, list[Accuracy]] = {level: [] for level in LEVELS}
    in_order: dict[int, list[bool]] = {}
    for table, analysis in analyses.items():
        if table.game != game:
            continue
        own = {level: analysis.accuracy(seat) for seat, level in enumerate(table.levels)}
        for level, accuracy in own.items():
            accuracies[level].append(accuracy)
        for (low, weak), (high, strong) in combinations(enumerate(LEVELS), 2):
            if weak in own and strong in own:
                in_order.setdefault(high - low, []).append(own[weak].share < own[strong].share)
    print(f"\n{game}: {sum(table.game == game for table in analyses)} games")
    print("level       games  turns  accuracy  ± error   mean loss  without mistake  played like")
    for level in LEVELS:
        if values := accuracies[level]:
            shares = [value.share for value in values]
            error = stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else nan
            faultless = fmean(value.without_mistake / max(1, value.turns) for value in values)
            named = Counter("/".join(value.levels) for value in values if value.levels)
            print(
                f"{level:11} {len(values):5} {fmean(value.turns for value in values):6.0f} {fmean(shares):9.1%}", end=""
            )
            print(f" {error:8.1%} {fmean(value.mean_loss for value in values):11.4f} {faultless:16.0%}", end="  ")
            print(", ".join(f"{count} {name}" for name, count in named.most_common()) or "-")
    print("thresholds:", ", ".join(f"{at:.3f}" for at in thresholds(accuracies)))
    print(
        "in order in one game:",
        ", ".join(f"{apart} apart {sum(hits)} of {len(hits)}" for apart, hits in sorted(in_order.items())),
    )


def thresholds(accuracies: dict[str, list[Accuracy]]) -> list[float]:
    """Return the middle between the mean accuracies of each two neighbours that played."""
    means = [fmean(value.share for value in values) for values in accuracies.values() if values]
    return [(weak + strong) / 2 for weak, strong in pairwise(means)]


def main() -> None:
    """Run the batch and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=sorted(GAMES), action="append", help="by default all")
    parser.add_argument("--games", type=int, default=12, help="play so many games of each")
    parser.add_argument("--levels", default=",".join(LEVELS), help="four of these levels sit at a table")
    parser.add_argument("--seed", type=int, default=SEED, help="of the tables")
    parser.add_argument("--jobs", type=int, default=2, help="work in so many processes")
    parser.add_argument("--file", type=Path, default=Path("accuracy.jsonl"), help="continue this file")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so many seconds")
    parser.add_argument("--effort", type=float, default=110.0, help="processor seconds for the analysis of a game")
    parser.add_argument("--simulations", type=int, default=1000, help="simulated games of a search")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    keys = arguments.game or sorted(GAMES)
    with ProcessPoolExecutor(arguments.jobs) as pool:
        [*pool.map(native_library.build, keys)]
        batch = Batch(arguments.file, pool, arguments.effort, arguments.simulations)
        batch.run([*tables_to_play(keys, arguments.levels.split(","), arguments.games, arguments.seed)], end)
        for process in multiprocessing.active_children():  # what they still do is not needed
            process.terminate()
    for key in keys:
        report(batch.analyses, key)


if __name__ == "__main__":
    main()
