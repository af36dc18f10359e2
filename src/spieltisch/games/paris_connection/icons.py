"""The icons of Paris Connection: a company's letter on its patterned ground."""

from collections.abc import Mapping
from typing import Final

from spieltisch.core.words import Message, Words, message
from spieltisch.games.paris_connection.board import Board
from spieltisch.games.paris_connection.component_file import Company

PATTERNS: Final = {
    "solid": (12, 12, 0),
    "stripes": (4.4, 4.4, -45),
    "dots": (5.2, 5.2, 0),
    "chevrons": (6, 5, 90),
    "grid": (5, 5, 0),
    "waves": (8, 5.2, 0),
}
"""Width and height of the tile of a company's pattern, and the angle of its rotation."""

NIGHT: Final = {"black": "#050505"}
"""Colours that are as dark in the dark theme as on paper, with light edges and veins.

On the dark map, an ink for the dark theme is visible without them.
"""


def mark(company: Company) -> str:
    """Return the CSS class of a company's icon; `icons.svg` defines the icon."""
    return f"company-{company.id}"


SYMBOLS: Final[Mapping[str, Message]] = {
    "↑": message("over the limit"),
    "×": message("value of one share"),
    "=": message("value of all shares in a company"),
    "·": message("nothing"),
    "▸": message("Player to move"),
}


def written(board: Board, words: Words) -> list[tuple[str, str]]:
    """Return the letters and symbols on map and panel with their meanings."""
    return [(company.letter, words.say(company.name)) for company in board.companies] + [
        (symbol, words.say(name)) for symbol, name in SYMBOLS.items()
    ]
