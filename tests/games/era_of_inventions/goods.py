"""Read the goods of a player and the goods named in a hint."""

from __future__ import annotations

from spieltisch.core.position import Position
from spieltisch.core.words import Message, Value
from tests.games.era_of_inventions.positions import KINDS, goods_text

HINTS = "games/era_of_inventions/hints.py"
RICH = {"coal": 9, "metal": 9, "technology": 9, "tool": 9}
NONE_OF_THEM = dict.fromkeys(KINDS, 0)


def goods_held(position: Position, p: int) -> dict[str, int]:
    """Return the goods of a player, including bonus discs and influence."""
    player = position.document()["state"]["players"][p]
    return {**player["goods"], "influence": player["influence"], "bonus": player["bonus"]}


def goods_lost(earlier: dict[str, int], later_goods: dict[str, int]) -> dict[str, int]:
    """Return the goods whose number has decreased."""
    return {kind: earlier[kind] - later_goods[kind] for kind in KINDS if earlier[kind] > later_goods[kind]}


def read_goods(value: Value) -> dict[str, int]:
    """Return the numbers of goods in a text made by `goods_text`, by kind."""
    assert isinstance(value, Message)
    if {"one", "rest"} <= value.values.keys():
        return read_goods(value.values["one"]) | read_goods(value.values["rest"])
    if "good" in value.values:
        count = value.values["count"]
        assert isinstance(count, int)
        kind = next(kind for kind in KINDS if goods_text(**{kind: count}) == value)
        return {kind: count}
    kind = "influence" if value == goods_text(influence=value.count) else "bonus"
    assert value == goods_text(**{"influence" if kind == "influence" else "bonus_disc": value.count})
    return {kind: value.count}
