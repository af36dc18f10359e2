"""The drawings of Paris Connection: the map, the pieces, the panel and the end, as the templates render them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

import spieltisch
from spieltisch.core import bit_sets
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.drawing import format_number
from spieltisch.drawing.hex_grid import Frame
from spieltisch.drawing.svg_paths import number
from spieltisch.games.paris_connection import layout
from spieltisch.games.paris_connection.board import Board, board, neighbours
from spieltisch.games.paris_connection.drawing import ParisDrawing
from spieltisch.games.paris_connection.layout import GRID
from tests.games import drawing_helpers
from tests.games.drawing_helpers import go_on, ids, parse, render, scene, templates
from tests.games.paris_connection.positions import position_with

GAME = spieltisch.game("paris-connection")

FRANCE = board(GAME.components)
OF_A_SCENE = ("pieces.svg", "panel.html")


@pytest.fixture(scope="module")
def game() -> Game:
    return spieltisch.game("paris-connection")


def static(game: Game, language: str = "en") -> dict[str, Any]:
    return drawing_helpers.static(game.start(seats=4, seed=7).setup, language)


def rendered(observation: Observation, language: str = "en") -> str:
    """Return the drawing of a position for one perspective."""
    context = scene(observation, language)
    wanted = (*OF_A_SCENE, "end.html") if observation.is_over else OF_A_SCENE
    return "".join(render(observation.setup.game, template, context, language) for template in wanted)


def after(game: Game, moves: int, seed: int = 1, **options: Any) -> Position:
    return drawing_helpers.played(game.start(seats=4, seed=seed, **options), moves)


@pytest.fixture(scope="module")
def middle(game: Game) -> Position:
    return after(game, 60)


@pytest.fixture(scope="module")
def finished(game: Game) -> Position:
    return after(game, 10_000)


# The map


def test_every_hex_is_drawn_once_and_can_be_tapped_once(game: Game) -> None:
    page = parse(render(game, "board.svg", static(game)))
    places = [hit.get("data-place") for hit in page.iter() if hit.get("data-place")]
    assert Counter(places) == Counter(hexagon.place for hexagon in FRANCE.hexes)
    drawn = [group.get("transform") for group in page.iter() if (group.get("class") or "").startswith("hex ")]
    centres = [GRID.centre(hexagon.column, hexagon.row) for hexagon in FRANCE.hexes]
    assert Counter(drawn) == Counter(f"translate({number(x)} {number(y)})" for x, y in centres)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_hex_says_its_name(game: Game, language: str) -> None:
    page = parse(render(game, "board.svg", static(game, language), language))
    titles = {hit.get("data-place"): "".join(hit.itertext()).strip() for hit in page.iter() if hit.get("data-place")}
    for hexagon in FRANCE.hexes:
        assert hexagon.name.text(language) in titles[hexagon.place]


@pytest.mark.rule("P6")
def test_every_hatched_border_lies_between_its_hexes(game: Game) -> None:
    drawn = static(game)["borders"]
    assert len(drawn) == len(FRANCE.borders)
    for border, side in zip(FRANCE.borders, drawn, strict=True):
        for index in border.hexes:
            x, y = GRID.centre(FRANCE.hexes[index].column, FRANCE.hexes[index].row)
            assert ((side["x"] - x) ** 2 + (side["y"] - y) ** 2) ** 0.5 == pytest.approx(GRID.width / 2, abs=0.1)


def test_city_classes_differ_by_shape_and_the_value_is_written(game: Game) -> None:
    drawn = {hexagon["id"]: hexagon for hexagon in static(game)["hexes"]}
    shapes = {(h.city_class, drawn[h.place]["medal"]) for h in FRANCE.hexes if h.kind == "city"}
    assert len(shapes) == len({shape for _, shape in shapes}) == len(FRANCE.city_classes)
    assert all(drawn[h.place]["value"] == h.value for h in FRANCE.hexes if h.kind == "city")


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
    """The boxes of all names, values and locomotives, were there one in every city and two in every other hex."""
    frames = []
    for hexagon in FRANCE.hexes:
        x, y = GRID.centre(hexagon.column, hexagon.row)
        if hexagon.kind == "tower":
            continue
        lines = layout.label(FRANCE, hexagon, hexagon.name.text(language)) if hexagon.kind != "rural" else []
        for line in lines:
            size, wide = layout.NAME_SIZE, line["width"]
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


def test_open_stations_are_not_said_to_be_closed(game: Game) -> None:
    titles = {}
    for stations in ("closed", "open"):
        drawn = ParisDrawing().static_context(game.setup(3, stations=stations), Words("en"))["hexes"]
        titles[stations] = {hexagon["title"] for hexagon in drawn if hexagon["kind"] == "station"}
    assert "Gare de Lyon: for one company only" in titles["closed"]
    assert titles["open"] == {title.removesuffix(": for one company only") for title in titles["closed"]}


def test_two_locomotives_in_an_open_station_stand_apart() -> None:
    station = next(hexagon for hexagon in FRANCE.hexes if hexagon.kind == "station")
    (_, y1), (_, y2) = layout.spots(station, 2)
    assert layout.spots(station, 1) == [layout.BELOW]
    assert y1 == y2
    for hexagon in (hexagon for hexagon in FRANCE.hexes if hexagon.kind == "station"):
        large = layout.size(hexagon, 2)
        (left, top), (right, _) = [(x - 19 * large, y - 14.5 * large) for x, y in layout.spots(hexagon, 2)]
        assert right - left >= 38 * large
        assert (right + 38 * large - left) <= GRID.width - 4
        for language in LANGUAGES:
            below = max(float(line["y"]) for line in layout.label(FRANCE, hexagon, hexagon.name.text(language)))
            assert below + 0.2 * layout.NAME_SIZE < top
    assert [layout.size(station, 1), layout.size(next(h for h in FRANCE.hexes if h.kind == "rural"), 2)] == [1, 1]


def test_the_legend_hides_no_hex_on_any_map() -> None:
    full = replace(
        FRANCE,
        hexes=tuple(replace(FRANCE.hexes[0], number=12 * r + c, column=c, row=r) for r in range(12) for c in range(12)),
    )
    for shape in (FRANCE, full):
        frame, legend = layout.frames(shape)
        assert not any(legend.meets(GRID.box(h.column, h.row)) for h in shape.hexes)
        assert frame.x <= legend.x
        assert legend.x + legend.width <= frame.x + frame.width
        assert legend.y + legend.height <= frame.y + frame.height


def test_every_range_is_named_once_where_no_other_is() -> None:
    named = layout.names_of_ranges(FRANCE, Words("de"))
    text = [" ".join(line["text"] for line in lines) for lines in named.values()]
    assert sorted(text) == sorted({border.name.de for border in FRANCE.borders})


# All that is drawn


def every_text(game: Game, finished: Position, language: str) -> str:
    drawn_once = [render(game, name, static(game, language), language) for name in ("icons.svg", "board.svg")]
    return "".join(drawn_once) + rendered(finished.observe(1), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_well_formed_with_ids_of_its_own(game: Game, finished: Position, language: str) -> None:
    text = every_text(game, finished, language)
    parse(text)
    assert [name for name, count in Counter(ids(text)).items() if count > 1] == []
    assert "<b>O'Brien" not in text


def test_nothing_needs_a_looser_content_policy(game: Game, finished: Position) -> None:
    for element in parse(every_text(game, finished, "en")).iter():
        tag = element.tag.rpartition("}")[2]
        assert tag not in ("script", "style", "foreignObject", "image", "a") or element.get("class") == "rule", tag
        assert "style" not in element.attrib
        assert not [name for name in element.attrib if name.startswith("on")]


def test_what_is_referred_to_is_defined_in_the_page(game: Game, finished: Position) -> None:
    text = every_text(game, finished, "en")
    used = set(re.findall(r'<use [^>]*href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
    assert used - set(ids(text)) == set()


def test_the_style_sheet_has_the_inks_of_the_components(game: Game) -> None:
    sheet = render(game, "style.css", static(game))
    for company in FRANCE.companies:
        assert f".ink-{company.id} {{ fill: var(--light, {company.ink}) var(--dark, {company.ink_dark}); }}" in sheet
    for city_class in FRANCE.city_classes:
        assert f".city-{city_class.id} {{" in sheet
    assert sheet.count("{") == sheet.count("}")


def test_the_mark_of_a_company_is_a_sign(game: Game) -> None:
    assert game.drawing is not None
    marks: Any = templates(game).get_template("drawing/icon_macros.html").module
    position = game.start(seats=4, seed=7)
    signs = ids(render(game, "icons.svg", static(game)))
    marked = [word for move in position.legal_moves for word in position.words(move) if word.icon]
    for word in {word.icon: word for word in marked}.values():
        assert f"sign-{word.icon}" in signs
        assert f'href="#sign-{word.icon}"' in marks.chip(word.icon, word.label)


# The pieces


def test_every_locomotive_stands_in_its_hex_and_keeps_its_id(game: Game) -> None:
    position = game.start(seats=4, seed=3)
    before: dict[str, Any] = {}
    while not position.is_over and position.number < 120:
        pieces = {piece["id"]: piece for piece in scene(position.observe(0))["pieces"]}
        assert pieces.keys() >= before.keys()
        assert len(pieces) == sum(bin(word).count("1") for net in position.observe(0).view.net for word in net)
        before = pieces
        go_on(position)
    for piece in before.values():
        _, _, column, row = piece["id"].split("-")
        x, y = GRID.centre(int(column), int(row))
        assert abs(float(piece["x"]) - x) < GRID.width / 2
        assert abs(float(piece["y"]) - y) < GRID.radius
    assert len({(piece["x"], piece["y"]) for piece in before.values()}) == len(before)


def test_pieces_are_one_flat_layer_placed_by_transform_alone(game: Game, middle: Position) -> None:
    layer = ElementTree.fromstring(render(game, "pieces.svg", scene(middle.observe(0))))  # noqa: S314 (our own text)
    assert layer.get("viewBox") == str(static(game)["frame"])
    for piece in layer:
        if (piece.get("class") or "") == "piece":
            assert re.fullmatch(r"translate\(-?[\d.]+ -?[\d.]+\)", piece.get("transform") or "")
            assert not list(piece)


@pytest.mark.rule("P6")
def test_track_joins_neighbouring_locomotives_of_one_company_and_stays(game: Game) -> None:
    position, before = game.start(seats=4, seed=3), set[str]()
    while not position.is_over:
        go_on(position)
        if position.number % 20 and not position.is_over:
            continue
        seen = position.observe(0)
        nets = [set(bit_sets.members(net)) for net in seen.view.net]
        joined = {
            (company.id, frozenset((n, m)))
            for company, net in zip(FRANCE.companies, nets, strict=True)
            for n in net
            for m in FRANCE.adjacent[n]
            if m in net
        }
        rails = scene(seen)["rails"]
        drawn_tracks = set()
        for rail in rails:
            _, company, *places = rail["id"].split("-")
            a, b, c, d = map(int, places)
            drawn_tracks.add((company, frozenset((FRANCE.at[a, b].number, FRANCE.at[c, d].number))))
            assert rail["company"] == company
        assert drawn_tracks == joined
        assert len(rails) == len({rail["id"] for rail in rails}) == len({rail["way"] for rail in rails}) == len(joined)
        assert {rail["id"] for rail in rails} >= before
        before = {rail["id"] for rail in rails}
    assert len(before) > 60
    page = parse(render(game, "pieces.svg", scene(position.observe(0))))
    assert {rail.get("id") for rail in page.iter() if rail.get("class") == "rail"} == before
    groups = [group for group in page.iter() if group.get("class") == "rails"]
    assert len(groups) == len({rail.split("-")[1] for rail in before})
    for group in groups:  # the company's pattern, not its colour alone
        company = (group.get("data-group") or "").removeprefix("company-")
        assert {use.get("href") for use in group} == {f"#rails-{company}"}
        assert [use.get("stroke") for use in group] == [None, f"url(#ink-{company})"]


def test_the_track_is_drawn_first_and_the_names_above_all_with_a_halo(game: Game, finished: Position) -> None:
    page = parse(render(game, "pieces.svg", scene(finished.observe(0))))
    looks = ["names" if part.get("href") == "#names" else part.get("class") for part in page[0]]
    layers = [look for look in looks if look in ("rails", "piece", "names")]
    assert layers == sorted(layers, key=["rails", "piece", "names"].index)
    assert {"rails", "piece", "names"} == set(layers)
    assert set(looks[looks.index("names") + 1 :]) <= {"range"}
    sheet = render(game, "style.css", static(game))
    assert re.search(r"\.place text, \.range { paint-order: stroke; stroke: [^;]+; stroke-width: \d+; }", sheet)


@pytest.mark.rule("P8")
def test_a_locomotive_is_short_in_a_full_hex_and_keeps_the_size_of_its_letter(game: Game, middle: Position) -> None:
    seen = middle.observe(0)
    pieces = scene(seen)["pieces"]
    counts: Counter[tuple[int, int]] = Counter()
    for piece in pieces:
        column, row = map(int, piece["id"].split("-")[2:])
        counts[column, row] += 1
    kinds = set()
    for piece in pieces:
        column, row = map(int, piece["id"].split("-")[2:])
        place = FRANCE.at[column, row]
        full = place.kind == "city" or (place.kind == "rural" and counts[column, row] == 2)
        assert piece["shape"] == ("short" if full else "loco")
        assert piece["size"] == 1
        kinds.add((place.kind, full))
    assert kinds == {("city", True), ("rural", True), ("rural", False), ("station", False)}
    drawn = re.findall(r'href="#((?:short|loco)-\w+)" transform', render(game, "pieces.svg", scene(seen)))
    assert Counter(drawn) == Counter(f"{piece['shape']}-{piece['company']}" for piece in pieces)
    assert ':is([id^="loco-"], [id^="short-"]) > .letter { font-size: 20.5px; }' in render(
        game, "style.css", static(game)
    )


def test_black_is_black_at_night_too(game: Game) -> None:
    sheet = render(game, "style.css", static(game))
    (night,) = (colour for colour in re.findall(r"\.ink-black \{ fill: .*, (#\w+)\); \}", sheet)[1:])
    assert int(night[1:], 16) & 0xF0F0F0 == 0
    # What is as dark as the map has light veins there, on track, engines, bars and signs: all use its ink.
    assert re.search(r"\.vein {[^}]*stroke: var\(--light, none\) var\(--dark, #c\w+\)", sheet)
    inks = re.findall(r'<pattern id="ink-(\w+)"(.*?)</pattern>', render(game, "icons.svg", static(game)), re.DOTALL)
    assert [name for name, drawn in inks if 'class="vein"' in drawn] == ["black"]


def test_the_strip_says_what_the_shares_of_each_company_are_worth(middle: Position) -> None:
    seen = middle.observe(0)
    shares = zip(seen.view.players[0].shares, seen.view.value, strict=True)
    worth = [str(count * value) for count, value in shares]
    assert set(worth) != {"0"}
    for language, word in (("en", "worth"), ("de", "wert"), ("fr", "valeur"), ("nl", "waard")):
        strip = render(seen.setup.game, "own_summary.html", scene(seen, language), language)
        assert re.findall(rf'<small title="{word} (\d+)">', strip) == worth


def test_a_player_lights_the_companies_they_are_known_to_hold(game: Game, middle: Position) -> None:
    for viewer in (None, 0, 2):
        seen = middle.observe(viewer)
        for player in scene(seen)["players"]:
            least = [known["least"] for known in player["known"]]
            if player["own"]:
                assert least == list(seen.view.players[player["seat"]].shares)
            assert player["lights"] == [c.id for c, n in zip(FRANCE.companies, least, strict=True) if n > 0]
    seen = after(game, 60, memory_aid=False).observe(0)
    lit = [player["lights"] for player in scene(seen)["players"]]
    assert lit[0]
    assert lit[1:] == [[], [], []]


def test_the_last_moves_are_ringed(game: Game) -> None:
    position = game.start(seats=4, seed=7)
    built = next(move for move in position.legal_moves if move.text.startswith("build"))
    place = position.words(built)[-1].element_id
    position.play(built)
    assert [ring["id"] for ring in scene(position.observe(0), last=[built])["rings"]] == [f"last-{place}"]


# The panel


def test_the_panel_shows_own_shares_depots_and_values(game: Game, middle: Position) -> None:
    seen = middle.observe(2)
    context = scene(seen)
    for index, company in enumerate(context["companies"]):
        assert company["value"] == seen.view.value[index]
        assert company["depot"] == seen.view.depot[index]
        assert company["shares"] == seen.view.players[2].shares[index]
    assert context["mine"]["points"] == format_number(seen.scores[2] or 0)
    assert [player["held"] for player in context["players"]] == [player.held for player in seen.view.players[:4]]


def test_the_map_is_told_in_words_too(game: Game, middle: Position) -> None:
    places_of = {company["id"]: company["places"] for company in scene(middle.observe(None), "fr")["companies"]}
    drawn = Counter(piece["company"] for piece in scene(middle.observe(None))["pieces"])
    assert {company: len(places) for company, places in places_of.items()} == drawn
    assert all(place in rendered(middle.observe(None), "fr") for place in places_of["red"])


@pytest.mark.rule("T5")
def test_nobody_is_shown_what_their_seat_may_not_know(game: Game, middle: Position) -> None:
    """Two positions that one seat cannot tell apart look the same to it, though the other portfolios differ."""
    for seat in range(4):
        seen = middle.observe(seat)
        imagined = [seen.imagine(seed) for seed in range(4)]
        assert {rendered(other.observe(seat)) for other in imagined} == {rendered(seen)}
        others = [other.observe((seat + 1) % 4) for other in imagined]
        assert len({rendered(other) for other in others}) > 1
    assert "panel-screen" not in rendered(middle.observe(None))
    assert len({rendered(middle.observe(seat).imagine(1).observe(None)) for seat in range(4)}) == 1


@pytest.mark.rule("T5")
def test_without_the_memory_aid_no_trades_are_added_up(game: Game) -> None:
    with_aid, without = (after(game, 40, memory_aid=aid).observe(0) for aid in (True, False))
    assert "Taken in trades" in render(game, "panel.html", scene(with_aid))
    panel = render(game, "panel.html", scene(without))
    assert "Taken in trades" not in panel
    assert 'class="holding"' not in panel
    assert all(player["known"] == [] for player in scene(without)["players"])


@pytest.mark.rule("T5")
@pytest.mark.rule("T6")
@pytest.mark.parametrize(
    ("standstill", "idle", "text"),
    [
        ("ends", 8, "8 one-for-one trades in a row; at 9, the game ends."),
        ("goes on", 8, "8 one-for-one trades in a row."),
        ("goes on", 9, "Three rounds of nothing but one-for-one trades. The game goes on"),
    ],
)
def test_trades_to_and_fro_are_counted(game: Game, standstill: str, idle: int, text: str) -> None:
    panel = rendered(position_with(game, idle=idle, standstill=standstill).observe(0))
    assert f'<span class="idle">{text}' in panel
    assert ("ends" in text) == ("the game ends" in panel)


def test_what_a_player_is_known_to_hold_is_never_too_much(game: Game, middle: Position) -> None:
    for seat, player in enumerate(scene(middle.observe(None))["players"]):
        own = middle.observe(seat).view.players[seat].shares
        for known, count in zip(player["known"], own, strict=True):
            assert 0 <= known["least"] <= count


def test_a_bar_is_as_long_as_the_shares_that_a_player_is_known_to_hold(game: Game, middle: Position) -> None:
    seen = middle.observe(2)
    context = scene(seen)
    most = max(known["least"] for player in context["players"] for known in player["known"])
    assert most > 5
    page, bars = parse(render(game, "panel.html", context)), 0
    for player in context["players"]:
        (row,) = (row for row in page.iter() if row.get("id") == f"player-{player['seat']}")
        cells = [cell for cell in row if cell.get("class") == "known"]
        for company, known, cell in zip(context["companies"], player["known"], cells, strict=True):
            said = " ".join("".join(cell.itertext()).split())
            if not (known["exact"] or known["taken"] or known["given"]):
                assert said == "·"
                continue
            (bar,) = (one for one in cell.iter() if one.get("fill"))
            assert bar.get("width") == f"{round(100 * known['least'] / most)}%"
            assert bar.get("fill") == f"url(#ink-{company['id']})"
            least = "" if known["exact"] else "at least "
            assert f"{company['name']}: {least}{known['least']} share" in said
            trades = f"Taken in trades: {known['taken']}, given back: {known['given']}."
            assert (trades in said) == bool(known["taken"] or known["given"])
            bars += 1
    assert bars > 6


# The end


@pytest.mark.rule("P16")
@pytest.mark.rule("P17")
@pytest.mark.rule("P18")
def test_the_end_lays_out_the_whole_scoring(game: Game, finished: Position) -> None:
    end = scene(finished.observe(None))["end"]
    outcome = finished.outcome
    assert outcome is not None
    for row in end["rows"]:
        total = sum(share["count"] * share["value"] for share in row["shares"]) - row["lost"]
        assert total == sum(share["points"] for share in row["shares"]) - row["lost"] == finished.scores[row["seat"]]
        assert row["held"] == sum(share["count"] for share in row["shares"])
        assert row["winner"] == (row["seat"] in outcome.winners)
    totals = [finished.scores[row["seat"]] for row in end["rows"]]
    assert totals == sorted(totals, reverse=True)
    assert end["rule"] == outcome.ended_by
    text = render(game, "end.html", {**scene(finished.observe(None)), "rules_page": "/games/paris-connection/rules"})
    assert f'href="/games/paris-connection/rules#{outcome.ended_by}"' in text


def test_a_board_without_mountains_is_drawn() -> None:
    flat: Board = replace(FRANCE, borders=())
    drawn = layout.printed(flat, "flat", Words("en"))
    assert drawn["ranges"] == drawn["borders"] == []
    assert not drawn["country"]
