"""Imagined portfolios come from the exact distribution of the deals that fit what a seat knows (T5)."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from spieltisch.core.chance import Rng
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.games.paris_connection import portfolio_deals as dealing
from spieltisch.games.paris_connection.portfolio_deals import Deals
from tests.games.paris_connection.positions import COLOURS, deal, position_with

Hands = tuple[tuple[int, ...], ...]


def enumerated(totals: Sequence[int], sizes: Sequence[int], least: Sequence[Sequence[int]]) -> Counter[Hands]:
    """Every way to hand out the locomotives, each a thing of its own, within bounds: how often each deal comes up."""
    things = [k for k, n in enumerate(totals) for _ in range(n)]
    counts: Counter[Hands] = Counter()
    for owners in itertools.product(range(len(sizes)), repeat=len(things)):
        hands = [[0] * len(totals) for _ in sizes]
        for thing, owner in zip(things, owners, strict=True):
            hands[owner][thing] += 1
        fits = all(sum(hand) == size for hand, size in zip(hands, sizes, strict=True))
        if fits and all(hand[k] >= n for hand, bounds in zip(hands, least, strict=True) for k, n in enumerate(bounds)):
            counts[tuple(map(tuple, hands))] += 1
    return counts


def chances(deals: Deals) -> dict[Hands, Fraction]:
    """The chance of every deal, followed through every choice that `deal` makes."""
    chances_of_hands: dict[Hands, Fraction] = {}

    def follow(taken: list[int]) -> None:
        picks = Picks(taken)
        hands = deals.deal(picks)  # type: ignore[arg-type]  # it picks, which is all that is asked of it
        if picks.next is None:
            chances_of_hands[tuple(map(tuple, hands))] = picks.chance
        else:
            for i, weight in enumerate(picks.next):
                if weight:
                    follow([*taken, i])

    follow([])
    return chances_of_hands


class Picks:
    """Makes the choices it was told to, then any, noting the weights from which it was to choose next."""

    def __init__(self, choices: list[int]) -> None:
        self._told = choices
        self._at = 0
        self.chance = Fraction(1)
        self.next: Sequence[int] | None = None

    def weighted_choice(self, weights: Sequence[int]) -> int:
        if self._at < len(self._told):
            chosen = self._told[self._at]
        else:
            chosen = next(i for i, weight in enumerate(weights) if weight)
            if self.next is None:
                self.next = weights
        self._at += 1
        self.chance *= Fraction(weights[chosen], sum(weights))
        return chosen


SMALL: list[tuple[Any, Any, Any]] = [
    ((2, 1), (2, 1), ((0, 0), (0, 0))),
    ((2, 1), (2, 1), ((0, 0), (1, 0))),
    ((3, 2, 2), (4, 3), ((0, 0, 0), (0, 0, 0))),
    ((3, 2, 2), (4, 3), ((2, 0, 0), (0, 1, 1))),
    ((3, 0, 4), (3, 4), ((0, 0, 2), (1, 0, 0))),
    ((2, 2, 2), (2, 2, 2), ((0, 0, 0), (0, 0, 0), (0, 0, 0))),
    ((2, 2, 2), (2, 2, 2), ((1, 0, 0), (1, 0, 0), (0, 0, 1))),
    ((2, 2, 2), (2, 2, 2), ((1, 1, 0), (0, 1, 1), (0, 0, 0))),
    ((4, 1, 2), (1, 2, 4), ((0, 0, 0), (0, 1, 0), (2, 0, 0))),
    ((2, 1, 1, 1, 1, 0), (2, 2, 2), ((0, 0, 1, 0, 0, 0), (0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0))),
]


@pytest.mark.rule("T5")
@pytest.mark.parametrize(("totals", "sizes", "least"), SMALL)
def test_every_deal_has_its_exact_chance(totals: Any, sizes: Any, least: Any) -> None:
    truth = enumerated(totals, sizes, least)
    deals = Deals(totals, sizes, least)
    assert deals.ways() == sum(truth.values())
    assert chances(deals) == {hands: Fraction(n, sum(truth.values())) for hands, n in truth.items()}


@pytest.mark.rule("T5")
def test_reserving_what_is_proven_and_dealing_the_rest_would_be_biased() -> None:
    totals, sizes, least = (3, 2, 2), (4, 3), ((2, 0, 0), (0, 1, 1))
    truth = enumerated(totals, sizes, least)
    rest = enumerated((1, 1, 1), (2, 1), ((0, 0, 0), (0, 0, 0)))
    biased = Counter(
        {
            tuple(tuple(a + b for a, b in zip(*pair, strict=True)) for pair in zip(hands, least, strict=True)): n
            for hands, n in rest.items()
        }
    )
    assert set(biased) == set(truth)
    assert {hands: Fraction(n, biased.total()) for hands, n in biased.items()} != {
        hands: Fraction(n, truth.total()) for hands, n in truth.items()
    }


@st.composite
def knowledge(draw: st.DrawFn) -> tuple[list[int], list[int], list[list[int]]]:
    """A small deal and what it proves: a true deal with some of its locomotives known."""
    players, kinds = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    hands = draw(
        st.lists(st.lists(st.integers(0, 2), min_size=kinds, max_size=kinds), min_size=players, max_size=players)
    )
    assume(sum(map(sum, hands)) <= 8)
    least = [[draw(st.integers(0, n)) if n else 0 for n in hand] for hand in hands]
    return [sum(hand[k] for hand in hands) for k in range(kinds)], [sum(hand) for hand in hands], least


@pytest.mark.rule("T5")
@given(knowledge())
@settings(max_examples=40, deadline=None)
def test_every_small_deal_has_its_exact_chance(known: tuple[list[int], list[int], list[list[int]]]) -> None:
    truth = enumerated(*known)
    assert chances(Deals(*known)) == {hands: Fraction(n, truth.total()) for hands, n in truth.items()}


def test_no_deal_fits() -> None:
    assert Deals((1, 1), (1, 1), ((1, 0), (1, 0))).ways() == 0
    with pytest.raises(ValueError, match="no deal fits"):
        Deals((1, 1), (1, 1), ((1, 0), (1, 0))).deal(Rng(1))


@pytest.mark.rule("T5")
def test_often_enough_dealt_it_comes_out_as_it_should() -> None:
    totals, sizes, least = (3, 2, 2), (4, 3), ((1, 0, 0), (0, 1, 0))
    truth = enumerated(totals, sizes, least)
    chance, many = Rng(2026), 4000
    deals = Deals(totals, sizes, least)
    seen = Counter(tuple(map(tuple, deals.deal(chance))) for _ in range(many))
    assert set(seen) == set(truth)
    for hands, n in truth.items():
        p = n / truth.total()
        assert abs(seen[hands] - many * p) < 4.5 * (many * p * (1 - p)) ** 0.5


@pytest.mark.parametrize(
    ("totals", "players", "size"),
    [((6, 5, 5, 3, 3, 2), 3, 8), ((5, 5, 4, 4, 3, 3), 4, 6), ((5, 5, 4, 4, 4, 3), 5, 5), ((6, 6, 5, 5, 4, 4), 6, 5)],
)
def test_five_others_are_counted_in_few_steps(
    monkeypatch: pytest.MonkeyPatch, totals: tuple[int, ...], players: int, size: int
) -> None:
    steps = 0

    def counted(n: int, k: int) -> int:
        nonlocal steps
        steps += 1
        return comb(n, k)

    monkeypatch.setattr(dealing, "comb", counted)
    known: list[list[int]] = [[0] * 6 for _ in range(players)]
    things = math.factorial(players * size) // math.factorial(size) ** players
    for p, k in [(None, 0), (0, 0), (1, 1), (2, 3), (0, 2), (1, 4), (2, 1), (2, 0)]:
        if p is not None:
            known[p][k] += 1
        steps = 0
        deals = Deals(totals, [size] * players, known)
        assert 0 < deals.ways() <= things
        assert (deals.ways() == things) == (p is None)
        assert [sum(hand) for hand in deals.deal(Rng(1))] == [size] * players
        assert steps < 60_000


# Imagined positions


def imagined(position: Position, viewer: int | None, many: int) -> Counter[Hands]:
    """Return the hands of the others in many imagined positions."""
    seen = position.observe(viewer)
    seats = range(position.seats)
    return Counter(
        tuple(tuple(seen.imagine(seed).state.players[p].shares) for p in seats if p != viewer) for seed in range(many)
    )


@pytest.mark.rule("T5")
def test_what_a_seat_knows_stays_and_the_rest_is_dealt_anew(game: Game) -> None:
    position = game.start(seats=4, seed=11)
    chance = random.Random(11)
    while position.number < 60 and not position.is_over:
        trades = [move for move in position.legal_moves if move.text.startswith("trade")]
        position.play(chance.choice(trades if trades and chance.random() < 0.5 else position.legal_moves))
    for viewer in (0, 1, 2, 3, None):
        seen = position.observe(viewer)
        other = 0
        for seed in range(12):
            dreamt = seen.imagine(seed)
            assert dreamt.observe(viewer).bytes == seen.bytes
            assert game.totals(dreamt) == game.totals(position)
            assert all(share >= 0 for player in dreamt.state.players for share in player.shares)
            other += dreamt.digest() != position.digest()
        assert other > 6


@pytest.mark.rule("T5")
def test_bounds_come_from_trades(game: Game) -> None:
    # Seat 2 gives an onyx away twice: it was dealt two at least.
    position = position_with(game, seat=2)
    for move in (
        "trade black for 1 red",
        "trade purple for 1 brown",
        "trade purple for 1 brown",
        "trade black for 2 blue",
    ):
        position.play(move)
    seen = position.observe(0)
    dealt = [seen.imagine(seed).state.players[1] for seed in range(60)]
    assert all(player.shares[2] - player.taken[2] + player.given[2] >= 2 for player in dealt)
    assert len({tuple(player.shares) for player in dealt}) > 20


@pytest.mark.rule("T5")
def test_an_imagined_deal_follows_the_exact_distribution(game: Game) -> None:
    # Seat 1 sees: of 20 locomotives dealt to seats 2 and 3, 18 of Amethyst and 2 of Ruby.
    draws = ["brown"] * 10 + ["purple"] * 9 + ["red"] + ["purple"] * 9 + ["red"] + deal(3)[30:]
    position = game.start(seats=3, seed=1, drew=draws)
    many = 2000
    seen = Counter(hands[0][COLOURS.index("red")] for hands in imagined(position, 0, many).elements())
    truth = Counter[int]()
    for pair in itertools.combinations(range(20), 2):  # which of the 20 places hold the two
        truth[sum(place < 10 for place in pair)] += 1
    assert set(seen) == set(truth) == {0, 1, 2}
    for reds, n in truth.items():
        p = n / truth.total()
        assert abs(seen[reds] - many * p) < 4.5 * (many * p * (1 - p)) ** 0.5
