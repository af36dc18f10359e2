"""The compiled search of every game, made in the background where it is not there yet: bots think as plain Python until
it lies ready, and nobody waits for it.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Sequence
from multiprocessing import connection

import structlog

from spieltisch.bots.search import native_library
from spieltisch.core.registry import game
from spieltisch.workers import end_with_parent, signals_ignored, spawn

_logger = structlog.get_logger()


class SearchCompiler:
    """Makes one library after the other, each in a process of its own, which yields to all others."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self._making: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._making = asyncio.create_task(self._make())

    async def stop(self) -> None:
        """End it, also in the middle; what is not whole is not there."""
        if self._making is not None:
            self._making.cancel()
            await asyncio.gather(self._making, return_exceptions=True)

    async def _make(self) -> None:
        for key in self._keys:
            if await asyncio.to_thread(native_library.find, game(key)) is None:
                await self._make_one(key)

    async def _make_one(self, key: str) -> None:
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=_build, args=(theirs, key), name="library", daemon=True)
        with signals_ignored():
            process.start()
        theirs.close()
        try:
            problem = await asyncio.to_thread(_said, ours)
        finally:
            process.kill()
            await asyncio.to_thread(process.join)
            ours.close()
        if problem:
            _logger.warning("bots think uncompiled, and play weaker", game=key, why=problem)
        else:
            _logger.info("bots think compiled", game=key)


def _said(pipe: connection.Connection) -> str:
    try:
        return str(pipe.recv())
    except (EOFError, OSError):
        return "its process ended"


def _build(pipe: connection.Connection, key: str) -> None:
    """What the process does; it sends why it could not, or nothing."""
    if hasattr(os, "nice"):
        os.nice(19)
    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        native_library.build(key)
    except (native_library.NotBuilt, OSError) as problem:  # also a folder that cannot be written to, or a full disk
        pipe.send(str(problem))
    else:
        pipe.send("")
