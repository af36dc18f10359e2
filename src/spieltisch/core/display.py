"""The boards of an observation in a notebook, as at a table.

The pages that draw them lie above the kernel and need a web framework's templates, so they are loaded when a notebook
first asks for a board.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from spieltisch.core.observation import Observation

_PAGES = "spieltisch.web.pages.notebook"


class _Pages(Protocol):
    def board_html(self, observation: Observation) -> str: ...
    def board_svg(self, observation: Observation) -> str | None: ...


def board_html(observation: Observation) -> str:
    """Return the boards as a frame for a notebook, with their own styles."""
    return cast(_Pages, import_module(_PAGES)).board_html(observation)


def board_svg(observation: Observation) -> str | None:
    """Return the map as an SVG file; None if the boards of the game are no map."""
    return cast(_Pages, import_module(_PAGES)).board_svg(observation)
