"""Check compiled searches, built for these sources and this processor and loaded without Numba."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import spieltisch
from spieltisch.bots import choose
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, Searcher
from spieltisch.core import compiled
from spieltisch.games import GAMES
from tests.bots.played_positions import SMALL, played


@pytest.mark.build
def test_a_compiled_search_imports_llvmlite_but_not_numba() -> None:
    native_library.build("era-of-inventions")
    program = (
        "import sys, spieltisch; from spieltisch.bots import choose\n"
        "position = spieltisch.game('era-of-inventions').start(3, seed=1)\n"
        "print(choose('medium', position.observe(position.seat).bytes, 1))\n"
        "print([name for name in ('numba', 'llvmlite') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    move, loaded = ran.stdout.splitlines()
    assert move.startswith("place ")
    assert loaded == "['llvmlite']"


@pytest.mark.build
def test_a_library_is_named_by_the_digest_of_its_sources() -> None:
    """A changed rule must not find the library compiled from the earlier rules."""
    native_library.build("paris-connection")
    game = spieltisch.game("paris-connection")
    assert native_library.find(game) is not None
    other_game = type(game)()
    other_game.rules = game.rules._replace(points=spieltisch.game("era-of-inventions").rules.points)
    assert native_library.name(other_game) != native_library.name(game)
    assert native_library.find(other_game) is None


def test_a_compiled_library_works_with_other_versions_of_python_and_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wheels are built with one Python and installed for another, so only our own files determine a library's name."""
    read_bytes: set[str] = set()

    def record(file: str | None) -> str:
        read_bytes.add(str(file))
        return ""

    monkeypatch.setattr(compiled, "_source", record)
    for key in GAMES:
        game = type(spieltisch.game(key))()
        for entry in native_library.ENTRIES:
            native_library.name.__wrapped__(game, entry)
    package = str(Path(spieltisch.__file__).parent)
    assert [file for file in read_bytes if not file.startswith(package)] == []


def test_compiling_without_numba_fails_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(native_library.NotBuilt, match="Numba cannot be used"):
        native_library.build("paris-connection", tmp_path / "libraries")


AGAINST_A_MASTER = """
import shutil
import spieltisch
from spieltisch.bots import choose, levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget

assert not any(map(shutil.which, ("cc", "gcc", "clang", "ld")))
native_library.build("toy")
position = spieltisch.game("toy").start(3, seed=1)
thought = levels.search(position.observe(position.seat), 1, Budget(2 * levels.UNCOMPILED.simulations))
assert thought.simulations > levels.UNCOMPILED.simulations
while position.seat is not None:
    bot = "expert@0.02" if position.seat == 1 else "random"
    position.play(choose(bot, position.observe(position.seat).bytes, position.number))
print(*position.scores)
"""


@pytest.mark.build
def test_the_expert_bot_searches_with_a_compiled_library_on_a_machine_without_a_compiler(
    toy: str, tmp_path: Path
) -> None:
    """PATH and the cache of compiled rules are empty."""
    removed_variables = {name: os.environ[name] for name in ("PYTHONPATH", "SPIELTISCH_GAMES")}
    removed_variables |= {"PATH": "", "SPIELTISCH_CACHE": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", AGAINST_A_MASTER], env=removed_variables, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.split()) == 3


@pytest.mark.build
def test_each_kind_of_processor_has_a_separate_object_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache may move to another machine, but an object file fits only one kind of processor."""
    object_file = native_library.build("paris-connection")
    moved_file = Path(shutil.copy(object_file, tmp_path))
    monkeypatch.setattr(
        native_library, "_processor", lambda: ("x86-64" if platform.machine() == "x86_64" else "generic", "")
    )
    position = played("paris-connection", 3, 1, 20)
    observation = position.observe(position.seat)
    result = Searcher(position.setup, library=native_library.Library(moved_file)).search(
        observation, 1, Budget(40), SMALL
    )
    monkeypatch.undo()
    assert len({*tmp_path.glob("*.o")}) == 1
    for file in (object_file, moved_file):
        assert (
            Searcher(position.setup, library=native_library.Library(file)).search(observation, 1, Budget(40), SMALL)
            == result
        )
    assert len({*tmp_path.glob("*.o")}) == 2


def test_a_search_without_a_compiled_library_runs_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    position = played("legendary-inventors", 3, 2, 20)
    assert native_library.find(position.setup.game) is None
    assert choose("expert", position.observe(position.seat).bytes, 1) in [move.text for move in position.legal_moves]
