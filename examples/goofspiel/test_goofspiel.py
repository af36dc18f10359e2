"""Goofspiel keeps the contract of a game, and its rules."""

import spieltisch
from spieltisch.testing import check_game


def test_goofspiel_passes_the_conformance_suite() -> None:
    report = check_game("goofspiel", games=2, compiled=False)
    assert report.games == 6


def test_the_highest_bid_wins_and_a_tie_leaves_the_prizes() -> None:
    position = spieltisch.game("goofspiel").start(seats=2, seed=1)
    first = position.state.prize
    position.play("bid 5")
    assert position.observe(1).view.players[0].bid == -1  # face down
    position.play("bid 5")
    both = first + position.state.prize
    assert position.scores == [0, 0]
    assert position.state.stake == both
    assert position.why_not("bid 5").rule == "G2"
    position.play("bid 1")
    position.play("bid 13")
    assert position.scores == [0, both]
