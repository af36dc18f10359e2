"""The view of a state that a seat has (P2, T5), and states that fit a view."""

from functools import lru_cache
from typing import Any

from spieltisch.core import bit_sets, twin
from spieltisch.core.bit_sets import WORDS
from spieltisch.core.chance import Rng, randbelow
from spieltisch.core.compiled import rule
from spieltisch.core.observation import ALL_SEATS, Observation
from spieltisch.core.setup import Setup
from spieltisch.games.paris_connection import state
from spieltisch.games.paris_connection.portfolio_deals import deals
from spieltisch.games.paris_connection.rules.network import update_paths
from spieltisch.games.paris_connection.state import COMPANIES, Phase


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    """Fill a view with all that the seat may know (T5). Seat -1 is a spectator, -2 all seats together."""
    o.viewer = viewer
    o.seats, o.seat, o.phase, o.company, o.built = s.seats, s.seat, s.phase, s.company, s.built
    o.idle, o.ended_by = s.idle, s.ended_by
    for k in range(WORDS):
        o.full[k] = s.full[k]
    for k in range(COMPANIES):
        o.depot[k], o.value[k] = s.depot[k], s.value[k]
        for i in range(WORDS):
            o.net[k][i] = s.net[k][i]
            o.front[k][i] = s.front[k][i]
    for p in range(s.seats):
        shown, player = o.players[p], s.players[p]
        shown.held = player.held
        for k in range(COMPANIES):
            shown.taken[k], shown.given[k], shown.owed[k] = player.taken[k], player.given[k], player.owed[k]
            shown.shares[k] = player.shares[k] if p == viewer or viewer == ALL_SEATS or s.phase == Phase.OVER else 0


@rule
def dealt_shares(player: Any, company: int) -> int:
    """Return the number of locomotives of a company that a player was dealt."""
    return player.shares[company] - player.taken[company] + player.given[company]  # type: ignore[no-any-return]  # fields


@rule
def random_dealt_company(c: Any, r: Any, player: Any) -> int:
    """Return the company of a random locomotive among those that a player was dealt, each with the same chance."""
    remaining, company = randbelow(r, c.portfolio), 0
    while remaining >= dealt_shares(player, company):
        remaining -= dealt_shares(player, company)
        company += 1
    return company


@rule
def reshuffle(s: Any, c: Any, r: Any, viewer: int, steps: int) -> None:
    """Walk randomly over the deals that fit the viewer's knowledge (T5).

    In each step two locomotives of two other seats change hands, unless trades prove that they were dealt there. Each
    deal of single locomotives is as likely as any other.
    """
    for _ in range(steps):
        seat_a, seat_b = randbelow(r, s.seats), randbelow(r, s.seats)
        if seat_a in (seat_b, viewer) or seat_b == viewer:
            continue
        first, second = s.players[seat_a], s.players[seat_b]
        company_a, company_b = random_dealt_company(c, r, first), random_dealt_company(c, r, second)
        if (
            company_a == company_b
            or dealt_shares(first, company_a) <= first.owed[company_a]
            or dealt_shares(second, company_b) <= second.owed[company_b]
        ):
            continue
        first.shares[company_a] -= 1
        second.shares[company_a] += 1
        first.shares[company_b] += 1
        second.shares[company_b] -= 1


def imagine(observation: Observation, chance: Rng) -> Any:
    """Return a state with the other portfolios from the exact distribution of deals (T5)."""
    s = twin.clone(visible_state(observation))
    if observation.view.seat >= 0 and observation.view.viewer != ALL_SEATS:
        _deal(observation, s, chance)
    return s


def visible_state(observation: Observation) -> Any:
    """Return the part of the state that is seen, with derived fields; unseen portfolios are empty.

    The result is cached, because a seat imagines and computes repeatedly from one observation, and must not be changed.
    """
    return _public(observation.setup, observation.data)


@lru_cache(maxsize=4)
def _public(setup: Setup, data: bytes) -> Any:
    view, s = twin.unpack(state.View, data), twin.new(state.State)
    for name in s.__slots__:
        if hasattr(view, name) and name != "players":
            setattr(s, name, getattr(view, name))
    for p in range(setup.seats):
        twin.assign(view.players[p], s.players[p])
    c = setup.plain_params
    update_paths(s, c, twin.new(state.Work), state.NOBODY, state.NOBODY)
    return s


def _deal(observation: Observation, s: Any, chance: Rng) -> None:
    setup, view, c = observation.setup, observation.view, observation.setup.plain_params
    other_seats = [p for p in range(setup.seats) if p != view.viewer]
    companies = range(COMPANIES)
    dealt = [
        c.bag + 1
        - bit_sets.count(view.net[company])
        - view.depot[company]
        - sum(player.taken[company] - player.given[company] for player in view.players)
        for company in companies
    ]  # fmt: skip
    if view.viewer >= 0:
        me = view.players[view.viewer]
        dealt = [dealt[company] - (me.shares[company] - me.taken[company] + me.given[company]) for company in companies]
    minimum = tuple(tuple(view.players[p].owed) for p in other_seats)
    hands = deals(tuple(dealt), (c.portfolio,) * len(other_seats), minimum).deal(chance)
    for p, hand in zip(other_seats, hands, strict=True):
        player = s.players[p]
        for company in companies:
            player.shares[company] = hand[company] + player.taken[company] - player.given[company]
