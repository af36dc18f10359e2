"""The compiled search of a game, called by ctypes. Another library plays whole games (`GAMES`).

`build` compiles with Numba and keeps LLVM's bitcode and the object file that LLVM makes of it for this very processor;
`Library` has LLVM load that object file, which takes milliseconds and needs no linker. A wheel for one kind of machine
(`scripts/wheel`) brings plain shared libraries instead, for which neither Numba nor LLVM is needed. The name of a file
has a digest of the sources of all rules that it holds, so it never plays old ones. Where none lies ready the search
runs as plain Python, slower by far and otherwise the same.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from spieltisch.bots.search import mcts
from spieltisch.bots.search.game_buffers import GameBuffers
from spieltisch.bots.search.search_buffers import SearchBuffers
from spieltisch.core.compiled import allow_record_prefixes, cache_root
from spieltisch.core.file_locks import held
from spieltisch.core.game import Game
from spieltisch.core.game_loops import play_games
from spieltisch.core.lean import lean
from spieltisch.core.registry import game as known_game

ENTRY: Final = "spieltisch_search"
"""The name of the function in every library."""

SEARCH: Final = ""
GAMES: Final = "games-"
"""What a library does: `tree.search`, or `play_games` of the driver; in its name."""

SHIPPED: Final = Path(__file__).parent / "libraries"
"""Where a wheel for one platform brings shared libraries along."""

ENDING: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
BITCODE: Final = ".bc"

RUNTIME: Final = """
define void @NRT_Free(ptr %p) { ret void }
define void @NRT_MemInfo_call_dtor(ptr %p) { ret void }
"""
"""What Numba's code calls when nobody uses an array any more. Ours belong to the caller, so it never comes to that."""


class NotBuilt(RuntimeError):
    """No library could be made; the text says why."""


def problem() -> str:
    """Say why nothing can be compiled here; "" if it can. Numba may be there and not go with this NumPy."""
    try:
        import llvmlite.binding  # noqa: F401
        import numba  # noqa: F401
    except (ImportError, OSError) as error:
        return f"Numba cannot be used ({error})"
    return ""


@cache  # a process goes on with the rules that it has read
def name(game: Game, what: str = SEARCH) -> str:
    """Return the file name of the shared library with exactly this game's rules and this search, for this kind of
    machine.

    >>> import spieltisch
    >>> name(spieltisch.game("paris-connection")).startswith("paris-connection-")
    True
    """
    sources = game.engine.bind_module(_entry(what)).sources
    return f"{game.key}-{what}{sys.platform}-{platform.machine()}-{sources}{ENDING}"


def find(game: Game, what: str = SEARCH) -> Path | None:
    """Return the game's library, if it came with the wheel or was built here."""
    shipped = SHIPPED / name(game, what)
    if shipped.is_file():
        return shipped
    built = _built(game, what)
    return built if built is not None and built.is_file() else None


@cache
def load(file: Path) -> Library:
    """Load a library, once in a process."""
    return Library(file)


def _built(game: Game, what: str, folder: Path | None = None) -> Path | None:
    """Return where the bitcode of a game is kept; None where there is no LLVM to load it."""
    llvm = _llvm_version()
    if llvm is None:
        return None
    return (folder or cache_root() / "libraries") / f"{Path(name(game, what)).stem}-llvmlite-{llvm}{BITCODE}"


@cache
def _llvm_version() -> str | None:
    try:
        return version("llvmlite")
    except PackageNotFoundError:
        return None


def build(key: str, folder: Path | None = None, what: str = SEARCH) -> Path:
    """Make the library of a game, unless it is there, and return its file. Takes half a minute of processor. Raises
    NotBuilt where Numba is missing or cannot be used.
    """
    made = _built(known_game(key), what, folder)
    if made is None or problem():
        raise NotBuilt(problem())
    with held(made.with_suffix(".lock")):
        if not made.is_file():
            with tempfile.TemporaryDirectory(dir=made.parent) as scratch:
                file = Path(scratch) / made.name
                file.write_bytes(_bitcode(known_game(key, compiled=True), what))
                Library(file)  # what this machine cannot load is not kept
                for one in sorted(file.parent.iterdir(), key=file.__eq__):  # whoever finds the last one finds all
                    one.replace(made.with_name(one.name))
    return made


def _entry(what: str) -> Callable[..., Any]:
    return play_games if what == GAMES else mcts.search


def _bitcode(game: Game, what: str) -> bytes:
    """Compile the entry and all rules that it calls."""
    import llvmlite.binding as llvm
    import numba

    typed: Any = numba.typeof  # untyped
    function: Any = game.engine.bind_module(_entry(what)).uncached_dispatcher(_entry(what))
    setup = game.setup(game.seats.start)
    given = (
        GameBuffers(setup).example()
        if what == GAMES
        else SearchBuffers(setup, 1, native=True).arguments(mcts.EXPAND_ROOT, -1, 0)
    )
    with allow_record_prefixes(), lean(_entry(what).__name__):
        function.compile(tuple(typed(one) for one in given))
    compiled = next(iter(function.overloads.values()))
    module = llvm.parse_assembly(compiled.library.get_llvm_str())
    module.link_in(llvm.parse_assembly(RUNTIME))
    for one in module.functions:
        if not one.is_declaration:
            one.linkage = "internal"
    entry = module.get_function(compiled.fndesc.llvm_func_name)
    entry.name, entry.linkage = ENTRY, "external"
    return bytes(module.as_bitcode())


def object_to_link(file: Path) -> bytes:
    """Return the object file of what was built, for any processor of this kind: what a shared library is linked of."""
    target = _llvm().Target.from_triple(_llvm().get_process_triple())
    return _emitted(file, target.create_target_machine(opt=3, reloc="pic", codemodel="default"))


@cache
def _llvm() -> Any:
    """LLVM, ready to make and load code for this machine."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def _processor() -> tuple[str, str]:
    """Return the name and the features of this processor."""
    llvm = _llvm()
    try:
        return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM cannot tell them everywhere
        return "", ""


def _machine() -> Any:
    """Return what makes code for this very processor, which runs a fifth faster than that for all of its kind: LLVM,
    told what Numba tells it.
    """
    llvm, (cpu, features) = _llvm(), _processor()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu,
        features,
        opt=3,
        reloc={"x86": "static", "ppc": "pic"}.get(target.name[:3], "default"),
        codemodel="jitdefault",
        jit=True,
    )


def _emitted(file: Path, machine: Any) -> bytes:
    return bytes(machine.emit_object(_llvm().parse_bitcode(file.read_bytes())))


def _object_file(file: Path) -> bytes:
    """Return the object file of bitcode for this processor, made only once where it can be kept."""
    kept = file.with_suffix(f".{hashlib.sha256(repr(_processor()).encode()).hexdigest()[:16]}.o")
    if kept.is_file():
        return kept.read_bytes()
    emitted = _emitted(file, _machine())
    # Where the folder may not be written to, the next process makes it again, in two seconds.
    with suppress(OSError), tempfile.TemporaryDirectory(dir=file.parent) as scratch:
        written = Path(scratch) / kept.name
        written.write_bytes(emitted)
        written.replace(kept)
    return emitted


def _loaded(code: bytes) -> Any:
    """Return the entry in an object file. LLVM ends the process where it needs what is not there."""
    llvm = _llvm()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    function: Any = ctypes.CFUNCTYPE(ctypes.c_int32)(engine.get_function_address(ENTRY))
    function.argtypes = None  # arguments are converted as they come, as for a function of a shared library
    function.engine = engine  # which has the memory that the code lies in
    return function


class Library:
    """A library that is loaded. Raises OSError or RuntimeError where the file is none. Numba's code takes an array as
    seven numbers: two that count who uses it, how many, the size of one, where they lie, the shape, the steps.
    """

    def __init__(self, file: Path) -> None:
        if file.suffix == BITCODE:
            self._function = _loaded(_object_file(file))
        else:
            self._function = getattr(ctypes.CDLL(str(file)), ENTRY)
            self._function.restype = ctypes.c_int32

    def bind(self, memory: SearchBuffers) -> Callable[[int, int, int], int]:
        """`tree.search` in this memory, called with what is to be done, the child and the number."""
        where: list[int] = []
        for array, given in zip(memory.arrays, memory.arguments(0, 0, 0)[1:-2], strict=True):
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

    def bind_games(self, court: GameBuffers) -> Callable[..., int]:
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
