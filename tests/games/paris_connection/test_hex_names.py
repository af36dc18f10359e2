"""Check the names of hexes by the nearest city and direction, in moves and in four languages."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import spieltisch
from spieltisch.core.words import LANGUAGES, Name
from spieltisch.games.paris_connection import hex_names
from spieltisch.games.paris_connection.board import board, neighbours

GAME = spieltisch.game("paris-connection")

TEXT = GAME.components.text
FRANCE = board(GAME.components)


def test_hex_names_are_unique_in_moves_and_in_every_language() -> None:
    assert len(FRANCE.named) == len(FRANCE.hexes)
    for language in LANGUAGES:
        assert len({hexagon.name.text(language) for hexagon in FRANCE.hexes}) == len(FRANCE.hexes)


@pytest.mark.parametrize(
    ("column", "row", "move_name", "en", "de", "fr", "nl"),
    [
        (8, 2, "Amiens W", "west of Amiens", "westlich von Amiens", "à l’ouest d’Amiens", "ten westen van Amiens"),
        (
            7,
            5,
            "Le Mans NE",
            "north-east of Le\xa0Mans",
            "nordöstlich von Le\xa0Mans",
            "au nord-est du Mans",
            "ten noordoosten van Le\xa0Mans",
        ),
        (
            13,
            9,
            "Besançon SE2",
            "two hexes south-east of Besançon",
            "zwei Felder südöstlich von Besançon",
            "à deux cases au sud-est de Besançon",
            "twee vakken ten zuidoosten van Besançon",
        ),
        (13, 13, "Nice W", "west of Nice", "westlich von Nizza", "à l’ouest de Nice", "ten westen van Nice"),
        (9, 1, "Lille", "Lille", "Lille", "Lille", "Rijsel"),
    ],
)
def test_hexes_are_named_by_the_nearest_city_and_direction(
    column: int, row: int, move_name: str, en: str, de: str, fr: str, nl: str
) -> None:
    hexagon = FRANCE.at[column, row]
    assert hexagon.move_name == move_name
    assert hexagon.name == Name(en, de, fr, nl)
    assert FRANCE.named[move_name] is hexagon


def name(city: str) -> Name:
    return Name(city, city, city, city)


@pytest.mark.parametrize(
    ("city", "french"),
    [
        ("Le Havre", "au nord du Havre"),
        ("Les Sables-d'Olonne", "au nord des Sables-d'Olonne"),
        ("La Rochelle", "au nord de La\xa0Rochelle"),
        ("Évreux", "au nord d’Évreux"),
        ("Yvetot", "au nord d’Yvetot"),
        ("Lens", "au nord de Lens"),
    ],
)
def test_french_hex_names_have_the_right_articles(city: str, french: str) -> None:
    assert hex_names.name(name(city), (hex_names.Leg("N", 1),)).fr == french


def test_hexes_off_the_straight_lines_have_names() -> None:
    legs = hex_names.way((11, 7), (14, 8))
    assert hex_names.move_name(name("Dijon"), legs) == "Dijon E2 SE"
    assert hex_names.name(name("Dijon"), legs) == Name(
        en="two hexes east and one south-east of Dijon",
        de="zwei Felder östlich und eines südöstlich von Dijon",
        fr="à deux cases à l’est et une au sud-est de Dijon",
        nl="twee vakken ten oosten en één ten zuidoosten van Dijon",
    )


def test_hexes_due_north_and_south_have_names() -> None:
    assert [str(leg) for leg in hex_names.way((5, 10), (5, 6))] == ["N4"]
    assert [str(leg) for leg in hex_names.way((5, 9), (5, 11))] == ["S2"]


def walk(start: tuple[int, int], legs: tuple[hex_names.Leg, ...]) -> tuple[int, int]:
    """Return the hex reached by these legs, step by step over `neighbours`."""
    around = ("E", "SE", "SW", "W", "NW", "NE")
    place = start
    for leg in legs:
        for step in range(leg.steps):
            direction = {"N": ("NE", "NW"), "S": ("SE", "SW")}.get(leg.direction, (leg.direction,) * 2)[step % 2]
            place = neighbours(*place)[around.index(direction)]
    return place


PLACES = st.tuples(st.integers(0, 99), st.integers(0, 99))


@given(PLACES, PLACES)
def test_the_directions_in_a_hex_name_lead_to_that_hex(a: tuple[int, int], b: tuple[int, int]) -> None:
    if a != b:
        assert walk(a, hex_names.way(a, b)) == b


WIDE = 14
TAKEN = {(FRANCE.hexes[number].column, FRANCE.hexes[number].row) for number in (FRANCE.tower, *FRANCE.stations)}
TOWNS = st.tuples(st.integers(0, WIDE - 1), st.integers(0, WIDE - 1)).filter(lambda place: place not in TAKEN)


@settings(deadline=None, max_examples=40)
@given(st.sets(TOWNS, min_size=1, max_size=6))
@example({(0, 0)})
def test_hex_names_are_unique_on_any_map(towns: set[tuple[int, int]]) -> None:
    before, after = TEXT.index("# Which hexes exist"), TEXT.index("[tower]")
    rows = [f"[[rows]]\nrow = {row}\ncolumns = {list(range(WIDE))}\n" for row in range(WIDE)]
    cities = [
        f'[[cities]]\nid = "c{number}"\ncolumn = {column}\nrow = {row}\ncity_class = "blue"\n'
        f'name = {{ en = "C{number}", de = "C{number}", fr = "C{number}", nl = "C{number}" }}\n'
        for number, (column, row) in enumerate(sorted(towns))
    ]
    parts = [
        "borders = []\n",
        TEXT[:before],
        *rows,
        TEXT[after : TEXT.index("[[cities]]")],
        *cities,
        '[[provenance]]\nof = "*"\nmark = "example"\nevidence = "drawn by chance"\n',
    ]
    big_board = board(GAME.read_components("".join(parts)))
    assert len(big_board.named) == WIDE * WIDE
    for language in LANGUAGES:
        assert len({hexagon.name.text(language) for hexagon in big_board.hexes}) == WIDE * WIDE
