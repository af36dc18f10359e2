"""Check what a forecast of Legendary Inventors is learned from."""

from __future__ import annotations

import numpy as np
import pytest
from bench.forecast import TERMS, Job, forecast_terms, leads, play_game

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.games.legendary_inventors.state import AGES
from tests.games.legendary_inventors.positions import position_with


def terms_of(position: Position, seat: int) -> dict[str, int]:
    """Return the terms of a seat by name, as anybody sees them."""
    values = forecast_terms(position.observe(None).view, position.setup.params, seat)
    return dict(zip(TERMS, values, strict=True))


def test_the_terms_count_knowledge_tokens_and_numbers(game: Game) -> None:
    position = position_with(
        game,
        seat=1,
        tokens={1: {"upgrade-2": 2, "genius": 1}},
        patents={1: ["oil-lamp", "wheel"]},
        knowledge={"hypatia": (1, 0, 0, 2), "archimedes": (1, 0, 1, 0)},
        exhausted=["archimedes"],
    )
    terms = terms_of(position, 0)
    assert terms["known"] == 100 * (3 + 2 + 2 + 2)
    assert terms["ready"] == 100 * (3 + 2 + 2)
    assert (terms["upgrade tokens"], terms["genius tokens"], terms["refresh tokens"]) == (200, 100, 0)
    assert (terms["numbers"], terms["late numbers"]) == (200, 200), "wheel is 1 and oil lamp 5, without 0"
    assert (terms["on turn"], terms_of(position, 1)["on turn"]) == (100, 0)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_to_learn_from_ends_with_the_final_points(seed: int) -> None:
    rows = play_game(Job("random", seed))
    assert {age for age, _ in rows} <= {*range(AGES + 1)}
    finals = {tuple(values[-1] for values in terms) for _, terms in rows}
    assert len(finals) == 1
    assert {len(values) for _, terms in rows for values in terms} == {len(TERMS) + 3}


def test_a_lead_is_the_distance_to_the_mean_of_the_others() -> None:
    assert leads(np.array([[[4.0], [1.0], [1.0], [1.0]]])).ravel().round(6).tolist() == [3.0, -1.0, -1.0, -1.0]
