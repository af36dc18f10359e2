"""The drawing of Paris Connection: the contexts of its templates.

`board.svg` is the map, which never changes, and contains the definitions that the other templates use (`layout.py` has
the positions); `style.css` has the styles for paper and for the dark theme. `pieces.svg` is on top of the map in the
same frame; `panel.html` has the companies, the viewer's own screen and the players; `end.html` has the whole scoring
(`panel.py` makes the contexts of all three).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, Words, message
from spieltisch.drawing import Drawing
from spieltisch.games.paris_connection import icons, layout
from spieltisch.games.paris_connection.icons import NIGHT, PATTERNS, mark
from spieltisch.games.paris_connection.log import DEPOT, PORTFOLIO
from spieltisch.games.paris_connection.panel import ParisScene


class ParisDrawing(Drawing):
    """The drawing of Paris Connection."""

    templates = Path(__file__).parent / "templates"
    scenes = ParisScene
    grid_moves: ClassVar[Mapping[str, tuple[Message, Message]]] = MappingProxyType(
        {"trade": (message("give"), message("take"))}
    )
    moves_by_gain: ClassVar[Sequence[str]] = ("build",)
    fitted = "(min-width: 62.5rem) and (min-height: 35rem)"

    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        """Return the context of the map, the style sheets and the icons."""
        map_ = layout.printed(
            setup.board, setup.components.name, words, open_stations=setup.options["stations"] == "open"
        )
        return {**map_, "companies": setup.board.companies, "patterns": PATTERNS, "night": NIGHT}

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        """Return the letters and symbols on map and panel with their meanings."""
        return icons.written(setup.board, words)

    def icon(self, observation: Observation, piece: int) -> str:
        """Return the icon of a company."""
        return mark(observation.setup.board.companies[piece])

    def element_id(self, observation: Observation, piece: int, location: int) -> str:
        """Return the id of a company's depot, a share on the viewer's screen, or a player's row; "" for the map."""
        company = observation.setup.board.companies[piece].id
        if location < PORTFOLIO:
            return f"company-{company}" if location == DEPOT else ""
        return f"share-{company}" if location - PORTFOLIO == observation.seat else f"player-{location - PORTFOLIO}"

    def icons_by_name(self, setup: Setup) -> dict[Name, str]:
        """Return the icons of the companies by their names."""
        return {company.name: mark(company) for company in setup.board.companies}
