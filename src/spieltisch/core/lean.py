"""Compilation of an entry point in a third of the time: only the entry itself is optimized and made machine code.

Numba finalizes every function that an entry calls separately: it links in all that this function calls, optimizes the
result twice and makes machine code of it, which is never run, because the entry contains a copy. Here the functions
below an entry are only linked into it. This replaces internals of Numba; with a version other than those below, the
standard compilation is used, which takes longer.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

SUPPORTED_NUMBA_VERSIONS: Final = ("0.62.", "0.63.", "0.64.", "0.65.", "0.66.", "0.67.", "0.68.")
"""The versions of Numba whose internals this module supports."""


@contextmanager
def lean(entry: str) -> Iterator[None]:
    """Make machine code only of functions with this name while the context lasts."""
    import numba

    if not numba.__version__.startswith(SUPPORTED_NUMBA_VERSIONS):
        yield
        return
    from numba.core import codegen, compiler_lock

    library: Any = codegen.CPUCodeLibrary
    engine: Any = codegen.JITCPUCodegen
    finalize, set_env = library.finalize, engine.set_env

    def link(self: Any) -> None:
        if self.name.rpartition(".")[2] == entry:
            finalize(self)
            return
        self._raise_if_finalized()
        for other in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(other._reload_init)
            self._final_module.link_in(other._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def set_env_of_entry(self: Any, name: str, env: Any) -> None:
        if self._engine.is_symbol_defined(name):  # a function that is only linked has none and does not read it
            set_env(self, name, env)

    with compiler_lock.global_compiler_lock:
        library.finalize, engine.set_env = link, set_env_of_entry
        try:
            yield
        finally:
            library.finalize, engine.set_env = finalize, set_env
