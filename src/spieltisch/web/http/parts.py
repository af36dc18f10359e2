"""The parts of the running server that guards and handlers use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spieltisch.live import Live
    from spieltisch.web.http.deltas import Deltas
    from spieltisch.web.http.rate_limits import RateLimits
    from spieltisch.web.http.sessions import Site
    from spieltisch.web.http.stream import Streams
    from spieltisch.web.pages.fragments import Fragments
    from spieltisch.web.pages.renderer import Renderer


@dataclass(frozen=True)
class Parts:
    """The parts of the running server, made once by `create_app`."""

    live: Live
    streams: Streams
    site: Site
    rate_limits: RateLimits
    pages: Renderer
    fragments: Fragments
    deltas: Deltas
    is_banned: Callable[[str | None, str], bool]
    """Returns True for a banned person (None: one without a name) and for a banned address."""
