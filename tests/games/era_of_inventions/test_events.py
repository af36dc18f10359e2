"""The events of moves account for everything that changes: every influence point, and every piece that moves."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from spieltisch import bots
from spieltisch.core.game import Game
from tests.games.era_of_inventions.positions import MARKET, PRODUCE, events, position_with


@pytest.mark.rule("R8")
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("symbols", ["own action", "any gain"])
@pytest.mark.parametrize("greedy", [0, 1])
def test_whole_games(game: Game, seats: int, symbols: str, greedy: int) -> None:
    chance = random.Random(seats)
    position = game.start(seats=seats, seed=seats, track_symbols=symbols)
    while position.seat is not None:
        lying, scores = Counter(game.piece_counts(position)), position.scores
        earned = [list(player.earned) for player in position.state.players]
        bot = "easy" if chance.random() < (0.9 if greedy else 0.1) else "random"
        played = position.play(
            bots.choose(bot, position.observe(position.seat).bytes, seed=position.number), collect_events=True
        )
        for event in played.events:
            if event.kind == "points":
                assert event.seat is not None
                points, source = event.numbers[:2]
                scores[event.seat] += points
                earned[event.seat][source] += points
            elif event.kind == "moved":
                thing, number, origin, target = event.numbers
                assert number > 0
                lying[thing, origin] -= number
                lying[thing, target] += number
        assert scores == position.scores
        assert earned == [list(player.earned) for player in position.state.players]
        assert {where: number for where, number in lying.items() if number} == game.piece_counts(position)


def test_nothing_is_said_between_the_cards_of_a_new_round(game: Game) -> None:
    position = position_with(game, discs={MARKET: [1]}, numbers={1: {"bonus": 0}})
    setup = position.setup
    log_lines = [str(sentence) for sentence in setup.game.log(setup, events(position, f"take back {MARKET}"), None)]
    assert [line.split(":")[0] for line in log_lines] == [
        "Player 1 takes the disc back from Exchange market unused.",
        "Round 2 begins. Start player",
        "New in the invention row",
        "New in the factory row",
    ]


@pytest.mark.rule("E24")
def test_who_is_paid_is_named_by_the_event(game: Game) -> None:
    rich = {"coal": 9, "metal": 9, "technology": 9, "tool": 9}
    position = position_with(
        game, action=PRODUCE, row=["car a"], goods={1: rich}, holders={"car gold": 3, "car silver": 2}
    )
    paid = [event for event in events(position, "produce car a") if event.kind == "is paid"]
    car = next(i for i, invention in enumerate(position.setup.board.inventions) if invention.id == "car")
    assert [(event.seat, event.numbers[:2]) for event in paid] == [(2, (car, 0)), (1, (car, 1))]
