"""Check whole games: properties of every position, bots, and documents of impossible positions."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

import spieltisch
from spieltisch import bots
from spieltisch.bots.search import native_library
from spieltisch.core.errors import DocumentError
from spieltisch.core.game import Game
from spieltisch.games.legendary_inventors.state import Phase
from spieltisch.lab.simulation import Simulation
from tests.games.legendary_inventors.positions import position_with


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_decision_has_at_least_two_legal_moves(game: Game, seats: int) -> None:
    chance = random.Random(seats)
    position = game.start(seats, seed=seats)
    while not position.is_over:
        moves = position.legal_moves
        assert len(moves) > 1
        assert str(game.prompt(position.observe(position.seat)))
        position.play(chance.choice(moves))
    assert position.state.phase == Phase.OVER


@pytest.mark.build
def test_the_easy_bot_beats_three_random_players() -> None:
    setup = spieltisch.game("legendary-inventors").setup(4)
    native_library.build("legendary-inventors", what=native_library.GAMES)
    tally = Simulation(setup, ["easy", "random", "random", "random"], 1).play(100)
    assert tally.share(0) >= 0.8


@pytest.mark.parametrize("name", ["easy", "random"])
def test_bots_decide_from_a_serialised_observation(game: Game, name: str) -> None:
    position = game.start(3, seed=2)
    for _ in range(12):
        assert position.seat is not None
        move = bots.choose(name, position.observe(position.seat).bytes, seed=position.number)
        position.play(move)


def test_the_easy_bot_takes_the_reward_that_reaches_a_goal(game: Game) -> None:
    last_position_fields: dict[str, Any] = {
        "phase": "last upgrades",
        "age": 3,
        "ended_by": "L17",
        "leonardo": 2,
        "table": {},
    }
    position = position_with(
        game, tokens={1: {"upgrade-3": 1}}, knowledge={"archimedes": (3, 0, 2, 0)}, **last_position_fields
    )
    move = bots.choose("easy", position.observe(0).bytes, seed=1)
    assert move == "upgrade Archimedes in mechanics"


ANTIQUITY: dict[str, Any] = {
    "team": "antiquity",
    "inventors": {
        name: {"knowledge": [0, 0, 0, 0], "exhausted": False}
        for name in ("hypatia", "archimedes", "aristotle", "hippocrates")
    },
    "tokens": {},
    "patents": [],
}


@pytest.mark.parametrize(
    ("path", "value", "expected_text"),
    [
        (("phase",), "dreaming", "phase: 'dreaming'"),
        (("seat",), 3, "seat: 3"),
        (("age",), 4, "age: 4"),
        (("leonardo",), 0, "leonardo: 0"),
        (("passes_in_a_row",), 2, "passes_in_a_row: 2"),
        (("inventions",), None, "inventions: a list"),
        (("inventions", 0, "slot"), 2, "slot: 2 is there twice"),
        (("inventions", 0, "slot"), 9, "slot: 9"),
        (("inventions", 0, "invention"), "teapot", "invention: 'teapot'"),
        (("inventions", 0, "invention"), "canoe", "canoe is in two places"),
        (("inventions", 0, "tokens"), ["refresh"], "tokens: 2 are needed"),
        (("inventions", 0, "tokens"), ["refresh", "tea"], "inventions.1.tokens.2: 'tea'"),
        (("inventions", 0, "cubes"), [[0, 0, 0, 0]], "inventions.1.cubes: 2 are needed"),
        (("inventions", 0, "cubes"), [[2, 0, 0, 0], [0, 0, 0, 0]], "cubes: more than there are spaces on bow"),
        (("inventions", 0, "cubes", 0), [1, 0, 0], "inventions.1.cubes.1: 4 are needed"),
        (("gone",), ["bow"], "gone: bow is in two places"),
        (("tokens_drawn",), {"refresh": 1}, "tokens_drawn.upgrade-2: "),
        (("tokens_gone",), {"tea": 1}, "tokens_gone.tea: unknown"),
        (("players",), [], "players: 2 are needed"),
        (("players", 1, "team"), "antiquity", "players.2.inventors.james-watt: unknown"),
        (("players", 1), ANTIQUITY, "players.2.team: antiquity is there twice"),
        (("players", 1, "team"), "rome", "team: 'rome'"),
        (("players", 0, "inventors"), {}, "players.1.inventors.hypatia: missing"),
        (
            ("players", 0, "inventors", "hypatia", "knowledge"),
            [0, 0, 0, 5],
            "hypatia.knowledge.4: 5 is no number",
        ),
        (("players", 0, "inventors", "hypatia", "exhausted"), 1, "hypatia.exhausted: 1 is none of False, True"),
        (("players", 0, "tokens"), {"refresh": 0}, "tokens.refresh: 0"),
        (("players", 0, "team"), None, "players.1.team: None"),
        (("players", 0, "tokens", "tea"), 1, "players.1.tokens.tea: unknown"),
        (("placing",), {"how": "all"}, "placing: {'how': 'all'} does not fit the phase"),
        (("phase",), "placing", "placing: a table is needed"),
        (("asked",), 1, "asked: 1 does not fit the phase"),
        (("colour",), "red", "colour: unknown"),
        (("players", 0, "patents"), ["teapot"], "players.1.patents: 'teapot' is unknown"),
    ],
)
def test_a_document_of_an_impossible_position_is_refused(
    game: Game, path: tuple[Any, ...], value: Any, expected_text: str
) -> None:
    document = copy.deepcopy(position_with(game).document())
    state = document["state"]
    for step in path[:-1]:
        state = state[step]
    state[path[-1]] = value
    with pytest.raises(DocumentError, match=expected_text.replace("(", r"\(")):
        game.position(document)
