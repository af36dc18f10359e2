"""The compiled search of a game as a plain shared library, called by ctypes: a process that thinks needs neither Numba
nor LLVM, a third of the memory, and is ready in milliseconds. Another library plays whole games (`GAMES`).

`build` compiles with Numba and links what came of it; `Library` calls it. A library's name has a digest of
the sources of all rules that it holds, so it never plays old ones. Where none lies ready the search runs as plain
Python, slower by far and otherwise the same.
"""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from spieltisch.bots.search import tree
from spieltisch.bots.search.court import Court
from spieltisch.bots.search.memory import Memory
from spieltisch.core.compiled import cache_root, prefixes_meant
from spieltisch.core.driver import play_games
from spieltisch.core.game import Game
from spieltisch.core.known import game as known_game
from spieltisch.core.lean import lean
from spieltisch.core.locks import held

ENTRY: Final = "spieltisch_search"
"""The name of the function in every library."""

SEARCH: Final = ""
GAMES: Final = "games-"
"""What a library does: `tree.search`, or `play_games` of the driver; in its name."""

SHIPPED: Final = Path(__file__).parent / "libraries"
"""Where a wheel for one platform brings libraries along."""

ENDING: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")

RUNTIME: Final = """
define void @NRT_Free(ptr %p) { ret void }
define void @NRT_MemInfo_call_dtor(ptr %p) { ret void }
"""
"""What Numba's code calls when nobody uses an array any more. Ours belong to the caller, so it never comes to that."""


class NotBuilt(RuntimeError):
    """No library could be made; the text says why."""


@cache  # a process goes on with the rules that it has read
def name(game: Game, what: str = SEARCH) -> str:
    """The file name of the library with exactly this game's rules and this search, for this kind of machine.

    >>> import spieltisch
    >>> name(spieltisch.game("paris-connection")).startswith("paris-connection-")
    True
    """
    sources = game.engine.others(_entry(what)).sources
    return f"{game.key}-{what}{sys.platform}-{platform.machine()}-{sources}{ENDING}"


def find(game: Game, what: str = SEARCH) -> Path | None:
    """The game's library, if it came with the wheel or was built here."""
    wanted = name(game, what)
    return next((folder / wanted for folder in (SHIPPED, _folder()) if (folder / wanted).is_file()), None)


@cache
def load(file: Path) -> Library:
    """A library, loaded once in a process."""
    return Library(file)


def _folder() -> Path:
    return cache_root() / "libraries"


def build(key: str, folder: Path | None = None, what: str = SEARCH) -> Path:
    """Make the library of a game, unless it is there; returns its file. Takes half a minute of processor. Raises
    NotBuilt where Numba or a linker is missing.
    """
    game = known_game(key, compiled=True)
    made = (folder or _folder()) / name(known_game(key), what)
    made.parent.mkdir(parents=True, exist_ok=True)
    with held(made.with_suffix(".lock")):
        if made.is_file():
            return made
        links = linker()
        with tempfile.TemporaryDirectory(dir=made.parent) as scratch:
            code, linked = Path(scratch) / "search.o", Path(scratch) / made.name
            code.write_bytes(_machine_code(game, what))
            called = [links, "-shared", "-o", str(linked), str(code), "-lm"]
            done = subprocess.run(called, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
            if done.returncode:
                raise NotBuilt(f"{links} could not link: {done.stderr.strip()[-400:]}")
            linked.replace(made)  # whoever looks for it finds all of it or nothing
    return made


def linker() -> str:
    """The program that links. Raises NotBuilt where there is none."""
    found = next((found for found in map(shutil.which, ("cc", "gcc", "clang")) if found), None)
    if found is None:
        raise NotBuilt("there is no C compiler (cc, gcc or clang) to link with")
    return found


def _entry(what: str) -> Callable[..., Any]:
    return play_games if what == GAMES else tree.search


def _machine_code(game: Game, what: str) -> bytes:
    """An object file with the entry and all rules that it calls, for any processor of this kind."""
    try:
        import llvmlite.binding as llvm
        import numba
    except ImportError as problem:
        raise NotBuilt("Numba is not installed") from problem

    typed: Any = numba.typeof  # untyped
    function: Any = game.engine.others(_entry(what)).fresh(_entry(what))
    setup = game.setup(game.seats.start)
    given = Court(setup).example() if what == GAMES else Memory(setup, 1, native=True).given(tree.BEGIN, -1, 0)
    with prefixes_meant(), lean(_entry(what).__name__):
        function.compile(tuple(typed(one) for one in given))
    compiled = next(iter(function.overloads.values()))
    module = llvm.parse_assembly(compiled.library.get_llvm_str())
    module.link_in(llvm.parse_assembly(RUNTIME))
    for one in module.functions:
        if not one.is_declaration:
            one.linkage = "internal"
    entry = module.get_function(compiled.fndesc.llvm_func_name)
    entry.name, entry.linkage = ENTRY, "external"
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3, reloc="pic", codemodel="default")
    return bytes(machine.emit_object(module))


class Library:
    """A library that is loaded. Raises OSError where the file is none. Numba's code takes an array as seven numbers:
    two that count who uses it, how many, the size of one, where they lie, the shape, the steps.
    """

    def __init__(self, file: Path) -> None:
        self._function: Any = getattr(ctypes.CDLL(str(file)), ENTRY)
        self._function.restype = ctypes.c_int32

    def bind(self, memory: Memory) -> Callable[[int, int, int], int]:
        """`tree.search` in this memory, called with what is to be done, the child and the number."""
        where: list[int] = []
        for array, given in zip(memory.arrays, memory.given(0, 0, 0)[1:-2], strict=True):
            if given is array:
                where += _array(array)
            else:
                where.append(array.ctypes.data)
        fixed = tuple(map(ctypes.c_int64, where))
        returned, raised = ctypes.c_int64(), ctypes.c_void_p()
        out, failed = ctypes.byref(returned), ctypes.byref(raised)
        function, number = self._function, ctypes.c_int64

        def search(what: int, forced: int, many: int) -> int:
            status = function(out, failed, number(what), *fixed, number(forced), number(many))
            if status:
                raise RuntimeError(f"the compiled search failed with status {status}")
            return returned.value

        return search

    def bind_games(self, court: Court) -> Callable[..., int]:
        """`play_games` of the driver in this court, called with the first seed, how many games, who decides, and the
        arrays that receive totals, ends, lengths and the log.
        """
        returned, raised = ctypes.c_int64(), ctypes.c_void_p()

        def games(first: int, many: int, *arrays: Any) -> int:
            given = [*_array(court.pool), court.BLANK, court.params.ctypes.data, court.work.ctypes.data]
            given += [*_array(court.moves), court.mind.ctypes.data, first, many]
            for array in arrays:
                given += _array(array)
            status = self._function(ctypes.byref(returned), ctypes.byref(raised), *map(ctypes.c_int64, given))
            if status:
                raise RuntimeError(f"the compiled games failed with status {status}")
            return returned.value

        return games


def _array(array: Any) -> list[int]:
    """An array as Numba's code takes it."""
    return [0, 0, array.size, array.itemsize, array.ctypes.data, *array.shape, *array.strides]
