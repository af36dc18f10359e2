"""Pickling of everything that is sent between processes: games, simulations and errors."""

from __future__ import annotations

import importlib
import multiprocessing
import pickle
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest

import spieltisch
from spieltisch import IllegalMove, Refusal
from spieltisch.alerts.alert import DeliveryFailed
from spieltisch.bots.search import native_library
from spieltisch.commands.output import Failed
from spieltisch.core.components import ComponentsError, Finding
from spieltisch.core.record import Record
from spieltisch.core.words import message
from spieltisch.guides.lesson import OffScript
from spieltisch.lab.fuzz import FuzzFailure
from spieltisch.lab.simulation import Simulation
from spieltisch.live.records import AlreadyImported
from spieltisch.store.errors import NoSuchTable, StaleVersion
from spieltisch.tables.refusals import illegal
from spieltisch.web.http.refusals import PageRefusal
from tests.toy_game import Game as Toy

SECONDS = 120.0
"""The time in seconds after which a pool of processes counts as stuck."""

REFUSAL = Refusal("T2", message("{count} is too much.", count=3))
RECORD = Record(game="toy", version="1", components="toy", components_digest="0", seats=2, options={})
ERRORS = (
    IllegalMove("trade red for 2 red", REFUSAL),
    ComponentsError([Finding("cities[3].at", message("There is no such place."))]),
    illegal(REFUSAL),
    OffScript(message("There is no such step.")),
    FuzzFailure("it went wrong", RECORD),
    DeliveryFailed(message("Nobody is there."), gone=True),
    NoSuchTable("t"),
    StaleVersion("t", 3, 4),
    AlreadyImported("t"),
    Failed("no."),
    PageRefusal(429, "too-many", message("Too many."), 7),
)


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # our own


def play(text: str) -> int:
    return spieltisch.game("paris-connection").start(seats=4, seed=7).play(text).number


def errors() -> Iterator[type[Exception]]:
    """All errors of the package that are made from more than a text."""
    for module in pkgutil.walk_packages(spieltisch.__path__, "spieltisch."):
        if ".migrations." not in module.name and ".lab.envs." not in module.name:  # these need libraries of their own
            importlib.import_module(module.name)
    waiting: list[type[Exception]] = [Exception]
    for error in waiting:
        waiting += error.__subclasses__()
        if error.__module__.startswith("spieltisch.") and "__init__" in vars(error):
            yield error


def test_an_illegal_move_ends_a_map_of_a_pool_in_the_error() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        answer = pool.map_async(play, ["trade red for 2 red"])
        with pytest.raises(IllegalMove, match=r"'trade red for 2 red' is not allowed \(T2\): ") as caught:
            answer.get(SECONDS)
    assert caught.value.text == "trade red for 2 red"
    assert caught.value.refusal == spieltisch.game("paris-connection").start(seats=4, seed=7).why_not(caught.value.text)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_pickles(error: Exception) -> None:
    back = again(error)
    assert type(back) is type(error)
    assert (str(back), vars(back)) == (str(error), vars(error))


def test_no_error_is_forgotten_here() -> None:
    assert set(errors()) == {type(error) for error in ERRORS}


def test_a_game_that_was_used_pickles() -> None:
    game, compiled = (spieltisch.game("paris-connection", compiled=compiled) for compiled in (False, True))
    game.start(seats=3, seed=1)
    assert compiled.setup(3).params is not None
    assert (again(game), again(compiled)) == (game, compiled), "a process has each of them once"


def test_a_game_that_nobody_has_registered_pickles_with_what_is_played() -> None:
    game = Toy()
    position = game.start(seats=2, seed=1)
    position.play(position.legal_moves[0])
    back = again(position)
    assert back == position
    assert type(back.setup.game) is Toy
    assert again(game) is back.setup.game


@pytest.mark.parametrize(
    "engine",
    ["plain", "in Python", *(pytest.param(engine, marks=pytest.mark.build) for engine in ("compiled", "by a library"))],
)
def test_a_simulation_pickles(engine: str) -> None:
    setup = spieltisch.game("paris-connection", compiled=engine == "compiled").setup(3, cut_off="weak")
    bots = ["beginner" if engine == "in Python" else "easy", "random", "random"]
    if engine == "by a library":
        native_library.build("paris-connection", what=native_library.GAMES)
    simulation = Simulation(setup, bots, 5, use_library=engine == "by a library")
    first = simulation.results(3, 1)
    back = again(simulation)
    assert back.results(3, 1) == first
    assert (back.setup.game.compiled, back.bots, back.seed) == (engine == "compiled", tuple(bots), 5)
    assert back.use_library == (engine == "by a library")
    assert again(back).in_python == (engine == "in Python")
