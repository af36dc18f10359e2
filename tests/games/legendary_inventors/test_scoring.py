"""Check the scoring: rules L24 to L28 and the ruling S5, with runs compared to the reference."""

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


def runs(numbers: tuple[int, ...], tokens: int, min_run: int = 1) -> int:
    return best_runs(list(numbers), tokens, min_run, [0] * (MAX_WILD + 1))


def patents(*numbers: int) -> list[str]:
    """Return inventions of the first age with these classification numbers, each another invention."""
    remaining_patents = {number: list(cards) for number, cards in enumerate(CARDS)}
    return [remaining_patents[number].pop(0) for number in numbers]


@pytest.mark.rule("L25")
def test_patents_score_their_printed_points(game: Game) -> None:
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
def test_a_run_scores_its_highest_number(game: Game, numbers: tuple[int, ...], points: int) -> None:
    patent_numbers = patents(*numbers)
    position = position_with(
        game, table={"telephone": ("refresh", None), "radio": ("genius", None)}, age=3, patents={1: patent_numbers}
    )
    ages = {card.id: card.age for card in position.setup.board.inventions}
    assert position.scores[0] == sum(ages[name] for name in patent_numbers) + points


@pytest.mark.rule("L26")
def test_runs_grow_with_each_new_patent(game: Game) -> None:
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
def test_a_number_token_replaces_any_single_number_in_a_run(
    game: Game, numbers: tuple[int, ...], tokens: int, points: int
) -> None:
    patent_numbers = patents(*numbers)
    position = position_with(
        game,
        table={"telephone": ("refresh", None), "radio": ("genius", None)},
        age=3,
        patents={1: patent_numbers},
        tokens={1: {"number": tokens}},
    )
    ages = {card.id: card.age for card in position.setup.board.inventions}
    assert position.scores[0] == sum(ages[name] for name in patent_numbers) + points


@pytest.mark.rule("L24")
def test_runs_grow_with_each_new_number_token(game: Game) -> None:
    position = position_with(
        game, cubes={"papyrus": {1: (0, 1, 1, 0)}}, patents={1: ["axe"]}, knowledge={"hippocrates": (0, 2, 1, 0)}
    )
    position.play("send Hippocrates to Papyrus")
    position.play("take number")
    assert position.scores[0] == 1 + 1


@pytest.mark.rule("S5")
def test_a_run_needs_at_least_one_patent(game: Game) -> None:
    assert position_with(game, table={}, tokens={1: {"number": 4}}).scores[0] == 0
    assert position_with(game, table={}, tokens={1: {"number": 3}}, patents={1: ["fire"]}).scores[0] == 1
    assert position_with(game, table={}, tokens={1: {"number": 4}}, patents={1: ["papyrus"]}).scores[0] == 1 + 4
    assert runs((0, 0, 0, 1, 0, 0), 2) == 0
    assert runs((0, 0, 1, 0, 0, 0), 2) == 2


@pytest.mark.rule("S5")
def test_an_option_can_require_two_patents_in_a_run(game: Game) -> None:
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
def test_the_result_shows_no_run_without_points(game: Game) -> None:
    held_runs = [(0, 5)]
    assert [run.points for run in arrangement(held_runs, 2)] == [2]
    assert arrangement(held_runs, 2, 2) == ()


@pytest.mark.rule("L26")
@pytest.mark.rule("S5")
@pytest.mark.parametrize("min_run", [1, 2])
@settings(max_examples=150, deadline=None)
@given(*hands)
def test_the_best_runs_match_the_reference_rules(min_run: int, numbers: tuple[int, ...], tokens: int) -> None:
    small = tuple(min(n, 3) for n in numbers)
    assert runs(small, min(tokens, 4), min_run) == reference_runs.best(small, min(tokens, 4), min_run)


@pytest.mark.rule("L26")
@pytest.mark.parametrize("min_run", [1, 2])
@settings(max_examples=150, deadline=None)
@given(*hands)
def test_the_arrangement_of_runs_shown_is_worth_the_scored_points(
    min_run: int, numbers: tuple[int, ...], tokens: int
) -> None:
    held_patents = [(number, 10 * number + k) for number, count in enumerate(numbers) for k in range(count)]
    best_runs = arrangement(held_patents, tokens, min_run)
    assert sum(run.points for run in best_runs) == runs(numbers, tokens, min_run)
    cards = [card for run in best_runs for card in run.cards if card != TOKEN]
    assert len(cards) == len(set(cards))
    assert sum(card == TOKEN for run in best_runs for card in run.cards) <= tokens
    for run in best_runs:
        assert len(run.cards) >= 2
        assert any(card != TOKEN for card in run.cards)
        assert all(card in (TOKEN, *(10 * number + k for k in range(4))) for number, card in enumerate(run.cards))


@pytest.mark.rule("L28")
def test_a_goal_must_be_reached_in_every_field_it_names(game: Game) -> None:
    for knowledge_value, points in (
        ((1, 0, 0, 3), 3),  # the goal of Hypatia
        ((1, 0, 0, 2), 0),
        ((0, 0, 0, 3), 0),
        ((2, 0, 1, 4), 3),
    ):
        assert position_with(game, knowledge={"hypatia": knowledge_value}).scores == [points, 0]
    knowledge_of_both = {"archimedes": (3, 0, 3, 0), "aristotle": (2, 0, 0, 3)}
    assert position_with(game, knowledge=knowledge_of_both).scores == [9 + 6, 0]


@pytest.mark.rule("L28")
def test_an_upgrade_before_the_scoring_can_reach_a_goal(game: Game) -> None:
    position = position_with(game, tokens={1: {"upgrade-3": 1}}, knowledge={"hypatia": (1, 0, 0, 2)})
    position.play("upgrade Hypatia in mathematics")
    assert position.scores == [3, 0]


@pytest.mark.rule("L27")
def test_the_total_adds_all_kinds_of_points(game: Game) -> None:
    position = position_with(
        game,
        patents={1: ["axe", "hot-air-balloon", "radio"]},
        tokens={1: {"points-2": 2, "points-3": 1, "upgrade-4": 1}},
        knowledge={"hypatia": (1, 0, 0, 3)},
    )
    assert position.scores == [(1 + 2 + 3) + 2 + (2 + 2 + 3) + 3, 0]
    position = position_with(game, tokens={1: {"points-1": 1}, 2: {"points-2": 2}})
    assert position.scores == [1, 4]
