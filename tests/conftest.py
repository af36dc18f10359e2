"""For all tests: compiled rules are kept in pytest's cache folder, unless `SPIELTISCH_CACHE` names another."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings

from spieltisch import games
from tests.rules_cache import sweep

pytest_plugins = ["pytester", "tests.tiers", "tests.results", "tests.browsers", "tests.changed"]
pytest.register_assert_rewrite("tests.games", "tests.live", "tests.web")

settings.register_profile("fuzz", max_examples=500, stateful_step_count=60, deadline=None)


if sys.dont_write_bytecode:
    # Otherwise each worker would rewrite the assertions of all tests again (ten seconds of processor time), and each
    # process that tests start would parse all sources again.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_configure(config: pytest.Config) -> None:
    """Rules are compiled once for all workers, the processes that tests start, and later runs."""
    if "SPIELTISCH_CACHE" not in os.environ:
        folder = config.rootpath / ".pytest_cache" / "compiled"
        sweep(folder)
        os.environ["SPIELTISCH_CACHE"] = str(folder)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect no garbage while tests are collected, nor look for any in them later: a third of the processor time."""
    gc.disable()
    _import_own_share(session)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _import_own_share(session: pytest.Session) -> None:
    """Each worker begins with another share of the files, and finds the assertions of the others rewritten: on a fresh
    checkout each would rewrite them all.
    """
    given = getattr(session.config, "workerinput", None)
    if given is None:
        return
    root = session.config.rootpath
    files = sorted(file for arg in session.config.args for file in (root / arg).rglob("test_*.py"))
    for file in files[int(given["workerid"].removeprefix("gw")) :: given["workercount"]]:
        with suppress(Exception, pytest.fail.Exception):  # pytest comes by and tells
            importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))


def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than there are processors: browsers and servers are waited for two fifths of the time."""
    return (os.cpu_count() or 1) + 2


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The toy game's name, known to `spieltisch.games` for the time of one test, also to processes that the test
    starts.
    """
    yield from register_games(monkeypatch, "toy", "tests.toy_game")


@pytest.fixture
def lots(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Register the toy game with secret bids as well as the other toy game."""
    yield from register_games(monkeypatch, "lots", "tests.toy_game,tests.toy_bids")


def register_games(monkeypatch: pytest.MonkeyPatch, name: str, packages: str) -> Iterator[str]:
    monkeypatch.setenv("SPIELTISCH_GAMES", packages)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent), prepend=os.pathsep)
    games.game_modules.cache_clear()
    yield name
    games.game_modules.cache_clear()
