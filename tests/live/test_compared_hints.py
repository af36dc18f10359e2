"""Check in positions of all games and stages that the rows of a hint compare moves."""

from __future__ import annotations

from math import inf

import msgspec
import pytest

import spieltisch
from spieltisch import tables
from spieltisch.bots import advice, choose
from spieltisch.bots.advice import Advice
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from spieltisch.live.advice import explain
from tests.tables.harness import ADA, Sitting

COUNTED = Budget(600, report_moves=advice.MAX_MOVES, min_visits=40)
"""A budget that does not depend on the speed of the machine."""
STAGES = (0.1, 0.5, 0.85)
"""Early, in the middle, and late."""


def staged(key: str) -> list[Position]:
    """Return the positions of a game of beginners at these stages, among those with several moves."""
    position, positions = spieltisch.game(key).start(3, seed=1), list[Position]()
    while not position.is_over:
        if len(position.legal_moves) > advice.MAX_MOVES:
            positions.append(position.copy())
        position.play(choose("beginner", position.observe(position.seat), position.number, compiled=True))
    return [positions[int(stage * len(positions))] for stage in STAGES]


def one_move(table: tables.Table, seat: int, move: str) -> tuple[tables.Event, ...]:
    """Return the event of a move by a person or a bot."""
    return (tables.move_event(table, seat, move),)


@pytest.mark.build
@pytest.mark.parametrize("key", sorted(GAMES))
def test_at_least_half_of_the_rows_compare_moves(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    native_library.load(native_library.build(key))
    monkeypatch.setattr(advice, "COMPARED_GAMES", 160)
    monkeypatch.setattr(advice, "WALL_SECONDS", inf)
    for position in staged(key):
        seen = position.observe(position.seat).bytes
        given = advice.advise("expert", seen, 1, budget=COUNTED, comparing_seconds=inf)
        hints = explain(position, msgspec.json.decode(given, type=Advice))
        assert len(hints.moves) > 1
        compared = [hint.is_compared or hints.equality is not None for hint in hints.moves]
        assert 2 * sum(compared) >= len(compared), (position.number, [hint.why for hint in hints.moves])


@pytest.mark.build
@pytest.mark.parametrize("bot", ["beginner", "easy"])
def test_a_hint_against_beginners_compares_moves_as_against_easy_bots(
    bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    native_library.load(native_library.build("paris-connection"))
    monkeypatch.setattr(advice, "COMPARED_GAMES", 160)
    monkeypatch.setattr(advice, "WALL_SECONDS", inf)
    sitting = Sitting.open("me", f"bot:{bot}", f"bot:{bot}")
    while (seat := sitting.table.to_decide) is not None and (seat or len(sitting.table.moves) < 12):
        position = sitting.table.position
        assert position is not None
        move = choose(sitting.table.seats[seat].bot or bot, position.observe(seat), position.number, compiled=True)
        sitting.does(one_move, seat, str(move))
    assert seat == 0
    position = tables.position_for_advice(sitting.table, ADA.id, sitting.table.version)
    given = advice.advise("expert", position.observe(seat).bytes, 1, budget=COUNTED, comparing_seconds=inf)
    hints = explain(position, msgspec.json.decode(given, type=Advice))
    assert len(hints.moves) > 1
    compared = [hint.is_compared or hints.equality is not None for hint in hints.moves]
    assert 2 * sum(compared) >= len(compared), [hint.why for hint in hints.moves]
