"""Provide tables whose random game is finished."""

from __future__ import annotations

import random

from spieltisch import game, tables
from spieltisch.core.record import Record, RecordedMove
from spieltisch.tables import RecordedEvent, Table
from tests.tables.harness import setup


def finished(key: str, seats: int, seed: int = 5) -> Table:
    """Return a table whose random game is finished."""
    rules, chance = game(key), random.Random(seed)
    position, plays = rules.start(seats, seed=seed), []
    while not position.is_over:
        move_result = position.play(chance.choice(position.legal_moves))
        plays.append(RecordedMove(move_result.seat, move_result.move.text, move_result.drew))
    events = tables.import_record(Record.of(position, plays, seed=seed), rules.components)
    return tables.fold("t", b"", [RecordedEvent(n, 5.0, event) for n, event in enumerate(events, 1)], setup)
