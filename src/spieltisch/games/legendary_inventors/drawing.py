"""The drawing of Legendary Inventors: the contexts of its templates.

There is no map: `panel.html` has the ages, the inventions and the teams, `end.html` the whole scoring (`panel.py` makes
the contexts of both); `icons.svg` has the definitions of all icons (`icons.py`), also for log and buttons.
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
    """The drawing of Legendary Inventors."""

    templates = Path(__file__).parent / "templates"
    scenes = InventorsScene

    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        """Return the context of the icons."""
        return icons.signs(setup.board, words)

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        """Return the letters and symbols on cards and boards with their meanings."""
        return icons.written(setup.board, words)

    def icon(self, seen: Observation, thing: int) -> str:
        """Return the icon of Leonardo, a player's cubes, a token or a patent."""
        board = seen.setup.board
        if thing == LEONARDO:
            return "leonardo"
        if thing < TOKEN:
            return f"team-{board.teams[seen.view.players[thing - CUBE].team].id}"
        return f"token-{board.tokens[thing - TOKEN].id}" if thing < CARD else "patent"

    def element_id(self, seen: Observation, thing: int, place: int) -> str | None:
        """Return the id of a player's team or of an invention; None for bag, box and piles, which are not drawn.

        A card that is dealt is drawn at its place on the table.
        """
        if place < PLAYER:
            return f"invention-{seen.setup.board.inventions[thing - CARD].id}" if place == TABLE else None
        if place < INVENTION:
            return f"board-{place - PLAYER}"
        card = place - INVENTION if place < FIELD else (place - FIELD) // FIELDS
        return f"invention-{seen.setup.board.inventions[card].id}"

    def icons_by_name(self, setup: Setup) -> dict[Name, str]:
        """Return the icons of inventions, inventors, teams, fields and tokens by their names."""
        return icons.marks(setup.board)
