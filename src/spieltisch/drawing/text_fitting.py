"""Lettering: about how wide words are, where a name is broken that does not fit, and what it is in a letter or two."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

_NARROW: Final = frozenset("iîïljtfIJ'’.-,: ")
_ROUND: Final = frozenset("aàâäcçeéèêërsvyz")
_WIDE: Final = frozenset("mwMWŒÆ")


def text_width(text: str, size: float) -> float:
    """About how wide a text is in an upright serif face of this size; a few percent too wide rather than too narrow.

    >>> text_width("Metz", 14) < text_width("Cherbourg", 14) < text_width("Strasbourg", 14)
    True
    """
    return round(
        size
        * sum(
            0.3
            if letter in _NARROW
            else 0.9
            if letter in _WIDE
            else 0.74
            if letter.isupper()
            else 0.42
            if letter in _ROUND
            else 0.54
            for letter in text
        ),
        1,
    )


def break_name(name: str, size: float, room: float) -> tuple[str, ...]:
    """A name in one line, or in two where it is wider than there is room and has a place to break.

    >>> [break_name(name, 14, 67) for name in ("Besançon", "Clermont-Ferrand", "Straatsburg")]
    [('Besançon',), ('Clermont-', 'Ferrand'), ('Straatsburg',)]
    """
    if text_width(name, size) <= room:
        return (name,)
    breaks = [i + 1 for i, letter in enumerate(name[:-1]) if letter in " -"]
    if not breaks:
        return (name,)
    middle = min(breaks, key=lambda i: max(text_width(name[:i], size), text_width(name[i:], size)))
    return name[:middle].rstrip(), name[middle:]


def initials(names: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Each name's first letter; where several begin alike, with the first letter in which they differ, else a number.
    What is `taken` means something else, and is none.

    >>> initials(["Ada", "Grace", "Mary", "Max", "Élise"]), initials(["Bot 1", "Bot 2"]), initials(["", "Al", "AL"])
    (['A', 'G', 'Mr', 'Mx', 'É'], ['B1', 'B2'], ['·', 'A1', 'A2'])
    >>> initials(["Mats", "Mitch"]), initials(["Mats", "Mitch"], {"Ma"})
    (['Ma', 'Mi'], ['Ms', 'Mc'])
    """
    letters = [[letter for letter in name if letter.isalnum()] for name in names]
    first = [own[0].upper()[:1] if own else "·" for own in letters]
    found = []
    for n, letter in enumerate(first):
        alike = [k for k, other in enumerate(first) if other == letter]
        told = [[letter + other.lower() for other in letters[k][1:]] for k in alike]
        at = [two for two in zip(*told, strict=False) if len(set(two)) == len(alike) and not set(two) & set(taken)]
        numbered = [f"{letter}{k + 1}" for k in range(len(alike))]
        found.append(letter if len(alike) == 1 else [*at, numbered][0][alike.index(n)])
    return found
