"""The document of a position: its fields, and the check of one that comes from outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from spieltisch.core.errors import DocumentError

if TYPE_CHECKING:
    from spieltisch.core.game import Game

_KINDS: Mapping[type, str] = {Mapping: "table", int: "number"}


class Document(TypedDict):
    """A position as JSON; what `state` contains is up to the game.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    >>> document = position.document()
    >>> document["game"], document["seats"], document["number"], sorted(document["state"])[:2]
    ('paris-connection', 4, 0, ['building', 'depots'])
    """

    game: str
    components: str
    options: dict[str, str | bool | int]
    seats: int
    number: int
    state: dict[str, Any]


def checked_document(game: Game, fields: Mapping[str, object]) -> Mapping[str, Any]:
    """Return the document of a position of this game. Raise DocumentError, which names the field."""
    document: Mapping[str, Any] = fields
    for field in ("game", "components", "options", "seats", "number", "state"):
        if field not in document:
            raise DocumentError(f"{field}: missing")
    if document["game"] != game.key:
        raise DocumentError(f"game: {document['game']!r} is not {game.key!r}")
    if document["components"] != game.components.digest:
        raise DocumentError("components: not those of this game; give the setup")
    for field, kind in (("options", Mapping), ("seats", int), ("number", int), ("state", Mapping)):
        if not isinstance(document[field], kind) or isinstance(document[field], bool):
            raise DocumentError(f"{field}: {str(document[field])[:60]!r} stands where a {_KINDS[kind]} is needed")
    option_names = {option.name for option in game.options}
    for name, value in document["options"].items():
        if name not in option_names or not isinstance(value, str | int):
            raise DocumentError(f"options: {game.key} has no such option as {name!r}: {str(value)[:60]!r}")
    if not 0 <= document["number"] < 2**31:
        raise DocumentError(f"number: {document['number']} moves cannot have been played")
    return document
