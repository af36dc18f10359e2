"""Check observations as numbers, and the information of a seat."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator

import numpy as np
import pytest

import spieltisch
from spieltisch.core.features import Feature, tables
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from tests.paths import ROOT


def positions(key: str, seats: int, seed: int) -> Iterator[Position]:
    """Yield the positions of a game of random moves."""
    chance = random.Random(seed)
    position = spieltisch.game(key).start(seats=seats, seed=seed)
    while not position.is_over and position.number < 400:
        yield position
        position.play(chance.choice(position.legal_moves.numbers))
    yield position


@pytest.mark.parametrize("key", GAMES)
def test_every_feature_is_within_its_bounds_and_vectors_match_the_view(key: str) -> None:
    game = spieltisch.game(key)
    spec = game.observation_spec
    assert sorted(place for feature in spec.values() for place in feature.places.flat) == list(range(spec.size))
    for seats in (game.seats[0], game.seats[-1]):
        for position in positions(key, seats, 5):
            for viewer in (None, position.number % seats):
                observation = position.observe(viewer)
                vector = observation.vector
                assert ((spec.low <= vector) & (vector <= spec.high)).all(), [
                    name
                    for name, f in spec.items()
                    if (vector[f.places] < f.low).any() or (vector[f.places] > f.high).any()
                ]
                if position.number % 20 == 0:
                    for feature in spec.values():
                        assert vector[feature.places].tolist() == expected(observation, feature), feature.name


def expected(observation: Observation, feature: Feature) -> object:
    """Return the value of a feature, read from the plain twin of the view."""

    def rotate(value: object, depth: int = 0) -> object:
        if isinstance(value, list):
            if depth == feature.player_axis:
                seats = observation.setup.seats
                first = observation.seat or 0
                value = [value[(first + i) % seats] if i < seats else value[i] for i in range(len(value))]
            if feature.kind == "hex plane" and isinstance(value[0], int):
                return [word >> i & 1 for word in value for i in range(64)]
            return [rotate(item, depth + 1) for item in value]
        assert isinstance(value, int)
        if feature.seats_from is not None and 0 <= value - feature.seats_from < observation.setup.seats:
            return (value - feature.seats_from - (observation.seat or 0)) % observation.setup.seats + feature.seats_from
        return value

    def read_value(value: object, path: list[str]) -> object:
        if isinstance(value, list) and path:
            return [read_value(item, path) for item in value]
        return read_value(getattr(value, path[0]), path[1:]) if path else value

    return rotate(read_value(observation.view, feature.name.split(".")))


def test_vectors_begin_with_the_viewers_seat() -> None:
    position = next(positions("paris-connection", 4, 1))
    spec = spieltisch.game("paris-connection").observation_spec
    for seat in range(4):
        observation = position.observe(seat)
        assert observation.vector[spec["players.shares"].places][0].tolist() == position.state.players[seat].shares
        assert not observation.vector[spec["players.shares"].places][1:].any()
        assert position.seat is not None
        assert observation.vector[spec["seat"].places] == (position.seat - seat) % 4


@pytest.mark.parametrize("key", GAMES)
def test_hidden_information_changes_no_observation_vector(key: str) -> None:
    for position in positions(key, 4, 2):
        if position.number % 25 == 0 and position.seat is not None:
            observation = position.observe(position.seat)
            imagined_position = observation.imagine(position.number + 1)
            assert (imagined_position.observe(position.seat).vector == observation.vector).all()
            assert imagined_position._state.rng != position._state.rng


@pytest.mark.parametrize("key", GAMES)
def test_an_observation_lists_legal_moves_only_for_the_player_to_move(key: str) -> None:
    for position in positions(key, 3, 3):
        if position.number % 25 == 0:
            for viewer in (None, 0, 1, 2):
                moves = position.observe(viewer).legal_moves
                assert moves.numbers == (
                    position.legal_moves.numbers if viewer == position.seat and not position.is_over else ()
                )


@pytest.mark.parametrize("key", GAMES)
def test_actions_are_numbered_like_the_moves(key: str) -> None:
    game = spieltisch.game(key)
    spec = game.action_spec
    assert spec.size == game.moves
    for kind in spec.kinds:
        assert game.parts(kind.first) == (kind.name, tuple(values.start for _, values in kind.arguments))
        assert game.parts(kind.first + kind.size - 1) == (
            kind.name,
            tuple(values.stop - 1 for _, values in kind.arguments),
        )


def test_features_that_do_not_match_the_fields_of_the_view_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = type(spieltisch.game("legendary-inventors"))()
    features = dict(game.features)
    monkeypatch.setattr(type(game), "features", {**features, "colour": features["age"]})
    with pytest.raises(TypeError, match="names colour"):
        _ = game.observation_spec
    del features["age"]
    monkeypatch.setattr(type(game), "features", features)
    with pytest.raises(TypeError, match="says nothing about age"):
        _ = game.observation_spec


def test_seats_with_equal_knowledge_have_equal_information() -> None:
    """Two deals that differ only in the hands of seats 1 and 2 look the same to seat 0, but not to the others."""
    game = spieltisch.game("paris-connection")
    recorded_draws = list(game.start(seats=3, seed=4).setup_draws)
    size = len([d for d in recorded_draws if not d.startswith("seat")])
    portfolio = (size - 6) // 3
    i = next(i for i in range(portfolio) if recorded_draws[portfolio + i] != recorded_draws[2 * portfolio + i])
    other_draws = recorded_draws.copy()
    other_draws[portfolio + i], other_draws[2 * portfolio + i] = (
        other_draws[2 * portfolio + i],
        other_draws[portfolio + i],
    )
    first, second = game.start(seats=3, seed=4, drew=recorded_draws), game.start(seats=3, seed=4, drew=other_draws)
    move = next(n for n in first.legal_moves.numbers if n in second.legal_moves.numbers)
    for position in (first, second):
        position.play(move)
    for viewer in (None, 0, 1, 2):
        is_same_information = first.observe(viewer).information == second.observe(viewer).information
        assert is_same_information is (viewer in (None, 0))
    assert len(first.observe(0).information) == 4  # the table, the deal, the move, the view


@pytest.mark.usefixtures("game_with_bids")
def test_a_secret_move_changes_only_the_information_of_its_seat() -> None:
    game = spieltisch.game("lots")
    first = game.start(seats=3, seed=1)
    two = first.copy()
    seat = first.seat
    for position, n in ((first, 0), (two, 1)):
        position.play(position.legal_moves.numbers[n])
    for viewer in range(3):
        assert (first.observe(viewer).information == two.observe(viewer).information) is (viewer != seat)


def test_copies_and_pickles_of_a_position_keep_what_a_player_has_seen_but_bytes_do_not() -> None:
    position = game_after_ten_moves()
    observation = position.observe(0)
    assert position.copy().observe(0).information == observation.information
    assert pickle.loads(pickle.dumps(position)).observe(0).information == observation.information  # noqa: S301 - our own bytes
    assert pickle.loads(pickle.dumps(observation)).information == observation.information  # noqa: S301 - our own bytes
    for observation_without_events in (Observation.read(observation.bytes), observation.imagine(1).observe(0)):
        with pytest.raises(ValueError, match="did not start here"):
            _ = observation_without_events.information


@pytest.mark.parametrize("key", GAMES)
def test_a_position_with_resampled_hidden_information_looks_the_same_to_its_player(key: str) -> None:
    position, chance = spieltisch.game(key).start(seats=3, seed=2), random.Random(2)
    for _ in range(12):
        position.play(chance.choice(position.legal_moves.numbers))
    seat = position.seat
    assert seat is not None
    observation, worlds = position.observe(seat), [position.resample(seat, seed) for seed in range(5)]
    move = chance.choice(position.legal_moves.numbers)
    for world in worlds:
        assert world.observe(seat).information == observation.information
        assert world.legal_moves.numbers == position.legal_moves.numbers
        world.play(move)
        assert world.observe(seat).information[:-2] == observation.information[:-1]
    has_hidden_information = spieltisch.game(key).has_hidden_information
    other_seat = (seat + 1) % 3
    views = {world.observe(other_seat).data for world in worlds}
    assert (len(views) > 1) is has_hidden_information
    known_knowledge = {world.observe(other_seat).information[1] for world in worlds}
    assert (
        known_knowledge == {position.observe(other_seat).information[1]}
    ) is not has_hidden_information  # the truth is not in them
    assert len(known_knowledge) == 1


def game_after_ten_moves() -> Position:
    for position in positions("era-of-inventions", 3, 1):
        if position.number == 10:
            return position
    raise AssertionError("the game was shorter")


def test_the_feature_tables_in_the_documentation_match_the_code() -> None:
    text = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    assert tables([spieltisch.game(key) for key in GAMES]) in text


def test_splitting_an_array_of_another_size_into_features_is_refused() -> None:
    spec = spieltisch.game("paris-connection").observation_spec
    for shape in ((spec.size - 1,), (3, spec.size + 1), (spec.size, 3), ()):
        with pytest.raises(ValueError, match=f"does not end with {spec.size}"):
            spec.split(np.zeros(shape, spec.dtype))


def test_observation_vectors_are_16_bit_integers() -> None:
    assert game_after_ten_moves().observe(1).vector.dtype == np.int16
