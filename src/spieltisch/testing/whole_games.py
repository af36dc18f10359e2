"""Checks of whole games, and of the replay of their records."""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from spieltisch.core.events import GameEvent
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.results import MoveResult
from spieltisch.testing.contract import Report, require, require_translated, require_unchanged
from spieltisch.testing.engine_parity import check_engines
from spieltisch.testing.log_secrecy import check_deal, check_log_secrecy
from spieltisch.testing.positions import check_position

REPLAY = """
import sys, spieltisch
for file in sys.argv[2:]:
    print(spieltisch.Record.read(file).replay(compiled=sys.argv[1] == "compiled").digest())
"""


def check_random_game(game: Game, seats: int, seed: int, report: Report, most_moves: int, every: int) -> Record:
    """Play a random game and check every move, and a position in depth after every `every` moves.

    Return its record. Raise ContractBroken.
    """
    chance = random.Random(seed)  # noqa: S311 - a test's choice of moves
    position = game.start(seats, seed=seed)
    totals = game.totals(position)
    check_deal(position, chance)
    plays: list[RecordedMove] = []
    first_seen: Observation | None = None
    known_events: tuple[GameEvent, ...] = ()
    while not position.is_over:
        where = f"{game.key}, {seats} seats, seed {seed}, after move {position.number}"
        require(position.number < most_moves, f"{where}: the game does not end")
        moves = position.legal_moves
        require(len(moves) > 0, f"{where}: a seat decides and has no move")
        if position.number % every == 0:
            check_position(position, chance, report)
            check_log_secrecy(position, plays, chance, where)
        move = chance.choice(moves)
        before, mover = position.digest(), position.seat
        piece_counts, scores = dict(game.piece_counts(position)), position.scores
        if first_seen is None:
            first_seen = position.observe(mover)
        played = position.play(move, collect_events=True)
        known_events += game.events.visible_events(position.setup, played.events, mover)
        require(
            played.seat == mover and played.number == position.number, f"{where}: {move} was not played by seat {mover}"
        )
        require(position.digest() != before or bool(played.drew), f"{where}: {move} changes nothing")
        require(game.totals(position) == totals, f"{where}: {move} does not conserve {totals}")
        _check_events_account(played, piece_counts, scores, position, f"{where}: {move}")
        plays.append(RecordedMove(played.seat, move.text, played.drew))
        report.moves += 1
        if position.number % every == 0 and not played.drew:
            _check_turn_summary(first_seen, known_events, where)
        if played.drew or played.ended_decision:
            first_seen, known_events = None, ()
    check_position(position, chance, report)
    report.games += 1
    return Record.of(position, plays, seed=seed)


def _check_events_account(
    played: MoveResult, piece_counts: dict[tuple[int, int], int], scores: list[int], position: Position, where: str
) -> None:
    """Check that the events of a move account for every change of the points and of the pieces at all places."""
    game = position.setup.game
    for event in played.events:
        if event.kind == "points":
            assert event.seat is not None
            scores[event.seat] += event.numbers[0]
        elif event.kind == "moved":
            piece, count, source, target = event.numbers
            piece_counts[piece, source] = piece_counts.get((piece, source), 0) - count
            piece_counts[piece, target] = piece_counts.get((piece, target), 0) + count
    require(scores == position.scores, f"{where}: its events come to {scores} points, not to {position.scores}")
    actual = game.piece_counts(position)
    for key in {*piece_counts, *actual}:
        expected, present = piece_counts.get(key, 0), actual.get(key, 0)
        require(
            expected == present,
            f"{where}: by its events {expected} of thing {key[0]} lie at place {key[1]}, not {present}",
        )


def _check_turn_summary(first_seen: Observation, events: tuple[GameEvent, ...], where: str) -> None:
    game = first_seen.setup.game
    total = game.turn_summary(first_seen, events)
    again = game.turn_summary(Observation.read(first_seen.bytes), events)
    require(total == again, f"{where}: equal observations are summed up differently")
    for sentence in total:
        require_translated(game, sentence, f"{where}: the sum of the turn")
    require_unchanged(first_seen, f"{where}: summing up")


def check_record(record: Record, *, compiled: bool) -> None:
    """Check that a record can be read back and replayed, plain and compiled. Raise ContractBroken."""
    where = f"{record.game}, {record.seats} seats, seed {record.seed}"
    require(Record.parse(record.text) == record, f"{where}: the record does not read back")
    record.verify()
    if compiled:
        check_engines(record, where)


def check_processes(records: Sequence[Record], *, compiled: bool) -> None:
    """Check that fresh interpreters, with other hash seeds, replay records to the same end. Raise ContractBroken."""
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
                result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own line
                require(result.returncode == 0, f"a fresh interpreter fails: {result.stderr[-500:]}")
                for record, digest, expected in zip(records, result.stdout.split(), digests, strict=True):
                    where = f"{record.game}, {record.seats} seats, seed {record.seed}"
                    require(digest == expected, f"{where}: a fresh interpreter ({engine}) replays it differently")
