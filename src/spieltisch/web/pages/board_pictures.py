"""Small pictures of boards: of running games for lists of tables, as every spectator may see them, and of puzzles."""

import asyncio
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup
from spieltisch.live.byte_cache import ByteCache
from spieltisch.live.client_threads import run_in_thread
from spieltisch.puzzles import PosedPuzzle
from spieltisch.tables import Table
from spieltisch.web.pages.renderer import MAX_STATIC_DRAWINGS, Renderer

MAX_PICTURE_BYTES: Final = 4 << 20
"""Maximum size of the pictures in memory."""
TEMPLATE: Final = "picture.svg"
LANGUAGE: Final = "en"
"""The language of the drawings from which a picture is taken; it shows no words."""


class BoardPicture(NamedTuple):
    """The picture of a table at a version, and a Content-Security-Policy that permits its own styles only."""

    version: int
    svg: bytes
    policy: str


class BoardPictures:
    """Draws pictures of tables (once per version) and of puzzles in threads; caches the newest ones."""

    def __init__(self, pages: Renderer) -> None:
        self._pages = pages
        self._pictures: ByteCache[str, BoardPicture] = ByteCache(MAX_PICTURE_BYTES, lambda drawn: len(drawn.svg))
        self._drawing: dict[tuple[str, int], asyncio.Task[BoardPicture]] = {}
        """The pictures that are being drawn, by the key in the cache and the version."""
        self._static: dict[Setup, Mapping[str, Any]] = {}
        """The contexts of maps and icons, which take longest."""

    def release(self) -> bool:
        """Drop the pictures that no one has asked for in some minutes; return True if there were any."""
        return self._pictures.release()

    async def of(self, table: Table) -> BoardPicture | None:
        """Return the picture of a table; None if its game has not begun or draws no pictures."""
        if table.position is None or not self._pages.has_picture(table.game):
            return None
        return await self._drawn_once(table.id, table.version, lambda: self._draw(table))

    async def of_puzzle(self, posed: PosedPuzzle, names: Sequence[str]) -> BoardPicture | None:
        """Return the picture of a puzzle; None if its game draws no pictures."""
        game = posed.setup.game
        if not self._pages.has_picture(game):
            return None
        key = f"{game.key}/{posed.id}"
        return await self._drawn_once(key, 0, lambda: self._draw_boards(posed.seen, names, version=0))

    async def _drawn_once(self, name: str, version: int, draw: Callable[[], BoardPicture]) -> BoardPicture:
        known = self._pictures.get(name)
        if known is not None and known.version == version:
            return known
        key = name, version
        if key not in self._drawing:
            task = self._drawing[key] = asyncio.create_task(run_in_thread(draw))
            task.add_done_callback(lambda _: self._drawing.pop(key))
        drawn = await asyncio.shield(self._drawing[key])  # a visitor who disconnects must not cancel it for others
        self._pictures.put(name, drawn)
        return drawn

    def _draw(self, table: Table) -> BoardPicture:
        assert table.position is not None  # noqa: S101  # checked by `of`
        return self._draw_boards(table.position.observe(None), table.names, table.version)

    def _draw_boards(self, seen: Observation, names: Sequence[str], version: int) -> BoardPicture:
        setup, game = seen.setup, seen.setup.game
        assert game.drawing is not None  # noqa: S101  # checked by `of` and `of_puzzle`
        words = self._pages.words(LANGUAGE, game)
        static = self._static.get(setup)
        if static is None:
            static = game.drawing.static_context(setup, words)
            if len(self._static) >= MAX_STATIC_DRAWINGS:
                self._static.clear()
            self._static[setup] = static
        context = {**game.drawing.scene_context(seen, words, names, ()), "static": static}
        svg = self._pages.render_drawing(game, TEMPLATE, LANGUAGE, names, context).strip()
        style = re.search("<style>(.*?)</style>", svg, re.DOTALL)
        digest = b64encode(sha256((style[1] if style else "").encode()).digest()).decode()
        return BoardPicture(version, svg.encode(), f"default-src 'none'; style-src 'sha256-{digest}'")
