"""The icons of Era of Inventions with their names, and the names next to which they appear.

`icons.svg` contains the drawings; patterns and inks are those of the component file. `templates/icons.svg` defines a
symbol `icon-<id>` for each icon, `legend.html` lists them, and `icon_macros.html` puts one next to a word.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from markupsafe import Markup

from spieltisch.core.words import Message, Name, message
from spieltisch.drawing.icon_file import Icon, read_icons
from spieltisch.games.era_of_inventions.board import CARDS, Board

Say: TypeAlias = Callable[[Message | Name], str]
"""A function that returns a message or name in one language."""
IconEntries: TypeAlias = Iterator[tuple[str, Message | Name, Icon]]
"""The ids, names and drawings of icons."""

ICONS: Final = read_icons(Path(__file__).parent / "icons.svg")
"""The drawings of the icons; "inventions" is also that of an invention, and
"start-card" that of a start card, with an id of a custom component file.
"""

NAMES: Final[Mapping[str, Message]] = {
    "good-any": message("goods of your choice"),
    "influence": message("influence"),
    "action-disc": message("action disc"),
    "bonus-disc": message("bonus disc"),
    "marker": message("invention marker"),
    "inventions": message("inventions"),
    "invested": message("development stones invested"),
    "capacity": message("production capacity"),
    "field-gold": message("gold field"),
    "field-silver": message("silver field"),
    "patent": message("patent"),
    "paid": message("paid by others"),
    "counterfeit": message("counterfeit"),
    "start-card": message("start card"),
    "factory": message("factory"),
    "ship": message("ship"),
    "warehouse": message("warehouse"),
    "round": message("round"),
    "start-player": message("start player"),
    "discard-arrow": message("discarded at the end of the round"),
    "laurel": message("winner"),
}
"""The names of the icons that no component file names."""

BONUSES: Final[Mapping[str, Message]] = {
    "patent": message("Highest patent marker"),
    "invested": message("Most stones invested"),
    "capacity": message("Greatest capacity"),
}
"""The names of the three bonuses at the end (E56) by the icons of their figures, in the order of their numbers."""

SMALL: Final[Mapping[str, Message]] = {
    "?": NAMES["good-any"],
    "→": message("left: cost, right: gain"),
    "+": message("next to goods: factory yield"),
    "↷": message("next to influence: spaces to the next symbol on the influence track"),
    "/": message("number in hand / in total"),
}
"""The meanings of written symbols."""


def written(say: Say) -> list[tuple[str, str]]:
    """Return the symbols and letters on the boards with their meanings.

    Capital letters are reserved for the players.
    """
    cards = [(letter, say(message("card {letter}", letter=letter))) for letter in CARDS]
    return [*((symbol, say(name)) for symbol, name in SMALL.items()), *cards]


def context(board: Board, say: Say) -> dict[str, Any]:
    """Return the context of `icons.svg`, `icons.css` and `legend.html`.

    It contains all icons, in groups and in one list, with their drawings and their names in the language of `say`; the
    bonuses at the end; the meanings of the small symbols next to numbers; and the players' inks and patterns.

    >>> from spieltisch.games.era_of_inventions.board import board
    >>> import spieltisch
    >>> box = board(spieltisch.game("era-of-inventions").components)
    >>> icons = context(box, lambda name: name.text("de") if isinstance(name, Name) else name.text)
    >>> [(icon["id"], icon["name"]) for icon in icons["symbols"][:2]]
    [('good-wood', 'Holz'), ('good-coal', 'Kohle')]
    """
    groups = [
        {"name": say(heading), "icons": [_icon(*icon, say) for icon in entries(board)]}
        for heading, entries in (
            (message("Goods"), _goods),
            (message("Actions"), _actions),
            (message("Players"), _colours),
            (message("Inventions"), _inventions),
            (message("Start cards"), _start_cards),
            (message("Cards and pieces"), _pieces),
        )
    ]
    return {
        "groups": groups,
        "symbols": [icon for group in groups for icon in group["icons"]],
        "bonuses": [{"icon": icon, "name": say(name)} for icon, name in BONUSES.items()],
        "small": [{"symbol": symbol, "name": say(name)} for symbol, name in SMALL.items()],
        "inks": [
            {
                "id": colour.id,
                "ink": colour.ink,
                "ink_dark": colour.ink_dark,
                "scratches": ICONS.get(f"pattern-{colour.pattern}"),
            }
            for colour in board.contents.colours
        ],
    }


def marks(board: Board) -> dict[Name, str]:
    """Return the class of the icon next to each of these names in a sentence."""
    contents = board.contents
    return (
        {name: f"good-{good.id}" for good in contents.goods for name in (good.name, good.many)}
        | {action.name: f"action-{action.id}" for action in contents.actions}
        | {store.name: store.kind for store in contents.stores}
        | {works.name: "factory" for works in board.works}
        | {card.name: f"start-card-{card.id}" for card in contents.start_cards}
        | {invention.name: f"invention-{invention.id}" for invention in contents.inventions}
        | {colour.name: f"colour-{colour.id}" for colour in contents.colours}
    )


def _icon(id: str, name: Message | Name, icon: Icon, say: Say) -> dict[str, Any]:  # noqa: A002  # as in HTML
    return {"id": id, "name": say(name), "content": icon.content}


def _goods(board: Board) -> IconEntries:
    for good in board.contents.goods:
        yield f"good-{good.id}", good.name, ICONS[f"good-{good.id}"]
    yield "good-any", NAMES["good-any"], ICONS["good-any"]


def _actions(board: Board) -> IconEntries:
    for number, action in enumerate(board.contents.actions, 1):
        yield f"action-{action.id}", action.name, ICONS[f"action-field-{number}"]


def _inventions(board: Board) -> IconEntries:
    for invention in board.inventions:
        yield f"invention-{invention.id}", invention.name, ICONS.get(f"invention-{invention.id}", ICONS["inventions"])


def _start_cards(board: Board) -> IconEntries:
    for card in board.contents.start_cards:
        yield f"start-card-{card.id}", card.name, ICONS.get(f"start-card-{card.id}", ICONS["start-card"])


def _pieces(board: Board) -> IconEntries:
    for piece, name in NAMES.items():
        if piece != "good-any":
            yield piece, name, ICONS[piece]


def _colours(board: Board) -> IconEntries:
    for colour in board.contents.colours:
        outline = ICONS["shield"].path
        shield = Markup('<path class="symbol-shield" fill="url(#ink-{})" d="{}"/>').format(colour.id, outline)
        yield f"colour-{colour.id}", colour.name, Icon(shield, "")
