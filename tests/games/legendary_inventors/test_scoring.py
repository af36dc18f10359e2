"""The scoring: L24 to L28 and the ruling S5; runs against a slow second implementation."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch.core.game import Game
from spieltisch.games.legendary_inventors.rules.runs import TOKEN, arrangement, best_runs
from spieltisch.games.legendary_inventors.state import MAX_WILD
from tests.games.legendary_inventors import reference_runs
from tests.games.legendary_inventors.positions import position_with

CARDS = (
    ("bow", "axe", "crossbow", "pistol", "gatling", "revolver"),
    ("canoe", "wheel", "hot-air-balloon", "caravel", "automobile", "zeppelin"),
    ("smoke-signals", "papyrus", "printing-press", "optical-telegraph", "telephone", "radio"),
    ("flute", "cave-painting", "fireworks", "harpsichord", "photography", "cinematograph"),
    ("sundial", "water-clock", "hourglass", "pendulum-clock", "pocket-watch", "quartz-clock"),
    ("fire", "oil-lamp", "windmill", "steam-engine", "light-bulb", "generator"),
)
"""The inventions by classification number, and of each by age."""

hands = st.tuples(*[st.integers(0, 4)] * 6), st.integers(0, 5)


def runs(numbers: tuple[int, ...], tokens: int, least: int = 1) -> int:
    return best_runs(list(numbers), tokens, least, [0] * (MAX_WILD + 1))


def patents(*numbers: int) -> list[str]:
    """Inventions of the first age with these classification numbers; the second of a number is another one."""
    left = {number: list(cards) for number, cards in enumerate(CARDS)}
    return [left[number].pop(0) for number in numbers]


@pytest.mark.rule("L25")
def test_patents_are_worth_what_is_printed(game: Game) -> None:
    position = position_with(game, patents={1: ["oil-lamp", "windmill", "generator"], 2: ["wheel"]})
    assert position.scores == [1 + 2 + 3, 1]


@pytest.mark.rule("L26")
@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ((0,), 0),  # one card is no run
        ((1, 2, 3), 0),  # it begins with 0
        ((0, 1), 1),
        ((0, 2), 0),  # no gap
        ((0, 1, 2, 3), 3),
        ((0, 1, 2, 3, 4, 5), 5),
        ((0, 0, 1, 1), 2),  # two runs
        ((0, 0, 1, 1, 2), 3),  # 0-1-2 and 0-1
        ((0, 1, 1, 2, 2, 3), 3),  # each card in one run
    ],
)
def test_runs_are_worth_their_highest_number(game: Game, numbers: tuple[int, ...], points: int) -> None:
    held = patents(*numbers)
    position = position_with(
        game, table={"telephone": ("refresh", None), "radio": ("genius", None)}, age=3, patents={1: held}
    )
    ages = {card.id: card.age for card in position.setup.board.inventions}
    assert position.scores[0] == sum(ages[name] for name in held) + points


@pytest.mark.rule("L26")
def test_runs_grow_as_patents_are_taken(game: Game) -> None:
    position = position_with(game, cubes={"canoe": {1: (1, 0, 0, 2)}}, patents={1: ["axe", "smoke-signals"]})
    assert position.scores[0] == 2
    position.play("send Archimedes to Canoe")
    position.play("take patent")
    assert position.scores[0] == 3 + 2


@pytest.mark.rule("L24")
@pytest.mark.parametrize(
    ("numbers", "tokens", "points"),
    [
        ((0, 1, 3), 1, 3),  # the missing 2
        ((1, 2), 1, 2),  # the missing 0
        ((0, 1, 2, 3, 4, 5), 1, 6),  # a number above 5
        ((0, 1, 2, 3, 4, 5), 3, 8),
        ((0,), 1, 1),
        ((3,), 2, 0),  # 0-1-2 is missing
        ((3,), 3, 3),
        ((0, 0, 2), 2, 3),  # 0-1-2-3 rather than 0-1-2 and 0-1
        ((0, 0, 1, 2, 3), 1, 4),
        ((0, 0, 2, 2), 2, 4),  # 0-1-2 twice
    ],
)
def test_a_token_stands_for_any_one_number(game: Game, numbers: tuple[int, ...], tokens: int, points: int) -> None:
    held = patents(*numbers)
    position = position_with(
        game,
        table={"telephone": ("refresh", None), "radio": ("genius", None)},
        age=3,
        patents={1: held},
        tokens={1: {"number": tokens}},
    )
    ages = {card.id: card.age for card in position.setup.board.inventions}
    assert position.scores[0] == sum(ages[name] for name in held) + points


@pytest.mark.rule("L24")
def test_runs_grow_as_tokens_are_taken(game: Game) -> None:
    position = position_with(
        game, cubes={"papyrus": {1: (0, 1, 1, 0)}}, patents={1: ["axe"]}, knowledge={"hippocrates": (0, 2, 1, 0)}
    )
    position.play("send Hippocrates to Papyrus")
    position.play("take number")
    assert position.scores[0] == 1 + 1


@pytest.mark.rule("S5")
def test_a_run_needs_a_patent(game: Game) -> None:
    assert position_with(game, table={}, tokens={1: {"number": 4}}).scores[0] == 0
    assert position_with(game, table={}, tokens={1: {"number": 3}}, patents={1: ["fire"]}).scores[0] == 1
    assert position_with(game, table={}, tokens={1: {"number": 4}}, patents={1: ["papyrus"]}).scores[0] == 1 + 4
    assert runs((0, 0, 0, 1, 0, 0), 2) == 0
    assert runs((0, 0, 1, 0, 0, 0), 2) == 2


@pytest.mark.rule("S5")
def test_a_run_may_need_two_patents(game: Game) -> None:
    pieces: dict[str, Any] = {"table": {}, "tokens": {1: {"number": 2}}, "patents": {1: ["bow"]}}
    assert position_with(game, **pieces).scores[0] == position_with(game, **pieces, patents_in_run=1).scores[0] == 1 + 2
    assert position_with(game, **pieces, patents_in_run=2).scores[0] == 1
    two = pieces | {"patents": {1: ["bow", "papyrus"]}}  # 0 and 2
    assert (
        position_with(game, **two, patents_in_run=1).scores[0]
        == position_with(game, **two, patents_in_run=2).scores[0]
        == 5
    )
    assert runs((1, 0, 0, 0, 0, 0), 1, 2) == 0
    assert runs((1, 1, 0, 0, 0, 0), 4, 2) == 5
    assert runs((0, 0, 1, 0, 0, 1), 4, 2) == 5
    assert runs((2, 1, 0, 0, 0, 0), 1, 2) == 2  # the second 0 with the token is no run of its own


@pytest.mark.rule("S5")
def test_the_end_shows_no_run_that_is_none(game: Game) -> None:
    held = [(0, 5)]
    assert [run.points for run in arrangement(held, 2)] == [2]
    assert arrangement(held, 2, 2) == ()


@pytest.mark.rule("L26")
@pytest.mark.rule("S5")
@pytest.mark.parametrize("least", [1, 2])
@settings(max_examples=150, deadline=None)
@given(*hands)
def test_the_best_runs_are_those_of_the_slow_implementation(least: int, numbers: tuple[int, ...], tokens: int) -> None:
    small = tuple(min(n, 3) for n in numbers)
    assert runs(small, min(tokens, 4), least) == reference_runs.best(small, min(tokens, 4), least)


@pytest.mark.rule("L26")
@pytest.mark.parametrize("least", [1, 2])
@settings(max_examples=150, deadline=None)
@given(*hands)
def test_the_arrangement_shown_is_worth_what_is_scored(least: int, numbers: tuple[int, ...], tokens: int) -> None:
    held = [(number, 10 * number + k) for number, many in enumerate(numbers) for k in range(many)]
    shown = arrangement(held, tokens, least)
    assert sum(run.points for run in shown) == runs(numbers, tokens, least)
    cards = [card for run in shown for card in run.cards if card != TOKEN]
    assert len(cards) == len(set(cards))
    assert sum(card == TOKEN for run in shown for card in run.cards) <= tokens
    for run in shown:
        assert len(run.cards) >= 2
        assert any(card != TOKEN for card in run.cards)
        assert all(card in (TOKEN, *(10 * number + k for k in range(4))) for number, card in enumerate(run.cards))


@pytest.mark.rule("L28")
def test_goals_reached_or_exceeded_in_every_field_named(game: Game) -> None:
    for known, points in (
        ((1, 0, 0, 3), 3),  # the goal of Hypatia
        ((1, 0, 0, 2), 0),
        ((0, 0, 0, 3), 0),
        ((2, 0, 1, 4), 3),
    ):
        assert position_with(game, knowledge={"hypatia": known}).scores == [points, 0]
    both = {"archimedes": (3, 0, 3, 0), "aristotle": (2, 0, 0, 3)}
    assert position_with(game, knowledge=both).scores == [9 + 6, 0]


@pytest.mark.rule("L28")
def test_the_last_upgrade_reaches_the_goal(game: Game) -> None:
    position = position_with(game, tokens={1: {"upgrade-3": 1}}, knowledge={"hypatia": (1, 0, 0, 2)})
    position.play("upgrade Hypatia in mathematics")
    assert position.scores == [3, 0]


@pytest.mark.rule("L27")
def test_all_kinds_of_points_are_added(game: Game) -> None:
    position = position_with(
        game,
        patents={1: ["axe", "hot-air-balloon", "radio"]},
        tokens={1: {"points-2": 2, "points-3": 1, "upgrade-4": 1}},
        knowledge={"hypatia": (1, 0, 0, 3)},
    )
    assert position.scores == [(1 + 2 + 3) + 2 + (2 + 2 + 3) + 3, 0]
    position = position_with(game, tokens={1: {"points-1": 1}, 2: {"points-2": 2}})
    assert position.scores == [1, 4]
