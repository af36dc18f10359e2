"""The drawing of Era of Inventions: what its templates are given.

There is no map: `panel.html` lays out all boards on one sheet, `panel.py` says what lies on them; `symbols.py` has the
signs, `end.html` and `end.py` the scoring.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from spieltisch.drawing import Drawing
from spieltisch.games.era_of_inventions import symbols
from spieltisch.games.era_of_inventions.panel import EraScene

if TYPE_CHECKING:
    from spieltisch.core.setup import Setup
    from spieltisch.core.words import Name, Words


class EraDrawing(Drawing):
    templates = Path(__file__).parent / "templates"
    scenes = EraScene

    def static(self, setup: Setup, words: Words) -> dict[str, Any]:
        return {"signs": symbols.signs(setup.board, words.say)}

    def marks(self, setup: Setup) -> dict[Name, str]:
        return symbols.marks(setup.board)
