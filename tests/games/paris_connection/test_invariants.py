"""Check invariants of reachable positions on the map of France and on small awkward maps.

`reference_rules.py` implements the rules a second time; reasons, moves and both engines are compared with it and with
each other.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Literal, TypeAlias

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import spieltisch
from spieltisch.core.components import ComponentsError
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from tests.games.paris_connection.maps import random_map
from tests.games.paris_connection.positions import BOX, COLOURS
from tests.games.paris_connection.reference_rules import Country, Slow
from tests.tiers import examples

SEEDS = st.integers(0, 1 << 32)
CutOff: TypeAlias = Literal["strict", "weak"]
CUT_OFF: st.SearchStrategy[CutOff] = st.sampled_from(["strict", "weak"])
STATIONS = st.sampled_from(["closed", "open"])
SEATS = st.integers(3, 6)


def random_game(position: Position, chance: random.Random, building: float) -> Iterator[Position]:
    """Yield the positions of a random game in which a seat builds with the probability `building`."""
    yield position
    while not position.is_over:
        moves = list(position.legal_moves)
        builds = [move for move in moves if move.text.startswith("build")]
        position.play(chance.choice(builds if builds and chance.random() < building else moves))
        yield position


def small_game(game: Game, seed: int, seats: int, cut_off: CutOff, stations: str = "closed") -> Position:
    """Return a new game on a small random map, and discard examples with unplayable maps."""
    try:
        components = game.read_components(random_map(random.Random(seed)))
    except ComponentsError:
        assume(False)
    return game.start(seats=seats, seed=seed, components=components, cut_off=cut_off, stations=stations)


@pytest.mark.rule("P3")
@pytest.mark.rule("P10")
@pytest.mark.rule("T1")
@given(seed=SEEDS, seats=SEATS, cut_off=CUT_OFF, stations=STATIONS)
@examples(12, 40)
def test_the_reference_rules_agree_on_small_maps(seed: int, seats: int, cut_off: CutOff, stations: str) -> None:
    position = small_game(spieltisch.game("paris-connection"), seed, seats, cut_off, stations)
    country = Country(position.setup.components.data, open_stations=stations == "open")
    for now in random_game(position, random.Random(seed), 0.8):
        assert {move.text for move in now.legal_moves} == Slow(now, country).legal()


@pytest.mark.rule("P10")
@pytest.mark.rule("T1")
@pytest.mark.parametrize("cut_off", ["strict", "weak"])
@pytest.mark.parametrize("seats", [3, 5])
def test_the_reference_rules_agree_on_the_map_of_france(game: Game, seats: int, cut_off: CutOff) -> None:
    position = game.start(seats=seats, seed=seats, cut_off=cut_off)
    country = Country(position.setup.components.data)
    for now in random_game(position, random.Random(seats), 0.9):
        if now.number % 4 == 0:
            assert {move.text for move in now.legal_moves} == Slow(now, country).legal()


@pytest.mark.rule("P10")
def test_the_random_small_maps_contain_rare_cases(game: Game) -> None:
    refusals: Counter[str] = Counter()
    maps = 0
    for seed in range(40):
        try:
            components = game.read_components(random_map(random.Random(seed)))
        except ComponentsError:
            continue
        maps += 1
        for now in random_game(game.start(seats=3, seed=seed, components=components), random.Random(seed), 0.8):
            setup = now.setup
            if now.number % 5 == 0 and not now.is_over:
                codes = [game.rules.refusal(now.state, setup.params, setup.work, m.number) for m in setup.moves]
                refusals.update(game.reasons[code].rule for code in codes if code)
    assert maps >= 10
    assert all(refusals[rule] > 10 for rule in ("P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P12", "T2", "T11"))


def expect_reasons_agree(now: Position) -> None:
    """Check that every move is either legal or refused with a reason."""
    legal = set(now.legal_moves.numbers)
    assert list(now.legal_moves.numbers) == sorted(legal)
    for move in now.setup.moves:
        refusal = now.why_not(move)
        assert (refusal is None) == (move.number in legal) == (move in now.legal_moves)
        if refusal is not None:
            assert refusal.rule in ("over", *now.setup.game.rule_names.values())


@given(seed=SEEDS, seats=SEATS, cut_off=CUT_OFF, at=st.integers(0, 150))
@examples(6, 12)
def test_every_move_is_either_legal_or_refused_with_a_reason(seed: int, seats: int, cut_off: CutOff, at: int) -> None:
    position = spieltisch.game("paris-connection").start(seats=seats, seed=seed, cut_off=cut_off)
    for now in random_game(position, random.Random(seed), 0.8):
        if now.number >= at or now.is_over:
            expect_reasons_agree(now)
            break


@given(seed=SEEDS, seats=SEATS, cut_off=CUT_OFF)
@settings(max_examples=6, deadline=None)
def test_every_move_on_small_maps_is_either_legal_or_refused_with_a_reason(
    seed: int, seats: int, cut_off: CutOff
) -> None:
    position = small_game(spieltisch.game("paris-connection"), seed, seats, cut_off)
    for now in random_game(position, random.Random(seed), 0.8):
        if now.number % 15 == 0 or now.is_over:
            expect_reasons_agree(now)


@pytest.mark.build
@given(seed=SEEDS, seats=SEATS, cut_off=CUT_OFF)
@settings(max_examples=8, deadline=None)
def test_plain_and_compiled_rules_play_the_same_game(seed: int, seats: int, cut_off: CutOff) -> None:
    plain_position, compiled_position = (
        spieltisch.game("paris-connection", compiled=compiled).start(seats=seats, seed=seed, cut_off=cut_off)
        for compiled in (False, True)
    )
    assert plain_position.setup_draws == compiled_position.setup_draws
    chance = random.Random(seed)
    while not plain_position.is_over:
        assert plain_position.legal_moves.numbers == compiled_position.legal_moves.numbers
        move = chance.choice(plain_position.legal_moves)
        assert plain_position.play(move) == compiled_position.play(move)
        assert plain_position.digest() == compiled_position.digest()
    assert (plain_position.scores, plain_position.outcome) == (compiled_position.scores, compiled_position.outcome)


@pytest.mark.rule("T4")
@given(
    seed=SEEDS, seats=SEATS, cut_off=CUT_OFF, building=st.sampled_from([0.0, 0.3, 0.8, 1.0]), on_france=st.booleans()
)
@examples(12, 40)
def test_the_player_to_move_always_has_a_legal_move(
    seed: int, seats: int, cut_off: CutOff, building: float, on_france: bool
) -> None:
    game = spieltisch.game("paris-connection")
    position = (
        game.start(seats=seats, seed=seed, cut_off=cut_off) if on_france else small_game(game, seed, seats, cut_off)
    )
    for now in random_game(position, random.Random(seed), building):
        if now.is_over:
            break
        assert len(now.legal_moves) > 0
        assert all(player.held > 0 for player in now.observe(None).view.players[:seats])
        if now.observe(None).view.phase == 0:
            trades = [move for move in now.legal_moves if move.text.startswith("trade")]
            assert trades


@pytest.mark.rule("P1")
@given(seed=SEEDS, seats=SEATS)
@examples(6, 15)
def test_no_locomotive_is_lost(seed: int, seats: int) -> None:
    game = spieltisch.game("paris-connection")
    for now in random_game(game.start(seats=seats, seed=seed), random.Random(seed), 0.5):
        state = now.document()["state"]
        for colour in COLOURS:
            held_count = sum(player["portfolio"][colour] for player in state["players"])
            assert state["depots"][colour] + len(state["map"][colour]) + held_count == BOX
            assert len(set(state["map"][colour])) == len(state["map"][colour])
        for player in now.state.players[:seats]:
            assert player.held == sum(player.shares)
            assert all(share >= 0 for share in player.shares)


@pytest.mark.rule("P10")
@given(seed=SEEDS, seats=SEATS)
@examples(8, 20)
def test_no_company_is_ever_cut_off(seed: int, seats: int) -> None:
    position = small_game(spieltisch.game("paris-connection"), seed, seats, "strict")
    country = Country(position.setup.components.data)
    for now in random_game(position, random.Random(seed), 0.9):
        if not now.is_over:
            slow = Slow(now, country)
            assert all(slow.way(colour) for colour in COLOURS)


@given(seed=SEEDS, seats=SEATS, cut_off=CUT_OFF, on_france=st.booleans())
@examples(6, 15)
def test_a_position_document_restores_the_whole_position(
    seed: int, seats: int, cut_off: CutOff, on_france: bool
) -> None:
    game = spieltisch.game("paris-connection")
    position = (
        game.start(seats=seats, seed=seed, cut_off=cut_off) if on_france else small_game(game, seed, seats, cut_off)
    )
    for now in random_game(position, random.Random(seed), 0.8):
        if now.number % 7 == 0 or now.is_over:
            state = now.document()["state"]
            restored_game = Position.of_twin(now.setup, game.restore(now.setup, state), now.number)
            assert restored_game.digest() == now.digest()
            assert restored_game.document()["state"] == state
            assert restored_game.legal_moves.numbers == now.legal_moves.numbers
