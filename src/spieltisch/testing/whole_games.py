"""A game from its start to its end, and its record played again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from spieltisch.core.events import Event
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.position import Played, Position
from spieltisch.core.record import Play, Record
from spieltisch.testing.engines import check_engines
from spieltisch.testing.histories import check_deal, check_histories
from spieltisch.testing.positions import check_position
from spieltisch.testing.promises import Report, must, sayable, untouched

REPLAY = """
import sys, spieltisch
for file in sys.argv[2:]:
    print(spieltisch.Record.read(file).replay(compiled=sys.argv[1] == "compiled").digest())
"""


def play_one(game: Game, seats: int, seed: int, report: Report, most_moves: int, every: int) -> Record:
    """One random game, every move checked, every so often a position looked at closely. Raises ContractBroken."""
    chance = random.Random(seed)  # noqa: S311 - a test's choice of moves
    position = game.start(seats, seed=seed)
    totals = game.totals(position)
    check_deal(position, chance)
    plays: list[Play] = []
    begun: Observation | None = None
    done: tuple[Event, ...] = ()
    while not position.over:
        where = f"{game.key}, {seats} seats, seed {seed}, after move {position.number}"
        must(position.number < most_moves, f"{where}: the game does not end")
        moves = position.legal_moves
        must(len(moves) > 0, f"{where}: a seat decides and has no move")
        if position.number % every == 0:
            check_position(position, chance, report)
            check_histories(position, plays, chance, where)
        move = chance.choice(moves)
        before, acting = position.digest(), position.seat
        held, scores = dict(game.holdings(position)), position.scores
        if begun is None:
            begun = position.observe(acting)
        played = position.play(move, listen=True)
        done += game.events.seen(position.setup, played.events, acting)
        must(
            played.seat == acting and played.number == position.number,
            f"{where}: {move} was not played by seat {acting}",
        )
        must(position.digest() != before or bool(played.drew), f"{where}: {move} changes nothing")
        must(game.totals(position) == totals, f"{where}: {move} does not conserve {totals}")
        _check_account(played, held, scores, position, f"{where}: {move}")
        plays.append(Play(played.seat, move.text, played.drew))
        report.moves += 1
        if position.number % every == 0 and not played.drew:
            _check_sum(begun, done, where)
        if played.drew or played.passed:
            begun, done = None, ()
    check_position(position, chance, report)
    report.games += 1
    return Record.of(position, plays, seed=seed)


def _check_account(
    played: Played, held: dict[tuple[int, int], int], scores: list[int], position: Position, where: str
) -> None:
    """The events of a move account for every change of the points and of what lies where."""
    game = position.setup.game
    for event in played.events:
        if event.kind == "points":
            assert event.seat is not None
            scores[event.seat] += event.numbers[0]
        elif event.kind == "moved":
            thing, many, source, target = event.numbers
            held[thing, source] = held.get((thing, source), 0) - many
            held[thing, target] = held.get((thing, target), 0) + many
    must(scores == position.scores, f"{where}: its events come to {scores} points, not to {position.scores}")
    found = game.holdings(position)
    for key in {*held, *found}:
        told, there = held.get(key, 0), found.get(key, 0)
        must(told == there, f"{where}: by its events {told} of thing {key[0]} lie at place {key[1]}, not {there}")


def _check_sum(begun: Observation, events: tuple[Event, ...], where: str) -> None:
    game = begun.setup.game
    total = game.turn_summary(begun, events)
    again = game.turn_summary(Observation.read(begun.bytes), events)
    must(total == again, f"{where}: equal observations are summed up differently")
    for said in total:
        sayable(game, said, f"{where}: the sum of the turn")
    untouched(begun, f"{where}: summing up")


def check_record(record: Record, *, compiled: bool) -> None:
    """A record reads back and is played again alike, plain and compiled. Raises ContractBroken."""
    where = f"{record.game}, {record.seats} seats, seed {record.seed}"
    must(Record.parse(record.text) == record, f"{where}: the record does not read back")
    record.verify()
    if compiled:
        check_engines(record, where)


def check_processes(records: Sequence[Record], *, compiled: bool) -> None:
    """Fresh interpreters, with other hash seeds, play records again alike. Raises ContractBroken."""
    digests = [record.replay().digest() for record in records]
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / f"{number}.txt") for number in range(len(records))]
        for record, file in zip(records, files, strict=True):
            record.write(file)
        for engine in ("plain", "compiled") if compiled else ("plain",):
            for hash_seed in ("1", "2"):
                path = os.pathsep.join(filter(None, sys.path))
                environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
                command = [sys.executable, "-c", REPLAY, engine, *files]
                done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own line
                must(done.returncode == 0, f"a fresh interpreter fails: {done.stderr[-500:]}")
                for record, digest, here in zip(records, done.stdout.split(), digests, strict=True):
                    where = f"{record.game}, {record.seats} seats, seed {record.seed}"
                    must(digest == here, f"{where}: a fresh interpreter ({engine}) replays it differently")
