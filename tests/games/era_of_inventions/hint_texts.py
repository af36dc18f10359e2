"""Look up the sentences of hints and summaries of a turn."""

from __future__ import annotations

from spieltisch.core.words import SeatName, Value
from tests.games.era_of_inventions.goods import HINTS
from tests.games.era_of_inventions.positions import (
    goods_text,
)
from tests.sentences import sentence_after


def pawn_text(before: int, after: int, **track: int) -> str:
    """Return the sentence about the space where the pawn stops and its symbol."""
    if not track:
        return sentence_after(HINTS, "def _pawn_text", before=before, after=after)
    goods = goods_text(**track)
    return sentence_after(HINTS, "goods = amounts(begun.setup.board, track)", before=before, after=after, goods=goods)


def received_text(seat: int, **goods: int) -> str:
    """Return the sentence about what another player receives."""
    return sentence_after(HINTS, "def _receipt_texts(", player=SeatName(seat - 1), goods=goods_text(**goods))


def new_yield_text(**goods: int) -> str:
    """Return the sentence about the yield of the factories after building."""
    return sentence_after(HINTS, "output = _output(observation, events, seat)", goods=goods_text(**goods))


def cost_text(**goods: int) -> str:
    """Return the sentence about the cost of developing or patenting."""
    return sentence_after(HINTS, 'elif move.kind in ("develop", "patent", "patent nothing")', cost=goods_text(**goods))


def spent_text(**goods: int) -> str:
    """Return the sentence about the cost of a turn."""
    return sentence_after(HINTS, "def turn_summary", goods=goods_text(**goods))


def holdings_text(**goods: int) -> str:
    """Return the sentence about what a player has after an exchange."""
    return sentence_after(HINTS, "if any(holdings) or discs", goods=goods_text(**goods))


def goods_list(*parts: Value) -> str:
    """Return goods that are listed in a sentence."""
    return ", ".join(map(str, parts))
