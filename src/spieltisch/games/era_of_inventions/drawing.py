"""The drawing of Era of Inventions: what its templates are given.

There is no map: `panel.html` lays out all boards on one sheet, `panel.py` says what lies on them; `symbols.py` has the
signs, `end.html` and `end.py` the scoring.
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
    templates = Path(__file__).parent / "templates"
    scenes = EraScene

    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        on_track = symbols_of(setup.plain_params)
        return {
            "signs": icons.signs(setup.board, words.say),
            "rows": [row for look in layout.ROWS for row in layout.rows(on_track, look)],
        }

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        return icons.written(words.say)

    def icon(self, seen: Observation, thing: int) -> str:
        if thing < DISC:
            return SIGNS[thing]
        if thing < CARD:
            return f"colour-{seen.setup.board.contents.colours[thing - (DISC if thing < MARKER else MARKER)].id}"
        return "factory" if thing >= FACTORY else ""

    def element_id(self, seen: Observation, thing: int, place: int) -> str | None:
        """A player's row, a store, an action, an invention or a factory in its row. The supply has no place of its own:
        what goes there or comes from there is paid and gained where the move is. Piles are not drawn.
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
        return icons.marks(setup.board)
