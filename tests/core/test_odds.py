"""Compare the odds of a draw with a count over every number that the generator can give."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

import spieltisch
from spieltisch.core import chance
from spieltisch.core.errors import DrawError, IllegalMove
from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.games import GAMES


@pytest.fixture
def set_random_numbers(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[int]], list[int]]:
    """Return a function that sets the next results of `randbelow` and returns the list of the limits asked for."""

    def set_to(numbers: list[int]) -> list[int]:
        remaining_numbers, limits = iter(numbers), []

        def limit_of_random(s: object, n: int) -> int:
            limits.append(n)
            return min(next(remaining_numbers, 0), n - 1)

        monkeypatch.setattr(chance, "randbelow", limit_of_random)
        return limits

    return set_to


def drawing(position: Position, moves: int, seed: int = 1) -> Iterator[tuple[Position, Move]]:
    """Yield the first moves of a random game that draw, up to a number; check that all others have no odds."""
    choice = random.Random(seed)
    while moves and not position.is_over:
        move = choice.choice(position.legal_moves)
        if position.odds(move) is not None:
            yield position.copy(), move
            moves -= 1
            position.play(move)
        else:
            assert position.play(move).drew == ()


def enumerated(
    position: Position, move: Move, drawn_before: list[int], rolled: Callable[[list[int]], list[int]]
) -> object:
    """Return the probability of each possible draw after the draws that follow from the numbers `begun`."""
    limits = rolled(drawn_before)
    recorded_draws = position.copy().play(move).drew
    if len(recorded_draws) == len(drawn_before):
        return None
    count, counts = limits[len(drawn_before)], Counter[str]()
    for number in range(count):
        rolled([*drawn_before, number])
        counts[position.copy().play(move).drew[len(drawn_before)]] += 1
    return {text: Fraction(times, count) for text, times in counts.items()}


@pytest.mark.parametrize("key", [*sorted(GAMES), "toy", "lots"])
def test_the_odds_of_draws_match_a_count_of_all_random_numbers(
    key: str, game_with_bids: str, set_random_numbers: Callable[[list[int]], list[int]]
) -> None:
    game = spieltisch.game(key)
    draw_counts = count = 0
    for position, move in list(drawing(game.start(seats=game.seats[-1], seed=3), 6)):
        before, number = position.digest(), 0
        drawn_before: list[int] = []
        while True:
            set_random_numbers(drawn_before)
            recorded_draws = position.copy().play(move).drew[: len(drawn_before)]
            odds = position.odds(move, recorded_draws)
            assert odds == enumerated(position, move, drawn_before, set_random_numbers), (
                position.number,
                move,
                recorded_draws,
            )
            if odds is None:
                break
            assert sum(odds.values()) == 1
            number += 1
            drawn_before.append(number % 2)
        draw_counts += number > 1
        count += number
        assert position.digest() == before
    assert count == 0 if key in ("paris-connection", game_with_bids) else count >= 4, "there only the deal draws"
    assert draw_counts or key not in ("era-of-inventions", "legendary-inventors"), "no move drew twice"


def test_the_odds_of_an_impossible_draw_are_refused(toy: str) -> None:
    position = spieltisch.game(toy).start(seats=2, seed=1)
    assert position.odds("spark") == {"dull": Fraction(3, 5), "bright": Fraction(2, 5)}
    assert position.odds("spark", ["dull"]) is None
    for impossible_draws in (["red"], ["1"], ["dull", "dull"]):
        with pytest.raises(DrawError):
            position.odds("spark", impossible_draws)
    with pytest.raises(IllegalMove):
        position.odds("look 1")
    assert position.odds("cover") is None
    assert position.setup.work.draws.peeking == 0
