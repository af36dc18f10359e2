"""Check the map of Paris Connection and its pieces, as the templates render them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from spieltisch.core import bit_sets
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.drawing.hex_grid import Frame
from spieltisch.drawing.svg_paths import number
from spieltisch.games.paris_connection import layout
from spieltisch.games.paris_connection.board import Board, neighbours
from spieltisch.games.paris_connection.drawing import ParisDrawing
from spieltisch.games.paris_connection.layout import GRID
from tests.games.drawing_helpers import parse, play_some_move, render, scene_context
from tests.games.paris_connection.drawn import FRANCE, static
from tests.games.paris_connection.positions import position_with
from tests.sentences import sentence_after


def closed_title(station: str) -> str:
    """Return the title of a station that is open to one company only."""
    return sentence_after(
        "games/paris_connection/layout.py", 'if hexagon.kind == "station" and not open_stations', station=station
    )


def test_every_hex_is_drawn_once_and_can_be_tapped_once(game: Game) -> None:
    page = parse(render(game, "board.svg", static(game)))
    places = [element.get("data-place") for element in page.iter() if element.get("data-place")]
    assert Counter(places) == Counter(hexagon.place for hexagon in FRANCE.hexes)
    drawn_groups = [group.get("transform") for group in page.iter() if (group.get("class") or "").startswith("hex ")]
    centres = [GRID.centre(hexagon.column, hexagon.row) for hexagon in FRANCE.hexes]
    assert Counter(drawn_groups) == Counter(f"translate({number(x)} {number(y)})" for x, y in centres)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_drawn_hex_has_its_name(game: Game, language: str) -> None:
    page = parse(render(game, "board.svg", static(game, language), language))
    titles = {
        element.get("data-place"): "".join(element.itertext()).strip()
        for element in page.iter()
        if element.get("data-place")
    }
    for hexagon in FRANCE.hexes:
        assert hexagon.name.text(language) in titles[hexagon.place]


@pytest.mark.rule("P6")
def test_every_hatched_border_lies_between_its_hexes(game: Game) -> None:
    drawn_borders = static(game)["borders"]
    assert len(drawn_borders) == len(FRANCE.borders)
    for border, side in zip(FRANCE.borders, drawn_borders, strict=True):
        for index in border.hexes:
            x, y = GRID.centre(FRANCE.hexes[index].column, FRANCE.hexes[index].row)
            assert ((side["x"] - x) ** 2 + (side["y"] - y) ** 2) ** 0.5 == pytest.approx(GRID.width / 2, abs=0.1)


def test_city_classes_differ_by_shape_and_show_their_value(game: Game) -> None:
    drawn_hexes = {hexagon["id"]: hexagon for hexagon in static(game)["hexes"]}
    shapes = {(h.city_class, drawn_hexes[h.place]["medal"]) for h in FRANCE.hexes if h.kind == "city"}
    assert len(shapes) == len({shape for _, shape in shapes}) == len(FRANCE.city_classes)
    assert all(drawn_hexes[h.place]["value"] == h.value for h in FRANCE.hexes if h.kind == "city")


def test_the_coast_runs_once_round_the_land() -> None:
    assert GRID.coast([(1, 1)]).count("L") == 5
    ring = [(1, 1), (2, 1), (3, 2), (2, 3), (1, 3), (1, 2)]
    assert GRID.coast(ring).count("M") == 2, "the coast and the lake"
    edges = sum(
        (column, row) not in FRANCE.at
        for hexagon in FRANCE.hexes
        for column, row in neighbours(hexagon.column, hexagon.row)
    )
    assert len(re.findall("[ML]", GRID.coast(list(FRANCE.at)))) == edges


def boxes(language: str) -> list[tuple[str, Frame]]:
    """Return the boxes of all names, values and locomotives when the map is full."""
    frames = []
    for hexagon in FRANCE.hexes:
        x, y = GRID.centre(hexagon.column, hexagon.row)
        if hexagon.kind == "tower":
            continue
        lines = layout.label(FRANCE, hexagon, hexagon.name.text(language)) if hexagon.kind != "rural" else []
        for line in lines:
            size = layout.NAME_SIZE if hexagon.kind == "city" else layout.STATION_SIZE
            wide = line["width"]
            left, top = x + float(line["x"]) - wide / 2, y + float(line["y"]) - 0.7 * size
            high = 0.9 if set(line["text"]) & set("çgjpqy") else 0.72
            frames.append((f"{line['text']}", Frame(left, top, wide, high * size)))
        if hexagon.kind == "city":
            frames.append(
                (f"value of {hexagon.move_name}", Frame(x - 11, y + layout.MEDAL_Y[len(lines) - 1] - 11, 22, 22))
            )
        for dx, dy in layout.spots(hexagon, 2 if hexagon.kind == "rural" else 1):
            frames.append((f"locomotive in {hexagon.move_name}", Frame(x + dx - 19, y + dy - 14.5, 38, 27.5)))
    return frames


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_overlap_neither_each_other_nor_a_locomotive(language: str) -> None:
    overlapping = [(a, b) for (a, first), (b, second) in combinations(boxes(language), 2) if first.meets(second)]
    assert overlapping == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_small_map_names_the_cities_worth_most_and_covers_no_value_by_a_name(language: str) -> None:
    names = layout.overview_names(FRANCE, Words(language))
    cities = [hexagon for hexagon in FRANCE.hexes if hexagon.kind == "city"]
    assert {city.number for city in cities if city.value >= 3} <= names.keys()
    assert not [city for city in cities if city.value == 1 and city.number in names]
    covered = [(one.text, other.text) for one, other in combinations(names.values(), 2) if one.box.meets(other.box)]
    for city in cities:
        x, y = GRID.centre(city.column, city.row)
        y += layout.OVERVIEW_MEDAL_Y[0 if city.number in names else 1]
        medal = Frame(x, y, 0, 0).inset(-layout.OVERVIEW_MEDAL)
        others = [name for number, name in names.items() if number != city.number]
        covered += [(name.text, city.move_name) for name in others if name.box.meets(medal)]
    assert covered == []
    assert all(layout.frames(FRANCE)[0].x < name.box.x for name in names.values())


def test_open_stations_are_not_described_as_closed(game: Game) -> None:
    titles = {}
    for stations in ("closed", "open"):
        drawn_hexes = ParisDrawing().static_context(game.setup(3, stations=stations), Words("en"))["hexes"]
        titles[stations] = {hexagon["title"] for hexagon in drawn_hexes if hexagon["kind"] == "station"}
    assert closed_title("Gare de Lyon") in titles["closed"]
    assert {closed_title(title) for title in titles["open"]} == titles["closed"]


def test_two_locomotives_in_an_open_station_stand_apart() -> None:
    station = next(hexagon for hexagon in FRANCE.hexes if hexagon.kind == "station")
    (_, y1), (_, y2) = layout.spots(station, 2)
    assert layout.spots(station, 1) == [layout.BELOW]
    assert y1 == y2
    for hexagon in (hexagon for hexagon in FRANCE.hexes if hexagon.kind == "station"):
        assert layout.size(hexagon, 2) == 1
        (left, top), (right, _) = [(x - 13, y - 13) for x, y in layout.spots(hexagon, 2)]  # discs
        assert right - left >= 26
        assert (right + 26 - left) <= GRID.width - 4
        for language in LANGUAGES:
            lower_edge = max(float(line["y"]) for line in layout.label(FRANCE, hexagon, hexagon.name.text(language)))
            assert lower_edge + 0.2 * layout.NAME_SIZE < top
    assert [layout.size(station, 1), layout.size(next(h for h in FRANCE.hexes if h.kind == "rural"), 2)] == [1, 1]
    assert layout.size(station, 4) == 0.5


def test_the_legend_hides_no_hex_on_any_map() -> None:
    full_map = replace(
        FRANCE,
        hexes=tuple(replace(FRANCE.hexes[0], number=12 * r + c, column=c, row=r) for r in range(12) for c in range(12)),
    )
    for shape in (FRANCE, full_map):
        frame, legend = layout.frames(shape)
        assert not any(legend.meets(GRID.box(h.column, h.row)) for h in shape.hexes)
        assert frame.x <= legend.x
        assert legend.x + legend.width <= frame.x + frame.width
        assert legend.y + legend.height <= frame.y + frame.height


def test_every_mountain_range_is_named_once() -> None:
    range_names = layout.names_of_ranges(FRANCE, Words("de"))
    text = [" ".join(line["text"] for line in lines) for lines in range_names.values()]
    assert sorted(text) == sorted({border.name.de for border in FRANCE.borders})


def test_every_locomotive_stands_in_its_hex_and_keeps_its_id(game: Game) -> None:
    position = game.start(seats=4, seed=3)
    before: dict[str, Any] = {}
    while not position.is_over and position.number < 120:
        pieces = {piece["id"]: piece for piece in scene_context(position.observe(0))["pieces"]}
        assert pieces.keys() >= before.keys()
        assert len(pieces) == sum(bin(word).count("1") for net in position.observe(0).view.net for word in net)
        before = pieces
        play_some_move(position)
    for piece in before.values():
        _, _, column, row = piece["id"].split("-")
        x, y = GRID.centre(int(column), int(row))
        assert abs(float(piece["x"]) - x) < GRID.width / 2
        assert abs(float(piece["y"]) - y) < GRID.radius
    assert len({(piece["x"], piece["y"]) for piece in before.values()}) == len(before)


def test_all_pieces_are_in_one_layer_positioned_by_transform(game: Game, position_in_mid_game: Position) -> None:
    layer = ElementTree.fromstring(render(game, "pieces.svg", scene_context(position_in_mid_game.observe(0))))  # noqa: S314 (our own text)
    assert layer.get("viewBox") == str(static(game)["frame"])
    for piece in layer:
        if (piece.get("class") or "") == "piece":
            assert re.fullmatch(r"translate\(-?[\d.]+ -?[\d.]+\)", piece.get("transform") or "")
            assert not list(piece)


@pytest.mark.rule("P6")
def test_drawn_track_joins_neighbouring_locomotives_of_one_company_and_never_changes(game: Game) -> None:
    position, before = game.start(seats=4, seed=3), set[str]()
    while not position.is_over:
        play_some_move(position)
        if position.number % 20 and not position.is_over:
            continue
        observation = position.observe(0)
        nets = [set(bit_sets.members(net)) for net in observation.view.net]
        joined_hexes = {
            (company.id, frozenset((n, m)))
            for company, net in zip(FRANCE.companies, nets, strict=True)
            for n in net
            for m in FRANCE.adjacent[n]
            if m in net
        }
        rails = scene_context(observation)["rails"]
        drawn_tracks = set()
        for rail in rails:
            _, company, *places = rail["id"].split("-")
            a, b, c, d = map(int, places)
            drawn_tracks.add((company, frozenset((FRANCE.at[a, b].number, FRANCE.at[c, d].number))))
            assert rail["company"] == company
        assert drawn_tracks == joined_hexes
        assert (
            len(rails)
            == len({rail["id"] for rail in rails})
            == len({rail["way"] for rail in rails})
            == len(joined_hexes)
        )
        assert {rail["id"] for rail in rails} >= before
        before = {rail["id"] for rail in rails}
    assert len(before) > 60
    page = parse(render(game, "pieces.svg", scene_context(position.observe(0))))
    assert {rail.get("id") for rail in page.iter() if rail.get("class") == "rail"} == before
    groups = [group for group in page.iter() if group.get("class") == "company-rails"]
    assert len(groups) == len({rail.split("-")[1] for rail in before})
    for group in groups:  # the company's pattern, not its colour alone
        company = (group.get("data-group") or "").removeprefix("company-")
        assert {use.get("href") for use in group} == {f"#rails-{company}"}
        assert [use.get("stroke") for use in group] == [None, f"url(#ink-{company})"]


def test_track_is_drawn_below_and_names_above_all_other_elements(game: Game, final_position: Position) -> None:
    page = parse(render(game, "pieces.svg", scene_context(final_position.observe(0))))
    looks = ["name-layer" if part.get("href") == "#name-layer" else part.get("class") for part in page[0]]
    layers = [drawn_layer for drawn_layer in looks if drawn_layer in ("company-rails", "piece", "name-layer")]
    assert layers == sorted(layers, key=["company-rails", "piece", "name-layer"].index)
    assert {"company-rails", "piece", "name-layer"} == set(layers)
    assert set(looks[looks.index("name-layer") + 1 :]) <= {"mountain-range-name"}
    sheet = render(game, "style.css", static(game))
    assert re.search(
        r"\.place-name text, \.overview-name, \.mountain-range-name {.* stroke: [^;]+; stroke-width: \d+; }", sheet
    )


def test_only_the_newest_locomotive_of_a_company_is_drawn_as_an_engine_and_all_others_as_discs(
    game: Game, position_in_mid_game: Position
) -> None:
    seen = position_in_mid_game.observe(0)
    pieces = scene_context(seen)["pieces"]
    shapes = {(piece["company"], piece["shape"]): 0 for piece in pieces}
    for piece in pieces:
        shapes[piece["company"], piece["shape"]] += 1
        assert piece["size"] == 1
    assert {company: shapes[company, "loco"] for company, _ in shapes} == {c.id: 1 for c in FRANCE.companies}
    drawn = re.findall(r'href="#((?:disc|loco)-\w+)" transform', render(game, "pieces.svg", scene_context(seen)))
    assert Counter(drawn) == Counter(f"{piece['shape']}-{piece['company']}" for piece in pieces)
    assert ':is([id^="loco-"], [id^="disc-"]) > .drawn-letter { font-size: var(--pc-letter, 21.1px);' in render(
        game, "style.css", static(game)
    )


def engine_of(position: Position, company: str, last: Sequence[str] = ()) -> str:
    """Return the hex of a company's engine when these last moves are highlighted."""
    moves = [position.setup.move(move) for move in last]
    pieces = scene_context(position.observe(0), last_moves=moves)["pieces"]
    (engine,) = (piece["id"] for piece in pieces if piece["company"] == company and piece["shape"] == "loco")
    _, _, column, row = engine.split("-")
    return FRANCE.at[int(column), int(row)].move_name


def test_the_engine_is_at_the_last_placed_hex_or_at_the_end_of_the_line(game: Game) -> None:
    position = position_with(game, track={"red": ["Amiens", "Calais", "Lille"]})
    assert engine_of(position, "red") == "Lille"
    assert engine_of(position, "red", ["build red Calais", "build red Amiens", "build blue Rouen"]) == "Amiens"
    assert engine_of(position, "blue") in {FRANCE.hexes[h].move_name for h in FRANCE.stations}


def test_the_black_company_is_black_in_the_dark_theme_too(game: Game) -> None:
    sheet = render(game, "style.css", static(game))
    (night,) = (colour for colour in re.findall(r"\.ink-black \{ fill: .*, (#\w+)\); \}", sheet)[1:])
    assert int(night[1:], 16) & 0xF0F0F0 == 0
    # What is as dark as the map has light veins there, on track, engines, bars and icons: all use its ink.
    assert re.search(r"\.dark-theme-veins {[^}]*stroke: var\(--light, none\) var\(--dark, #c\w+\)", sheet)
    inks = re.findall(r'<pattern id="ink-(\w+)"(.*?)</pattern>', render(game, "icons.svg", static(game)), re.DOTALL)
    assert [name for name, drawn_ink in inks if 'class="dark-theme-veins"' in drawn_ink] == ["black"]


def test_the_hexes_of_the_last_moves_have_a_ring(game: Game) -> None:
    position = game.start(seats=4, seed=7)
    built = next(move for move in position.legal_moves if move.text.startswith("build"))
    place = position.words(built)[-1].element_id
    position.play(built)
    assert [ring["id"] for ring in scene_context(position.observe(0), last_moves=[built])["rings"]] == [f"last-{place}"]


def test_a_board_without_mountains_is_drawn() -> None:
    flat: Board = replace(FRANCE, borders=())
    printed_map = layout.printed(flat, "flat", Words("en"))
    assert printed_map["ranges"] == printed_map["borders"] == []
    assert not printed_map["country"]
