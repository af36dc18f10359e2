"""Check the moments on which bots remark: a trade that takes the rest of what others collect, and the limit."""

from __future__ import annotations

from typing import Any

import pytest

from spieltisch import game
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation

GAME = game("paris-connection")
BLUE = 4


def seen_after_trade(
    *, depot: int, taken: int, held: int = 10, **options: Any
) -> tuple[Observation, Observation, Move]:
    """Return what spectators see before and after a trade for two BLUE shares, and the trade."""
    position = GAME.start(seats=3, seed=1, **options)
    seat = position.state.seat
    position.state.depot[BLUE] = depot
    position.state.players[(seat + 1) % 3].taken[BLUE] = taken
    position.state.players[seat].held = held
    trade = next(m for m in position.legal_moves if m.kind == "trade" and m.args[1:] == (BLUE, 2))
    before = position.observe(None)
    position.play(trade)
    return before, position.observe(None), trade


@pytest.mark.parametrize(("depot", "taken", "is_wanted"), [(2, 2, True), (3, 2, True), (4, 2, False), (2, 1, False)])
def test_a_trade_takes_the_rest_of_what_the_next_player_collects(depot: int, taken: int, is_wanted: bool) -> None:
    before, after, trade = seen_after_trade(depot=depot, taken=taken)
    assert GAME.remarks["wanted"](before, after, trade) == (after.to_decide if is_wanted else None)


def test_without_the_memory_aid_no_remark_says_what_players_have_taken() -> None:
    assert GAME.remarks["wanted"](*seen_after_trade(depot=2, taken=3, memory_aid=False)) is None


@pytest.mark.rule("P17")
@pytest.mark.parametrize(("above", "passes"), [(-1, False), (0, True), (1, False)])
def test_the_limit_is_passed_once(above: int, passes: bool) -> None:
    limit = GAME.setup(seats=3).plain_params.limit
    before, after, trade = seen_after_trade(depot=9, taken=0, held=limit + above)
    assert GAME.remarks["limit"](before, after, trade) == (before.to_decide if passes else None)
