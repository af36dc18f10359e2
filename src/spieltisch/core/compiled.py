"""Rules as compiled functions: one source, two ways to run it.

A rule is a plain function of a state, the components and working memory. Imported, it is ordinary Python and runs on
the plain twin (`spieltisch.core.twin`). A `Binding` makes the compiled form: the same code objects with copied globals,
in which every rule is a Numba dispatcher, every `u64` constant a `numpy.uint64`, and every function marked with
`compiled_as` its compiled counterpart.

Compilation is only worth its time because of two decisions:

* **The name of the cache folder is a hash** of the sources of all modules that the rules of a game use, of the
  constants in them and of the versions of the libraries. Numba itself checks only the file of the function that it
  loads; after a change of a constant in another module it would run old rules.
* **Loops get the rules through module globals**, not as arguments, because functions as arguments would be compiled
  again in every process.

If several processes need the same entry point at the same time, one compiles it; the others wait and read the result.

>>> from spieltisch.core import bit_sets
>>> Binding("example", compiled=False).bind(bit_sets.has)([5, 0, 0, 0], 2)
True
"""

import hashlib
import os
import platform
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from spieltisch.core.file_locks import held
from spieltisch.core.lean import lean

F = TypeVar("F", bound=Callable[..., Any])
MASK = 0xFFFF_FFFF_FFFF_FFFF
WITHOUT_RULES = sys.stdlib_module_names | {"msgspec", "numpy"}
"""Packages that no rule depends on: their versions may differ between the builder of a library and its user."""


class u64(int):  # noqa: N801 - named like the scalar types of NumPy
    """An unsigned constant of 64 bits: an `int` in the twin, a `numpy.uint64` when compiled."""


class Lookup(tuple):  # type: ignore[type-arg]  # of numbers, or of rows of numbers
    """A table of small numbers that rules index: a tuple in the twin, a built-in array when compiled."""

    def array(self) -> Any:
        """Return the table as a read-only array of 32-bit integers."""
        import numpy as np

        array = np.array(self, np.int32)
        array.setflags(write=False)
        return array


def rule(function: F) -> F:
    """Mark a function as a rule: it can be compiled, and it calls only other rules.

    >>> @rule
    ... def double(n): return 2 * n
    >>> double(4)
    8
    """
    function.__rule__ = True  # type: ignore[attr-defined]  # functions carry attributes
    return function


def compiled_as(compiled: Callable[[], Any]) -> Callable[[F], F]:
    """Mark a function that has another form when compiled. `compiled` returns that form and may import Numba."""

    def mark(function: F) -> F:
        function.__native__ = compiled  # type: ignore[attr-defined]  # functions carry attributes
        return function

    return mark


def cache_root() -> Path:
    """Return the folder for compiled rules: `SPIELTISCH_CACHE`, or `spieltisch` in the user's cache folder.

    A user without a home, as in a container, has none: it is then a folder that cannot be created.
    """
    chosen = os.environ.get("SPIELTISCH_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or _in_home("AppData", "Local")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or _in_home(".cache")
    return Path(base) / "spieltisch"


def _in_home(*names: str) -> Path:
    try:
        return Path.home().joinpath(*names)
    except RuntimeError:  # neither a variable nor the list of users names one
        return Path(os.devnull)


class Binding:
    """The rules of one game, bound together, plain or compiled.

    `overlay` provides the names that a module of loops leaves open: `{"spieltisch.core.game_loops": {"legal":
    rules.legal, ...}}`. `bind` binds functions on demand; those that it binds are entry points and are stored in the
    cache.
    """

    def __init__(
        self,
        name: str,
        *,
        compiled: bool,
        overlay: Mapping[str, Mapping[str, Any]] | None = None,
        roots: tuple[Any, ...] = (),
    ) -> None:
        self.name = name
        self.compiled = compiled
        self._overlay = {module: dict(names) for module, names in (overlay or {}).items()}
        self._roots = roots
        self._modules: dict[str, dict[str, Any]] = {}
        self._functions: dict[tuple[Any, bool], Any] = {}
        self._folder: Path | None = None

    def bind(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the callable for an entry point. Plain functions outside overlaid modules are returned unchanged."""
        if self.compiled:
            return self._dispatcher(function, entry=True)  # type: ignore[no-any-return]  # Numba is untyped
        if function.__module__ in self._overlay:
            return types.FunctionType(
                function.__code__, self._plain_globals(function), function.__name__, function.__defaults__
            )
        return function

    def uncached_dispatcher(self, function: Callable[..., Any]) -> Any:
        """Return a Numba dispatcher of an entry point that is not cached and cannot be called from Python.

        For callers that need the compiled code itself.
        """
        import numba

        njit: Any = numba.njit  # accepts more options than its type hints
        bound = types.FunctionType(function.__code__, self._globals(function), function.__name__, function.__defaults__)
        return njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(bound)

    @property
    def folder(self) -> Path:
        """The cache folder for exactly these sources and libraries."""
        if self._folder is None:
            self._folder = cache_root() / "rules" / f"{self.name}-{self._digest()}"
        return self._folder

    def _plain_globals(self, function: Callable[..., Any]) -> dict[str, Any]:
        module = function.__module__
        if module not in self._modules:
            names = self._modules[module] = dict(function.__globals__)
            names.update(self._overlay[module])
            for key, value in list(names.items()):
                other = getattr(value, "__module__", module)
                if other != module and other in self._overlay and isinstance(value, types.FunctionType):
                    names[key] = self.bind(value)
                if isinstance(value, types.FunctionType) and value.__module__ == module:
                    names[key] = types.FunctionType(value.__code__, names, value.__name__, value.__defaults__)
        return self._modules[module]

    def _dispatcher(self, function: Any, *, entry: bool) -> Any:
        memo = self._functions.get((function, entry))
        if memo is not None:
            return memo
        import numba

        config: Any = numba.config  # its settings are made at run time
        njit: Any = numba.njit  # accepts more options than its type hints
        bound = types.FunctionType(function.__code__, self._globals(function), function.__name__, function.__defaults__)
        bound.__qualname__ = function.__qualname__
        bound.__module__ = function.__module__
        if entry:
            before, config.CACHE_DIR = config.CACHE_DIR, str(self.folder)
            try:
                dispatcher = njit(cache=True, nogil=True, error_model="numpy")(bound)
            finally:
                config.CACHE_DIR = before
            dispatcher.compile = self._compile_alone(dispatcher.compile, function)
        else:
            # Never called from Python. Without the wrapper for such calls, compilation takes a quarter less time.
            dispatcher = njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(bound)
            _widen(dispatcher)
        self._functions[function, entry] = dispatcher
        return dispatcher

    def _compile_alone(self, compile_: Callable[[Any], Any], function: Any) -> Callable[[Any], Any]:
        """Return a function that compiles an entry point, or loads it, while no other process does so."""

        def alone(signature: Any) -> Any:
            lock = self.folder / f"{function.__module__}.{function.__name__}.lock"
            with held(lock), allow_record_prefixes(), lean(function.__name__):
                return compile_(signature)

        return alone

    def _globals(self, function: Any) -> dict[str, Any]:
        """Return the globals of the module of a function, in the form that the compiler needs.

        Recursion ends at the memo.
        """
        import numpy as np

        module = function.__module__
        memo = self._modules.get(module)
        if memo is not None:
            return memo
        names = self._modules[module] = dict(function.__globals__)
        names.update(self._overlay.get(module, {}))
        for key, value in list(names.items()):
            if isinstance(value, u64):
                names[key] = np.uint64(value)
            elif isinstance(value, Lookup):
                names[key] = value.array()
            elif hasattr(value, "__native__"):
                names[key] = value.__native__()
            elif hasattr(value, "__rule__"):
                names[key] = self._dispatcher(value, entry=False)
        return names

    @cached_property
    def sources(self) -> str:
        """A digest of the sources of all modules that the rules use, and of the constants in them."""
        files: set[str] = {__file__}
        constants: set[str] = set()
        visited: set[int] = set()
        queue = list(self._roots) + [f for names in self._overlay.values() for f in names.values()]
        for names in self._overlay.values():
            constants.update(f"{name} = {value}" for name, value in names.items() if isinstance(value, int))
        while queue:
            function = queue.pop()
            if not hasattr(function, "__globals__") or id(function) in visited:
                continue
            visited.add(id(function))
            module = function.__globals__
            if module["__file__"] in files:
                continue
            files.add(module["__file__"])
            for name, value in module.items():
                if hasattr(value, "__rule__") or hasattr(value, "__native__"):
                    queue.append(value)
                elif not name.startswith("__") and (text := _constant(value)):
                    constants.add(f"{module['__name__']}.{name} = {text}")
        digest = hashlib.sha256()
        for file in sorted(files):
            digest.update(Path(file).read_bytes())
        digest.update("\n".join(sorted(constants)).encode())
        return digest.hexdigest()[:16]

    def _digest(self) -> str:
        import llvmlite
        import numba
        import numpy as np

        config: Any = numba.config  # its settings are made at run time
        versions = (
            np.__version__,
            numba.__version__,
            llvmlite.__version__,
            platform.python_version(),
            platform.machine(),
        )
        return hashlib.sha256(repr((self.sources, versions, config.BOUNDSCHECK)).encode()).hexdigest()[:16]


@contextmanager
def allow_record_prefixes() -> Iterator[None]:
    """Silence a warning of Numba: a function compiled for one record takes another that begins with the same fields.

    Rules rely on this: any record that begins with a generator can be drawn from.
    """
    from numba.core.errors import NumbaExperimentalFeatureWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        yield


def _widen(dispatcher: Any) -> None:
    """Make a compiled function take every signed integer as 64 bits.

    It is then compiled once, and not again for each constant and each field width in its calls.
    """
    import numba

    types: Any = numba.types  # untyped

    def wide(kind: Any) -> Any:
        plain = types.unliteral(kind)
        whole = isinstance(plain, types.Integer) and plain.signed
        return types.int64 if whole or isinstance(plain, types.IntEnumMember) else plain

    find = dispatcher.get_call_template

    def template(args: Any, keywords: Any) -> Any:
        return find(tuple(map(wide, args)), {name: wide(kind) for name, kind in keywords.items()})

    dispatcher.get_call_template = template


def _constant(value: Any) -> str:
    """Return a text that differs for different values of a global; "" for values that the compiler does not build in.

    A constant may come from a module without rules, whose file is not part of the digest.
    """
    if isinstance(value, (bool, int, float, str, bytes, tuple)):
        return repr(value)
    if isinstance(value, types.ModuleType):
        return "" if value.__name__.partition(".")[0] in WITHOUT_RULES else _source(getattr(value, "__file__", None))
    if isinstance(value, type) and issubclass(value, Enum):
        return repr(list(value))
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    return ""


def _source(file: str | None) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else ""


def _numpy_uint64() -> Any:
    import numpy as np

    return np.uint64


def _numpy_int64() -> Any:
    import numpy as np

    return np.int64


@compiled_as(_numpy_uint64)
def as_u64(n: int) -> int:
    """Return a number as 64 bits without a sign."""
    return n & MASK


@compiled_as(_numpy_int64)
def as_i64(n: int) -> int:
    """Return a small unsigned number as a signed one. The two types must not meet in one expression."""
    return n
