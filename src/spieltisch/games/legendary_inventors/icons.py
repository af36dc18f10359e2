"""The icons of Legendary Inventors, and the icon next to each name.

`icons.svg` has the drawings, `portraits.svg` the portraits of the inventors.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from spieltisch.core.words import Message, Name, Words, message
from spieltisch.drawing.icon_file import read_icons
from spieltisch.games.legendary_inventors.board import Board

FOLDER: Final = Path(__file__).parent
ICONS: Final = {**read_icons(FOLDER / "icons.svg"), **read_icons(FOLDER / "portraits.svg")}
"""The drawings of the icons. A component with an id of a custom component file may have none, only its letters."""

LETTER_DROP: Final[Mapping[str, int]] = {"triangle": 2}
"""The distance of a shape's letters below the centre."""

SYMBOLS: Final[Mapping[str, Message]] = {
    "/": message("Knowledge and goal"),
    "✓": message("Goal reached"),
    "×": message("Quantity"),
    "=": message("Value of runs"),
    "–": message("Patent taken"),
    "▸": message("Player to move"),
    "▬": message("Part of the last move"),
}


def context(board: Board, words: Words) -> dict[str, Any]:
    """Return the context of `icons.svg`: teams, fields, classifications and tokens, and all drawings."""
    return {
        "board": board,
        "shorts": {field.id: words.say(field.short) for field in board.fields},
        "drawn": ICONS,
        "letter_drop": LETTER_DROP,
        "pictures": {card.id: ICONS[key] for card in board.inventions if (key := f"picture-{card.id}") in ICONS},
    }


def written(board: Board, words: Words) -> list[tuple[str, str]]:
    """Return the letters and symbols on cards and boards with their meanings."""
    return [(words.say(field.short), words.say(field.name)) for field in board.fields] + [
        (symbol, words.say(name)) for symbol, name in SYMBOLS.items()
    ]


def marks(board: Board) -> dict[Name, str]:
    """Return the CSS class of the icon next to each name in a sentence; the last name of an icon is its own."""
    classes = {classification.number: classification.id for classification in board.classifications}
    return (
        {card.name: f"class-{classes[card.classification]}" for card in board.inventions}
        | {classification.name: f"class-{classification.id}" for classification in board.classifications}
        | {inventor.name: f"inventor-{inventor.id}" for inventor in board.inventors}
        | {team.name: f"team-{team.id}" for team in board.teams}
        | {field.name: f"field-{field.id}" for field in board.fields}
        | {token.name: f"token-{token.id}" for token in board.tokens}
    )
