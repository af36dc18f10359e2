"""Text fitting: estimated width of text, line breaks of long names, initials of players."""

import math
from collections.abc import Collection, Sequence
from typing import Final

_NARROW: Final = frozenset("iîïljtfIJ'’.-,: ")
_ROUND: Final = frozenset("aàâäcçeéèêërsvyz")
_WIDE: Final = frozenset("mwMWŒÆ")


def text_width(text: str, size: float) -> float:
    """Return the estimated width of a text in an upright serif face of this size, a few percent too wide if anything.

    >>> text_width("Metz", 14) < text_width("Cherbourg", 14) < text_width("Strasbourg", 14)
    True
    """
    return round(
        size
        * math.fsum(  # rounded alike by every Python
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
    """Return a name as one line, or as two if it is wider than `room` and has a place to break.

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
    """Return the initials of each name, distinct from each other and from the symbols in `taken`.

    An initial is the first letter; names that begin alike get in addition the first letter in which all of them differ,
    else a number.

    >>> initials(["Ada", "Grace", "Mary", "Max", "Élise"]), initials(["Bot 1", "Bot 2"]), initials(["", "Al", "AL"])
    (['A', 'G', 'Mr', 'Mx', 'É'], ['B1', 'B2'], ['·', 'A1', 'A2'])
    >>> initials(["Mats", "Mitch"]), initials(["Mats", "Mitch"], {"Ma"})
    (['Ma', 'Mi'], ['Ms', 'Mc'])
    """
    letters = [[letter for letter in name if letter.isalnum()] for name in names]
    first = [characters[0].upper()[:1] if characters else "·" for characters in letters]
    chosen = []
    for n, letter in enumerate(first):
        same_letter = [k for k, other in enumerate(first) if other == letter]
        candidates = [[letter + other.lower() for other in letters[k][1:]] for k in same_letter]
        distinct = [
            option
            for option in zip(*candidates, strict=False)
            if len(set(option)) == len(same_letter) and not set(option) & set(taken)
        ]
        numbered = [f"{letter}{k + 1}" for k in range(len(same_letter))]
        chosen.append(letter if len(same_letter) == 1 else [*distinct, numbered][0][same_letter.index(n)])
    return chosen
