"""Check allowed and refused moves with their reasons."""

from __future__ import annotations

import pytest

from spieltisch.core.errors import IllegalMove
from spieltisch.core.position import Position
from spieltisch.core.words import Words


def refused(position: Position, move: str) -> tuple[str, str]:
    """Return the forbidding rule and its sentence, and check that the move raises the same and changes nothing."""
    refusal = position.why_not(move)
    assert refusal is not None, f"{move} is allowed"
    assert position.move(move) not in position.legal_moves
    before = position.digest(), position.number
    with pytest.raises(IllegalMove) as error:
        position.play(move)
    assert error.value.refusal == refusal
    assert (position.digest(), position.number) == before
    return refusal.rule, str(Words("en").say(refusal.message))


def allowed(position: Position, move: str) -> bool:
    """Return True if a move is legal; check that the list of legal moves and the refusals agree about that."""
    is_allowed = position.why_not(move) is None
    assert is_allowed == (position.move(move) in position.legal_moves)
    return is_allowed
