"""Check the end of the game: rules E54 to E58 and the rulings R5, R11 to R13, R32, R33."""

from __future__ import annotations

from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.log import BONUSES, EXCHANGES_NO_MORE, GAME_ENDS, LAST_EXCHANGE_BEGINS
from spieltisch.games.era_of_inventions.refusals import NO_STONE_NOW, ONLY_EXCHANGES
from tests.games.era_of_inventions.last_exchange import LAST, NOTHING, last
from tests.games.era_of_inventions.positions import (
    MARKET,
    count_of_good,
    goods,
    log,
    log_line,
    moves,
    number,
    phase,
    play,
    position_with,
    reason,
    refusing_rule,
)
from tests.games.refusals import refused


@pytest.mark.rule("E54")
@pytest.mark.parametrize(("seats", "rounds"), LAST.items())
def test_after_the_last_round_no_new_round_begins(game: Game, seats: int, rounds: int) -> None:
    position_fields: dict[str, Any] = {
        "seats": seats,
        "discs": {MARKET: [1]},
        "numbers": {p: {"bonus": 0} for p in range(1, seats + 1)},
    }
    position = position_with(game, round_number=rounds - 1, **position_fields)
    play(position, f"take back {MARKET}")
    assert (phase(position)[0], position.document()["state"]["round"]) == ("placing", rounds)
    position = position_with(game, round_number=rounds, loads={"metal ship": 0}, **position_fields)
    before = position.document()["state"]
    assert log(position, f"take back {MARKET}")[1:] == [log_line(LAST_EXCHANGE_BEGINS, None)]
    state = position.document()["state"]
    assert (state["phase"], state["seat"], state["round"]) == ("last exchange", 1, rounds)
    assert moves(position, "exchange")
    for name in ("row", "factory_row", "stores", "pile", "gone", "start_player"):  # E47 to E53 are left out
        assert state[name] == before[name]


@pytest.mark.rule("E55")
def test_the_last_exchange_allows_the_market_but_no_bonus_discs(game: Game) -> None:
    position = last(game, goods={1: {"coin": 20, "stone": 9}})
    assert refused(position, "exchange coin coin for bonus disc") == reason(ONLY_EXCHANGES)
    assert refusing_rule(position, "build coal mine 1") == "E55"
    assert refusing_rule(position, "patent nothing") == "E55"
    play(
        position, "exchange coin coin for influence", "exchange stone for influence", "exchange coin coin for influence"
    )
    assert refusing_rule(position, "exchange stone for influence") == "E30"
    assert number(position, 1, "influence") == 3
    play(position, "exchange coin coin for stone", "exchange coin coin for stone")
    assert phase(position) == ("last exchange", 2)  # five


@pytest.mark.rule("E55")
@pytest.mark.rule("R32")
def test_leftover_goods_score_nothing(game: Game) -> None:
    position = last(game, goods={1: {"coin": 30, "stone": 30}, 2: NOTHING, 3: NOTHING}, numbers={2: {"influence": 9}})
    play(position, "done")
    assert position.is_over
    assert (position.document()["state"]["phase"], position.document()["state"]["action"]) == ("over", None)
    assert position.scores == [2, 11, 2]  # two each for the equal capacity of a sawmill
    assert position.outcome is not None
    assert position.outcome.winners == (1,)


@pytest.mark.rule("R13")
def test_no_development_stone_is_taken_in_the_last_exchange(game: Game) -> None:
    assert refused(last(game), "take stone") == reason(NO_STONE_NOW)


@pytest.mark.rule("R33")
def test_players_take_the_last_exchange_clockwise_from_the_last_start_player(game: Game) -> None:
    goods_held_by_seat = {p: {"wood": 2} for p in (1, 2, 3)}
    position = last(game, seat=2, start=2, goods=goods_held_by_seat)
    order = []
    while not position.is_over:
        order.append(phase(position)[1])
        assert moves(position, "exchange")
        play(position, "done")
    assert order == [2, 3, 1]
    goods_held_by_seat = {1: {"wood": 2}, 2: {"wood": 2}, 3: NOTHING}
    position = last(game, seat=2, start=2, goods=goods_held_by_seat)
    assert phase(play(position, "done")) == ("last exchange", 1)  # seat 3 has nothing to exchange


@pytest.mark.rule("E55")
def test_the_game_ends_when_no_player_can_exchange_goods(game: Game) -> None:
    position = last(game, goods={1: NOTHING | {"stone": 1}, 2: NOTHING, 3: NOTHING})
    play(position, "exchange stone for influence")
    assert position.is_over
    assert goods(position, 1) == {}


@pytest.mark.rule("E56")
def test_the_three_final_bonuses_are_scored(game: Game) -> None:
    holders = {"steam locomotive gold": 2, "cash register gold": 1, "cash register silver": 1, "telephone gold": 1}
    position = last(game, numbers={3: {"steps": 1}}, holders=holders, owned={1: ["coal mine 1"], 2: ["coal mine 3"]})
    log_lines = log(position, "done")
    assert log_lines == [
        log_line(EXCHANGES_NO_MORE, 1),
        log_line(BONUSES[1], 1, count=3),
        log_line(BONUSES[1], 2, count=3),
        log_line(BONUSES[2], 2, count=5),
        log_line(BONUSES[0], 3, count=5),
        log_line(GAME_ENDS, None, count=9),
    ]
    assert position.scores == [3, 8, 5]
    earned = [player["earned"] for player in position.document()["state"]["players"]]
    assert [row["most patents"] for row in earned] == [0, 0, 5]
    assert [row["most invested"] for row in earned] == [3, 3, 0]  # 1 + 1 + 2 stones, and 4
    assert [row["most capacity"] for row in earned] == [0, 5, 0]  # 1 + 2, 1 + 3, 1
    assert position.outcome is not None
    assert (position.outcome.ended_by, position.outcome.winners) == ("E54", (1,))


@pytest.mark.rule("E57")
@pytest.mark.parametrize(("seats", "tied", "share_points"), [(3, 1, 5), (3, 2, 3), (3, 3, 2), (4, 4, 1), (5, 5, 1)])
def test_tied_players_divide_a_bonus(game: Game, seats: int, tied: int, share_points: int) -> None:
    numbers = {p: {"steps": 2} for p in range(1, tied + 1)} | {p: {"steps": 1} for p in range(tied + 1, seats + 1)}
    position = last(game, seats, numbers=numbers)
    play(position, "done")
    earned = [player["earned"]["most patents"] for player in position.document()["state"]["players"]]
    assert earned == [share_points] * tied + [0] * (seats - tied)


@pytest.mark.rule("R11")
def test_a_tie_at_zero_scores_nothing(game: Game) -> None:
    position = play(last(game), "done")
    for player in position.document()["state"]["players"]:
        assert (player["earned"]["most patents"], player["earned"]["most invested"]) == (0, 0)


@pytest.mark.rule("R12")
@pytest.mark.parametrize(("capacity", "scores"), [("all", [5, 0, 0]), ("cubes", [0, 5, 0])])
def test_an_option_decides_which_goods_count_as_capacity(game: Game, capacity: str, scores: list[int]) -> None:
    owned = {1: ["counting house 3", "drawing office 1", "foundry 1"], 2: ["coal mine 1"]}
    position = play(last(game, owned=owned, capacity=capacity), "done")
    assert [player["earned"]["most capacity"] for player in position.document()["state"]["players"]] == scores
    assert position.scores == scores


@pytest.mark.rule("E58")
@pytest.mark.rule("R5")
def test_ranks_follow_influence_then_inventions_and_are_shared_in_a_tie(game: Game) -> None:
    numbers = {p: {"influence": 9} for p in (1, 2, 3)}
    two = {"cash register gold": 1, "cash register silver": 1, "typewriter gold": 2}  # two stones each
    position = play(last(game, numbers=numbers, holders=two), "done")
    assert position.scores == [14, 14, 11]
    assert position.outcome is not None
    assert position.outcome.winners == (0,)
    more_numbers = numbers | {2: {"influence": 10}}
    position = play(last(game, numbers=more_numbers, holders=two), "done")
    assert position.outcome is not None
    assert position.outcome.winners == (1,)
    same_numbers = {"cash register gold": 1, "sewing machine gold": 2}
    position = play(last(game, numbers=numbers, holders=same_numbers), "done")
    assert position.outcome is not None
    assert position.outcome.winners == (0, 1)
    assert count_of_good(position, 1, "coin") == 2
