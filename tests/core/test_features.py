"""Observations as numbers, and what a seat has seen of a game."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

import spieltisch
from spieltisch.core.features import Feature, tables
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from tests.test_docs import ROOT


def positions(key: str, seats: int, seed: int) -> Iterator[Position]:
    """The positions of a game of random moves."""
    chance = random.Random(seed)
    position = spieltisch.game(key).start(seats=seats, seed=seed)
    while not position.is_over and position.number < 400:
        yield position
        position.play(chance.choice(position.legal_moves.numbers))
    yield position


@pytest.mark.parametrize("key", GAMES)
def test_every_number_is_within_its_bounds_and_vectors_are_the_view(key: str) -> None:
    game = spieltisch.game(key)
    spec = game.observation_spec
    assert sorted(place for feature in spec.values() for place in feature.places.flat) == list(range(spec.size))
    for seats in (game.seats[0], game.seats[-1]):
        for position in positions(key, seats, 5):
            for viewer in (None, position.number % seats):
                seen = position.observe(viewer)
                vector = seen.vector
                assert ((spec.low <= vector) & (vector <= spec.high)).all(), [
                    name
                    for name, f in spec.items()
                    if (vector[f.places] < f.low).any() or (vector[f.places] > f.high).any()
                ]
                if position.number % 20 == 0:
                    for feature in spec.values():
                        assert vector[feature.places].tolist() == expected(seen, feature), feature.name


def within(numbers: NDArray[np.int16], feature: Feature) -> bool:
    return bool(((feature.low <= numbers) & (numbers <= feature.high)).all())


def expected(seen: Observation, feature: Feature) -> object:
    """The value of a feature, read from the plain twin of the view."""

    def turned(value: object, depth: int = 0) -> object:
        if isinstance(value, list):
            if depth == feature.player_axis:
                seats = seen.setup.seats
                first = seen.seat or 0
                value = [value[(first + i) % seats] if i < seats else value[i] for i in range(len(value))]
            if feature.kind == "hex plane" and isinstance(value[0], int):
                return [word >> i & 1 for word in value for i in range(64)]
            return [turned(item, depth + 1) for item in value]
        assert isinstance(value, int)
        if feature.seats_from is not None and 0 <= value - feature.seats_from < seen.setup.seats:
            return (value - feature.seats_from - (seen.seat or 0)) % seen.setup.seats + feature.seats_from
        return value

    def read(value: object, path: list[str]) -> object:
        if isinstance(value, list) and path:
            return [read(item, path) for item in value]
        return read(getattr(value, path[0]), path[1:]) if path else value

    return turned(read(seen.view, feature.name.split(".")))


def test_the_own_seat_comes_first() -> None:
    position = next(positions("paris-connection", 4, 1))
    spec = spieltisch.game("paris-connection").observation_spec
    for seat in range(4):
        seen = position.observe(seat)
        assert seen.vector[spec["players.shares"].places][0].tolist() == position.state.players[seat].shares
        assert not seen.vector[spec["players.shares"].places][1:].any()
        assert position.seat is not None
        assert seen.vector[spec["seat"].places] == (position.seat - seat) % 4


@pytest.mark.parametrize("key", GAMES)
def test_no_vector_changes_with_what_is_hidden(key: str) -> None:
    for position in positions(key, 4, 2):
        if position.number % 25 == 0 and position.seat is not None:
            seen = position.observe(position.seat)
            imagined = seen.imagine(position.number + 1)
            assert (imagined.observe(position.seat).vector == seen.vector).all()
            assert imagined._state.rng != position._state.rng


@pytest.mark.parametrize("key", GAMES)
def test_an_observation_knows_the_legal_moves_of_its_seat_alone(key: str) -> None:
    for position in positions(key, 3, 3):
        if position.number % 25 == 0:
            for viewer in (None, 0, 1, 2):
                moves = position.observe(viewer).legal_moves
                assert moves.numbers == (
                    position.legal_moves.numbers if viewer == position.seat and not position.is_over else ()
                )


@pytest.mark.parametrize("key", GAMES)
def test_actions_are_numbered_as_the_moves(key: str) -> None:
    game = spieltisch.game(key)
    spec = game.action_spec
    assert spec.size == game.moves
    for kind in spec.kinds:
        assert game.parts(kind.first) == (kind.name, tuple(values.start for _, values in kind.arguments))
        assert game.parts(kind.first + kind.size - 1) == (
            kind.name,
            tuple(values.stop - 1 for _, values in kind.arguments),
        )


def test_fields_without_a_meaning_and_meanings_without_a_field_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = type(spieltisch.game("legendary-inventors"))()
    features = dict(game.features)
    monkeypatch.setattr(type(game), "features", {**features, "colour": features["age"]})
    with pytest.raises(TypeError, match="names colour"):
        _ = game.observation_spec
    del features["age"]
    monkeypatch.setattr(type(game), "features", features)
    with pytest.raises(TypeError, match="says nothing about age"):
        _ = game.observation_spec


def test_equal_knowledge_is_equal_information() -> None:
    """Two deals that differ only between seats 1 and 2 are the same for seat 0, and not for the others."""
    game = spieltisch.game("paris-connection")
    drew = list(game.start(seats=3, seed=4).setup_draws)
    size = len([d for d in drew if not d.startswith("seat")])
    portfolio = (size - 6) // 3
    i = next(i for i in range(portfolio) if drew[portfolio + i] != drew[2 * portfolio + i])
    other = drew.copy()
    other[portfolio + i], other[2 * portfolio + i] = other[2 * portfolio + i], other[portfolio + i]
    first, second = game.start(seats=3, seed=4, drew=drew), game.start(seats=3, seed=4, drew=other)
    move = next(n for n in first.legal_moves.numbers if n in second.legal_moves.numbers)
    for position in (first, second):
        position.play(move)
    for viewer in (None, 0, 1, 2):
        same = first.observe(viewer).information == second.observe(viewer).information
        assert same is (viewer in (None, 0))
    assert len(first.observe(0).information) == 4  # the table, the deal, the move, the view


@pytest.mark.usefixtures("lots")
def test_secret_moves_are_information_of_their_seat_alone() -> None:
    game = spieltisch.game("lots")
    first = game.start(seats=3, seed=1)
    two = first.copy()
    seat = first.seat
    for position, n in ((first, 0), (two, 1)):
        position.play(position.legal_moves.numbers[n])
    for viewer in range(3):
        assert (first.observe(viewer).information == two.observe(viewer).information) is (viewer != seat)


def test_information_travels_with_copies_and_pickles_but_not_with_bytes() -> None:
    position = game_after_ten_moves()
    seen = position.observe(0)
    assert position.copy().observe(0).information == seen.information
    assert pickle.loads(pickle.dumps(position)).observe(0).information == seen.information  # noqa: S301 - our own bytes
    assert pickle.loads(pickle.dumps(seen)).information == seen.information  # noqa: S301 - our own bytes
    for unknown in (Observation.read(seen.bytes), seen.imagine(1).observe(0)):
        with pytest.raises(ValueError, match="did not start here"):
            _ = unknown.information


@pytest.mark.parametrize("key", GAMES)
def test_a_resampled_position_is_the_same_to_its_seat(key: str) -> None:
    position, chance = spieltisch.game(key).start(seats=3, seed=2), random.Random(2)
    for _ in range(12):
        position.play(chance.choice(position.legal_moves.numbers))
    seat = position.seat
    assert seat is not None
    seen, worlds = position.observe(seat), [position.resample(seat, seed) for seed in range(5)]
    move = chance.choice(position.legal_moves.numbers)
    for world in worlds:
        assert world.observe(seat).information == seen.information
        assert world.legal_moves.numbers == position.legal_moves.numbers
        world.play(move)
        assert world.observe(seat).information[:-2] == seen.information[:-1]
    hidden = spieltisch.game(key).has_hidden_information
    other = (seat + 1) % 3
    views = {world.observe(other).data for world in worlds}
    assert (len(views) > 1) is hidden
    dealt = {world.observe(other).information[1] for world in worlds}
    assert (dealt == {position.observe(other).information[1]}) is not hidden  # the truth is not in them
    assert len(dealt) == 1


def game_after_ten_moves() -> Position:
    for position in positions("era-of-inventions", 3, 1):
        if position.number == 10:
            return position
    raise AssertionError("the game was shorter")


def test_the_tables_of_the_documentation_are_those_of_the_code() -> None:
    text = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    assert tables([spieltisch.game(key) for key in GAMES]) in text


def test_vectors_are_of_one_dtype() -> None:
    assert game_after_ten_moves().observe(1).vector.dtype == np.int16
