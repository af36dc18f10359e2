"""Check the API in an interpreter: errors with suggestions, and values that can be read and compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_type

import pytest

import spieltisch
from spieltisch import bots
from spieltisch.core import suggestions
from spieltisch.games import GAMES

GAME = spieltisch.game("paris-connection")
UNTYPED: Any = GAME
"""As one without a type checker has it."""


def start() -> spieltisch.Position:
    return GAME.start(seats=4, seed=7)


@pytest.mark.parametrize(
    ("mistake", "error", "meant"),
    [
        (lambda: spieltisch.game("paris-conection"), spieltisch.UnknownGame, "paris-connection"),
        (lambda: UNTYPED.start(4, cut_of="weak"), spieltisch.OptionError, "cut_off"),
        (lambda: UNTYPED.start(4, cut_off="week"), spieltisch.OptionError, "weak"),
        (lambda: GAME.observation_spec["players.share"], KeyError, "players.shares"),
        (lambda: start().play("Build  purple calias"), spieltisch.UnknownMove, "build purple Calais"),
        (lambda: bots.choose("esy", start().observe(0), 1), bots.UnknownBot, "easy"),
        (lambda: bots.choose("meduim-1", start().observe(0), 1), bots.UnknownBot, "medium-1"),
    ],
)
def test_errors_suggest_the_closest_name(mistake: Callable[[], object], error: type[Exception], meant: str) -> None:
    with pytest.raises(error) as caught:
        mistake()
    assert f"did you mean {meant!r}?" in str(caught.value)


def test_errors_suggest_nothing_if_no_name_is_close() -> None:
    assert suggestions.did_you_mean("chess", GAMES) == ""
    with pytest.raises(spieltisch.UnknownGame) as error:
        spieltisch.game("chess")
    assert "?" not in str(error.value)


def test_an_error_about_an_unknown_move_number_names_the_valid_range() -> None:
    for number in (-1, GAME.moves):
        with pytest.raises(spieltisch.UnknownMove, match=f"from 0 to {GAME.moves - 1}"):
            start().play(number)
    absent = next(n for n in range(GAME.moves) if not GAME.words(start().setup, n))
    with pytest.raises(spieltisch.UnknownMove, match="with these components"):
        start().play(absent)


def test_all_installed_games_are_listed(toy: str) -> None:
    assert spieltisch.game_names() == (*GAMES, toy)


def test_observations_compare_by_value() -> None:
    position, other_game = start(), GAME.start(seats=4, seed=7, cut_off="weak")
    observation = position.observe(0)
    assert observation == position.observe(0) == spieltisch.Observation.read(observation.bytes)
    assert hash(observation) == hash(position.observe(0))
    assert len({observation, position.observe(0), position.observe(1), other_game.observe(0)}) == 3
    position.play(position.legal_moves[0])
    assert observation != position.observe(0)
    assert observation != "an observation"


def test_the_repr_of_views_refusals_and_specs_describes_their_contents() -> None:
    position = start()
    position.play("build purple Rouen")
    refusal = position.why_not("trade red for 2 red")
    assert refusal is not None
    assert repr(refusal) == f"<Refusal {refusal.rule}: {refusal.message}>"
    view_text = repr(position.observe(0).view)
    network = [n for n in range(256) if position.state.net[0][n // 64] >> n % 64 & 1]
    assert network
    assert f"{{{', '.join(map(str, network))}}}" in view_text
    assert max(map(len, view_text.splitlines())) < 140
    spec = GAME.observation_spec
    assert repr(spec["net"]) == "<Feature net, 6 × 256: hex plane 0 to 1, hex>"
    assert "players.shares" in repr(spec)
    assert repr(GAME.action_spec) == "<ActionSpec, 1609 moves: build, done, trade>"


def test_type_checkers_infer_the_types_of_legal_moves() -> None:
    moves = start().legal_moves
    assert_type(moves[0], spieltisch.Move)
    assert_type(moves[:2], list[spieltisch.Move])
    assert moves[:2] == [moves[0], moves[1]]


def test_a_bot_decides_from_an_observation_or_from_its_bytes() -> None:
    observation = start().observe(start().seat)
    assert bots.choose("easy", observation, 1) == bots.choose("easy", observation.bytes, 1)
    assert bots.choose_turn("random", observation, 1) == bots.choose_turn("random", observation.bytes, 1)
    for data in (b"abc", b"", observation.bytes[:-1]):
        with pytest.raises(spieltisch.DocumentError):
            bots.choose("easy", data, 1)
