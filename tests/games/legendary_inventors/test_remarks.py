"""Check the moment on which bots remark: a patent that the next to choose needed for a run."""

from __future__ import annotations

import pytest

from spieltisch import game
from spieltisch.core.position import Position
from spieltisch.games.legendary_inventors.state import Phase

GAME = game("legendary-inventors")


def rewards() -> Position:
    """Return a game in which the first of two players is to choose a reward, both without patents."""
    position = GAME.start(seats=2, seed=1)
    while position.state.phase != Phase.REWARDS or position.state.queue[1] < 0:
        sent = [move for move in position.legal_moves if move.kind == "send"]
        position.play(sent[0] if sent else position.legal_moves[0])
    for player in position.state.players[:2]:
        player.numbers[:] = [0] * len(player.numbers)
    return position


@pytest.mark.rule("L26")
@pytest.mark.parametrize(
    ("distance", "holds_it", "is_wanted"), [(1, False, True), (1, True, False), (None, False, False)]
)
def test_a_patent_is_wanted_by_the_next_to_choose_if_it_makes_a_run(
    distance: int | None, holds_it: bool, is_wanted: bool
) -> None:
    position = rewards()
    state = position.state
    number = GAME.setup(seats=2).board.inventions[state.slots[state.slot].card].classification
    rival = state.queue[1]
    if distance is not None:
        state.players[rival].numbers[number - distance if number else number + distance] = 1
    state.players[rival].numbers[number] = int(holds_it)
    before = position.observe(None)
    patent = next(move for move in position.legal_moves if move.kind == "take patent")
    position.play(patent)
    assert GAME.remarks["wanted"](before, position.observe(None), patent) == (rival if is_wanted else None)
    assert GAME.remarks["wanted"](before, position.observe(None), position.legal_moves[0]) is None
