"""Make judged turns of an analysis, for tests of what it says about them."""

from __future__ import annotations

from typing import Any

import msgspec

from spieltisch.bots.analysis import JudgedDecision


def judged_turn(number: int, seat: int, loss: float, doubt: float = 0.03, **other_fields: Any) -> JudgedDecision:
    """Return a judged turn of one move, which is the best one if it costs nothing."""
    judged_decision = JudgedDecision(
        number, seat, (0.5, 0.5), (doubt, doubt), number, ("a",), ("b",) if loss else ("a",)
    )
    return msgspec.structs.replace(judged_decision, **{"loss": loss, "loss_doubt": doubt} | other_fields)
