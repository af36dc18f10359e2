"""Ascents keeps the contract of a game, and its rules."""

import pytest

import spieltisch
from spieltisch.testing import check_game


@pytest.mark.parametrize("compiled", [False, True])
def test_the_contract(compiled: bool) -> None:
    report = check_game("ascents", games=2, compiled=compiled, processes=compiled)
    assert report.games == 6


def test_cards_climb_and_whoever_plays_a_one_goes_on() -> None:
    deal = ["red-1", "red-3", "blue-2", "blue-1", "blue-4", "red-5"]
    position = spieltisch.game("ascents").start(seats=2, drew=deal)
    assert position.play("play red-1", drew=["red-2"]).drew == ("red-2",)
    assert position.seat == 0
    assert position.observe(0).information[-2].endswith("red-2")
    assert position.observe(1).information[-2].endswith("?")
    position.play("play red-3", drew=["blue-8"])
    position.play("play blue-4", drew=["blue-7"])
    refusal = position.why_not("play red-2")
    assert refusal is not None
    assert (refusal.rule, str(refusal.message)) == ("A2", "Your last card of this colour is 3.")
    assert position.scores == [4, 4]
