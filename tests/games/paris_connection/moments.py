"""Describe tables of Paris Connection played to a certain position, which `prepared` stores in a file."""

from __future__ import annotations

import random

from spieltisch.bots import choose
from spieltisch.core.position import Position
from tests.web.prepared_tables import NAMES, Layout, Pick

GAME = "paris-connection"


def choose_until_all_traded(position: Position) -> str | None:
    """Choose moves until each player has traded and one has begun to build."""
    view, moves = position.observe(None).view, [str(move) for move in position.legal_moves]
    if "done" in moves and all(any(view.players[seat].taken) for seat in range(position.seats)):
        return None
    trades = [move for move in moves if move.startswith("trade")]
    if trades and position.number % 3 == 0:
        return random.Random(position.number).choice(trades)
    assert position.seat is not None
    return choose("easy", position.observe(position.seat).bytes, seed=position.number)


def stop_at_start(position: Position) -> str | None:
    """Return no move, so that the game stays at its start."""
    return None


def choose_at_random_to_the_end(position: Position) -> str | None:
    """Choose moves at random until the game is over."""
    if position.is_over:
        return None
    assert position.seat is not None
    return choose("random", position.observe(position.seat).bytes, seed=position.number)


def layout_at(seats: int, choose_move: Pick, **options: str) -> Layout:
    """Describe a table with this number of people on one device, played on by `pick`."""
    return Layout(GAME, NAMES[1:seats], bytes([seats] * 32), choose_move, options)
