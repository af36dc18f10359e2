"""The compiled search of a game, called by ctypes. Another library plays whole games (`GAMES`).

`build` compiles with Numba and stores LLVM's bitcode, together with the object file that LLVM makes of it for this
processor. `Library` has LLVM load the object file, which takes milliseconds and needs no linker. A wheel for one kind
of machine (`scripts/build_wheel`) contains shared libraries instead, which need neither Numba nor LLVM. The file name
contains a digest of the sources of all rules in the library, so that outdated rules are never used. Without a library
the search runs as plain Python, far slower and otherwise the same.
"""

import ctypes
import hashlib
import os
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
from spieltisch.bots.search.vector_buffers import VectorBuffers, rule_names
from spieltisch.core.compiled import Binding, allow_record_prefixes, cache_root
from spieltisch.core.file_locks import held
from spieltisch.core.game import Game
from spieltisch.core.game_loops import play_games
from spieltisch.core.lean import lean
from spieltisch.core.registry import game as known_game
from spieltisch.core.vector_loops import step_games

ENTRY: Final = "spieltisch_search"
"""The name of the function in every library."""

SEARCH: Final = ""
GAMES: Final = "games-"
VECTOR: Final = "vector-"
"""The purposes of a library, as in its name.

`mcts.search`, `play_games` of `spieltisch.core.game_loops`, or `step_games` of `spieltisch.core.vector_loops`.
"""

ENTRIES: Final[dict[str, Callable[..., Any]]] = {SEARCH: mcts.search, GAMES: play_games, VECTOR: step_games}

SHIPPED: Final = Path(__file__).parent / "libraries"
"""The folder of the shared libraries in a wheel for one platform."""

ENDING: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
"""The suffix of shared libraries on this system."""
BITCODE: Final = ".bc"
"""The suffix of files with bitcode."""

RUNTIME: Final = """
define void @NRT_Free(ptr %p) { ret void }
define void @NRT_MemInfo_call_dtor(ptr %p) { ret void }
"""
"""The functions that Numba's code calls to free an array.

The arrays here belong to the caller, so they are never called.
"""


class NotBuilt(RuntimeError):
    """No library could be built; the text gives the reason."""


def problem() -> str:
    """Return the reason why nothing can be compiled and stored here, and the remedy; "" if it can.

    Numba may be installed but incompatible with this NumPy.
    """
    try:
        import llvmlite.binding  # noqa: F401  # only whether it can be imported matters
        import numba  # noqa: F401  # likewise
    except (ImportError, OSError) as error:
        return f"Numba cannot be used ({error}). Install it: {sys.executable} -m pip install 'spieltisch[compile]'"
    folder = cache_root()
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        return f"nothing can be stored in {folder}. Name another folder in the environment variable SPIELTISCH_CACHE"
    return ""


@cache  # a process does not reload its rules
def name(game: Game, what: str = SEARCH) -> str:
    """Return the file name of the shared library with this game's rules and this search, for this machine.

    >>> import spieltisch
    >>> name(spieltisch.game("paris-connection")).startswith("paris-connection-")
    True
    """
    sources = _binding(game, what).sources
    return f"{game.key}-{what}{sys.platform}-{platform.machine()}-{sources}{ENDING}"


def find(game: Game, what: str = SEARCH) -> Path | None:
    """Return the game's library if it was shipped with the wheel or built here, else None."""
    shipped = SHIPPED / name(game, what)
    if shipped.is_file():
        return shipped
    built = _bitcode_path(game, what)
    return built if built is not None and built.is_file() else None


@cache
def load(file: Path) -> "Library":
    """Load a library, once in a process."""
    return Library(file)


def _bitcode_path(game: Game, what: str, folder: Path | None = None) -> Path | None:
    """Return the path of a game's bitcode; None if there is no LLVM to load it."""
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
    """Build the library of a game if it does not exist, and return its file.

    Takes half a minute of processor time. Raise NotBuilt if Numba is missing or cannot be used.
    """
    built = _bitcode_path(known_game(key), what, folder)
    if built is None or problem():
        raise NotBuilt(problem())
    with held(built.with_suffix(".lock")):
        if not built.is_file():
            with tempfile.TemporaryDirectory(dir=built.parent) as scratch:
                file = Path(scratch) / built.name
                file.write_bytes(_bitcode(known_game(key, compiled=True), what))
                Library(file)  # a file that this machine cannot load is not stored
                for part in sorted(file.parent.iterdir(), key=file.__eq__):  # the bitcode last: then all are there
                    part.replace(built.with_name(part.name))
    return built


def _binding(game: Game, what: str) -> Binding:
    names = rule_names(game.setup(game.seats.start)) if what == VECTOR else {}
    return game.engine.bind_module(ENTRIES[what], **names)


def _bitcode(game: Game, what: str) -> bytes:
    """Compile the entry and all rules that it calls."""
    import llvmlite.binding as llvm
    import numba

    typed: Any = numba.typeof  # untyped
    function: Any = _binding(game, what).uncached_dispatcher(ENTRIES[what])
    setup = game.setup(game.seats.start)
    if what == VECTOR:
        arguments = VectorBuffers(setup, 1, [0] * setup.seats, 1, 1).example()
    elif what == GAMES:
        arguments = GameBuffers(setup).example()
    else:
        arguments = tuple(SearchBuffers(setup, 1, native=True).arguments(mcts.EXPAND_ROOT, -1, 0))
    with allow_record_prefixes(), lean(ENTRIES[what].__name__):
        function.compile(tuple(typed(argument) for argument in arguments))
    compiled = next(iter(function.overloads.values()))
    module = llvm.parse_assembly(compiled.library.get_llvm_str())
    module.link_in(llvm.parse_assembly(RUNTIME))
    for defined in module.functions:
        if not defined.is_declaration:
            defined.linkage = "internal"
    entry = module.get_function(compiled.fndesc.llvm_func_name)
    entry.name, entry.linkage = ENTRY, "external"
    return bytes(module.as_bitcode())


def object_to_link(file: Path) -> bytes:
    """Return the object file of a built library for any processor of this kind.

    A shared library is linked from it.
    """
    target = _initialized_llvm().Target.from_triple(_initialized_llvm().get_process_triple())
    return _emit_object(file, target.create_target_machine(opt=3, reloc="pic", codemodel="default"))


@cache
def _initialized_llvm() -> Any:
    """Return LLVM, ready to generate and load code for this machine."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def _processor() -> tuple[str, str]:
    """Return the name and the features of this processor."""
    llvm = _initialized_llvm()
    try:
        return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM cannot detect them everywhere
        return "", ""


def _target_machine() -> Any:
    """Return the code generator for this very processor, with the options that Numba uses.

    Its code is a fifth faster than code for all processors of this kind.
    """
    llvm, (cpu, features) = _initialized_llvm(), _processor()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu,
        features,
        opt=3,
        reloc={"x86": "static", "ppc": "pic"}.get(target.name[:3], "default"),
        codemodel="jitdefault",
        jit=True,
    )


def _emit_object(file: Path, machine: Any) -> bytes:
    return bytes(machine.emit_object(_initialized_llvm().parse_bitcode(file.read_bytes())))


def _object_file(file: Path) -> bytes:
    """Return the object file of bitcode for this processor, cached where the folder is writable."""
    cached = file.with_suffix(f".{hashlib.sha256(repr(_processor()).encode()).hexdigest()[:16]}.o")
    if cached.is_file():
        return cached.read_bytes()
    emitted = _emit_object(file, _target_machine())
    # If the folder is not writable, the next process makes it again, in two seconds.
    with suppress(OSError), tempfile.TemporaryDirectory(dir=file.parent) as scratch:
        temporary = Path(scratch) / cached.name
        temporary.write_bytes(emitted)
        temporary.replace(cached)
    return emitted


def _load_object(code: bytes) -> Any:
    """Return the entry in an object file. LLVM ends the process if the code needs a symbol that does not exist."""
    llvm = _initialized_llvm()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    function: Any = ctypes.CFUNCTYPE(ctypes.c_int32)(engine.get_function_address(ENTRY))
    function.engine = engine  # keeps the memory of the code alive
    return function


class Library:
    """A loaded library. Raise OSError or RuntimeError if the file is not one.

    Numba's code takes an array as these numbers: two for reference counting, the number of items, the size of one, the
    address, the shape, the strides.
    """

    def __init__(self, file: Path) -> None:
        if file.suffix == BITCODE:
            self._function = _load_object(_object_file(file))
        else:
            self._function = getattr(ctypes.CDLL(str(file)), ENTRY)
            self._function.restype = ctypes.c_int32

    def bind(self, memory: SearchBuffers) -> Callable[[int, int, int], int]:
        """Return `mcts.search` bound to this memory; its arguments are the command, the child and the count."""
        addresses: list[int] = []
        for array, argument in zip(memory.arrays, memory.arguments(0, 0, 0)[1:-2], strict=True):
            if argument is array:
                addresses += _array(array)
            else:
                addresses.append(array.ctypes.data)
        fixed = tuple(map(ctypes.c_int64, addresses))
        returned, raised = ctypes.c_int64(), ctypes.c_void_p()
        out, failure = ctypes.byref(returned), ctypes.byref(raised)
        function, number = self._function, ctypes.c_int64

        def search(command: int, first_child: int, count: int) -> int:
            status = function(out, failure, number(command), *fixed, number(first_child), number(count))
            if status:
                raise RuntimeError(f"the compiled search failed with status {status}")
            return returned.value

        return search

    def bind_games(self, memory: GameBuffers) -> Callable[..., int]:
        """Return `play_games` of `spieltisch.core.game_loops` bound to this memory.

        Its arguments are the first seed, the number of games, the bots by seat, the maximum number of moves, and the
        arrays that receive totals, turn order, ends, lengths and the log.
        """
        returned, raised = ctypes.c_int64(), ctypes.c_void_p()

        def games(first: int, count: int, bots: Any, max_moves: int, *arrays: Any) -> int:
            arguments = [*_array(memory.pool), memory.BLANK, memory.params.ctypes.data, memory.work.ctypes.data]
            arguments += [*_array(memory.moves), memory.mind.ctypes.data, first, count, *_array(bots), max_moves]
            for array in arrays:
                arguments += _array(array)
            status = self._function(ctypes.byref(returned), ctypes.byref(raised), *map(ctypes.c_int64, arguments))
            if status:
                raise RuntimeError(f"the compiled games failed with status {status}")
            return returned.value

        return games

    def bind_steps(self, memory: VectorBuffers, thread: int) -> Callable[[int, int, int], None]:
        """Return `step_games` of `spieltisch.core.vector_loops` bound to this memory, for one thread.

        Its arguments are the command, the first game and the one after the last. It releases the GIL.
        """
        numbers: list[int] = []
        for given in memory.arguments(thread):
            if isinstance(given, int):
                numbers.append(given)
            elif given is memory.params or given is memory.work[thread]:
                numbers.append(given.ctypes.data)
            else:
                numbers += _array(given)
        fixed = tuple(map(ctypes.c_int64, numbers))
        returned, raised = ctypes.c_int64(), ctypes.c_void_p()
        out, failure = ctypes.byref(returned), ctypes.byref(raised)
        function, number = self._function, ctypes.c_int64

        def steps(command: int, first: int, last: int) -> None:
            status = function(out, failure, *fixed, number(command), number(first), number(last))
            if status:
                raise RuntimeError(f"the compiled steps failed with status {status}")

        return steps


def _array(array: Any) -> list[int]:
    """Return an array as Numba's code takes it."""
    return [0, 0, array.size, array.itemsize, array.ctypes.data, *array.shape, *array.strides]
