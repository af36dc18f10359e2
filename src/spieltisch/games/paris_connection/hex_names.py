"""Names of the hexes without a city, for moves and people: the nearest city, the direction from it, and the steps.

A hex on a path that keeps one direction, or goes straight up or down, is named by that path: "Dijon E", "Dijon SE2",
"Tours N2". If no such path leads from the nearest city, the next ones are tried; the last resort is a path with one
turn: "Dijon E2 SE". Two paths from one city never end on the same hex, so the names are as unique as those of the
cities.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from spieltisch.core.words import LANGUAGES, Name


class Leg(NamedTuple):
    """A straight part of a path: a direction, and the number of hexes."""

    direction: str
    steps: int

    def __str__(self) -> str:
        return self.direction if self.steps == 1 else f"{self.direction}{self.steps}"

    @property
    def order(self) -> int:
        """The rank of the direction, by how easily people find it: along the row, then diagonal, then up and down."""
        return list(_DIRECTIONS).index(self.direction)


def way(a: tuple[int, int], b: tuple[int, int]) -> tuple[Leg, ...]:
    """Return a shortest path from `a` to another hex `b`, each as (column, row), in one leg if possible, else in two.

    The computation uses axial coordinates: q to the east, r to the south-east; north-east is (1, -1), north (1, -2).

    >>> [str(leg) for leg in way((11, 7), (13, 8))]
    ['E', 'SE']
    """
    (aq, ar), (bq, br) = _axial(*a), _axial(*b)
    q, r = bq - aq, br - ar
    if r == -2 * q:
        return (Leg("N" if r < 0 else "S", abs(r)),)
    legs = []
    if q * r < 0:
        both = min(abs(q), abs(r))
        legs.append(Leg("NE" if q > 0 else "SW", both))
        q, r = q - (both if q > 0 else -both), r - (both if r > 0 else -both)
    if q:
        legs.insert(0, Leg("E" if q > 0 else "W", abs(q)))
    if r:
        legs.append(Leg("SE" if r > 0 else "NW", abs(r)))
    return tuple(legs)


def length(legs: tuple[Leg, ...]) -> int:
    """Return the number of steps of a path."""
    return sum(leg.steps for leg in legs)


def move_name(city: Name, legs: tuple[Leg, ...] = ()) -> str:
    """Return the name of a hex in moves: the French name of the city, with an ASCII apostrophe, and the legs.

    A city named in English alone has that name in French, too.

    >>> move_name(Name("Nice", "Nizza", "Nice", "Nice"), (Leg("W", 2),))
    'Nice W2'
    """
    return " ".join([(city.fr or city.en).replace("’", "'"), *map(str, legs)])


def name(city: Name, legs: tuple[Leg, ...] = ()) -> Name:
    """Return the name of a hex for people; no line ends after a city's article.

    >>> name(Name("Le Mans", "Le Mans", "Le Mans", "Le Mans"), (Leg("E", 1),)).fr
    'à l’est du Mans'
    >>> name(Name("Nice", "Nizza", "Nice", "Nice"), (Leg("NW", 2),)).de
    'zwei Felder nordwestlich von Nizza'
    """
    city = Name(*(re.sub("^(L[ea]s?) ", "\\1\xa0", city.text(language)) for language in LANGUAGES))
    if not legs:
        return city
    first = legs[0]
    en, de, fr, nl = _DIRECTIONS[first.direction]
    if len(legs) == 1 and first.steps == 1:
        return Name(
            f"{en} of {city.en}", f"{de} von {city.de}", f"{fr} {_after_french_de(city.fr)}", f"{nl} van {city.nl}"
        )
    texts = [
        f"{_count(first, _EN, 'one hex', 'hexes')} {en}",
        f"{_count(first, _DE, 'ein Feld', 'Felder')} {de}",
        f"à {_count(first, _FR, 'une case', 'cases')} {fr}",
        f"{_count(first, _NL, 'één vak', 'vakken')} {nl}",
    ]
    for leg in legs[1:]:
        en, de, fr, nl = _DIRECTIONS[leg.direction]
        texts[0] += f" and {_count(leg, _EN, 'one')} {en}"
        texts[1] += f" und {_count(leg, _DE, 'eines')} {de}"
        texts[2] += f" et {_count(leg, _FR, 'une')} {fr}"
        texts[3] += f" en {_count(leg, _NL, 'één')} {nl}"
    return Name(
        f"{texts[0]} of {city.en}",
        f"{texts[1]} von {city.de}",
        f"{texts[2]} {_after_french_de(city.fr)}",
        f"{texts[3]} van {city.nl}",
    )


_DIRECTIONS: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "E": ("east", "östlich", "à l’est", "ten oosten"),
    "W": ("west", "westlich", "à l’ouest", "ten westen"),
    "SE": ("south-east", "südöstlich", "au sud-est", "ten zuidoosten"),
    "SW": ("south-west", "südwestlich", "au sud-ouest", "ten zuidwesten"),
    "NE": ("north-east", "nordöstlich", "au nord-est", "ten noordoosten"),
    "NW": ("north-west", "nordwestlich", "au nord-ouest", "ten noordwesten"),
    "N": ("north", "nördlich", "au nord", "ten noorden"),
    "S": ("south", "südlich", "au sud", "ten zuiden"),
}
_EN: Final = ("two", "three", "four", "five", "six")
_DE: Final = ("zwei", "drei", "vier", "fünf", "sechs")
_FR: Final = ("deux", "trois", "quatre", "cinq", "six")
_NL: Final = ("twee", "drie", "vier", "vijf", "zes")


def _count(leg: Leg, numbers: tuple[str, ...], singular: str, plural: str = "") -> str:
    if leg.steps == 1:
        return singular
    number = numbers[leg.steps - 2] if leg.steps - 2 < len(numbers) else str(leg.steps)
    return f"{number} {plural}".rstrip()


def _after_french_de(city: str) -> str:
    """Return the name of a French city after "of": de Dijon, d’Orléans, du Havre, des Sables-d'Olonne."""
    if city.startswith("Le\xa0"):
        return f"du {city[3:]}"
    if city.startswith("Les\xa0"):
        return f"des {city[4:]}"
    return f"d’{city}" if city[0].lower() in "aâàeéèêëiîïoôœuûy" else f"de {city}"


def _axial(column: int, row: int) -> tuple[int, int]:
    return column - (row - (row & 1)) // 2, row
