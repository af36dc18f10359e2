"""The drawing of Era of Inventions: the contexts of its templates.

There is no map: `panel.html` lays out all boards on one sheet, with the context that `panel.py` prepares. The icons are
in `icons.py`; the scoring is in `end.html` and `end_table.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from spieltisch.drawing import Drawing
from spieltisch.games.era_of_inventions import icons, layout
from spieltisch.games.era_of_inventions.panel import SIGNS, EraScene, symbols_of
from spieltisch.games.era_of_inventions.pieces import (
    ACTION_FIELD,
    CARD,
    DISC,
    FACTORY,
    FIELD,
    MARKER,
    ON_FACTORY_ROW,
    PILE,
    PLAYER,
    STORE,
)

if TYPE_CHECKING:
    from spieltisch.core.observation import Observation
    from spieltisch.core.setup import Setup
    from spieltisch.core.words import Name, Words


class EraDrawing(Drawing):
    """The drawing of Era of Inventions."""

    templates = Path(__file__).parent / "templates"
    scenes = EraScene

    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        """Return the icons, and the printed influence track in both layouts."""
        on_track = symbols_of(setup.plain_params)
        return {
            "signs": icons.signs(setup.board, words.say),
            "rows": [row for look in layout.ROWS for row in layout.rows(on_track, look)],
        }

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        """Return the signs and letters on the boards with their meanings."""
        return icons.written(words.say)

    def icon(self, seen: Observation, thing: int) -> str:
        """Return the icon of goods, influence, bonus discs, a player's pieces or a factory; "" for cards."""
        if thing < DISC:
            return SIGNS[thing]
        if thing < CARD:
            return f"colour-{seen.setup.board.contents.colours[thing - (DISC if thing < MARKER else MARKER)].id}"
        return "factory" if thing >= FACTORY else ""

    def element_id(self, seen: Observation, thing: int, place: int) -> str | None:
        """Return the id of a player's row, a store, an action, an invention, or a factory in its row.

        The supply is not drawn: its id is "", because pieces that go there or come from there are paid and gained at
        the element of the move. Piles are not drawn either: their id is None.
        """
        board = seen.setup.board
        if place < STORE:
            return f"board-{place - PLAYER}" if place >= PLAYER else ""
        if place < ACTION_FIELD:
            return f"store-{board.contents.stores[place - STORE].id}"
        if place < FIELD:
            return f"field-{board.contents.actions[place - ACTION_FIELD].id}"
        if place < PILE:
            return f"invention-{board.inventions[(place - FIELD) // 2].id}"
        return f"card-{board.works[thing - FACTORY].id}" if place == ON_FACTORY_ROW else None

    def icons_by_name(self, setup: Setup) -> dict[Name, str]:
        """Return the icon next to each name in a sentence."""
        return icons.marks(setup.board)
