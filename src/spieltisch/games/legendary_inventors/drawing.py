"""The drawing of Legendary Inventors: what its templates are given.

There is no map: `panel.html` has the ages, the inventions and the teams, `end.html` lays the scoring out (`panel.py`
for both); `signs.svg` has the definitions of all marks (`symbols.py`), for log and buttons too.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from spieltisch.drawing import Drawing
from spieltisch.games.legendary_inventors import symbols
from spieltisch.games.legendary_inventors.panel import InventorsScene

if TYPE_CHECKING:
    from spieltisch.core.setup import Setup
    from spieltisch.core.words import Name, Words


class InventorsDrawing(Drawing):
    templates = Path(__file__).parent / "templates"
    scenes = InventorsScene

    def static(self, setup: Setup, words: Words) -> dict[str, Any]:
        return symbols.signs(setup.board, words)

    def marks(self, setup: Setup) -> dict[Name, str]:
        return symbols.marks(setup.board)
