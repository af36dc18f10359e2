"""Compiled searches: built for these sources and this processor, and loaded without Numba."""

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
from tests.bots.test_search import SMALL, played


@pytest.mark.build
def test_a_process_that_thinks_loads_llvm_but_not_numba() -> None:
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
def test_a_library_is_of_these_sources() -> None:
    """Another rule, another name: what was made of other sources is not found."""
    native_library.build("paris-connection")
    game = spieltisch.game("paris-connection")
    assert native_library.find(game) is not None
    other = type(game)()
    other.rules = game.rules._replace(points=spieltisch.game("era-of-inventions").rules.points)
    assert native_library.name(other) != native_library.name(game)
    assert native_library.find(other) is None


def test_without_numba_nothing_is_compiled_and_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_master_thinks_compiled_without_any_other_program(toy: str, tmp_path: Path) -> None:
    """With nothing on the PATH and nothing compiled before."""
    bare = {name: os.environ[name] for name in ("PYTHONPATH", "SPIELTISCH_GAMES")}
    bare |= {"PATH": "", "SPIELTISCH_CACHE": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", AGAINST_A_MASTER], env=bare, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.split()) == 3


@pytest.mark.build
def test_code_is_made_anew_for_another_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache may move to another machine: what was made for a processor runs on no other one."""
    kept = native_library.build("paris-connection")
    moved = Path(shutil.copy(kept, tmp_path))
    monkeypatch.setattr(
        native_library, "_processor", lambda: ("x86-64" if platform.machine() == "x86_64" else "generic", "")
    )
    position = played("paris-connection", 3, 1, 20)
    seen = position.observe(position.seat)
    result = Searcher(position.setup, library=native_library.Library(moved)).search(seen, 1, Budget(40), SMALL)
    monkeypatch.undo()
    assert len({*tmp_path.glob("*.o")}) == 1
    for file in (kept, moved):
        assert (
            Searcher(position.setup, library=native_library.Library(file)).search(seen, 1, Budget(40), SMALL) == result
        )
    assert len({*tmp_path.glob("*.o")}) == 2


def test_where_none_lies_ready_it_thinks_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    position = played("legendary-inventors", 3, 2, 20)
    assert native_library.find(position.setup.game) is None
    assert choose("expert", position.observe(position.seat).bytes, 1) in [move.text for move in position.legal_moves]
