"""Check invariants of all positions reached by bots and chance."""

from __future__ import annotations

import random
from typing import Any

import pytest

from spieltisch import bots
from spieltisch.core.game import Game
from spieltisch.core.position import Position

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"bonus_disc_wait": "round", "track_symbols": "any gain"},
    {
        "capacity": "cubes",
        "limits": "each turn",
        "last_exchange": "symbols",
        "bonus_disc_after": "action carried out",
        "turn_over": "when the last is drawn",
    },
    {"supply": "box"},
)


def wrong(position: Position) -> list[str]:
    """Return the names of the invariants that a position violates."""
    state, c = position.document()["state"], position.setup.plain_params
    players = state["players"]
    violations = []
    for name, discs in state["discs"].items():
        if discs[0] is not None and discs[0] == discs[1]:
            violations.append(f"both spaces of {name} by one player (E14)")
    on_board = [p for discs in state["discs"].values() for p in discs if p is not None]
    if state["phase"] != "placing" and any(
        player["hand"] + on_board.count(p) != c.action_discs for p, player in enumerate(players, 1)
    ):
        violations.append("action discs (E2)")
    for p, player in enumerate(players, 1):
        if min(player["goods"].values()) < 0:
            violations.append(f"seat {p} owes goods")
        if player["steps"] > 6 or player["bought"] > player["bonus"]:
            violations.append(f"seat {p}: steps or bonus discs")
        if player["influence"] != sum(player["earned"].values()):
            violations.append(f"seat {p}: influence by source")
    if not 0 <= state["supply"]["bonus disc"] <= 20:
        violations.append("bonus discs (R8)")
    if position.setup.options["supply"] == "box" and min(state["supply"].values()) < 0:
        violations.append("more lies out than the box holds (R8)")
    action = state["action"]
    if action and (
        max(action["boxes"].values()) > 3
        or action["stones"] > 7
        or action["done"] > 5 + (action["way"] == "developing")
    ):
        violations.append(f"limits: {action}")
    for name, fields in state["inventions"].items():
        gold, silver = fields["gold"], fields["silver"]
        if silver["holder"] is not None and gold["holder"] is None:
            violations.append(f"{name}: silver before gold (E35)")
        if any(field["patented"] and field["holder"] is None for field in (gold, silver)):
            violations.append(f"{name}: a patent on nobody's field (E39)")
        cards = [card for pile in ("row", "pile", "discards", "fresh") for card in state[pile] if card]
        if gold["holder"] is None and any(
            card.startswith(f"{name}-") and card[len(name) + 1 :] in ("a", "b", "counterfeit") for card in cards
        ):
            violations.append(f"{name}: cards in play before the invention (E37)")
    if state["round"] > 1 and state["phase"] == "placing" and len(on_board) == 0 and state["fresh"]:
        violations.append("new cards were not shuffled in (E49)")
    return violations


@pytest.mark.rule("E14")
@pytest.mark.rule("E30")
@pytest.mark.rule("E35")
@pytest.mark.rule("E37")
@pytest.mark.rule("R8")
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("options", OPTIONS, ids=["usual", "waiting", "other rulings", "box"])
def test_every_position_of_whole_games_satisfies_the_invariants(
    game: Game, seats: int, options: dict[str, Any]
) -> None:
    chance = random.Random(seats)
    position = game.start(seats=seats, seed=seats, **options)
    while position.seat is not None:
        totals = game.totals(position)
        bot = "easy" if chance.random() < 0.6 else "random"
        position.play(bots.choose(bot, position.observe(position.seat).bytes, seed=position.number))
        assert game.totals(position) == totals
        assert wrong(position) == []
    assert position.outcome is not None
