"""The signs of Paris Connection: a company's letter on its patterned ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from spieltisch.core.words import Message, Words, message

if TYPE_CHECKING:
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
"""Width and height of the repeated piece of a company's pattern, and the angle it is turned by."""

NIGHT: Final = {"black": "#050505"}
"""What is as dark at night as by day, between light edges. An ink for the night is seen on the dark map by itself."""


def mark(company: Company) -> str:
    """The class of a company's mark; `icons.svg` defines its sign."""
    return f"company-{company.id}"


SMALL: Final[Mapping[str, Message]] = {
    "+": message("taken in trades"),
    "−": message("given back in trades"),
    "↑": message("above the limit"),
    "×": message("the value of a share"),
    "=": message("what the shares of a company are worth"),
    "·": message("nothing"),
    "▸": message("Who decides."),
}


def written(board: Board, words: Words) -> list[tuple[str, str]]:
    """The letters and signs on map and panel, and what they mean."""
    return [(company.letter, words.say(company.name)) for company in board.companies] + [
        (sign, words.say(name)) for sign, name in SMALL.items()
    ]
