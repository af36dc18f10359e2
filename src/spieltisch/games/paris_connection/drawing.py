"""The drawing of Paris Connection: what its templates are given.

`board.svg` is the map, which never changes, and holds the definitions the others use (`layout.py` says where all lies);
`style.css` has the looks, for paper and dark. `pieces.svg` lies on the map in the same frame; `panel.html` has the
companies, the own screen and the players; `end.html` the whole scoring (`panel.py` for all three).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from spieltisch.drawing import Drawing
from spieltisch.games.paris_connection import icons, layout
from spieltisch.games.paris_connection.icons import NIGHT, PATTERNS, mark
from spieltisch.games.paris_connection.log import DEPOT, PORTFOLIO
from spieltisch.games.paris_connection.panel import ParisScene

if TYPE_CHECKING:
    from spieltisch.core.observation import Observation
    from spieltisch.core.setup import Setup
    from spieltisch.core.words import Name, Words


class ParisDrawing(Drawing):
    templates = Path(__file__).parent / "templates"
    scenes = ParisScene
    fitted = "(min-width: 62.5rem) and (min-height: 35rem)"

    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        map_ = layout.printed(
            setup.board, setup.components.name, words, open_stations=setup.options["stations"] == "open"
        )
        return {**map_, "companies": setup.board.companies, "patterns": PATTERNS, "night": NIGHT}

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        return icons.written(setup.board, words)

    def icon(self, seen: Observation, thing: int) -> str:
        return mark(seen.setup.board.companies[thing])

    def element_id(self, seen: Observation, thing: int, place: int) -> str:
        """The depot beside the map, the hex that is built on, the own screen or somebody's row."""
        company = seen.setup.board.companies[thing].id
        if place < PORTFOLIO:
            return f"company-{company}" if place == DEPOT else ""
        return f"share-{company}" if place - PORTFOLIO == seen.seat else f"player-{place - PORTFOLIO}"

    def icons_by_name(self, setup: Setup) -> dict[Name, str]:
        return {company.name: mark(company) for company in setup.board.companies}
