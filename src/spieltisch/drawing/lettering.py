"""Lettering: about how wide words are, and where a name is broken that does not fit."""

from __future__ import annotations

from typing import Final

_NARROW: Final = frozenset("iljtfrIJ'’.-,: ")
_WIDE: Final = frozenset("mwMWŒÆ")


def width(text: str, size: float) -> float:
    """About how wide a text is in an upright serif face of this size; a few percent too wide rather than too narrow.

    >>> width("Metz", 14) < width("Cherbourg", 14) < width("Strasbourg", 14)
    True
    """
    return round(
        size
        * sum(
            0.34 if letter in _NARROW else 0.86 if letter in _WIDE else 0.72 if letter.isupper() else 0.53
            for letter in text
        ),
        1,
    )


def lines(name: str, size: float, room: float) -> tuple[str, ...]:
    """A name in one line, or in two where it is wider than there is room and has a place to break.

    >>> [lines(name, 14, 67) for name in ("Besançon", "Clermont-Ferrand", "Straatsburg")]
    [('Besançon',), ('Clermont-', 'Ferrand'), ('Straatsburg',)]
    """
    if width(name, size) <= room:
        return (name,)
    breaks = [i + 1 for i, letter in enumerate(name[:-1]) if letter in " -"]
    if not breaks:
        return (name,)
    middle = min(breaks, key=lambda i: max(width(name[:i], size), width(name[i:], size)))
    return name[:middle].rstrip(), name[middle:]
