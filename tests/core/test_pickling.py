"""Check pickling of everything sent between processes: games, simulations and errors."""

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


def pickled_and_back(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # our own


def play(text: str) -> int:
    return spieltisch.game("paris-connection").start(seats=4, seed=7).play(text).number


def errors() -> Iterator[type[Exception]]:
    """Return an instance of each error of the package that is created from more than a text."""
    for module in pkgutil.walk_packages(spieltisch.__path__, "spieltisch."):
        if ".migrations." not in module.name and ".lab.envs." not in module.name:  # these need libraries of their own
            importlib.import_module(module.name)
    error_classes: list[type[Exception]] = [Exception]
    for error in error_classes:
        error_classes += error.__subclasses__()
        if error.__module__.startswith("spieltisch.") and "__init__" in vars(error):
            yield error


def test_an_illegal_move_in_a_process_pool_raises_its_error() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        answer = pool.map_async(play, ["trade red for 2 red"])
        with pytest.raises(IllegalMove, match=r"'trade red for 2 red' is not allowed \(T2\): ") as error:
            answer.get(SECONDS)
    assert error.value.text == "trade red for 2 red"
    assert error.value.refusal == spieltisch.game("paris-connection").start(seats=4, seed=7).why_not(error.value.text)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_error_can_be_pickled(error: Exception) -> None:
    unpickled = pickled_and_back(error)
    assert type(unpickled) is type(error)
    assert (str(unpickled), vars(unpickled)) == (str(error), vars(error))


def test_the_pickling_test_covers_every_error_of_the_package() -> None:
    assert set(errors()) == {type(error) for error in ERRORS}


def test_a_game_can_be_pickled_after_it_was_played() -> None:
    game, compiled = (spieltisch.game("paris-connection", compiled=compiled) for compiled in (False, True))
    game.start(seats=3, seed=1)
    assert compiled.setup(3).params is not None
    assert (pickled_and_back(game), pickled_and_back(compiled)) == (game, compiled), "a process has each of them once"


def test_an_unregistered_game_can_be_pickled_with_its_positions() -> None:
    game = Toy()
    position = game.start(seats=2, seed=1)
    position.play(position.legal_moves[0])
    unpickled = pickled_and_back(position)
    assert unpickled == position
    assert type(unpickled.setup.game) is Toy
    assert pickled_and_back(game) is unpickled.setup.game


@pytest.mark.parametrize(
    "engine",
    ["plain", "in Python", *(pytest.param(engine, marks=pytest.mark.build) for engine in ("compiled", "by a library"))],
)
def test_a_simulation_can_be_pickled(engine: str) -> None:
    setup = spieltisch.game("paris-connection", compiled=engine == "compiled").setup(3, cut_off="weak")
    bots = ["beginner" if engine == "in Python" else "easy", "random", "random"]
    if engine == "by a library":
        native_library.build("paris-connection", what=native_library.GAMES)
    simulation = Simulation(setup, bots, 5, use_library=engine == "by a library")
    first = simulation.results(3, 1)
    unpickled = pickled_and_back(simulation)
    assert unpickled.results(3, 1) == first
    assert (unpickled.setup.game.compiled, unpickled.bots, unpickled.seed) == (engine == "compiled", tuple(bots), 5)
    assert unpickled.use_library == (engine == "by a library")
    assert pickled_and_back(unpickled).in_python == (engine == "in Python")
