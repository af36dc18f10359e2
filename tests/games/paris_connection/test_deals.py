"""Check that imagined portfolios follow the exact distribution of deals that fit a seat's knowledge (T5)."""

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


def enumerated(totals: Sequence[int], sizes: Sequence[int], min_shares: Sequence[Sequence[int]]) -> Counter[Hands]:
    """Count how often each deal within bounds occurs among all ways to hand out distinct locomotives."""
    shares = [k for k, n in enumerate(totals) for _ in range(n)]
    counts: Counter[Hands] = Counter()
    for owners in itertools.product(range(len(sizes)), repeat=len(shares)):
        hands = [[0] * len(totals) for _ in sizes]
        for share, owner in zip(shares, owners, strict=True):
            hands[owner][share] += 1
        is_complete = all(sum(hand) == size for hand, size in zip(hands, sizes, strict=True))
        if is_complete and all(
            hand[k] >= n for hand, bounds in zip(hands, min_shares, strict=True) for k, n in enumerate(bounds)
        ):
            counts[tuple(map(tuple, hands))] += 1
    return counts


def chances(deals: Deals) -> dict[Hands, Fraction]:
    """Return the probability of every deal, following every choice that `deal` makes."""
    chances_of_hands: dict[Hands, Fraction] = {}

    def follow_draws(taken_draws: list[int]) -> None:
        picks = Picks(taken_draws)
        hands = deals.deal(picks)  # type: ignore[arg-type]  # it picks, which is all that is asked of it
        if picks.next is None:
            chances_of_hands[tuple(map(tuple, hands))] = picks.chance
        else:
            for i, weight in enumerate(picks.next):
                if weight:
                    follow_draws([*taken_draws, i])

    follow_draws([])
    return chances_of_hands


class Picks:
    """A source of choices that makes given choices, then arbitrary ones, and records the weights of the next choice."""

    def __init__(self, choices: list[int]) -> None:
        self._told = choices
        self._at = 0
        self.chance = Fraction(1)
        self.next: Sequence[int] | None = None

    def weighted_choice(self, weights: Sequence[int]) -> int:
        if self._at < len(self._told):
            chosen_share = self._told[self._at]
        else:
            chosen_share = next(i for i, weight in enumerate(weights) if weight)
            if self.next is None:
                self.next = weights
        self._at += 1
        self.chance *= Fraction(weights[chosen_share], sum(weights))
        return chosen_share


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
@pytest.mark.parametrize(("totals", "sizes", "min_shares"), SMALL)
def test_every_deal_has_its_exact_probability(totals: Any, sizes: Any, min_shares: Any) -> None:
    exact_chances = enumerated(totals, sizes, min_shares)
    deals = Deals(totals, sizes, min_shares)
    assert deals.ways() == sum(exact_chances.values())
    assert chances(deals) == {hands: Fraction(n, sum(exact_chances.values())) for hands, n in exact_chances.items()}


@pytest.mark.rule("T5")
def test_dealing_the_rest_after_reserving_proven_shares_is_biased() -> None:
    totals, sizes, min_shares = (3, 2, 2), (4, 3), ((2, 0, 0), (0, 1, 1))
    exact_chances = enumerated(totals, sizes, min_shares)
    remaining_deals = enumerated((1, 1, 1), (2, 1), ((0, 0, 0), (0, 0, 0)))
    biased = Counter(
        {
            tuple(tuple(a + b for a, b in zip(*pair, strict=True)) for pair in zip(hands, min_shares, strict=True)): n
            for hands, n in remaining_deals.items()
        }
    )
    assert set(biased) == set(exact_chances)
    assert {hands: Fraction(n, biased.total()) for hands, n in biased.items()} != {
        hands: Fraction(n, exact_chances.total()) for hands, n in exact_chances.items()
    }


@st.composite
def knowledge(draw: st.DrawFn) -> tuple[list[int], list[int], list[list[int]]]:
    """Return a small random deal and bounds that follow from some known locomotives."""
    players, kinds = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    hands = draw(
        st.lists(st.lists(st.integers(0, 2), min_size=kinds, max_size=kinds), min_size=players, max_size=players)
    )
    assume(sum(map(sum, hands)) <= 8)
    min_shares = [[draw(st.integers(0, n)) if n else 0 for n in hand] for hand in hands]
    return [sum(hand[k] for hand in hands) for k in range(kinds)], [sum(hand) for hand in hands], min_shares


@pytest.mark.rule("T5")
@given(knowledge())
@settings(max_examples=40, deadline=None)
def test_every_small_deal_has_its_exact_probability(known: tuple[list[int], list[int], list[list[int]]]) -> None:
    exact_chances = enumerated(*known)
    assert chances(Deals(*known)) == {hands: Fraction(n, exact_chances.total()) for hands, n in exact_chances.items()}


def test_knowledge_that_contradicts_itself_fits_no_deal() -> None:
    assert Deals((1, 1), (1, 1), ((1, 0), (1, 0))).ways() == 0
    with pytest.raises(ValueError, match="no deal fits"):
        Deals((1, 1), (1, 1), ((1, 0), (1, 0))).deal(Rng(1))


@pytest.mark.rule("T5")
def test_sampled_deals_follow_the_exact_distribution() -> None:
    totals, sizes, min_shares = (3, 2, 2), (4, 3), ((1, 0, 0), (0, 1, 0))
    exact_chances = enumerated(totals, sizes, min_shares)
    chance, count = Rng(2026), 4000
    deals = Deals(totals, sizes, min_shares)
    deal_counts = Counter(tuple(map(tuple, deals.deal(chance))) for _ in range(count))
    assert set(deal_counts) == set(exact_chances)
    for hands, n in exact_chances.items():
        p = n / exact_chances.total()
        assert abs(deal_counts[hands] - count * p) < 4.5 * (count * p * (1 - p)) ** 0.5


@pytest.mark.parametrize(
    ("totals", "players", "size"),
    [((6, 5, 5, 3, 3, 2), 3, 8), ((5, 5, 4, 4, 3, 3), 4, 6), ((5, 5, 4, 4, 4, 3), 5, 5), ((6, 6, 5, 5, 4, 4), 6, 5)],
)
def test_counting_the_deals_of_five_players_takes_a_limited_number_of_steps(
    monkeypatch: pytest.MonkeyPatch, totals: tuple[int, ...], players: int, size: int
) -> None:
    steps = 0

    def count_hands(n: int, k: int) -> int:
        nonlocal steps
        steps += 1
        return comb(n, k)

    monkeypatch.setattr(dealing, "comb", count_hands)
    known_hands: list[list[int]] = [[0] * 6 for _ in range(players)]
    deal_count = math.factorial(players * size) // math.factorial(size) ** players
    for p, k in [(None, 0), (0, 0), (1, 1), (2, 3), (0, 2), (1, 4), (2, 1), (2, 0)]:
        if p is not None:
            known_hands[p][k] += 1
        steps = 0
        deals = Deals(totals, [size] * players, known_hands)
        assert 0 < deals.ways() <= deal_count
        assert (deals.ways() == deal_count) == (p is None)
        assert [sum(hand) for hand in deals.deal(Rng(1))] == [size] * players
        assert steps < 60_000


# Imagined positions


def imagined(position: Position, viewer: int | None, count: int) -> Counter[Hands]:
    """Return the hands of the others in many imagined positions."""
    observation = position.observe(viewer)
    seats = range(position.seats)
    return Counter(
        tuple(tuple(observation.imagine(seed).state.players[p].shares) for p in seats if p != viewer)
        for seed in range(count)
    )


@pytest.mark.rule("T5")
def test_imagined_portfolios_keep_known_shares_and_redeal_the_rest(game: Game) -> None:
    position = game.start(seats=4, seed=11)
    chance = random.Random(11)
    while position.number < 60 and not position.is_over:
        trades = [move for move in position.legal_moves if move.text.startswith("trade")]
        position.play(chance.choice(trades if trades and chance.random() < 0.5 else position.legal_moves))
    for viewer in (0, 1, 2, 3, None):
        observation = position.observe(viewer)
        other = 0
        for seed in range(12):
            dreamt = observation.imagine(seed)
            assert dreamt.observe(viewer).bytes == observation.bytes
            assert game.totals(dreamt) == game.totals(position)
            assert all(share >= 0 for player in dreamt.state.players for share in player.shares)
            other += dreamt.digest() != position.digest()
        assert other > 6


@pytest.mark.rule("T5")
def test_the_bounds_of_a_hidden_portfolio_come_from_trades(game: Game) -> None:
    # Seat 2 gives an onyx away twice: it was dealt two at least.
    position = position_with(game, seat=2)
    for move in (
        "trade black for 1 red",
        "trade purple for 1 brown",
        "trade purple for 1 brown",
        "trade black for 2 blue",
    ):
        position.play(move)
    observation = position.observe(0)
    dealt_players = [observation.imagine(seed).state.players[1] for seed in range(60)]
    assert all(player.shares[2] - player.taken[2] + player.given[2] >= 2 for player in dealt_players)
    assert len({tuple(player.shares) for player in dealt_players}) > 20


@pytest.mark.rule("T5")
def test_an_imagined_deal_follows_the_exact_distribution(game: Game) -> None:
    # Seat 1 sees: of 20 locomotives dealt to seats 2 and 3, 18 of Amethyst and 2 of Ruby.
    draws = ["brown"] * 10 + ["purple"] * 9 + ["red"] + ["purple"] * 9 + ["red"] + deal(3)[30:]
    position = game.start(seats=3, seed=1, drew=draws)
    count = 2000
    share_counts = Counter(hands[0][COLOURS.index("red")] for hands in imagined(position, 0, count).elements())
    exact_chances = Counter[int]()
    for pair in itertools.combinations(range(20), 2):  # which of the 20 places hold the two
        exact_chances[sum(place < 10 for place in pair)] += 1
    assert set(share_counts) == set(exact_chances) == {0, 1, 2}
    for reds, n in exact_chances.items():
        p = n / exact_chances.total()
        assert abs(share_counts[reds] - count * p) < 4.5 * (count * p * (1 - p)) ** 0.5
