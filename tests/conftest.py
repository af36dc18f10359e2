"""Configure all tests: compiled rules are cached in pytest's folder unless `SPIELTISCH_CACHE` names another."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from bisect import bisect_left
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings

from spieltisch import games
from tests.rules_cache import sweep

pytest_plugins = ["pytester", "tests.tiers", "tests.results", "tests.browsers", "tests.postgres", "tests.changed"]
pytest.register_assert_rewrite(
    *(f"tests.{folder.name}" for folder in Path(__file__).parent.iterdir() if folder.is_dir())
)

collect_ignore = ["written_for_0_1_0"]  # `test_written_for_0_1_0.py` runs these tests where they are installed

settings.register_profile("fuzz", max_examples=500, stateful_step_count=60, deadline=None)


if sys.dont_write_bytecode:
    # Otherwise each worker would rewrite the assertions of all tests again (ten seconds of processor time), and each
    # process that tests start would parse all sources again.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


LONG = 1000
"""Characters of a text of which a failed test shows a place alone."""


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Show only the part of a long text around the best match of the searched text."""
    if op not in ("in", "not in") or not isinstance(left, str) or not isinstance(right, str) or len(right) < LONG:
        return None
    first_difference = bisect_left(range(1, len(left) + 1), True, key=lambda count: left[:count] not in right)
    start_of_difference = right.find(left[:first_difference])
    place = right[max(0, start_of_difference - 80) : start_of_difference + first_difference + 80]
    return [
        f"{left!r} {op} a text of {len(right)} characters",
        f"{first_difference} of its {len(left)} stand in {place!r}",
    ]


def pytest_configure(config: pytest.Config) -> None:
    """Compile rules once for all workers, started processes and later runs."""
    if "SPIELTISCH_CACHE" not in os.environ:
        folder = config.rootpath / ".pytest_cache" / "compiled"
        sweep(folder)
        os.environ["SPIELTISCH_CACHE"] = str(folder)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Disable garbage collection while tests are collected, which saves a third of the processor time."""
    gc.disable()
    _import_own_share(session)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _import_own_share(session: pytest.Session) -> None:
    """Import this worker's share of the test files first, so that each file's assertions are rewritten only once."""
    worker_input = getattr(session.config, "workerinput", None)
    if worker_input is None:
        return
    root = session.config.rootpath
    files = sorted(file for arg in session.config.args for file in (root / arg).rglob("test_*.py"))
    for file in files[int(worker_input["workerid"].removeprefix("gw")) :: worker_input["workercount"]]:
        with suppress(Exception, pytest.fail.Exception):  # pytest comes by and tells
            importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers more than processors, since tests wait for browsers and servers two fifths of the time."""
    return (os.cpu_count() or 1) + 2


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Register the toy game during a test, also for processes that the test starts."""
    yield from register_games(monkeypatch, "toy", "tests.toy_game")


@pytest.fixture
def game_with_bids(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Register the toy game with secret bids as well as the other toy game."""
    yield from register_games(monkeypatch, "lots", "tests.toy_game,tests.toy_bids")


def register_games(monkeypatch: pytest.MonkeyPatch, name: str, packages: str) -> Iterator[str]:
    monkeypatch.setenv("SPIELTISCH_GAMES", packages)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent), prepend=os.pathsep)
    games.game_modules.cache_clear()
    yield name
    games.game_modules.cache_clear()
