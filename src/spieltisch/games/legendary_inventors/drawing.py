"""The drawing of Legendary Inventors: the contexts of its templates.

There is no map: `panel.html` has the ages, the inventions and the teams, `end.html` the whole scoring (`panel.py` makes
the contexts of both); `icons.svg` has the definitions of all icons (`icons.py`), also for log and buttons.
"""

from pathlib import Path
from typing import Any

from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup
from spieltisch.core.words import Name, Words
from spieltisch.drawing import Drawing
from spieltisch.games.legendary_inventors import icons
from spieltisch.games.legendary_inventors.panel import InventorsScene
from spieltisch.games.legendary_inventors.pieces import CARD, CUBE, FIELD, INVENTION, LEONARDO, PLAYER, TABLE, TOKEN
from spieltisch.games.legendary_inventors.state import FIELDS


class InventorsDrawing(Drawing):
    """The drawing of Legendary Inventors."""

    templates = Path(__file__).parent / "templates"
    scenes = InventorsScene

    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        """Return the context of the icons."""
        return icons.context(setup.board, words)

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        """Return the letters and symbols on cards and boards with their meanings."""
        return icons.written(setup.board, words)

    def icon(self, observation: Observation, piece: int) -> str:
        """Return the icon of Leonardo, a player's cubes, a token or a patent."""
        board = observation.setup.board
        if piece == LEONARDO:
            return "leonardo"
        if piece < TOKEN:
            return f"team-{board.teams[observation.view.players[piece - CUBE].team].id}"
        return f"token-{board.tokens[piece - TOKEN].id}" if piece < CARD else "patent"

    def element_id(self, observation: Observation, piece: int, location: int) -> str | None:
        """Return the id of a player's team or of an invention; None for bag, box and piles, which are not drawn.

        A card that is dealt is drawn at its place on the table.
        """
        if location < PLAYER:
            return f"invention-{observation.setup.board.inventions[piece - CARD].id}" if location == TABLE else None
        if location < INVENTION:
            return f"board-{location - PLAYER}"
        card = location - INVENTION if location < FIELD else (location - FIELD) // FIELDS
        return f"invention-{observation.setup.board.inventions[card].id}"

    def icons_by_name(self, setup: Setup) -> dict[Name, str]:
        """Return the icons of inventions, inventors, teams, fields and tokens by their names."""
        return icons.marks(setup.board)
