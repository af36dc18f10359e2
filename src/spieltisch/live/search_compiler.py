"""Compilation of each game's search in the background, if it is missing.

Until it is ready, bots think in plain Python, and no one waits for it.
"""

import asyncio
import os
import threading
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from multiprocessing import connection

import structlog

from spieltisch.bots.search import native_library
from spieltisch.core.registry import game
from spieltisch.live.services import running
from spieltisch.workers import end_with_parent, signals_ignored, spawn

_logger = structlog.get_logger()


class SearchCompiler:
    """A task that compiles one library after the other, each in a separate process with low priority."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys

    def running(self) -> AbstractAsyncContextManager[object]:
        """Compile until the context ends; an incomplete library is dropped."""
        return running("search compiler", self._compile_all)

    async def _compile_all(self) -> None:
        for key in self._keys:
            if await asyncio.to_thread(native_library.find, game(key)) is None:
                await self._compile(key)

    async def _compile(self, key: str) -> None:
        parent_end, child_end = spawn.Pipe()
        process = spawn.Process(target=_build, args=(child_end, key), name="library", daemon=True)
        with signals_ignored():
            process.start()
        child_end.close()
        with parent_end:
            try:
                failure = await asyncio.to_thread(_receive, parent_end)
            finally:
                process.kill()
                await asyncio.to_thread(process.join)
        if failure:
            _logger.warning("bots think uncompiled, and play weaker", game=key, why=failure)
        else:
            _logger.info("bots think compiled", game=key)


def _receive(pipe: connection.Connection) -> str:
    try:
        return str(pipe.recv())
    except (EOFError, OSError):
        return "its process ended"


def _build(pipe: connection.Connection, key: str) -> None:
    """Build a library in a child process; send the error, or an empty string."""
    if hasattr(os, "nice"):
        os.nice(19)
    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        native_library.build(key)
    except (native_library.NotBuilt, OSError) as error:  # OSError: a folder that cannot be written to, or a full disk
        pipe.send(str(error))
    else:
        pipe.send("")
