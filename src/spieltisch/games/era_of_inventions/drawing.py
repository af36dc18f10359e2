"""The drawing of Era of Inventions: the contexts of its templates.

There is no map: `panel.html` lays out all boards on one sheet, with the context that `panel.py` prepares. The icons are
in `icons.py`; the scoring is in `end.html` and `end_table.py`.
"""

from pathlib import Path
from typing import Any

from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup
from spieltisch.core.words import Name, Words, message
from spieltisch.drawing import Drawing
from spieltisch.games.era_of_inventions import icons, layout, pieces
from spieltisch.games.era_of_inventions.goods_text import amount
from spieltisch.games.era_of_inventions.panel import KIND_ICONS, EraScene, symbols_of
from spieltisch.games.era_of_inventions.state import NONE


def space_names(setup: Setup, words: Words) -> list[str]:
    """Return what each space of the influence track is called, with what it gives (E46)."""
    kinds = setup.plain_params.symbol[: setup.plain_params.spaces]
    return [
        words.say(
            message("space {number}", number=number)
            if kind == NONE
            else message("space {number}: {gain}", number=number, gain=amount(setup.board, kind, 1))
        )
        for number, kind in enumerate(kinds)
    ]


class EraDrawing(Drawing):
    """The drawing of Era of Inventions."""

    templates = Path(__file__).parent / "templates"
    scenes = EraScene
    has_shields = True

    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        """Return the icons, and the printed influence track as a frame and in rows."""
        on_track, spaces = symbols_of(setup.plain_params), space_names(setup, words)
        return {
            "icons": icons.context(setup.board, words.say),
            "rows": layout.rows(on_track, spaces),
            "frame": layout.frame(on_track, spaces),
        }

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        """Return the symbols and letters on the boards with their meanings."""
        return icons.written(words.say)

    def icon(self, observation: Observation, piece: int) -> str:
        """Return the icon of goods, influence, bonus discs, a player's pieces or a factory; "" for cards."""
        if piece < pieces.DISC:
            return KIND_ICONS[piece]
        if piece < pieces.CARD:
            first = pieces.DISC if piece < pieces.MARKER else pieces.MARKER
            return f"colour-{observation.setup.board.contents.colours[piece - first].id}"
        return "factory" if piece >= pieces.FACTORY else ""

    def element_id(self, observation: Observation, piece: int, location: int) -> str | None:
        """Return the id of a player's row, a store, an action, an invention, or a factory in its row.

        The supply is not drawn: its id is "", because pieces that go there or come from there are paid and gained at
        the element of the move. Piles are not drawn either: their id is None.
        """
        board = observation.setup.board
        if location < pieces.STORE:
            return f"board-{location - pieces.PLAYER}" if location >= pieces.PLAYER else ""
        if location < pieces.ACTION_FIELD:
            return f"store-{board.contents.stores[location - pieces.STORE].id}"
        if location < pieces.FIELD:
            return f"field-{board.contents.actions[location - pieces.ACTION_FIELD].id}"
        if location < pieces.PILE:
            return f"invention-{board.inventions[(location - pieces.FIELD) // 2].id}"
        return f"card-{board.works[piece - pieces.FACTORY].id}" if location == pieces.ON_FACTORY_ROW else None

    def icons_by_name(self, setup: Setup) -> dict[Name, str]:
        """Return the icon next to each name in a sentence."""
        return icons.marks(setup.board)
