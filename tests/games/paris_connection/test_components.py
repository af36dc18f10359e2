"""The components of Paris Connection: the set we play with, its board, and files that are refused."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import spieltisch
from spieltisch.core.components import ComponentsError
from spieltisch.core.provenance import MARKS
from spieltisch.games.paris_connection.board import board, neighbours

GAME = spieltisch.game("paris-connection")

TEXT = GAME.components.text
FRANCE = board(GAME.components)


def changed(old: str, new: str, text: str = TEXT) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def findings(text: str) -> list[tuple[str, str]]:
    with pytest.raises(ComponentsError) as caught:
        GAME.read_components(text)
    return [(finding.path, str(finding.message)) for finding in caught.value.findings]


def block(table: str, ident: str) -> str:
    """The text of one table in a list, from its id on, up to the next."""
    match = re.search(rf'^\[\[{table}\]\]\nid = "{ident}"\n(?:.+\n)*', TEXT, re.MULTILINE)
    assert match
    return match.group()


# The set we play with


def test_our_france() -> None:
    kinds = Counter(hexagon.kind for hexagon in FRANCE.hexes)
    assert kinds == {"rural": 77, "city": 42, "station": 6, "tower": 1}
    assert len(FRANCE.borders) == 21
    assert Counter(hexagon.value for hexagon in FRANCE.hexes if hexagon.kind == "city") == {1: 21, 2: 12, 3: 8, 4: 1}


@pytest.mark.rule("P1")
def test_six_companies_of_33_locomotives_of_which_31_go_into_the_bag() -> None:
    assert [company.id for company in FRANCE.companies] == ["purple", "brown", "black", "yellow", "blue", "red"]
    assert [company.letter for company in FRANCE.companies] == list("ABOTSR")
    assert (FRANCE.box.locomotives, FRANCE.box.in_bag) == (33, 31)


@pytest.mark.rule("P2")
def test_portfolios() -> None:
    assert {count.players: count.portfolio for count in FRANCE.players} == {3: 10, 4: 8, 5: 6, 6: 5}


@pytest.mark.rule("P3")
def test_stations_lie_round_the_tower() -> None:
    tower = FRANCE.hexes[FRANCE.tower]
    places = {(FRANCE.hexes[number].column, FRANCE.hexes[number].row) for number in FRANCE.stations}
    assert places == set(neighbours(tower.column, tower.row))


@pytest.mark.rule("P6")
def test_hexes_parted_by_a_hatched_border_are_not_adjacent() -> None:
    for border in FRANCE.borders:
        a, b = border.hexes
        assert a not in FRANCE.adjacent[b]
        assert b not in FRANCE.adjacent[a]
        place = FRANCE.hexes[b].column, FRANCE.hexes[b].row
        assert place in neighbours(FRANCE.hexes[a].column, FRANCE.hexes[a].row)


@pytest.mark.rule("P11")
def test_city_values() -> None:
    assert {city_class.id: city_class.value for city_class in FRANCE.city_classes} == {
        "beige": 1,
        "purple": 2,
        "red": 3,
        "blue": 4,
    }


@pytest.mark.rule("P15")
def test_marseille_alone_ends_the_game() -> None:
    assert [hexagon.move_name for hexagon in FRANCE.hexes if hexagon.ends_game] == ["Marseille"]


@pytest.mark.rule("P17")
def test_limits() -> None:
    assert {count.players: count.limit for count in FRANCE.players} == {3: 20, 4: 15, 5: 12, 6: 10}
    assert FRANCE.turn.penalty == 20


def test_numbers_run_by_row_then_column_and_neighbours_are_mutual() -> None:
    places = [(hexagon.row, hexagon.column) for hexagon in FRANCE.hexes]
    assert places == sorted(places)
    assert [hexagon.number for hexagon in FRANCE.hexes] == list(range(126))
    assert {hexagon.place for hexagon in FRANCE.hexes} == {f"hex-{column}-{row}" for row, column in places}
    for number, adjacent in enumerate(FRANCE.adjacent):
        assert list(adjacent) == sorted(set(adjacent))
        assert all(number in FRANCE.adjacent[other] for other in adjacent)


def test_every_value_has_a_mark_and_the_truth_is_told_about_the_map() -> None:
    components = GAME.components
    marks = {path: mark.mark for path, _, mark in components.values()}
    assert set(marks.values()) <= set(MARKS)
    assert marks["cities.lyon.city_class"] == marks["cities.lyon.column"] == marks["rows.7.columns"] == "reconstructed"
    assert marks["cities.marseille.city_class"] == marks["players.3.portfolio"] == "printed"
    assert marks["stations.gare-du-nord.name.en"] == "reported"
    assert all(mark.evidence for _, _, mark in components.values())


def luminance(ink: str) -> float:
    parts = [int(ink[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    dark, light = sorted([luminance(first), luminance(second)])
    return (light + 0.05) / (dark + 0.05)


def test_inks_stand_out_from_paper_and_from_the_dark_board() -> None:
    for company in FRANCE.companies:
        assert contrast(company.ink, "#f4ecd8") >= 3
        assert contrast(company.ink_dark, "#1d1a16") >= 3


# Files that cannot be played with


BROKEN: dict[str, tuple[str, str, str]] = {
    # what is told: (old text, new text, key path)
    "companies: 6 required, 5 found.": (block("companies", "brown"), "", "companies"),
    "companies.purple already has A.": ('letter = "B"', 'letter = "A"', "companies[1].letter"),
    "companies.blue already has stripes.": ('pattern = "chevrons"', 'pattern = "stripes"', "companies[5].pattern"),
    "companies.purple already has Amethyst.": (
        'de = "Rubin"',
        'de = "Amethyst"',
        "companies[5].name.de",
    ),
    "companies.brown appears twice.": ('id = "black"', 'id = "brown"', "companies[2].id"),
    "A company’s id must be one word in lowercase letters (a–z).": (
        'id = "black"',
        'id = "jet black"',
        "companies[2].id",
    ),
    "companies.brown.letter must be one capital letter from A to Z.": (
        'letter = "B"',
        'letter = "Br"',
        "companies[1].letter",
    ),
    "Write colours like #a7373a.": ('ink = "#a7373a"', 'ink = "red; }"', "companies[5].ink"),
    "2 is not between 3 and 255.": ("locomotives = 33", "locomotives = 2", "box.locomotives"),
    "0 is not between 1 and 255.": ("penalty = 20 ", "penalty = 0 ", "turn.penalty"),
    "−5 is not between 1 and 255.": ("most_locomotives = 5 ", "most_locomotives = -5 ", "turn.most_locomotives"),
    "0 is not between 1 and 6.": ("city_capacity = 1", "city_capacity = 0", "turn.city_capacity"),
    "7 is not between 1 and 6.": ("rural_capacity = 2", "rural_capacity = 7", "turn.rural_capacity"),
    "3 is not between 1 and 2.": ("most_taken = 2", "most_taken = 3", "turn.most_taken"),
    "7 is not between 3 and 6.": ("players = 6", "players = 7", "players[3].players"),
    "The values for 4 players are missing.": (
        "[[players]]\nplayers = 4\nportfolio = 8\nlimit = 15\n",
        "",
        "players",
    ),
    "players.3 appears twice.": ("players = 5", "players = 3", "players[2].players"),
    "188 locomotives must be dealt, but only 186 are in the bag.": (
        "portfolio = 8",
        "portfolio = 47",
        "players[1].portfolio",
    ),
    "The deal may leave locomotives in only one depot, which ends the game.": (
        "portfolio = 8",
        "portfolio = 39",
        "players[1].portfolio",
    ),
    "0 is not between 1 and 128. ": ("value = 2\n", "value = 0\n", "city_classes[1].value"),
    "Unknown city class: green.": (
        block("cities", "lyon"),
        block("cities", "lyon").replace('"red"', '"green"'),
        "cities[30].city_class",
    ),
    "No city ends the game.": ("ends_game = true", "ends_game = false", "city_classes"),
    "stations: 6 required, 5 found.": (
        block("stations", "gare-de-lyon"),
        "",
        "stations",
    ),
    "Gare de Lyon is not beside the tower.": (
        block("stations", "gare-de-lyon"),
        block("stations", "gare-de-lyon").replace("row = 5", "row = 8"),
        "stations[2].column",
    ),
    "Column 11, row 7 is already taken.": (
        block("cities", "lyon"),
        block("cities", "lyon").replace("column = 12\nrow = 10", "column = 11\nrow = 7"),
        "cities[30].column",
    ),
    "The rows list no hex in column 1, row 1.": (
        block("cities", "lyon"),
        block("cities", "lyon").replace("column = 12\nrow = 10", "column = 1\nrow = 1"),
        "cities[30].column",
    ),
    "Column 9 is listed twice.": ("[8, 9, 10, 11]", "[8, 9, 9, 10, 11]", "rows[1].columns[2]"),
    "rows.2 appears twice.": ("row = 1\ncolumns", "row = 2\ncolumns", "rows[1].row"),
    "100 is not between 0 and 99.": ("[7, 8, 9]", "[7, 8, 9, 100]", "rows[14].columns[3]"),
    "These two hexes are not adjacent.": ("[[13, 8], [12, 9]]", "[[13, 8], [11, 9]]", "borders[1].between[1]"),
    "This border is listed twice.": ("[[13, 8], [12, 9]]", "[[13, 9], [13, 8]]", "borders[1].between[1]"),
    "The rows list no hex in column 14, row 9.": ("[[13, 8], [12, 9]]", "[[13, 8], [14, 9]]", "borders[1].between[1]"),
    "borders.jura.between.1 must be a list of 2 values.": ("[[13, 8], [12, 9]]", "[[13, 8]]", "borders[1].between[1]"),
    "No company can reach the hex in column 0, row 15.": ("[7, 8, 9]", "[0, 7, 8, 9]", "rows[14].columns[0]"),
    "Two hexes have the name Dijon.": (
        block("cities", "lyon"),
        block("cities", "lyon").replace('fr = "Lyon"', 'fr = "Dijon"'),
        "cities[30].name.fr",
    ),
    "Two hexes have the name Dijon SW in moves.": ('fr = "Lille"', 'fr = "Dijon SW"', "cities[1].name.fr"),
    "cities.lille.name has no text in Dutch.": (', nl = "Rijsel"', "", "cities[1].name.nl"),
    "cities.lille.name.nl is empty.": ("Rijsel", "", "cities[1].name.nl"),
    "Saint Malo may only contain lowercase letters a to z, digits and hyphens.": (
        'id = "saint-malo"',
        'id = "Saint Malo"',
        "cities[8].id",
    ),
    "game must be one of these: paris-connection.": (
        'game = "paris-connection"',
        'game = "london-connection"',
        "game",
    ),
}


@pytest.mark.parametrize("damage", BROKEN)
def test_what_is_wrong_is_told_with_its_key_path(damage: str) -> None:
    old, new, path = BROKEN[damage]
    assert (path, damage.strip()) in findings(changed(old, new))


def test_more_hexes_than_256() -> None:
    text = TEXT
    for row in range(16, 20):
        text = text.replace("[tower]\n", f"[[rows]]\nrow = {row}\ncolumns = {list(range(40))}\n\n[tower]\n")
    assert ("rows", "There are 286 hexes; at most 256 are allowed.") in findings(text)


def test_a_company_cut_off_at_the_start() -> None:
    at = FRANCE.hexes[FRANCE.stations[0]]
    others = [n for n in neighbours(at.column, at.row) if n in FRANCE.at and FRANCE.at[n].kind in ("city", "rural")]
    pairs = ", ".join(f"[[{at.column}, {at.row}], [{column}, {row}]]" for column, row in others)
    text = changed("between = [\n  [[13, 8], [13, 9]],", f"between = [{pairs},\n  [[13, 8], [13, 9]],")
    assert findings(text) == [("stations[0]", "No route leads from Gare du Nord to a city.")]


def test_an_owners_file_with_other_values_is_played_with() -> None:
    text = changed("portfolio = 10", "portfolio = 11").replace('city_class = "beige"', 'city_class = "purple"')
    own = GAME.read_components(text)
    assert own != GAME.components
    assert board(own).named["Dijon"].value == 2


LINES = TEXT.count("\n")
DAMAGE = st.lists(
    st.tuples(
        st.integers(0, LINES - 1),
        st.sampled_from(
            ["", "[[cities]]", "row = 0", "]", 'id = "lyon"', "column = -1", "name = {}", "row = 9e9", '"""']
        ),
    ),
    min_size=1,
    max_size=3,
)


@settings(deadline=None)
@given(DAMAGE)
@example([(LINES - 1, '"""')])
def test_whatever_is_damaged_only_findings_come_of_it(damage: list[tuple[int, str]]) -> None:
    lines = TEXT.splitlines()
    for number, text in damage:
        lines[number] = text
    try:
        board(GAME.read_components("\n".join(lines)))
    except ComponentsError as error:
        problem = str(error)
    else:
        problem = "nothing"
    assert problem


@pytest.mark.rule("P3", "P6", "P9")
def test_how_far_it_is_to_marseille() -> None:
    """The number of locomotives from a station to Marseille agrees with a remark in the component file."""
    closed = {FRANCE.tower, *FRANCE.stations}
    distances = {}
    for station in FRANCE.stations:
        reached, ends, steps = {station}, [station], 0
        while FRANCE.named["Marseille"].number not in reached:
            ends = list({other for end in ends for other in FRANCE.adjacent[end]} - reached - closed)
            reached.update(ends)
            steps += 1
        distances[FRANCE.hexes[station].move_name] = steps
    assert distances == {
        "Gare de Lyon": 9,
        "Gare d'Austerlitz": 9,
        "Gare de l'Est": 10,
        "Gare Montparnasse": 11,
        "Gare du Nord": 12,
        "Gare Saint-Lazare": 13,
    }
    remark = " ".join(line[2:] for line in TEXT.splitlines() if line.startswith("# "))
    assert "Lyon and Austerlitz 9, Est 10, Montparnasse 11, Nord 12, Saint-Lazare 13" in remark
