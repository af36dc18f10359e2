"""The analysis of a finished game: asked for on its page, worked out beside the tables, kept, and seen by who may."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, expect

from spieltisch.bots.judging import questions
from spieltisch.bots.search import native_library
from spieltisch.core.observation import Observation
from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES, game
from spieltisch.live.analysis import MAX_QUEUED_ANALYSES, MAX_QUEUED_PER_REQUESTER
from spieltisch.live.records import import_game
from spieltisch.store import analyses, removal
from spieltisch.store.schema import DATABASE
from spieltisch.store.store import Store
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.renderer import Renderer
from tests.async_wait import wait
from tests.test_docs import ROOT
from tests.web.conftest import SECONDS, Person, Server, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES, findings, on_screens, overlaps, too_wide

JSON = {"Accept": "application/json"}
GOLDEN = {
    "era-of-inventions": "3-easy.txt",
    "legendary-inventors": "3-tie.txt",
    "paris-connection": "4-depots.txt",
}
QUICK = ("--limit", "analysis_seconds=1")
"""A second for a game: few trial games, and the whole way."""


@pytest.fixture(scope="module")
def compiled() -> None:
    for key in GAMES:
        native_library.build(key)


class Shelf:
    """A folder with finished games; `paths` by the game."""

    def __init__(self, data: Path) -> None:
        self.data = data
        data.mkdir()
        store = Store(data / DATABASE)
        self.records = {key: Record.read(ROOT / "tests" / "golden" / key / file) for key, file in GOLDEN.items()}
        taken = {key: wait(import_game(store, game, record, None, 5.0)) for key, record in self.records.items()}
        wait(store.close())
        self.paths = {key: f"/table/{table_id}" for key, table_id in taken.items()}


@pytest.fixture(scope="module")
def shelf(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Shelf, Server]]:
    """A server on that folder, where all of them were looked at."""
    new_shelf = Shelf(tmp_path_factory.mktemp("shelf") / "data")
    server = Server(new_shelf.data, *QUICK)
    with Visitor(server) as visitor:
        for path in new_shelf.paths.values():
            analysed(visitor, path)
    yield new_shelf, server
    assert server.stop() == 0, server.log


def analysed(visitor: Visitor, path: str) -> None:
    """Ask for it, and look until it is there; each look takes the time of an answer."""
    assert visitor.submit(f"{path}/analysis").status_code == 303
    while 'id="progress"' in visitor.get(f"{path}/analysis").text:
        pass


@pytest.mark.parametrize(
    ("won", "points", "others", "told"),
    [
        (0.1, 90.0, 60.0, "win chance 10% instead of 30%, 90 expected points instead of 95. Better:"),
        (0.1, 97.0, 60.0, "win chance 10% instead of 30%. Better:"),
        (0.3, 90.0, 60.0, "90 expected points instead of 95. Better:"),
        (0.4, 90.0, 60.0, "Ada: 90 expected points instead of 95. Better:"),
        (0.3, 97.0, 66.25, "Ada: the others expect 66.2 points on average instead of 60. Better:"),
        (0.4, 94.6, 60.0, "Ada: 94.6 expected points instead of 95. Better:"),
    ],
)
def test_a_mistake_is_told_by_what_it_costs(won: float, points: float, others: float, told: str) -> None:
    """Nothing that speaks for it is among what it cost."""
    pages, rules = Renderer(Assets(), DrawnFiles()), game("paris-connection")
    after, best = (points, others - 1, others + 1), (95.0, 59.0, 61.0)
    judged = SimpleNamespace(
        seat=0, won=(won,), best_won=0.3, after=after, before=best, best_points=95.0, line=(), number=3
    )
    with pages._speaking("en", rules, ("Ada",)):
        template = pages._environment.get_template("analysis_macros.html")
        text = cast(Any, template.make_module({"game": rules})).judgement(SimpleNamespace(judged=judged, better=()))
    assert told in re.sub(r"<[^>]+>", "", " ".join(str(text).split()))
    assert str(text).count("instead of") == told.count("instead of")


def questions_of_game(record: Record) -> list[int]:
    """The numbers of the first moves of all turns in which there was a choice."""
    return [
        Observation.read(question.observation).number + 1
        for question in questions(next(record.positions()), record.moves)
    ]


def stored_analysis(data: Path, path: str) -> bytes | None:
    store = Store(data / DATABASE)
    analysis = wait(analyses.find(store, path.rpartition("/")[2]))
    wait(store.close())
    return analysis


# --- What it takes and who may. ---


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_it_is_kept_and_goes_with_its_table(tmp_path: Path, own_server: Callable[..., Server]) -> None:
    shelf = Shelf(tmp_path / "data")
    path = shelf.paths["paris-connection"]
    server = own_server(*QUICK)
    with Visitor(server) as visitor:
        assert 'id="progress"' not in visitor.get(f"{path}/analysis").text
        analysed(visitor, path)
        seen = visitor.get(f"{path}/analysis").text
        assert 'id="chart"' in seen
    assert server.stop() == 0, server.log
    analysis = stored_analysis(shelf.data, path)
    assert analysis is not None
    assert all(name not in analysis.decode() for name in shelf.records["paris-connection"].players)
    again = own_server(*QUICK)
    with Visitor(again) as visitor:
        page = visitor.get(f"{path}/analysis").text
        assert re.findall(r"<td>[^<]*</td>", page) == re.findall(r"<td>[^<]*</td>", seen) != []
        assert visitor.submit(f"{path}/analysis").status_code == 303
        assert 'id="chart"' in visitor.get(f"{path}/analysis").text
    assert again.stop() == 0, again.log
    assert stored_analysis(shelf.data, path) == analysis
    store = Store(shelf.data / DATABASE)
    wait(removal.remove_table(store, path.rpartition("/")[2]))
    assert wait(analyses.find(store, path.rpartition("/")[2])) is None
    wait(store.close())


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_a_server_that_is_killed_in_the_middle_begins_anew(tmp_path: Path, own_server: Callable[..., Server]) -> None:
    shelf = Shelf(tmp_path / "data")
    path = shelf.paths["paris-connection"]
    server = own_server()
    with Visitor(server) as visitor:
        assert visitor.submit(f"{path}/analysis").status_code == 303
        while 'value="0"' in (page := visitor.get(f"{path}/analysis").text):
            assert 'id="progress"' in page
    server.stop(signal.SIGKILL)
    assert stored_analysis(shelf.data, path) is None
    again = own_server(*QUICK)
    with Visitor(again) as visitor:
        assert 'id="progress"' not in visitor.get(f"{path}/analysis").text
        analysed(visitor, path)
        assert 'id="chart"' in visitor.get(f"{path}/analysis").text
    assert again.stop() == 0, again.log


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_so_many_wait_at_once_and_a_server_stops_in_the_middle(
    tmp_path: Path, own_server: Callable[..., Server]
) -> None:
    (tmp_path / "data").mkdir()
    store = Store(tmp_path / "data" / DATABASE)
    games = (ROOT / "tests" / "golden" / "paris-connection").glob("[!4]*.txt")
    more = (ROOT / "tests" / "golden" / "legendary-inventors").glob("*.txt")
    files = [*sorted(games), *sorted(more)][: MAX_QUEUED_ANALYSES + 1]
    paths = [f"/table/{wait(import_game(store, game, Record.read(file), None, 5.0))}" for file in files]
    wait(store.close())
    server = own_server("--limit", "analysis_seconds=0")
    waiting = paths[:MAX_QUEUED_ANALYSES]
    for number in range(0, MAX_QUEUED_ANALYSES, MAX_QUEUED_PER_REQUESTER):
        with Visitor(server, address=f"127.0.0.{number + 1}") as visitor:
            own = waiting[number : number + MAX_QUEUED_PER_REQUESTER]
            responses = [
                visitor.submit(f"{path}/analysis") for path in (*own, own[0], waiting[0], paths[MAX_QUEUED_ANALYSES])
            ]
            assert [answer.status_code for answer in responses] == [303] * (MAX_QUEUED_PER_REQUESTER + 2) + [409]
    with Visitor(server, address="127.0.0.99") as visitor:
        refused = visitor.post(f"{paths[MAX_QUEUED_ANALYSES]}/analysis", data={"token": visitor.token()}, headers=JSON)
        assert (refused.status_code, refused.json()["code"]) == (409, "too-many-analyses")
    assert server.stop() == 0, server.log
    assert "could not be analysed" not in server.log


def test_only_of_a_game_that_is_over(server: Server, running: tuple[str, list[Visitor]]) -> None:
    """Nor do those who play with others have the game so far looked at, unless they have agreed on it."""
    path, visitors = running
    with Visitor(server) as spectator:
        for visitor, code in ((visitors[0], "no-advice"), (spectator, "not-over")):
            assert "/analysis" not in visitor.get(path).text
            for answer in (
                visitor.get(f"{path}/analysis", headers=JSON),
                visitor.post(f"{path}/analysis", data={"token": visitor.token()}, headers=JSON),
            ):
                assert (answer.status_code, answer.json()["code"]) == (409, code)


# --- The game so far, for oneself. ---


@pytest.fixture(scope="module")
def quick_server(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("so-far") / "data", *QUICK)
    yield server
    assert server.stop() == 0, server.log


def play_on(visitor: Visitor, path: str, moves: int) -> None:
    """Play so many moves, and wait until bots have played theirs."""
    for _ in range(moves):
        while (state := visitor.state(path))["to_decide"] != state["seat"]:
            pass
        assert visitor.play(path, state["moves"][-1], state["version"]).status_code == 200
    while (state := visitor.state(path))["to_decide"] != state["seat"]:
        pass


def after(page: str) -> list[int]:
    """After which turns the table of chances has a row, by the numbers of their last moves, 0 for the set-up."""
    rows = re.findall(r'<tr><th scope="row">(?:Set-up|Move (\d+))</th><td>\d+</td></tr>', page)
    return [int(number or 0) for number in rows]


@pytest.mark.build
def test_who_plays_has_the_game_so_far_looked_at(quick_server: Server) -> None:
    with Visitor(quick_server) as ada, Visitor(quick_server) as other:
        path = ada.table("me", "bot:random", "bot:random")
        play_on(ada, path, 2)
        before = ada.state(path)["log"]
        assert f'href="{path}/analysis"' in ada.get(path).text
        assert f"{path}/analysis" not in other.get(path).text
        analysed(ada, path)
        seen = ada.get(f"{path}/analysis").text
        moves = after(seen)[-1]
        assert moves >= 6
        assert after(seen)[0] == 0, "before the first turn"
        assert after(seen) == sorted(set(after(seen)))
        assert seen.count("<polyline") == 1
        assert re.search(r'<g class="line-\d is-own">', seen), "one's own line is thick"
        assert "Analysis so far" in seen
        assert ada.state(path)["log"] == before, "there is nobody to be told"
        assert other.get(f"{path}/analysis", headers=JSON).json()["code"] == "not-over"
        play_on(ada, path, 1)
        assert "moves have been played since" in ada.get(f"{path}/analysis").text
        analysed(ada, path)
        more = ada.get(f"{path}/analysis").text
        assert after(more)[: len(after(seen))] == after(seen)
        assert after(more)[-1] >= moves + 3
        first = re.findall(r"<td>(\d+)</td>", seen)
        assert re.findall(r"<td>(\d+)</td>", more)[: len(first)] == first, "what was known is not asked anew"


@pytest.mark.build
def test_on_one_device_it_is_for_who_asks_and_the_others_are_told(quick_server: Server) -> None:
    with Visitor(quick_server) as ada:
        path = ada.table("me", "here", "bot:random", **{"here-1": "Ben", "hints": "all"})
        assert ada.get(f"{path}/analysis", headers=JSON).status_code != 200, "the curtain is drawn"
        response = ada.post(f"{path}/analysis?me=2", data={"token": ada.token()})
        assert response.status_code == 303
        assert response.headers["location"].endswith("me=2")
        while 'id="progress"' in ada.get(f"{path}/analysis?me=2").text:
            pass
        assert "Analyse so far" not in ada.get(f"{path}/analysis?me=2").text
        assert "Analyse so far" in ada.get(f"{path}/analysis?me=0").text
        assert ["Ben asked for an analysis of the game so far."] in [line["text"] for line in ada.state(path)["log"]]


@pytest.mark.build
@pytest.mark.browser
def test_the_game_so_far_is_asked_for_and_seen(quick_server: Server, chromium: Browser) -> None:
    """Asked for once, by who reads English on a phone; then it is there, in each language."""
    with Visitor(quick_server) as ada:
        path = ada.table("me", "bot:easy", "bot:easy", game="legendary-inventors")
        play_on(ada, path, 3)
        for language in LANGUAGES:
            assert ada.submit("/preferences", language=language).status_code == 303
            size = PHONES[0] if language in ("en", "fr") else DESK
            context = chromium.new_context(viewport=size, locale=language, bypass_csp=True)
            let_in(context, ada)
            page = context.new_page()
            page.goto(f"{quick_server.address}{path}")
            assert (page.locator("html").get_attribute("lang") or "").startswith(language)
            if page.locator("#unroll").is_visible():
                page.locator("#unroll").click()
            page.locator("#look-back").click()
            if language == "en":
                page.locator("#analysis button").click()
            expect(page.locator(".chart-lines")).to_be_visible(timeout=SECONDS)
            expect(page.locator(".accuracy li")).to_have_count(1)
            page.locator("#chart-figures summary").click()
            assert [*too_wide(page), *overlaps(page), *findings(page, "#analysis")] == []
            context.close()


@pytest.mark.build
def test_a_form_from_elsewhere_begins_nothing(shelf: tuple[Shelf, Server]) -> None:
    games, server = shelf
    with Visitor(server) as visitor:
        path = games.paths["paris-connection"]
        assert visitor.post(f"{path}/analysis", data={"token": "0"}).status_code == 403


def test_without_the_compiled_search_it_says_so(
    tmp_path: Path, own_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(tmp_path / "data")
    path = shelf.paths["paris-connection"]
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path / "empty"))
    server = own_server()
    with Visitor(server) as visitor:
        page = visitor.get(f"{path}/analysis").text
        assert "the server is still getting ready" in page
        assert 'action="' + path + '/analysis"' not in page
        refused = visitor.post(f"{path}/analysis", data={"token": visitor.token()}, headers=JSON)
        assert (refused.status_code, refused.json()["code"]) == (409, "no-analysis-yet")
    assert server.stop() == 0, server.log


# --- What is seen. ---


@pytest.mark.build
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", sorted(GAMES))
def test_in_the_words_of_the_game(shelf: tuple[Shelf, Server], key: str, language: str) -> None:
    games, server = shelf
    path = games.paths[key]
    with Visitor(server, language) as visitor:
        page = visitor.get(f"{path}/analysis").text
        assert page.count("<polyline") == games.records[key].seats
        shown = re.findall(rf'href="({path}/analysis\?at=\d+)#views"', page)
        assert shown
        for address in {shown[0], shown[-1]}:
            seen = visitor.get(address, headers={"HX-Request": "true"}).text
            assert 'id="turn-title"' in seen
            assert 'id="panel"' in seen
            assert 'id="all-turns"' not in seen
        assert visitor.get(f"{path}/analysis?at=100000").status_code == 404
        told = page[page.index('<ol class="turning">') : page.index('id="all-turns"')]
        assert 'class="chip' in told, "pieces in sentences have their icons"
        every = page[page.index('id="all-turns"') :]
        turns = every[: every.index("</details>")].split("<li>")[1:]
        on = [re.findall(rf'href="({path}/replay\?at=(\d+)&amp;as=(\d)&amp;what-if=1)"', turn) for turn in turns]
        assert [len(matches) for matches in on] == [1] * len(questions_of_game(games.records[key]))
        assert [int(matches[0][1]) for matches in on] == [
            number - 1 for number in questions_of_game(games.records[key])
        ]
        opened = visitor.get(on[-1][0][0].replace("&amp;", "&")).text
        assert re.search(r'<details class="what-if" id="what-if" open>', opened)
        assert f'<option value="{on[-1][0][2]}" selected>' in opened
        assert ("Luck" in page) == (language == "en" and key != "paris-connection")
        assert 'id="end"' in page
        lines = re.findall(rf'href="({path}/analysis/\d+)"', page)
        assert lines
        for address in lines:
            seen = visitor.get(address).text
            assert 'id="better"' in seen
            assert 'data-first="0"' in seen
            last = int(re.findall(r'data-last="(\d+)"', seen)[0])
            assert [visitor.get(f"{address}?at={at}").status_code for at in (0, last, last + 1)] == [200, 200, 404]
        assert visitor.get(f"{path}/analysis/100000").status_code == 404
        assert f'href="{path}/analysis"' in visitor.get(path).text
        assert f'href="{path}/analysis"' in visitor.get(f"{path}/replay").text


@pytest.mark.build
@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_seen_and_read_everywhere(shelf: tuple[Shelf, Server], chromium: Browser, language: str) -> None:
    games, server = shelf
    # The page's own policy would not let axe in.
    context = chromium.new_context(viewport=DESK, locale=language, bypass_csp=True)
    page, problems = context.new_page(), []
    for path in games.paths.values():
        page.goto(f"{server.address}{path}/analysis")
        expect(page.locator(".chart-lines")).to_be_visible()
        for screen in on_screens(page, DESK, PHONES[0]):
            problems += [f"{path}, {screen}: {fault}" for fault in (*too_wide(page), *overlaps(page))]
        page.set_viewport_size({"width": 1366, "height": 650})
        title = page.locator("#turn-title").bounding_box()
        assert title is not None
        assert title["y"] < 520, "the turn is visible below the chart"
        problems += [f"{path}, in a low window: {fault}" for fault in (*too_wide(page), *overlaps(page))]
        page.locator("#chart-figures summary").click()
        expect(page.locator("#chart-figures tbody tr")).not_to_have_count(0)
        for screen in on_screens(page, PHONES[0], DESK):
            faults = [*too_wide(page), *overlaps(page), *findings(page, "#analysis")]
            problems += [f"{path}, as a table, {screen}: {fault}" for fault in faults]
    context.close()
    assert "\n".join(problems) == ""


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.browser
def test_a_click_its_progress_and_a_turning_point_on_the_board(
    tmp_path: Path, own_server: Callable[..., Server], person: Person
) -> None:
    shelf = Shelf(tmp_path / "data")
    path = shelf.paths["paris-connection"]
    server = own_server("--limit", "analysis_seconds=5")
    page = person(viewport=PHONES[0], locale="en")
    page.goto(server.address + path)
    page.get_by_role("link", name="Analysis").first.click()
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator("#progress")).to_be_visible()
    expect(page.locator("#chart")).to_be_visible(timeout=SECONDS)
    expect(page.locator("#map-static svg")).to_be_visible()
    title = page.locator("#turn-title")
    begun = title.inner_text()
    page.locator(".chart-places a").nth(2).click()
    expect(title).not_to_have_text(begun)
    expect(page.locator("#map-static svg")).to_be_visible()
    seen = title.inner_text()
    page.locator("#turn-on").click()
    expect(title).not_to_have_text(seen)
    page.locator("#turn-back").click()
    expect(title).to_have_text(seen)
    turning = page.locator("ol.turning > li").filter(has_text="Show on the board").first
    number = int(turning.locator("a").first.inner_text().split()[-1])
    turning.locator("a").first.click()
    expect(title).to_have_text(re.compile(rf"Moves? {number}\b"))
    turning.get_by_role("link", name="Show on the board").click()
    expect(page.locator("#better")).to_contain_text(f"instead of move {number}.")
    for way, at in (
        ("#step-back", "0"),
        ("#step-on", "1"),
        ("#step-last", page.locator("#live").get_attribute("data-last")),
    ):
        page.locator(way).click()
        expect(page.locator("#live")).to_have_attribute("data-at", at or "")
        expect(page.locator("#better")).to_be_visible()
    page.context.close()
    assert server.stop() == 0, server.log
