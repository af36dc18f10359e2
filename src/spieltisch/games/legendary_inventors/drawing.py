"""The drawing of Legendary Inventors: what its templates are given.

There is no map: `panel.html` has the ages, the inventions and the teams, `end.html` lays the scoring out (`panel.py`
for both); `icons.svg` has the definitions of all marks (`symbols.py`), for log and buttons too.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from spieltisch.drawing import Drawing
from spieltisch.games.legendary_inventors import icons
from spieltisch.games.legendary_inventors.panel import InventorsScene
from spieltisch.games.legendary_inventors.pieces import CARD, CUBE, FIELD, INVENTION, LEONARDO, PLAYER, TABLE, TOKEN
from spieltisch.games.legendary_inventors.state import FIELDS

if TYPE_CHECKING:
    from spieltisch.core.observation import Observation
    from spieltisch.core.setup import Setup
    from spieltisch.core.words import Name, Words


class InventorsDrawing(Drawing):
    templates = Path(__file__).parent / "templates"
    scenes = InventorsScene

    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        return icons.signs(setup.board, words)

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        return icons.written(setup.board, words)

    def icon(self, seen: Observation, thing: int) -> str:
        board = seen.setup.board
        if thing == LEONARDO:
            return "leonardo"
        if thing < TOKEN:
            return f"team-{board.teams[seen.view.players[thing - CUBE].team].id}"
        return f"token-{board.tokens[thing - TOKEN].id}" if thing < CARD else "patent"

    def element_id(self, seen: Observation, thing: int, place: int) -> str | None:
        """A player's team or an invention; where bag, box and piles stand, nothing is drawn, and a card that is dealt
        is drawn where it lies.
        """
        if place < PLAYER:
            return f"invention-{seen.setup.board.inventions[thing - CARD].id}" if place == TABLE else None
        if place < INVENTION:
            return f"board-{place - PLAYER}"
        card = place - INVENTION if place < FIELD else (place - FIELD) // FIELDS
        return f"invention-{seen.setup.board.inventions[card].id}"

    def icons_by_name(self, setup: Setup) -> dict[Name, str]:
        return icons.marks(setup.board)
