"""For all tests: compiled rules are kept in a folder of this run, unless `SPIELTISCH_CACHE` names one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from spieltisch import games


@pytest.fixture(scope="session", autouse=True)
def compiled_rules(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile once a run, not once a test; never read what another version of the rules left in the user's cache."""
    os.environ.setdefault("SPIELTISCH_CACHE", str(tmp_path_factory.mktemp("compiled")))


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The toy game's name, known to `spieltisch.games` for the time of one test, also to processes that the test
    starts.
    """
    monkeypatch.setenv("SPIELTISCH_GAMES", "tests.toy_game")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    games.modules.cache_clear()
    yield "toy"
    games.modules.cache_clear()
