"""Small pictures of the boards of running games, for lists of tables: what every spectator may see."""

import asyncio
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from spieltisch.core.setup import Setup
from spieltisch.live.byte_cache import ByteCache
from spieltisch.live.client_threads import run_in_thread
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
    """Draws the pictures of tables in threads, once per version; the newest one is cached."""

    def __init__(self, pages: Renderer) -> None:
        self._pages = pages
        self._pictures: ByteCache[str, BoardPicture] = ByteCache(MAX_PICTURE_BYTES, lambda drawn: len(drawn.svg))
        self._drawing: dict[tuple[str, int], asyncio.Task[BoardPicture]] = {}
        self._static: dict[Setup, Mapping[str, Any]] = {}
        """The contexts of maps and icons, which take longest."""

    def release(self) -> bool:
        """Drop the pictures that no one has asked for in some minutes; return True if there were any."""
        return self._pictures.release()

    async def of(self, table: Table) -> BoardPicture | None:
        """Return the picture of a table; None if its game has not begun or draws no pictures."""
        if table.position is None or not self._pages.has_picture(table.game):
            return None
        known = self._pictures.get(table.id)
        if known is not None and known.version == table.version:
            return known
        key = table.id, table.version
        if key not in self._drawing:
            task = self._drawing[key] = asyncio.create_task(run_in_thread(self._draw, table))
            task.add_done_callback(lambda _: self._drawing.pop(key))
        drawn = await asyncio.shield(self._drawing[key])  # a visitor who disconnects must not cancel it for others
        self._pictures.put(table.id, drawn)
        return drawn

    def _draw(self, table: Table) -> BoardPicture:
        position, drawing = table.position, table.game.drawing
        assert position is not None  # noqa: S101  # checked by `of`
        assert drawing is not None  # noqa: S101  # checked by `of`
        words = self._pages.words(LANGUAGE, table.game)
        static = self._static.get(position.setup)
        if static is None:
            static = drawing.static_context(position.setup, words)
            if len(self._static) >= MAX_STATIC_DRAWINGS:
                self._static.clear()
            self._static[position.setup] = static
        scene = drawing.scene_context(position.observe(None), words, table.names, ())
        context = {**scene, "static": static}
        svg = self._pages.render_drawing(table.game, TEMPLATE, LANGUAGE, table.names, context).strip()
        style = re.search("<style>(.*?)</style>", svg, re.DOTALL)
        digest = b64encode(sha256((style[1] if style else "").encode()).digest()).decode()
        return BoardPicture(table.version, svg.encode(), f"default-src 'none'; style-src 'sha256-{digest}'")
