"""The odds of a draw, compared with a count over every number that the generator can give."""

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
def rolled(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[int]], list[int]]:
    """Set the results of `below`; return the list that receives the number of possible results of each call."""

    def set_to(numbers: list[int]) -> list[int]:
        left, limits = iter(numbers), []

        def below(s: object, n: int) -> int:
            limits.append(n)
            return min(next(left, 0), n - 1)

        monkeypatch.setattr(chance, "randbelow", below)
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


def enumerated(position: Position, move: Move, begun: list[int], rolled: Callable[[list[int]], list[int]]) -> object:
    """Return the probability of each possible draw after the draws that follow from the numbers `begun`."""
    limits = rolled(begun)
    drew = position.copy().play(move).drew
    if len(drew) == len(begun):
        return None
    many, counts = limits[len(begun)], Counter[str]()
    for number in range(many):
        rolled([*begun, number])
        counts[position.copy().play(move).drew[len(begun)]] += 1
    return {text: Fraction(times, many) for text, times in counts.items()}


@pytest.mark.parametrize("key", [*sorted(GAMES), "toy", "lots"])
def test_odds_are_those_of_all_numbers(key: str, lots: str, rolled: Callable[[list[int]], list[int]]) -> None:
    game = spieltisch.game(key)
    several = many = 0
    for position, move in list(drawing(game.start(seats=game.seats[-1], seed=3), 6)):
        before, number = position.digest(), 0
        begun: list[int] = []
        while True:
            rolled(begun)
            drew = position.copy().play(move).drew[: len(begun)]
            odds = position.odds(move, drew)
            assert odds == enumerated(position, move, begun, rolled), (position.number, move, drew)
            if odds is None:
                break
            assert sum(odds.values()) == 1
            number += 1
            begun.append(number % 2)
        several += number > 1
        many += number
        assert position.digest() == before
    assert many == 0 if key in ("paris-connection", lots) else many >= 4, "there only the deal draws"
    assert several or key not in ("era-of-inventions", "legendary-inventors"), "no move drew twice"


def test_draws_that_cannot_have_been_have_no_odds(toy: str) -> None:
    position = spieltisch.game(toy).start(seats=2, seed=1)
    assert position.odds("spark") == {"dull": Fraction(3, 5), "bright": Fraction(2, 5)}
    assert position.odds("spark", ["dull"]) is None
    for wrong in (["red"], ["1"], ["dull", "dull"]):
        with pytest.raises(DrawError):
            position.odds("spark", wrong)
    with pytest.raises(IllegalMove):
        position.odds("look 1")
    assert position.odds("cover") is None
    assert position.setup.work.draws.peeking == 0
