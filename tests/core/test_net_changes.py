"""The net changes of several moves: the lines add up to the difference between two observations."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spieltisch
from spieltisch.core.events import GameEvent
from spieltisch.core.net_changes import net_changes
from spieltisch.core.position import Position
from spieltisch.core.words import Words


def played(key: str, seed: int, moves: int) -> Position:
    """A random game after so many moves, or at the last decision before its end."""
    game = spieltisch.game(key)
    position, chance = game.start(seats=max(3, game.seats[0]), seed=seed), random.Random(seed)
    for _ in range(moves):
        after = position.copy()
        after.play(chance.choice(list(position.legal_moves)))
        if after.is_over:
            break
        position = after
    return position


@pytest.mark.parametrize("key", ["paris-connection", "legendary-inventors", "era-of-inventions"])
@settings(deadline=None)
@given(seed=st.integers(0, 2**32), before=st.integers(0, 80), moves=st.integers(1, 40), viewer=st.integers(-1, 2))
def test_changes_add_up_to_the_difference_between_two_observations(
    key: str, seed: int, before: int, moves: int, viewer: int
) -> None:
    position, chance = played(key, seed, before), random.Random(seed + 1)
    setup, game = position.setup, position.setup.game
    eyes = None if viewer < 0 else viewer
    held, seen = game.piece_counts(position), position.observe(eyes)
    events: list[GameEvent] = []
    for _ in range(moves):
        if position.is_over:
            break
        done = position.play(chance.choice(list(position.legal_moves)), collect_events=True).events
        events += game.events.visible_events(setup, done, eyes)
    net, now, after = net_changes(setup, events), game.piece_counts(position), position.observe(eyes)
    assert game.first_hand_location is not None
    for seat in range(setup.seats):
        place = game.first_hand_location + seat
        things = {thing for thing, where in {*held, *now} if where == place}
        differences = {thing: now.get((thing, place), 0) - held.get((thing, place), 0) for thing in things}
        assert {thing: net.pieces[seat, thing] for thing in things} == differences
        words = {thing: game.amount_text(setup, thing, abs(many)) for thing, many in differences.items()}
        texts = [(differences[thing], what) for thing, what in words.items() if differences[thing] and what is not None]
        changes = net.texts(setup, seat)
        points = [] if seen.scores[seat] is None else [(after.scores[seat] or 0) - (seen.scores[seat] or 0)]
        assert sorted(changes[: len(texts)], key=str) == sorted(texts, key=str)
        assert [many for many, _ in changes[len(texts) :]] == [many for many in points if many]
        assert all(Words("de").say(what) for _, what in changes)
