"""Games of Paris Connection played on until a moment is found, as tables in a file: see `laid`."""

from __future__ import annotations

import random

from spieltisch.bots import choose
from spieltisch.core.position import Position
from tests.web.prepared_tables import NAMES, Layout, Pick

GAME = "paris-connection"


def traded(position: Position) -> str | None:
    """Choose moves until each player has traded and one has begun to build."""
    view, moves = position.observe(None).view, [str(move) for move in position.legal_moves]
    if "done" in moves and all(any(view.players[seat].taken) for seat in range(position.seats)):
        return None
    trades = [move for move in moves if move.startswith("trade")]
    if trades and position.number % 3 == 0:
        return random.Random(position.number).choice(trades)
    assert position.seat is not None
    return choose("easy", position.observe(position.seat).bytes, seed=position.number)


def start(position: Position) -> str | None:
    """The start of a game."""
    return None


def over(position: Position) -> str | None:
    """Played to its end by chance."""
    if position.is_over:
        return None
    assert position.seat is not None
    return choose("random", position.observe(position.seat).bytes, seed=position.number)


def table(seats: int, pick: Pick, **options: str) -> Layout:
    """A table of so many people on one device, played on as `pick` says."""
    return Layout(GAME, NAMES[1:seats], bytes([seats] * 32), pick, options)
