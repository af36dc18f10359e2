"""Check the summary of a turn and the reasons of a hint in hand-made positions."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.events import GameEvent
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from tests.games.era_of_inventions.goods import HINTS, NONE_OF_THEM, RICH, goods_held, goods_lost
from tests.games.era_of_inventions.hint_texts import (
    new_yield_text,
    pawn_text,
    received_text,
    spent_text,
)
from tests.games.era_of_inventions.positions import (
    BUILD,
    MARKET,
    PRODUCE,
    YIELD,
    events,
    goods_text,
    position_with,
)
from tests.sentences import sentence_after


def sum_of(turn_start_view: Observation, events: Sequence[GameEvent], after: Position) -> list[str]:
    """Return the summary of the moves since an observation, for its seat, in English."""
    return [str(sentence) for sentence in after.setup.game.turn_summary(turn_start_view, events)]


def reasons_for(turn_start_view: Observation, events: Sequence[GameEvent], after: Position) -> list[str]:
    """Return the reasons that a hint gives for these moves, in English."""
    return [str(sentence) for sentence in after.setup.game.advice_reasons(turn_start_view, events)]


def test_a_turn_is_summarised_by_its_gains_and_costs(game: Game) -> None:
    numbers = {1: {"influence": 3}}
    position = position_with(game, discs={PRODUCE: [1], BUILD: [1]}, row=["telephone a", "car a"], goods={1: RICH},
                             holders={"car gold": 2, "car silver": 3}, numbers=numbers)  # fmt: skip
    before, goods = position.observe(0), goods_held(position, 0)
    done = events(position, f"use {PRODUCE}")
    assert sum_of(before, done, position) == []
    done += events(position, "produce telephone a") + events(position, "produce car a")
    lines = sum_of(before, done, position)
    assert lines[0] == spent_text(**goods_lost(goods, goods_held(position, 0)))
    assert pawn_text(3, 10) in lines
    assert lines[-2:] == [received_text(2, influence=2), received_text(3, coin=2)]
    assert reasons_for(before, done, position) == [pawn_text(3, 10), *lines[-2:]]  # not what it costs


def test_the_summary_of_building_shows_the_new_yield(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: {"wood": 9, "coal": 9}}, numbers={1: {"bonus": 1}})
    before = position.observe(0)
    done = events(position, "build coal mine 1") + events(position, "build coal mine 2")
    lines = sum_of(before, done, position)
    goods = goods_text(wood=1, coal=4)
    now_yields = sentence_after(HINTS, "if output is not None:\n        summary.append(", goods=goods)
    assert lines[-2:] == [pawn_text(0, 1), now_yields]
    reasons = [new_yield_text(wood=1, coal=4), pawn_text(0, 1)]
    assert reasons_for(before, done, position) == reasons


def test_the_reason_for_an_exchange_names_the_received_goods(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: NONE_OF_THEM | {"coin": 2}})
    before = position.observe(0)
    done = events(position, "exchange coin coin for stone")
    assert reasons_for(before, done, position) == [
        sentence_after(HINTS, 'if move.kind == "run"', goods=goods_text(stone=1))
    ]


def test_the_reason_for_skipping_a_bonus_disc_is_what_is_kept(game: Game) -> None:
    position = position_with(game, discs={YIELD: [1, 2]}, numbers={1: {"bonus": 3}})
    before = position.observe(0)
    done = events(position, f"use {YIELD}") + events(position, "keep bonus disc")
    assert reasons_for(before, done, position)[-1] == sentence_after(
        HINTS, '"keeps bonus disc"', goods=goods_text(bonus_disc=3)
    )


def test_final_bonuses_are_in_no_turn_summary(game: Game) -> None:
    position = position_with(
        game,
        seats=3,
        phase="last exchange",
        action=MARKET,
        seat=3,
        done=4,
        start=1,
        round_number=9,
        goods={3: NONE_OF_THEM | {"stone": 1}},
        owned={3: ["coal mine 1"]},
    )
    before = position.observe(2)
    done = events(position, "exchange stone for influence")
    assert position.is_over
    assert position.scores[2] > 1
    assert sum_of(before, done, position) == [spent_text(stone=1), pawn_text(0, 1)]
