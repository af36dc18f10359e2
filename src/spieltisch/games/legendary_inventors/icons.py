"""The icons of Legendary Inventors, and the icon next to each name. `icon_paths.py` has the paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from spieltisch.core.words import Message, Name, Words, message
from spieltisch.games.legendary_inventors import icon_paths
from spieltisch.games.legendary_inventors.invention_pictures import ENGRAVINGS

if TYPE_CHECKING:
    from spieltisch.games.legendary_inventors.board import Board

SYMBOLS: Final[Mapping[str, Message]] = {
    "/": message("Knowledge and goal"),
    "✓": message("Goal reached"),
    "×": message("Quantity"),
    "=": message("Value of runs"),
    "–": message("Patent taken"),
    "▸": message("Player to move"),
}


def signs(board: Board, words: Words) -> dict[str, Any]:
    """Return the context of `icons.svg`: teams, fields, classifications, tokens and inventors, and their paths."""
    return {
        "board": board,
        "inventors": [inventor for inventor in board.inventors if inventor.id in icon_paths.ATTRIBUTES],
        "shorts": {field.id: words.say(field.short) for field in board.fields},
        "parts": icon_paths,
        "engravings": {card.id: ENGRAVINGS[card.id] for card in board.inventions if card.id in ENGRAVINGS},
    }


def written(board: Board, words: Words) -> list[tuple[str, str]]:
    """Return the letters and symbols on cards and boards with their meanings."""
    return [(words.say(field.short), words.say(field.name)) for field in board.fields] + [
        (sign, words.say(name)) for sign, name in SYMBOLS.items()
    ]


def marks(board: Board) -> dict[Name, str]:
    """Return the CSS class of the icon that is next to each of these names in a sentence."""
    classes = {classification.number: classification.id for classification in board.classifications}
    return (
        {card.name: f"class-{classes[card.classification]}" for card in board.inventions}
        | {inventor.name: f"team-{inventor.team}" for inventor in board.inventors}
        | {team.name: f"team-{team.id}" for team in board.teams}
        | {field.name: f"field-{field.id}" for field in board.fields}
        | {token.name: f"token-{token.id}" for token in board.tokens}
    )
