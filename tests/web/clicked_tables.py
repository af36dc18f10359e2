"""Describe tables before a turn of a few clicks."""

from __future__ import annotations

import re
from typing import Final

from spieltisch.bots import choose
from spieltisch.core.position import Position
from tests.games.era_of_inventions import moments as era
from tests.games.legendary_inventors import moments as inventors
from tests.games.paris_connection import moments as paris

OFFICIAL: Final = r"produce (?!.* for )(?!.* counterfeit).+"
"""A card that is paid in one way only."""
THREE: list[str] = []
"""The moves that `three_to_produce` has found."""


def three_to_produce(position: Position) -> bool:
    """Return True if the deciding player can produce three cards, the third of which ends the turn."""
    THREE[:] = three_cards(position)
    return bool(THREE)


def three_cards(position: Position) -> list[str]:
    """Return three cards that the deciding player can produce one after another, which ends the turn."""

    def find_cards(later_position: Position, moves: list[str]) -> list[str]:
        if len(moves) == 3:
            return moves if later_position.seat != position.seat else []
        for move in map(str, later_position.legal_moves):
            if later_position.seat == position.seat and re.fullmatch(OFFICIAL, move):
                after = later_position.copy()
                after.play(move)
                if whole_line := find_cards(after, [*moves, move]):
                    return whole_line
        return []

    if "use produce inventions" not in map(str, position.legal_moves):
        return []
    later_position = position.copy()
    later_position.play("use produce inventions")
    return find_cards(later_position, [])


def choose_until_shares_have_value(position: Position) -> str | None:
    """Choose moves until shares of several companies have a value and some two-for-one trades are legal."""
    values, moves = position.observe(None).view.value, [str(move) for move in position.legal_moves]
    trades = [move for move in moves if re.fullmatch(r"trade \w+ for 2 \w+", move)]
    if len(trades) >= 5 and sum(value > 0 for value in values) > 2:
        return None
    assert position.seat is not None
    return choose("easy", position.observe(position.seat).bytes, seed=position.number)


TABLES: Final = {
    "start": paris.layout_at(3, paris.stop_at_start),
    "grid": paris.layout_at(3, choose_until_shares_have_value),
    "send": inventors.layout_at(3, 0, inventors.is_start),
    "send the last": inventors.layout_at(3, 0, inventors.has_one_active_inventor),
    "place": era.layout_at(3, era.is_start),
    "produce": era.layout_at(3, three_to_produce, 1),
}
