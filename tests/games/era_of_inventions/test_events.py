"""Check that events explain every change of influence and every movement of pieces."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from spieltisch import bots
from spieltisch.core.game import Game
from spieltisch.games.era_of_inventions.log import ROUND_BEGINS, TAKES_BACK
from tests.games.era_of_inventions.positions import MARKET, PRODUCE, events, log_line, position_with
from tests.sentences import template_after

LOG = "games/era_of_inventions/log.py"


@pytest.mark.rule("R8")
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("symbols", ["own action", "any gain"])
@pytest.mark.parametrize("greedy", [0, 1])
def test_events_explain_every_change_of_points_and_pieces_in_whole_games(
    game: Game, seats: int, symbols: str, greedy: int
) -> None:
    chance = random.Random(seats)
    position = game.start(seats=seats, seed=seats, track_symbols=symbols)
    while position.seat is not None:
        counts_by_place, scores = Counter(game.piece_counts(position)), position.scores
        earned = [list(player.earned) for player in position.state.players]
        bot = "easy" if chance.random() < (0.9 if greedy else 0.1) else "random"
        move_result = position.play(
            bots.choose(bot, position.observe(position.seat).bytes, seed=position.number), collect_events=True
        )
        for event in move_result.events:
            if event.kind == "points":
                assert event.seat is not None
                points, source = event.numbers[:2]
                scores[event.seat] += points
                earned[event.seat][source] += points
            elif event.kind == "moved":
                piece, number, origin, target = event.numbers
                assert number > 0
                counts_by_place[piece, origin] -= number
                counts_by_place[piece, target] += number
        assert scores == position.scores
        assert earned == [list(player.earned) for player in position.state.players]
        assert {place: number for place, number in counts_by_place.items() if number} == game.piece_counts(position)


def test_the_new_cards_of_a_round_are_logged_together(game: Game) -> None:
    position = position_with(game, discs={MARKET: [1]}, numbers={1: {"bonus": 0}})
    setup = position.setup
    log_lines = setup.game.log(setup, events(position, f"take back {MARKET}"), None)
    assert str(log_lines[0]) == log_line(TAKES_BACK, 1, action="Exchange market")
    assert str(log_lines[1]) == log_line(ROUND_BEGINS, 2, round=2)
    assert [line.text for line in log_lines[2:]] == [
        template_after(LOG, "def _new_cards").text,
        template_after(LOG, "def _new_factories").text,
    ]


@pytest.mark.rule("E24")
def test_the_event_of_a_payment_names_the_paid_player(game: Game) -> None:
    many_goods = {"coal": 9, "metal": 9, "technology": 9, "tool": 9}
    position = position_with(
        game, action=PRODUCE, row=["car a"], goods={1: many_goods}, holders={"car gold": 3, "car silver": 2}
    )
    paid = [event for event in events(position, "produce car a") if event.kind == "is paid"]
    car = next(i for i, invention in enumerate(position.setup.board.inventions) if invention.id == "car")
    assert [(event.seat, event.numbers[:2]) for event in paid] == [(2, (car, 0)), (1, (car, 1))]
