"""Check the components of Paris Connection and its board, and the refusal of wrong files."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import spieltisch
from spieltisch.core.components import ComponentsError
from spieltisch.core.provenance import MARKS
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.games.paris_connection.board import board, neighbours
from tests.games.component_findings import component_findings
from tests.games.declared_sentences import already_has, appears_twice, out_of_range
from tests.sentences import sentence_after

GAME = spieltisch.game("paris-connection")
CHECKS, STRUCTURE = "core/component_checks.py", "core/toml_validation.py"
OWN_CHECKS = "games/paris_connection/component_checks.py"
FILE = "games/paris_connection/component_file.py"

TEXT = GAME.components.text
WORDS = {language: Words(language, GAME.folder / "locale") for language in LANGUAGES}
FRANCE = board(GAME.components)


def changed(old: str, new: str, text: str = TEXT) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


findings = partial(component_findings, GAME)


def block(table: str, ident: str) -> str:
    """Return the text of one table in a list, from its id up to the next table."""
    match = re.search(rf'^\[\[{table}\]\]\nid = "{ident}"\n(?:.+\n)*', TEXT, re.MULTILINE)
    assert match
    return match.group()


# The set we play with


def test_the_map_has_the_right_number_of_hexes_cities_and_borders() -> None:
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
def test_locomotives_outside_the_portfolios_are_in_the_depots() -> None:
    assert {count.players: count.portfolio for count in FRANCE.players} == {3: 10, 4: 8, 5: 6, 6: 5}


@pytest.mark.rule("P3")
def test_stations_lie_around_the_tower() -> None:
    tower = FRANCE.hexes[FRANCE.tower]
    places = {(FRANCE.hexes[number].column, FRANCE.hexes[number].row) for number in FRANCE.stations}
    assert places == set(neighbours(tower.column, tower.row))


@pytest.mark.rule("P6")
def test_hexes_separated_by_a_hatched_border_are_not_adjacent() -> None:
    for border in FRANCE.borders:
        a, b = border.hexes
        assert a not in FRANCE.adjacent[b]
        assert b not in FRANCE.adjacent[a]
        place = FRANCE.hexes[b].column, FRANCE.hexes[b].row
        assert place in neighbours(FRANCE.hexes[a].column, FRANCE.hexes[a].row)


@pytest.mark.rule("P11")
def test_cities_have_their_printed_values() -> None:
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
def test_the_share_limit_depends_on_the_number_of_players() -> None:
    assert {count.players: count.limit for count in FRANCE.players} == {3: 20, 4: 15, 5: 12, 6: 10}
    assert FRANCE.turn.penalty == 20


def test_hexes_are_numbered_by_row_then_column_and_neighbours_are_mutual() -> None:
    places = [(hexagon.row, hexagon.column) for hexagon in FRANCE.hexes]
    assert places == sorted(places)
    assert [hexagon.number for hexagon in FRANCE.hexes] == list(range(126))
    assert {hexagon.place for hexagon in FRANCE.hexes} == {f"hex-{column}-{row}" for row, column in places}
    for number, adjacent in enumerate(FRANCE.adjacent):
        assert list(adjacent) == sorted(set(adjacent))
        assert all(number in FRANCE.adjacent[other_hex] for other_hex in adjacent)


def test_every_value_states_its_source() -> None:
    components = GAME.components
    marks_by_path = {path: mark.mark for path, _, mark in components.values()}
    assert set(marks_by_path.values()) <= set(MARKS)
    assert (
        marks_by_path["cities.lyon.city_class"]
        == marks_by_path["cities.lyon.column"]
        == marks_by_path["rows.7.columns"]
        == "reconstructed"
    )
    assert marks_by_path["cities.marseille.city_class"] == marks_by_path["players.3.portfolio"] == "printed"
    assert marks_by_path["stations.gare-du-nord.name.en"] == "reported"
    assert all(mark.evidence for _, _, mark in components.values())


def luminance(ink: str) -> float:
    parts = [int(ink[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    dark, light = sorted([luminance(first), luminance(second)])
    return (light + 0.05) / (dark + 0.05)


def test_company_colours_contrast_with_both_themes() -> None:
    for company in FRANCE.companies:
        assert contrast(company.ink, "#f4ecd8") >= 3
        assert contrast(company.ink_dark, "#1d1a16") >= 3


# Files that cannot be played with


BROKEN: dict[str, tuple[str, str, str]] = {
    # what is told: (old text, new text, key path)
    sentence_after(STRUCTURE, "def _constraint_error", path="companies", wanted=6, number=5): (
        block("companies", "brown"),
        "",
        "companies",
    ),
    already_has("companies.purple", "A"): ('letter = "B"', 'letter = "A"', "companies[1].letter"),
    already_has("companies.blue", "stripes"): ('pattern = "chevrons"', 'pattern = "stripes"', "companies[5].pattern"),
    already_has("companies.purple", "Amethyst"): ('de = "Rubin"', 'de = "Amethyst"', "companies[5].name.de"),
    appears_twice("companies.brown"): ('id = "black"', 'id = "brown"', "companies[2].id"),
    sentence_after(FILE, 'pattern=r"^[a-z]+$", extra=error_text('): (
        'id = "black"',
        'id = "jet black"',
        "companies[2].id",
    ),
    sentence_after(CHECKS, 'str, Meta(pattern=r"^[A-Z]$", extra=error_text(', path="companies.brown.letter"): (
        'letter = "B"',
        'letter = "Br"',
        "companies[1].letter",
    ),
    sentence_after(
        CHECKS, 'pattern=r"^#[0-9a-fA-F]{6}$", examples=["#a7373a"], extra=error_text(', example="#a7373a"
    ): ('ink = "#a7373a"', 'ink = "red; }"', "companies[5].ink"),
    out_of_range(2, 3, 255): ("locomotives = 33", "locomotives = 2", "box.locomotives"),
    out_of_range(0, 1, 255): ("penalty = 20 ", "penalty = 0 ", "turn.penalty"),
    out_of_range(-5, 1, 255): ("most_locomotives = 5 ", "most_locomotives = -5 ", "turn.most_locomotives"),
    out_of_range(0, 1, 6): ("city_capacity = 1", "city_capacity = 0", "turn.city_capacity"),
    out_of_range(7, 1, 6): ("rural_capacity = 2", "rural_capacity = 7", "turn.rural_capacity"),
    out_of_range(3, 1, 2): ("most_taken = 2", "most_taken = 3", "turn.most_taken"),
    out_of_range(7, 3, 6): ("players = 6", "players = 7", "players[3].players"),
    sentence_after(CHECKS, "def check_player_counts", seats=4): (
        "[[players]]\nplayers = 4\nportfolio = 8\nlimit = 15\n",
        "",
        "players",
    ),
    appears_twice("players.3"): ("players = 5", "players = 3", "players[2].players"),
    sentence_after(OWN_CHECKS, "def _players", dealt=188, bag=186): (
        "portfolio = 8",
        "portfolio = 47",
        "players[1].portfolio",
    ),
    sentence_after(OWN_CHECKS, "elif bag - dealt <= contents.box.in_bag"): (
        "portfolio = 8",
        "portfolio = 39",
        "players[1].portfolio",
    ),
    out_of_range(0, 1, 128): ("value = 2\n", "value = 0\n", "city_classes[1].value"),
    sentence_after(OWN_CHECKS, "def _classes", name="green"): (
        block("cities", "lyon"),
        block("cities", "lyon").replace('"red"', '"green"'),
        "cities[30].city_class",
    ),
    sentence_after(OWN_CHECKS, "if not any(city.city_class in ending_ids for city in contents.cities)"): (
        "ends_game = true",
        "ends_game = false",
        "city_classes",
    ),
    sentence_after(STRUCTURE, "def _constraint_error", path="stations", wanted=6, number=5): (
        block("stations", "gare-de-lyon"),
        "",
        "stations",
    ),
    sentence_after(OWN_CHECKS, "if (station.column, station.row) not in adjacent", station="Gare de Lyon"): (
        block("stations", "gare-de-lyon"),
        block("stations", "gare-de-lyon").replace("row = 5", "row = 8"),
        "stations[2].column",
    ),
    sentence_after(OWN_CHECKS, "elif place in taken", column=11, row=7): (
        block("cities", "lyon"),
        block("cities", "lyon").replace("column = 12\nrow = 10", "column = 11\nrow = 7"),
        "cities[30].column",
    ),
    sentence_after(OWN_CHECKS, "if place not in places", column=1, row=1): (
        block("cities", "lyon"),
        block("cities", "lyon").replace("column = 12\nrow = 10", "column = 1\nrow = 1"),
        "cities[30].column",
    ),
    sentence_after(OWN_CHECKS, "if column in line.columns[:position]", column=9): (
        "[8, 9, 10, 11]",
        "[8, 9, 9, 10, 11]",
        "rows[1].columns[2]",
    ),
    appears_twice("rows.2"): ("row = 1\ncolumns", "row = 2\ncolumns", "rows[1].row"),
    out_of_range(100, 0, 99): ("[7, 8, 9]", "[7, 8, 9, 100]", "rows[14].columns[3]"),
    sentence_after(OWN_CHECKS, "elif b not in neighbours(*a)"): (
        "[[13, 8], [12, 9]]",
        "[[13, 8], [11, 9]]",
        "borders[1].between[1]",
    ),
    sentence_after(OWN_CHECKS, "elif frozenset((a, b)) in seen"): (
        "[[13, 8], [12, 9]]",
        "[[13, 9], [13, 8]]",
        "borders[1].between[1]",
    ),
    sentence_after(OWN_CHECKS, "if place not in places", column=14, row=9): (
        "[[13, 8], [12, 9]]",
        "[[13, 8], [14, 9]]",
        "borders[1].between[1]",
    ),
    sentence_after(
        STRUCTURE,
        "elif item_types[-1] is not Ellipsis and len(value) != len(item_types)",
        path="borders.jura.between.1",
        count=2,
    ): ("[[13, 8], [12, 9]]", "[[13, 8]]", "borders[1].between[1]"),
    sentence_after(OWN_CHECKS, "if (column, row.row) not in reached", column=0, row=15): (
        "[7, 8, 9]",
        "[0, 7, 8, 9]",
        "rows[14].columns[0]",
    ),
    sentence_after(OWN_CHECKS, "def _names", name="Dijon"): (
        block("cities", "lyon"),
        block("cities", "lyon").replace('fr = "Lyon"', 'fr = "Dijon"'),
        "cities[30].name.fr",
    ),
    sentence_after(OWN_CHECKS, "if text in move_names", name="Dijon SW"): (
        'fr = "Lille"',
        'fr = "Dijon SW"',
        "cities[1].name.fr",
    ),
    sentence_after(STRUCTURE, "if key in value", path="cities.lille.name", language="Dutch"): (
        ', nl = "Rijsel"',
        "",
        "cities[1].name.nl",
    ),
    sentence_after(STRUCTURE, "elif not value", path="cities.lille.name.nl"): ("Rijsel", "", "cities[1].name.nl"),
    sentence_after(CHECKS, "def error_text", text="Saint Malo"): (
        'id = "saint-malo"',
        'id = "Saint Malo"',
        "cities[8].id",
    ),
    sentence_after(STRUCTURE, "def _read_simple", path="game", choices="paris-connection"): (
        'game = "paris-connection"',
        'game = "london-connection"',
        "game",
    ),
}


@pytest.mark.parametrize("damage", BROKEN)
def test_every_error_in_a_component_file_names_its_key_path(damage: str) -> None:
    old, new, path = BROKEN[damage]
    assert (path, damage.strip()) in findings(changed(old, new))


def test_a_map_with_more_than_256_hexes_is_refused() -> None:
    text = TEXT
    for row in range(16, 20):
        text = text.replace("[tower]\n", f"[[rows]]\nrow = {row}\ncolumns = {list(range(40))}\n\n[tower]\n")
    assert ("rows", sentence_after(OWN_CHECKS, "def _map", number=286, most=256)) in findings(text)


def test_a_map_that_cuts_a_company_off_at_the_start_is_refused() -> None:
    station_hex = FRANCE.hexes[FRANCE.stations[0]]
    other_neighbours = [
        n
        for n in neighbours(station_hex.column, station_hex.row)
        if n in FRANCE.at and FRANCE.at[n].kind in ("city", "rural")
    ]
    pairs = ", ".join(
        f"[[{station_hex.column}, {station_hex.row}], [{column}, {row}]]" for column, row in other_neighbours
    )
    text = changed("between = [\n  [[13, 8], [13, 9]],", f"between = [{pairs},\n  [[13, 8], [13, 9]],")
    assert findings(text) == [("stations[0]", sentence_after(OWN_CHECKS, "def _paths", station="Gare du Nord"))]


def test_a_component_file_with_other_values_can_be_played() -> None:
    text = changed("portfolio = 10", "portfolio = 11").replace('city_class = "beige"', 'city_class = "purple"')
    own_components = GAME.read_components(text)
    assert own_components != GAME.components
    assert board(own_components).named["Dijon"].value == 2


def test_hexes_near_a_city_named_in_english_alone_have_that_name_in_all_languages() -> None:
    text = re.sub(r'(en = "Dijon"), .* }', r"\1 }", TEXT)
    own_components, standard_setup = GAME.setup(3, GAME.read_components(text)), GAME.setup(3)
    assert own_components.components != standard_setup.components
    assert [move.text for move in own_components.moves] == [move.text for move in standard_setup.moves]
    for move in standard_setup.moves:
        for label, own_label in zip(own_components.words(move.text), standard_setup.words(move.text), strict=True):
            assert [WORDS[language].say(label.label) for language in LANGUAGES] == [
                WORDS[language].say(own_label.label) for language in LANGUAGES
            ]


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
def test_a_damaged_component_file_gives_findings_and_never_raises(damage: list[tuple[int, str]]) -> None:
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
def test_the_distances_to_marseille_match_the_component_file() -> None:
    """A remark in the component file gives the number of locomotives from each station."""
    closed_places = {FRANCE.tower, *FRANCE.stations}
    distances = {}
    for station in FRANCE.stations:
        reached_places, path_ends, steps = {station}, [station], 0
        while FRANCE.named["Marseille"].number not in reached_places:
            path_ends = list(
                {other_hex for end in path_ends for other_hex in FRANCE.adjacent[end]} - reached_places - closed_places
            )
            reached_places.update(path_ends)
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
