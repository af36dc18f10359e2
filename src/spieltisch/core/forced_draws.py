"""Forced draws and actual draws: texts outside, codes in the working memory of a setup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from spieltisch.core.chance import MAX_DRAWS
from spieltisch.core.errors import DrawError
from spieltisch.core.setup import Setup


def load_forced_draws(setup: Setup, drew: Sequence[str] | None) -> None:
    """Write forced draws to working memory, or none. Raise DrawError for a text that no draw has."""
    draws = setup.work.draws
    draws.many = draws.given = draws.wrong = 0
    if drew is None:
        return
    codes = setup.draw_codes
    if len(drew) > MAX_DRAWS:
        raise DrawError(f"{len(drew)} draws are more than {MAX_DRAWS}")
    for i, text in enumerate(drew):
        if text not in codes:
            raise DrawError(f"draw {i + 1}: {text!r} is nothing that can be drawn")
        draws.forced[i] = codes[text]
    draws.given = len(drew)


def draw_texts(setup: Setup, drew: Sequence[str] | None) -> tuple[str, ...]:
    """Return the texts of the draws that were made. Raise DrawError if forced draws did not fit."""
    draws = setup.work.draws
    if drew is not None and (draws.wrong or draws.many != draws.given):
        if draws.wrong:
            raise DrawError(f"draw {int(draws.wrong)}: {drew[int(draws.wrong) - 1]!r} is not there to be drawn")
        raise DrawError(f"{len(drew)} draws were given, {int(draws.many)} are needed")
    texts = setup.game.draw_texts(setup)
    return tuple(texts[int(draws.drawn[i])] for i in range(int(draws.many)))


def next_draw_odds(setup: Setup, drew: Sequence[str]) -> Mapping[str, Fraction] | None:
    """Return the probability of each item in the set that the move would draw from next; None if it draws nothing more.

    The move must have been played with `draws.asked` set. Raise DrawError as `draw_texts` does.
    """
    draws = setup.work.draws
    if draws.many <= draws.given or draws.wrong:
        draw_texts(setup, drew)
        return None
    counts = [int(draws.counts[kind]) for kind in range(int(draws.kinds))]
    texts, base, total = setup.game.draw_texts(setup), int(draws.lowest), sum(counts)
    return {texts[base + kind]: Fraction(count, total) for kind, count in enumerate(counts) if count}
