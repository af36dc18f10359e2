"""A state that fits what a seat sees."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from spieltisch.core import bits, twin
from spieltisch.core.chance import Chance
from spieltisch.core.observation import EVERYBODY, Observation
from spieltisch.core.setup import Setup
from spieltisch.games.paris_connection import network, state
from spieltisch.games.paris_connection.deal import deals


def imagine(observation: Observation, chance: Chance) -> Any:
    """A state with the others' portfolios from the exact distribution of deals (T5)."""
    s = twin.clone(public(observation))
    if observation.view.seat >= 0 and observation.view.viewer != EVERYBODY:
        _deal(observation, s, chance)
    return s


def public(observation: Observation) -> Any:
    """The part of the state that is seen, with what follows from it; portfolios that are not seen are empty. Not to be
    changed: it is kept, for a seat imagines and reckons many times with what it knows at one moment.
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
    for k in range(state.COMPANIES):
        for h in bits.members(s.net[k]):
            bits.unite(s.front[k], c.beside[h])
        bits.remove(s.front[k], s.net[k])
    network.find_ways(s, c, twin.new(state.Work), state.NOBODY, state.NOBODY)
    return s


def _deal(observation: Observation, s: Any, chance: Chance) -> None:
    setup, view, c = observation.setup, observation.view, observation.setup.plain_params
    others = [p for p in range(setup.seats) if p != view.viewer]
    companies = range(state.COMPANIES)
    dealt = [
        c.bag + 1
        - bits.count(view.net[k])
        - view.depot[k]
        - sum(player.taken[k] - player.given[k] for player in view.players)
        for k in companies
    ]  # fmt: skip
    if view.viewer >= 0:
        me = view.players[view.viewer]
        dealt = [dealt[k] - (me.shares[k] - me.taken[k] + me.given[k]) for k in companies]
    least = tuple(tuple(view.players[p].owed) for p in others)
    hands = deals(tuple(dealt), (c.portfolio,) * len(others), least).deal(chance)
    for p, hand in zip(others, hands, strict=True):
        player = s.players[p]
        for k in companies:
            player.shares[k] = hand[k] + player.taken[k] - player.given[k]
