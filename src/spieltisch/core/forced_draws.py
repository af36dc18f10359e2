"""Draws that are forced, and those that were made: as texts outside, as codes in a setup's working memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from spieltisch.core.chance import MOST_DRAWS
from spieltisch.core.errors import DrawError
from spieltisch.core.setup import Setup


def load_forced_draws(setup: Setup, drew: Sequence[str] | None) -> None:
    """Lay forced draws ready in working memory, or none. Raises DrawError for what can never be drawn."""
    draws = setup.work.draws
    draws.many = draws.given = draws.wrong = 0
    if drew is None:
        return
    codes = setup.draw_codes
    if len(drew) > MOST_DRAWS:
        raise DrawError(f"{len(drew)} draws are more than {MOST_DRAWS}")
    for i, text in enumerate(drew):
        if text not in codes:
            raise DrawError(f"draw {i + 1}: {text!r} is nothing that can be drawn")
        draws.forced[i] = codes[text]
    draws.given = len(drew)


def draw_texts(setup: Setup, drew: Sequence[str] | None) -> tuple[str, ...]:
    """What was drawn; raises DrawError when forced draws did not fit."""
    draws = setup.work.draws
    if drew is not None and (draws.wrong or draws.many != draws.given):
        if draws.wrong:
            raise DrawError(f"draw {int(draws.wrong)}: {drew[int(draws.wrong) - 1]!r} is not there to be drawn")
        raise DrawError(f"{len(drew)} draws were given, {int(draws.many)} are needed")
    words = setup.game.draw_texts(setup)
    return tuple(words[int(draws.drawn[i])] for i in range(int(draws.many)))


def next_draw_odds(setup: Setup, drew: Sequence[str]) -> Mapping[str, Fraction] | None:
    """The chance of each thing in the set that a move, played with `draws.asked`, wanted to draw from next; None when
    it wanted nothing more. Raises DrawError as `drawn` does.
    """
    draws = setup.work.draws
    if draws.many <= draws.given or draws.wrong:
        draw_texts(setup, drew)
        return None
    counts = [int(draws.counts[kind]) for kind in range(int(draws.kinds))]
    words, base, total = setup.game.draw_texts(setup), int(draws.lowest), sum(counts)
    return {words[base + kind]: Fraction(count, total) for kind, count in enumerate(counts) if count}
