"""Forced draws and actual draws: texts outside, codes in the working memory of a setup."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from spieltisch.core.chance import MAX_DRAWS
from spieltisch.core.errors import DrawError
from spieltisch.core.setup import Setup


def load_forced_draws(setup: Setup, drew: Sequence[str] | None) -> None:
    """Write forced draws to working memory, or none. Raise DrawError for a text that no draw has."""
    draws = setup.work.draws
    draws.count = draws.forced_count = draws.bad_draw = 0
    if drew is None:
        return
    codes = setup.draw_codes
    if len(drew) > MAX_DRAWS:
        raise DrawError(f"{len(drew)} draws are more than {MAX_DRAWS}")
    for i, text in enumerate(drew):
        if text not in codes:
            raise DrawError(f"draw {i + 1}: {text!r} is nothing that can be drawn")
        draws.forced[i] = codes[text]
    draws.forced_count = len(drew)


def draw_texts(setup: Setup, drew: Sequence[str] | None) -> tuple[str, ...]:
    """Return the texts of the draws that were made. Raise DrawError if forced draws did not fit."""
    draws = setup.work.draws
    if drew is not None and (draws.bad_draw or draws.count != draws.forced_count):
        if draws.bad_draw:
            raise DrawError(f"draw {int(draws.bad_draw)}: {drew[int(draws.bad_draw) - 1]!r} is not there to be drawn")
        raise DrawError(f"{len(drew)} draws were given, {int(draws.count)} are needed")
    texts, codes = setup.draw_texts, [int(draws.drawn[i]) for i in range(int(draws.count))]
    if codes and max(codes) >= len(texts):
        raise TypeError(f"{setup.game.key}: `draw_texts` has no text for the draw with code {max(codes)}")
    return tuple(texts[code] for code in codes)


def next_draw_odds(setup: Setup, drew: Sequence[str]) -> Mapping[str, Fraction] | None:
    """Return the probability of each item in the set that the move would draw from next; None if it draws nothing more.

    The move must have been played with `draws.peeking` set. Raise DrawError as `draw_texts` does.
    """
    draws = setup.work.draws
    if draws.count <= draws.forced_count or draws.bad_draw:
        draw_texts(setup, drew)
        return None
    counts = [int(draws.counts[kind]) for kind in range(int(draws.kinds))]
    texts, base, total = setup.draw_texts, int(draws.lowest), sum(counts)
    return {texts[base + kind]: Fraction(count, total) for kind, count in enumerate(counts) if count}
