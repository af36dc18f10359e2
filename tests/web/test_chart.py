"""Check the chart of a finished game's points: its numbers, its access, and its layout on desktop and phone."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, expect

import spieltisch
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.words import LANGUAGES, Words, message
from spieltisch.games import game
from spieltisch.live.records import import_game
from spieltisch.store.schema import DATABASE
from spieltisch.store.store import Store
from spieltisch.tables import ScoreHistory, Stage
from spieltisch.web.pages.chart import (
    LABEL_HEIGHT,
    LINE_STYLES,
    MARKS,
    MAX_TICKS,
    NARROW,
    WIDE,
    chance_chart,
    score_chart,
    spread_labels,
)
from tests.async_wait import wait
from tests.tiers import first_alone
from tests.web.layout_checks import DESK, PHONES, cut_texts, findings, on_screens, overlaps, too_wide
from tests.web.servers import Server
from tests.web.visitors import Visitor

NAMES = ["Ada", "Gräfin Donnersmarck-Hohenlohe-Öhringen", "Mary-Ann", "Li", "Konstantin Eduardowitsch", "Zoë"]
GAMES = {"era-of-inventions": 5, "legendary-inventors": 4, "paris-connection": 6}


def random_game(key: str, seats: int) -> Record:
    chance, plays = random.Random(1889), []
    position = game(key).start(seats, seed=1889)
    while not position.is_over:
        played = position.play(chance.choice(position.legal_moves))
        plays.append(RecordedMove(played.seat, played.move.text, played.drew))
    return Record.of(position, plays, players=NAMES[:seats], seed=1889)


class Shelf:
    """A server with one finished game of each kind; `paths` and `records` are given by game."""

    def __init__(self, data: Path) -> None:
        data.mkdir()
        store = Store(data / DATABASE)
        self.records = {key: random_game(key, seats) for key, seats in GAMES.items()}
        imported_games = {
            key: wait(import_game(store, game, record, None, 5.0)) for key, record in self.records.items()
        }
        wait(store.close())
        self.paths = {key: f"/table/{table_id}" for key, table_id in imported_games.items()}
        self.server = Server(data)


@pytest.fixture(scope="module")
def finished_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    new_shelf = Shelf(tmp_path_factory.mktemp("shelf") / "data")
    yield new_shelf
    assert new_shelf.server.stop() == 0, new_shelf.server.log


# --- The numbers. ---


def history(*points: tuple[int, ...], name: bool = False) -> ScoreHistory:
    stages = [Stage(message("Part {n}", n=n) if name else None, at) for n, at in enumerate(points[1:], 1)]
    return ScoreHistory(points[0], tuple(stages))


def chart_of(history: ScoreHistory) -> dict[str, Any]:
    chart = score_chart(history)
    assert chart is not None
    return chart


def test_a_game_without_a_score_history_has_no_chart() -> None:
    assert score_chart(None) is None
    assert score_chart(ScoreHistory((0, 0), ())) is None


def test_chart_lines_reach_from_the_deal_to_the_final_points() -> None:
    chart = chart_of(history((0, 0), (3, -5), (10, -20)))
    best_line, other_line = chart["lines"]
    assert (best_line["seat"], best_line["points"], other_line["seat"], other_line["points"]) == (0, 10, 1, -20)
    for line in chart["lines"]:
        places = [tuple(map(float, place.split(","))) for place in line["path"].split()]
        assert len(places) == 3
        assert places[-1][0] == NARROW.right
        assert all(NARROW.top <= y <= NARROW.bottom for _, y in places)
        assert places[-1] == line["end"][:2]
    assert [points for _, points in chart["heights"]] == [-20, -10, 0, 10]
    assert chart["heights"][0][0] == NARROW.bottom
    assert chart["heights"][-1][0] == NARROW.top


@pytest.mark.parametrize("parts", [1, 4, 5, 12, 13, 40, 200])
def test_the_chart_has_a_limited_number_of_ticks_however_long_the_game(parts: int) -> None:
    chart = chart_of(history((0,), *((n,) for n in range(parts)), name=True))
    assert 1 <= len(chart["ticks"]) <= MAX_TICKS
    assert (chart["below"] is None) == (parts <= 4)
    assert len(chart["rows"]) == 1 + parts
    assert len(chart["lines"][0]["marks"]) in (len(chart["ticks"]), len(chart["ticks"]) + 1)
    assert chart["lines"][0]["marks"][-1] == chart["lines"][0]["end"][:2]


def test_worse_mistakes_have_longer_ticks_below_the_axis_of_the_chart() -> None:
    marks = ["", "?!", "?", "??", "!"]
    decisions = [
        SimpleNamespace(last=n, seat=n % 2, mark=mark, won=(0.5, 0.5), doubt=(0.1, 0.1)) for n, mark in enumerate(marks)
    ]
    chart = chance_chart(cast(Any, SimpleNamespace(decisions=decisions, seat=None, won=(1.0, 0.0), moves=5)), at=2)
    assert chart is not None
    for drawn, frame in ((chart, NARROW), (chart["wide"], WIDE)):
        (x1, low, kind1), (x2, middle, kind2), (x3, high, kind3) = drawn["mistakes"]
        assert frame.left < x1 < x2 < x3 < frame.right
        assert 0 < low < middle < high < frame.height - frame.bottom
        assert (kind1, kind2, kind3) == (1, 0, 1)
        assert drawn["across"][chart["cursor"]] == x2


def test_labels_at_the_ends_of_chart_lines_do_not_overlap() -> None:
    for places in ([100.0] * 6, [NARROW.bottom] * 6, [NARROW.top] * 6, [50, 51, 120, 121], [60, 90]):
        spread_places = spread_labels(places)
        order = sorted(spread_places)
        assert all(b - a >= LABEL_HEIGHT - 0.11 for a, b in pairwise(order)), places
        assert order[0] >= NARROW.top
        assert order[-1] <= NARROW.bottom
        assert [spread_places[n] for n in sorted(range(len(places)), key=lambda n: places[n])] == order
    assert spread_labels([60, 90]) == [60, 90]


def test_each_player_has_a_different_line_style_in_the_chart() -> None:
    assert len(set(MARKS)) == LINE_STYLES >= max(max(game(key).seats) for key in GAMES)
    styles = (Path(spieltisch.__file__).parent / "web" / "static" / "css" / "chart.css").read_text("utf-8")
    dashes = re.findall(r"\.seat-line-(\d) \{ --line: [^;]+; --dash: ([^;]+);", styles)
    assert [int(kind) for kind, _ in dashes] == list(range(LINE_STYLES))
    assert len({dash for _, dash in dashes}) == LINE_STYLES


# --- The pages. ---


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
@pytest.mark.parametrize("key", GAMES)
def test_the_result_page_has_a_chart_with_the_final_points(finished_games: Shelf, key: str, language: str) -> None:
    position = finished_games.records[key].replay()
    with Visitor(finished_games.server, language) as visitor:
        page = visitor.get(f"{finished_games.paths[key]}/end").text
    assert page.count("<polyline") == 2 * GAMES[key], "drawn for a phone and for the width of a page"
    letters = re.findall(r'<text class="seat-label"[^>]*>([^<]+)<', page)
    drawing, setup = game(key).drawing, position.setup
    assert drawing is not None
    assert len(set(letters)) == GAMES[key]
    assert not set(letters) & {
        symbol for symbol, _ in drawing.symbol_meanings(setup, Words(language, game(key).folder / "locale"))
    }
    figures = page[page.index('id="chart-figures"') :]
    rows = re.findall(r'<tr><th scope="row">[^<]+</th>((?:<td>[−\d]+</td>)+)</tr>', figures)
    final_points = [int(value.replace("−", "-")) for value in re.findall(r"<td>([−\d]+)<", rows[-1])]
    assert final_points == position.scores
    assert len(rows) - 1 == {"era-of-inventions": 10, "legendary-inventors": 3}.get(key, len(rows) - 1)
    assert 'style="' not in page


def test_a_running_game_has_no_chart(running_table: tuple[str, list[Visitor]]) -> None:
    path, visitors = running_table
    seat = visitors[0].state(path)["to_decide"]
    visitors[seat].play(path, visitors[seat].state(path)["moves"][0])
    for visitor in visitors:
        for page in (path, f"{path}/replay"):
            assert "chart-title" not in visitor.get(page).text


def test_the_last_step_of_a_replay_shows_the_chart(finished_games: Shelf) -> None:
    with Visitor(finished_games.server) as visitor:
        for key, path in finished_games.paths.items():
            last_step = len(finished_games.records[key].moves)
            assert 'id="chart"' in visitor.get(f"{path}/replay?at={last_step}&as=1").text
            assert 'id="chart"' not in visitor.get(f"{path}/replay?at={last_step - 1}").text


@pytest.mark.browser
@pytest.mark.parametrize(("width", "language"), first_alone((390, "de"), [(1440, "en"), (390, "de"), (320, "fr")]))
def test_the_chart_is_not_too_wide_and_no_texts_overlap_on_desktop_and_phone(
    finished_games: Shelf, chromium: Browser, width: int, language: str
) -> None:
    # The page's own policy would not let axe in.
    context = chromium.new_context(viewport={"width": width, "height": 900}, locale=language, bypass_csp=True)
    page, problems = context.new_page(), []
    for path in finished_games.paths.values():
        page.goto(f"{finished_games.server.address}{path}/end")
        assert too_wide(page) == []
        chart = page.locator(".chart-lines:visible")
        chart.scroll_into_view_if_needed()
        expect(chart).to_be_in_viewport()
        unused = "(one) => one.closest('.chart').clientWidth - one.getBoundingClientRect().width"
        assert chart.evaluate(unused) < 2, "it is as wide as the frame"
        expect(page.locator("#chart-figures table")).to_be_hidden()
        problems += [f"{path}: {fault}" for fault in (*too_wide(page), *overlaps(page))]
        page.locator("#chart-figures summary").click()
        expect(page.locator("#chart-figures table")).to_be_visible()
        problems += [f"{path}, as a table: {fault}" for fault in (*too_wide(page), *overlaps(page))]
        problems += [f"{path}, {finding}" for finding in findings(page, "#game-result")]
        letters = chart.locator(".axis-number").first.bounding_box()
        assert letters is not None
        assert letters["height"] >= 9
    context.close()
    assert "\n".join(problems) == ""


SCROLLS = """() => [...document.querySelectorAll("main, main *")].filter((one) =>
  /auto|scroll/.test(getComputedStyle(one).overflow)
  && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
).map((one) => `scrolls: ${one.className} ${one.scrollWidth} > ${one.clientWidth}`)"""


UNEVEN = """() => {
  const heads = [...document.querySelectorAll(".player-column")];
  const [name] = document.querySelectorAll(".player-column-name");
  const side = name && getComputedStyle(name).writingMode === "horizontal-tb" ? "top" : "bottom";
  return [".icon:not(.laurel)", ".player-column-name"].flatMap((part) => {
    const at = heads.map((head) => head.querySelector(part).getBoundingClientRect()[side]);
    return Math.max(...at) - Math.min(...at) > 1 ? [`heads at different heights, ${part}: ${at}`] : [];
  });
}"""
"""The parts of a game's heads that do not stand in one line: below, where the names are turned."""


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_no_part_of_the_result_page_scrolls(finished_games: Shelf, chromium: Browser, language: str) -> None:
    page, problems = chromium.new_page(viewport=DESK, locale=language), []
    for path in finished_games.paths.values():
        page.goto(f"{finished_games.server.address}{path}/end")
        for screen in on_screens(page, DESK, *PHONES):
            faults = (
                *page.evaluate(SCROLLS),
                *page.evaluate(UNEVEN),
                *too_wide(page),
                *overlaps(page),
                *cut_texts(page),
            )
            problems += [f"{path}, {screen}: {fault}" for fault in faults]
        page.set_viewport_size(DESK)
        page.locator(f'main .actions a[href="{path}"]').first.click()
        expect(page.locator("#result-link")).to_be_visible()
        expect(page.locator("#panel-end")).to_have_count(0)
    page.close()
    assert problems == []


@pytest.mark.browser
def test_the_content_security_policy_allows_the_chart(finished_games: Shelf, chromium: Browser) -> None:
    page = chromium.new_page(locale="en")
    complaints: list[str] = []
    page.on("console", lambda entry: complaints.append(entry.text) if entry.type == "error" else None)
    for path in finished_games.paths.values():
        page.goto(f"{finished_games.server.address}{path}/end")
        lines = page.locator(".chart-lines:visible .chart-line")
        dashes = lines.evaluate_all("all => all.map((one) => getComputedStyle(one).strokeDasharray)")
        assert len(set(dashes)) == len(dashes)
    page.close()
    assert complaints == []
