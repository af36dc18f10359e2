"""Check the moment on which bots remark: the only factory that the next to build could pay for."""

from __future__ import annotations

import pytest

from spieltisch import game
from spieltisch.games.era_of_inventions.state import Action

GAME = game("era-of-inventions")


@pytest.mark.parametrize(
    ("has_disc", "affordable", "is_wanted"), [(True, 1, True), (False, 1, False), (True, 2, False), (True, 0, False)]
)
def test_a_factory_is_wanted_if_the_next_player_waits_to_build_and_can_pay_for_no_other(
    has_disc: bool, affordable: int, is_wanted: bool
) -> None:
    position = GAME.start(seats=3, seed=1)
    for action in ("build factories", "build factories"):
        position.play(next(m for m in position.legal_moves if str(m) == f"place {action}"))
    while not any(move.kind == "build" for move in position.legal_moves):
        wanted = [m for m in position.legal_moves if str(m) == "use build factories"]
        position.play(wanted[0] if wanted else position.legal_moves[0])
    build = next(move for move in position.legal_moves if move.kind == "build")
    before = position.observe(None)
    view, params = before.view, GAME.setup(seats=3).plain_params
    rival = (view.seat + 1) % 3
    view.discs[Action.BUILD][:] = [view.seat, rival if has_disc else view.seat]
    # The row has the factory that is built, and one that costs more.
    dearer = max(view.factory_row, key=lambda f: sum(params.factory_cost[f]))
    view.factory_row[:] = [build.args[0], dearer, -1, -1, -1]
    costs = [params.factory_cost[build.args[0]], params.factory_cost[dearer]]
    view.players[rival].goods[:] = [
        0 if not affordable else max(cost[k] for cost in costs[:affordable]) for k in range(7)
    ]
    after = position.copy()
    after.play(build)
    assert GAME.remarks["wanted"](before, after.observe(None), build) == (rival if is_wanted else None)
