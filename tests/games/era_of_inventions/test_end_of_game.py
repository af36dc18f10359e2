"""The end of the game: E54 to E58 and the rulings R5, R11 to R13, R32, R33."""

from __future__ import annotations

from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from tests.games.era_of_inventions.positions import (
    MARKET,
    goods,
    has,
    log,
    moves,
    number,
    phase,
    play,
    position_with,
    refused,
    rule,
)

NOTHING = dict.fromkeys(("wood", "coal", "metal", "technology", "tool", "coin", "stone"), 0)
LAST = {3: 9, 4: 8, 5: 10}


def last(game: Game, seats: int = 3, **different: object) -> Position:
    """Return a position in the last exchange in which only seat 1 has goods, unless a test gives others some."""
    held = dict.fromkeys(range(2, seats + 1), NOTHING)
    given: dict[str, object] = {
        "seats": seats, "phase": "last exchange", "action": MARKET, "round_number": LAST[seats], "goods": held,
    }  # fmt: skip
    return position_with(game, **(given | different))  # type: ignore[arg-type]  # as the test says


@pytest.mark.rule("E54")
@pytest.mark.parametrize(("seats", "rounds"), LAST.items())
def test_after_the_last_round_no_new_one_begins(game: Game, seats: int, rounds: int) -> None:
    given: dict[str, Any] = {
        "seats": seats,
        "discs": {MARKET: [1]},
        "numbers": {p: {"bonus": 0} for p in range(1, seats + 1)},
    }
    position = position_with(game, round_number=rounds - 1, **given)
    play(position, f"take back {MARKET}")
    assert (phase(position)[0], position.document()["state"]["round"]) == ("placing", rounds)
    position = position_with(game, round_number=rounds, loads={"metal ship": 0}, **given)
    before = position.document()["state"]
    assert log(position, f"take back {MARKET}")[1:] == [
        "The last round is over. All players may use the exchange market once more."
    ]
    state = position.document()["state"]
    assert (state["phase"], state["seat"], state["round"]) == ("last exchange", 1, rounds)
    assert moves(position, "exchange")
    for name in ("row", "factory_row", "stores", "pile", "gone", "start_player"):  # E47 to E53 are left out
        assert state[name] == before[name]


@pytest.mark.rule("E55")
def test_the_market_once_more_but_no_bonus_disc(game: Game) -> None:
    position = last(game, goods={1: {"coin": 20, "stone": 9}})
    assert refused(position, "exchange coin coin for bonus disc") == (
        "E55",
        "After the last round you can only make exchanges, not buy bonus discs.",
    )
    assert rule(position, "build coal mine 1") == "E55"
    assert rule(position, "patent nothing") == "E55"
    play(
        position, "exchange coin coin for influence", "exchange stone for influence", "exchange coin coin for influence"
    )
    assert rule(position, "exchange stone for influence") == "E30"
    assert number(position, 1, "influence") == 3
    play(position, "exchange coin coin for stone", "exchange coin coin for stone")
    assert phase(position) == ("last exchange", 2)  # five


@pytest.mark.rule("E55")
@pytest.mark.rule("R32")
def test_what_is_left_over_scores_nothing(game: Game) -> None:
    position = last(game, goods={1: {"coin": 30, "stone": 30}, 2: NOTHING, 3: NOTHING}, numbers={2: {"influence": 9}})
    play(position, "done")
    assert position.is_over
    assert (position.document()["state"]["phase"], position.document()["state"]["action"]) == ("over", None)
    assert position.scores == [2, 11, 2]  # two each for the equal capacity of a sawmill
    assert position.outcome is not None
    assert position.outcome.winners == (1,)


@pytest.mark.rule("R13")
def test_no_stone_is_taken(game: Game) -> None:
    assert refused(last(game), "take stone") == ("R13", "You can’t take a development stone in the last exchange.")


@pytest.mark.rule("R33")
def test_from_the_last_start_player_clockwise(game: Game) -> None:
    held = {p: {"wood": 2} for p in (1, 2, 3)}
    position = last(game, seat=2, start=2, goods=held)
    order = []
    while not position.is_over:
        order.append(phase(position)[1])
        assert moves(position, "exchange")
        play(position, "done")
    assert order == [2, 3, 1]
    held = {1: {"wood": 2}, 2: {"wood": 2}, 3: NOTHING}
    position = last(game, seat=2, start=2, goods=held)
    assert phase(play(position, "done")) == ("last exchange", 1)  # seat 3 has nothing to exchange


@pytest.mark.rule("E55")
def test_it_ends_when_nothing_more_can_be_exchanged(game: Game) -> None:
    position = last(game, goods={1: NOTHING | {"stone": 1}, 2: NOTHING, 3: NOTHING})
    play(position, "exchange stone for influence")
    assert position.is_over
    assert goods(position, 1) == {}


@pytest.mark.rule("E56")
def test_the_three_bonuses(game: Game) -> None:
    holders = {"steam locomotive gold": 2, "cash register gold": 1, "cash register silver": 1, "telephone gold": 1}
    position = last(game, numbers={3: {"steps": 1}}, holders=holders, owned={1: ["coal mine 1"], 2: ["coal mine 3"]})
    log_lines = log(position, "done")
    assert log_lines == [
        "Player 1 stops exchanging.",
        "Player 1 gains 3 influence points for the most development stones invested.",
        "Player 2 gains 3 influence points for the most development stones invested.",
        "Player 2 gains 5 influence points for the greatest production capacity.",
        "Player 3 gains 5 influence points for the highest patent marker.",
        "The game is over after 9 rounds.",
    ]
    assert position.scores == [3, 8, 5]
    earned = [player["earned"] for player in position.document()["state"]["players"]]
    assert [row["most patents"] for row in earned] == [0, 0, 5]
    assert [row["most invested"] for row in earned] == [3, 3, 0]  # 1 + 1 + 2 stones, and 4
    assert [row["most capacity"] for row in earned] == [0, 5, 0]  # 1 + 2, 1 + 3, 1
    assert position.outcome is not None
    assert (position.outcome.ended_by, position.outcome.winners) == ("E54", (1,))


@pytest.mark.rule("E57")
@pytest.mark.parametrize(("seats", "tied", "each"), [(3, 1, 5), (3, 2, 3), (3, 3, 2), (4, 4, 1), (5, 5, 1)])
def test_ties(game: Game, seats: int, tied: int, each: int) -> None:
    numbers = {p: {"steps": 2} for p in range(1, tied + 1)} | {p: {"steps": 1} for p in range(tied + 1, seats + 1)}
    position = last(game, seats, numbers=numbers)
    play(position, "done")
    earned = [player["earned"]["most patents"] for player in position.document()["state"]["players"]]
    assert earned == [each] * tied + [0] * (seats - tied)


@pytest.mark.rule("R11")
def test_a_tie_at_zero_scores_nothing(game: Game) -> None:
    position = play(last(game), "done")
    for player in position.document()["state"]["players"]:
        assert (player["earned"]["most patents"], player["earned"]["most invested"]) == (0, 0)


@pytest.mark.rule("R12")
@pytest.mark.parametrize(("capacity", "scores"), [("all", [5, 0, 0]), ("cubes", [0, 5, 0])])
def test_capacity_counts_all_or_cubes(game: Game, capacity: str, scores: list[int]) -> None:
    owned = {1: ["counting house 3", "drawing office 1", "foundry 1"], 2: ["coal mine 1"]}
    position = play(last(game, owned=owned, capacity=capacity), "done")
    assert [player["earned"]["most capacity"] for player in position.document()["state"]["players"]] == scores
    assert position.scores == scores


@pytest.mark.rule("E58")
@pytest.mark.rule("R5")
def test_most_influence_then_most_inventions_then_shared(game: Game) -> None:
    numbers = {p: {"influence": 9} for p in (1, 2, 3)}
    two = {"cash register gold": 1, "cash register silver": 1, "typewriter gold": 2}  # two stones each
    position = play(last(game, numbers=numbers, holders=two), "done")
    assert position.scores == [14, 14, 11]
    assert position.outcome is not None
    assert position.outcome.winners == (0,)
    more = numbers | {2: {"influence": 10}}
    position = play(last(game, numbers=more, holders=two), "done")
    assert position.outcome is not None
    assert position.outcome.winners == (1,)
    same = {"cash register gold": 1, "sewing machine gold": 2}
    position = play(last(game, numbers=numbers, holders=same), "done")
    assert position.outcome is not None
    assert position.outcome.winners == (0, 1)
    assert has(position, 1, "coin") == 2
