"""The chart of a finished game's points: its numbers, who may see it, and how it looks on desk and phone."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

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
    BOTTOM,
    LABEL_HEIGHT,
    LINE_STYLES,
    MARKS,
    MAX_TICKS,
    RIGHT,
    TOP,
    score_chart,
    spread_labels,
)
from tests.async_wait import wait
from tests.tiers import first_alone
from tests.web.conftest import Server, Visitor
from tests.web.layout_checks import DESK, PHONES, findings, not_whole, on_screens, overlaps, too_wide

NAMES = ["Ada", "Gräfin Donnersmarck-Hohenlohe-Öhringen", "Mary-Ann", "Li", "Konstantin Eduardowitsch", "Zoë"]
BOARD = {"en": "Final position", "de": "Schlussstellung", "fr": "Position finale", "nl": "Eindstelling"}
GAMES = {"era-of-inventions": 5, "legendary-inventors": 4, "paris-connection": 6}


def random_game(key: str, seats: int) -> Record:
    chance, plays = random.Random(1889), []
    position = game(key).start(seats, seed=1889)
    while not position.is_over:
        played = position.play(chance.choice(position.legal_moves))
        plays.append(RecordedMove(played.seat, played.move.text, played.drew))
    return Record.of(position, plays, players=NAMES[:seats], seed=1889)


class Shelf:
    """A server with a finished game of each kind; `paths` and `records` by the game."""

    def __init__(self, data: Path) -> None:
        data.mkdir()
        store = Store(data / DATABASE)
        self.records = {key: random_game(key, seats) for key, seats in GAMES.items()}
        taken = {key: wait(import_game(store, game, record, None, 5.0)) for key, record in self.records.items()}
        wait(store.close())
        self.paths = {key: f"/table/{table_id}" for key, table_id in taken.items()}
        self.server = Server(data)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    new_shelf = Shelf(tmp_path_factory.mktemp("shelf") / "data")
    yield new_shelf
    assert new_shelf.server.stop() == 0, new_shelf.server.log


# --- The numbers. ---


def history(*points: tuple[int, ...], name: bool = False) -> ScoreHistory:
    stages = [Stage(message("Part {n}", n=n) if name else None, at) for n, at in enumerate(points[1:], 1)]
    return ScoreHistory(points[0], tuple(stages))


def chart_of(what: ScoreHistory) -> dict[str, Any]:
    chart = score_chart(what)
    assert chart is not None
    return chart


def test_no_course_no_chart() -> None:
    assert score_chart(None) is None
    assert score_chart(ScoreHistory((0, 0), ())) is None


def test_lines_go_from_the_deal_to_the_end() -> None:
    chart = chart_of(history((0, 0), (3, -5), (10, -20)))
    best, other = chart["lines"]
    assert (best["seat"], best["points"], other["seat"], other["points"]) == (0, 10, 1, -20)
    for line in chart["lines"]:
        places = [tuple(map(float, place.split(","))) for place in line["path"].split()]
        assert len(places) == 3
        assert places[-1][0] == RIGHT
        assert all(TOP <= y <= BOTTOM for _, y in places)
        assert places[-1] == line["end"][:2]
    assert [points for _, points in chart["heights"]] == [-20, -10, 0, 10]
    assert chart["heights"][0][0] == BOTTOM
    assert chart["heights"][-1][0] == TOP


@pytest.mark.parametrize("parts", [1, 4, 5, 12, 13, 40, 200])
def test_as_many_ticks_as_can_be_read(parts: int) -> None:
    chart = chart_of(history((0,), *((n,) for n in range(parts)), name=True))
    assert 1 <= len(chart["ticks"]) <= MAX_TICKS
    assert (chart["below"] is None) == (parts <= 4)
    assert len(chart["rows"]) == 1 + parts
    assert len(chart["lines"][0]["marks"]) in (len(chart["ticks"]), len(chart["ticks"]) + 1)
    assert chart["lines"][0]["marks"][-1] == chart["lines"][0]["end"][:2]


def test_numbers_at_the_ends_stand_apart() -> None:
    for places in ([100.0] * 6, [BOTTOM] * 6, [TOP] * 6, [50, 51, 120, 121], [60, 90]):
        moved = spread_labels(places)
        order = sorted(moved)
        assert all(b - a >= LABEL_HEIGHT - 0.11 for a, b in pairwise(order)), places
        assert order[0] >= TOP
        assert order[-1] <= BOTTOM
        assert [moved[n] for n in sorted(range(len(places)), key=lambda n: places[n])] == order
    assert spread_labels([60, 90]) == [60, 90]


def test_a_kind_of_line_for_each_player() -> None:
    assert len(set(MARKS)) == LINE_STYLES >= max(max(game(key).seats) for key in GAMES)
    styles = (Path(spieltisch.__file__).parent / "web" / "static" / "css" / "chart.css").read_text("utf-8")
    dashes = re.findall(r"\.line-(\d) \{ --line: [^;]+; --dash: ([^;]+);", styles)
    assert [int(kind) for kind, _ in dashes] == list(range(LINE_STYLES))
    assert len({dash for _, dash in dashes}) == LINE_STYLES


# --- The pages. ---


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
@pytest.mark.parametrize("key", GAMES)
def test_the_page_of_a_finished_game_has_it(shelf: Shelf, key: str, language: str) -> None:
    position = shelf.records[key].replay()
    with Visitor(shelf.server, language) as visitor:
        page = visitor.get(f"{shelf.paths[key]}/end").text
    assert page.count("<polyline") == GAMES[key]
    letters = re.findall(r'<text class="of-seat"[^>]*>([^<]+)<', page)
    drawing, setup = game(key).drawing, position.setup
    assert drawing is not None
    assert len(set(letters)) == GAMES[key]
    assert not set(letters) & {
        sign for sign, _ in drawing.symbol_meanings(setup, Words(language, game(key).folder / "locale"))
    }
    figures = page[page.index('id="chart-figures"') :]
    rows = re.findall(r'<tr><th scope="row">[^<]+</th>((?:<td>[−\d]+</td>)+)</tr>', figures)
    last = [int(value.replace("−", "-")) for value in re.findall(r"<td>([−\d]+)<", rows[-1])]
    assert last == position.scores
    assert len(rows) - 1 == {"era-of-inventions": 10, "legendary-inventors": 3}.get(key, len(rows) - 1)
    assert 'style="' not in page


def test_a_running_game_has_none(running: tuple[str, list[Visitor]]) -> None:
    path, visitors = running
    seat = visitors[0].state(path)["to_decide"]
    visitors[seat].play(path, visitors[seat].state(path)["moves"][0])
    for visitor in visitors:
        for page in (path, f"{path}/replay"):
            assert "chart-title" not in visitor.get(page).text


def test_the_replay_shows_it_at_the_end(shelf: Shelf) -> None:
    with Visitor(shelf.server) as visitor:
        for key, path in shelf.paths.items():
            last = len(shelf.records[key].moves)
            assert 'id="chart"' in visitor.get(f"{path}/replay?at={last}&as=1").text
            assert 'id="chart"' not in visitor.get(f"{path}/replay?at={last - 1}").text


@pytest.mark.browser
@pytest.mark.parametrize(("width", "language"), first_alone((390, "de"), [(1440, "en"), (390, "de"), (320, "fr")]))
def test_it_is_seen_and_read_everywhere(shelf: Shelf, chromium: Browser, width: int, language: str) -> None:
    # The page's own policy would not let axe in.
    context = chromium.new_context(viewport={"width": width, "height": 900}, locale=language, bypass_csp=True)
    page, problems = context.new_page(), []
    for path in shelf.paths.values():
        page.goto(f"{shelf.server.address}{path}/end")
        assert too_wide(page) == []
        page.locator(".chart-lines").scroll_into_view_if_needed()
        expect(page.locator(".chart-lines")).to_be_in_viewport()
        expect(page.locator("#chart-figures table")).to_be_hidden()
        problems += [f"{path}: {fault}" for fault in (*too_wide(page), *overlaps(page))]
        page.locator("#chart-figures summary").click()
        expect(page.locator("#chart-figures table")).to_be_visible()
        problems += [f"{path}, as a table: {fault}" for fault in (*too_wide(page), *overlaps(page))]
        problems += [f"{path}, {finding}" for finding in findings(page, "#end")]
        letters = page.locator(".chart-lines .scale").first.bounding_box()
        assert letters is not None
        assert letters["height"] >= 9
    context.close()
    assert "\n".join(problems) == ""


SCROLLS = """() => [...document.querySelectorAll("main, main *")].filter((one) =>
  /auto|scroll/.test(getComputedStyle(one).overflow)
  && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
).map((one) => `scrolls: ${one.className} ${one.scrollWidth} > ${one.clientWidth}`)"""


UNEVEN = """() => {
  const heads = [...document.querySelectorAll(".scorer")], [name] = document.querySelectorAll(".scorer-name");
  const side = name && getComputedStyle(name).writingMode === "horizontal-tb" ? "top" : "bottom";
  return [".sign:not(.laurel)", ".scorer-name"].flatMap((part) => {
    const at = heads.map((head) => head.querySelector(part).getBoundingClientRect()[side]);
    return Math.max(...at) - Math.min(...at) > 1 ? [`heads at different heights, ${part}: ${at}`] : [];
  });
}"""
"""The parts of a game's heads that do not stand in one line: below, where the names are turned."""


@pytest.mark.browser
@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_the_end_is_a_page_of_its_own_in_which_nothing_scrolls(shelf: Shelf, chromium: Browser, language: str) -> None:
    page, problems = chromium.new_page(viewport=DESK, locale=language), []
    for path in shelf.paths.values():
        page.goto(f"{shelf.server.address}{path}/end")
        for screen in on_screens(page, DESK, *PHONES):
            faults = (
                *page.evaluate(SCROLLS),
                *page.evaluate(UNEVEN),
                *too_wide(page),
                *overlaps(page),
                *not_whole(page),
            )
            problems += [f"{path}, {screen}: {fault}" for fault in faults]
        page.set_viewport_size(DESK)
        page.get_by_role("link", name=BOARD[language]).click()
        expect(page.locator("#to-end")).to_be_visible()
        expect(page.locator("#panel-end")).to_have_count(0)
    page.close()
    assert problems == []


@pytest.mark.browser
def test_the_pages_policy_lets_it_through(shelf: Shelf, chromium: Browser) -> None:
    page = chromium.new_page(locale="en")
    complaints: list[str] = []
    page.on("console", lambda entry: complaints.append(entry.text) if entry.type == "error" else None)
    for path in shelf.paths.values():
        page.goto(f"{shelf.server.address}{path}/end")
        lines = page.locator(".chart-lines .way")
        dashes = lines.evaluate_all("all => all.map((one) => getComputedStyle(one).strokeDasharray)")
        assert len(set(dashes)) == len(dashes)
    page.close()
    assert complaints == []
