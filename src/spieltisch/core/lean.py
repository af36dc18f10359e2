"""Compiling an entry point in a third of the time: only the entry itself is optimized and made machine code.

Numba finalizes every function that an entry calls on its own: it links in all that this one calls, optimizes the whole
twice and makes machine code of it, which nobody ever runs, for the entry has a copy of everything. Here the functions
below an entry are only linked into it. This reaches into Numba; where its insides are other than they were in the
versions below, it compiles as Numba does, and takes longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

KNOWN: Final = ("0.62.", "0.63.", "0.64.", "0.65.", "0.66.", "0.67.", "0.68.")
"""The versions of Numba whose insides are as they are taken for here."""


@contextmanager
def lean(entry: str) -> Iterator[None]:
    """While it lasts, only functions with this name are made machine code of."""
    import numba

    if not numba.__version__.startswith(KNOWN):
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
        if self._engine.is_symbol_defined(name):  # what is only linked has none yet, and does not read it
            set_env(self, name, env)

    with compiler_lock.global_compiler_lock:
        library.finalize, engine.set_env = link, set_env_of_entry
        try:
            yield
        finally:
            library.finalize, engine.set_env = finalize, set_env
