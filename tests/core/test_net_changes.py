"""Check that the net changes of several moves add up to the difference between two observations."""

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
    """Return a random game after this number of moves, or at its last decision."""
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
def test_net_changes_add_up_to_the_difference_between_two_observations(
    key: str, seed: int, before: int, moves: int, viewer: int
) -> None:
    position, chance = played(key, seed, before), random.Random(seed + 1)
    setup, game = position.setup, position.setup.game
    eyes = None if viewer < 0 else viewer
    held_pieces, observation = game.piece_counts(position), position.observe(eyes)
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
        pieces = {piece for piece, piece_place in {*held_pieces, *now} if piece_place == place}
        differences = {piece: now.get((piece, place), 0) - held_pieces.get((piece, place), 0) for piece in pieces}
        assert {piece: net.pieces[seat, piece] for piece in pieces} == differences
        words = {piece: game.amount_text(setup, piece, abs(count)) for piece, count in differences.items()}
        texts = [
            (differences[change_text], change)
            for change_text, change in words.items()
            if differences[change_text] and change is not None
        ]
        changes = net.texts(setup, seat)
        points = (
            [] if observation.scores[seat] is None else [(after.scores[seat] or 0) - (observation.scores[seat] or 0)]
        )
        assert sorted(changes[: len(texts)], key=str) == sorted(texts, key=str)
        assert [count for count, _ in changes[len(texts) :]] == [count for count in points if count]
        assert all(Words("de").say(change_text) for _, change_text in changes)
