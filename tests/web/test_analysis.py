"""Check the analysis of a finished game: how it is requested, computed, stored, and who may see it."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from spieltisch.bots.analysis import Analysis
from spieltisch.bots.judging import questions
from spieltisch.core.observation import Observation
from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.games import GAMES, game
from spieltisch.live.analysis import MAX_QUEUED_ANALYSES, MAX_QUEUED_PER_REQUESTER
from spieltisch.live.records import import_game
from spieltisch.store import analyses, removal
from spieltisch.store.schema import DATABASE
from spieltisch.store.store import Store
from spieltisch.tables.refusals import no_analysis_yet
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.renderer import Renderer
from tests.async_wait import wait
from tests.games.declared_sentences import sentence_pattern
from tests.paths import ROOT
from tests.sentences import sentence_after, template_after
from tests.web.conftest import SECONDS, Person
from tests.web.layout_checks import DESK, PHONES, findings, on_screens, overlaps, too_wide
from tests.web.quick_analyses import QUICK_ANALYSES, wait_for_analysis
from tests.web.servers import Server
from tests.web.shelf_of_games import Shelf
from tests.web.visitors import SHORT, Visitor, table_of_three, trade_on

JSON = {"Accept": "application/json"}
SUMMARY = "web/templates/analysis_summary.html"


@pytest.fixture(scope="module")
def analysed_games(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Shelf, Server]]:
    """Run a server on a folder in which all games were analysed."""
    new_shelf = Shelf(tmp_path_factory.mktemp("shelf") / "data")
    server = Server(new_shelf.data, *QUICK_ANALYSES)
    with Visitor(server) as visitor:
        for path in new_shelf.paths.values():
            wait_for_analysis(visitor, path)
    yield new_shelf, server
    assert server.stop() == 0, server.log


@pytest.mark.parametrize(
    ("win_share", "points", "other_costs", "case", "figures"),
    [
        (0.1, 90.0, 60.0, "{%- else %}", ("10%", "30%", "90", "95")),
        (0.1, 97.0, 60.0, "less_won and points >=", ("10%", "30%")),
        (0.3, 90.0, 60.0, "not less_won and points <", ("90", "95")),
        (0.4, 90.0, 60.0, "not less_won and points <", ("90", "95")),
        (0.3, 97.0, 66.25, "not less_won and others >", ("66.2", "60")),
        (0.4, 94.6, 60.0, "{%- elif not less_won %}", ("94.6", "95")),
    ],
)
def test_a_mistake_is_described_by_its_cost(
    win_share: float, points: float, other_costs: float, case: str, figures: tuple[str, ...]
) -> None:
    pages, rules = Renderer(Assets(), DrawnFiles()), game("paris-connection")
    after, best = (points, other_costs - 1, other_costs + 1), (95.0, 59.0, 61.0)
    judged_turn = SimpleNamespace(
        seat=0, won=(win_share,), best_won=0.3, after=after, before=best, best_points=95.0, line=(), number=3
    )
    with pages._set_words("en", rules, ("Ada",)):
        template = pages._environment.get_template("analysis_macros.html")
        text = cast(Any, template.make_module({"game": rules})).verdict(SimpleNamespace(judged=judged_turn))
    sentence = template_after("web/templates/analysis_macros.html", case)
    shown_values = ("won", "best_won")[: sum("%" in figure for figure in figures)]
    shown_values += ("points", "best_points")[: len(figures) - len(shown_values)]
    assert " ".join(text.striptags().split()) == str(
        sentence.fill({"player": "Ada", **dict(zip(shown_values, figures, strict=True))})
    )


def test_better_moves_of_one_kind_name_it_once() -> None:
    pages, rules = Renderer(Assets(), DrawnFiles()), game("paris-connection")
    moves = [
        [SimpleNamespace(label=label) for label in move]
        for move in (("Track", "Onyx", "Caen"), ("Track", "Onyx", "Metz"))
    ]
    with pages._set_words("en", rules, ("Ada",)):
        template = pages._environment.get_template("analysis_macros.html")
        turn = SimpleNamespace(judged=SimpleNamespace(line=()), better=[*moves, moves[1]])
        macros = cast(Any, template.make_module({"game": rules}))
        moves_shown = [macros.better_move(turn, number).split() for number in range(len(turn.better))]
    assert moves_shown == [["Track", "Onyx", "Caen"], ["Metz"], ["Metz"]]


def questions_of_game(record: Record) -> list[int]:
    """Return the numbers of the first moves of all turns with a choice."""
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
def test_the_result_names_the_costliest_turn_without_being_asked(
    tmp_path: Path, own_server: Callable[..., Server]
) -> None:
    server = own_server("--limit", "automatic_analyses_per_hour=1", *QUICK_ANALYSES)
    with ExitStack() as stack:
        ada, grace, mary = (stack.enter_context(Visitor(server)) for _ in range(3))
        path, visitors = table_of_three(ada, grace, mary, **SHORT)
        assert visitors[0].get(f"{path}/analysis/summary").status_code == 409  # it is not over
        trade_on(visitors, path, None)
        assert f'hx-get="{path}/analysis/summary"' in visitors[0].get(f"{path}/end").text
        while sentence_after(SUMMARY, "elif progress") in (summary := visitors[1].get(f"{path}/analysis/summary").text):
            pass
    assert server.stop() == 0, server.log
    stored = stored_analysis(tmp_path / "data", path)
    assert stored is not None
    turning_points = msgspec.json.decode(stored, type=Analysis).turning_points()
    link = f"analysis?at={turning_points[0].last if turning_points else 0}#"
    for text in (sentence_after(SUMMARY, "if turn"), link):
        assert (text in summary) == bool(turning_points)


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_an_analysis_is_stored_without_names_and_removed_with_its_table(
    tmp_path: Path, own_server: Callable[..., Server]
) -> None:
    shelf = Shelf(tmp_path / "data")
    path = shelf.paths["paris-connection"]
    server = own_server(*QUICK_ANALYSES)
    with Visitor(server) as visitor:
        assert 'id="analysis-progress"' not in visitor.get(f"{path}/analysis").text
        wait_for_analysis(visitor, path)
        analysis_text = visitor.get(f"{path}/analysis").text
        assert 'id="chart"' in analysis_text
    assert server.stop() == 0, server.log
    analysis = stored_analysis(shelf.data, path)
    assert analysis is not None
    assert all(name not in analysis.decode() for name in shelf.records["paris-connection"].players)
    restored_server = own_server(*QUICK_ANALYSES)
    with Visitor(restored_server) as visitor:
        page = visitor.get(f"{path}/analysis").text
        assert re.findall(r"<td>[^<]*</td>", page) == re.findall(r"<td>[^<]*</td>", analysis_text) != []
        assert visitor.submit(f"{path}/analysis").status_code == 303
        assert 'id="chart"' in visitor.get(f"{path}/analysis").text
    assert restored_server.stop() == 0, restored_server.log
    assert stored_analysis(shelf.data, path) == analysis
    store = Store(shelf.data / DATABASE)
    wait(removal.remove_table(store, path.rpartition("/")[2]))
    assert wait(analyses.find(store, path.rpartition("/")[2])) is None
    wait(store.close())


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("opened", ["analysis", "analysis/summary"])
def test_an_analysis_interrupted_by_a_kill_begins_anew_when_its_game_is_opened(
    opened: str, tmp_path: Path, own_server: Callable[..., Server]
) -> None:
    shelf = Shelf(tmp_path / "data")
    path, other_path = shelf.paths["paris-connection"], shelf.paths["legendary-inventors"]
    server = own_server()
    with Visitor(server) as visitor:
        assert visitor.submit(f"{path}/analysis").status_code == 303
        while 'value="0"' in (page := visitor.get(f"{path}/analysis").text):
            assert 'id="analysis-progress"' in page
            assert 'id="resumed-analysis"' not in page
    server.stop(signal.SIGKILL)
    restored_server = own_server(*QUICK_ANALYSES)
    with Visitor(restored_server) as visitor:
        assert 'id="analysis-progress"' not in visitor.get(f"{other_path}/analysis").text, "no one asked for it"
        first_page = visitor.get(f"{path}/{opened}").text
        if opened == "analysis":
            assert 'id="resumed-analysis"' in first_page
        else:
            assert sentence_after(SUMMARY, "elif progress") in first_page
        while 'id="analysis-progress"' in (page := visitor.get(f"{path}/analysis").text):
            assert 'id="resumed-analysis"' in page
        assert 'id="chart"' in page
    assert restored_server.stop() == 0, restored_server.log


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_queued_analyses_are_limited_and_a_server_stops_during_an_analysis(
    tmp_path: Path, own_server: Callable[..., Server]
) -> None:
    (tmp_path / "data").mkdir()
    store = Store(tmp_path / "data" / DATABASE)
    games = (ROOT / "tests" / "golden" / "paris-connection").glob("[!4]*.txt")
    more_games = (ROOT / "tests" / "golden" / "legendary-inventors").glob("*.txt")
    files = [*sorted(games), *sorted(more_games)][: MAX_QUEUED_ANALYSES + 1]
    paths = [f"/table/{wait(import_game(store, game, Record.read(file), None, 5.0))}" for file in files]
    wait(store.close())
    server = own_server("--limit", "analysis_seconds=0")
    waiting_paths = paths[:MAX_QUEUED_ANALYSES]
    for number in range(0, MAX_QUEUED_ANALYSES, MAX_QUEUED_PER_REQUESTER):
        with Visitor(server, address=f"127.0.0.{number + 1}") as visitor:
            own_paths = waiting_paths[number : number + MAX_QUEUED_PER_REQUESTER]
            responses = [
                visitor.submit(f"{path}/analysis")
                for path in (*own_paths, own_paths[0], waiting_paths[0], paths[MAX_QUEUED_ANALYSES])
            ]
            assert [answer.status_code for answer in responses] == [303] * (MAX_QUEUED_PER_REQUESTER + 2) + [409]
    with Visitor(server, address="127.0.0.99") as visitor:
        refusal = visitor.post(f"{paths[MAX_QUEUED_ANALYSES]}/analysis", data={"token": visitor.token()}, headers=JSON)
        assert (refusal.status_code, refusal.json()["code"]) == (409, "too-many-analyses")
    assert server.stop() == 0, server.log
    assert "could not be analysed" not in server.log


def test_a_running_game_of_several_people_is_not_analysed(
    server: Server, running_table: tuple[str, list[Visitor]]
) -> None:
    path, visitors = running_table
    with Visitor(server) as spectator:
        for visitor, code in ((visitors[0], "no-advice"), (spectator, "not-over")):
            assert "/analysis" not in visitor.get(path).text
            for answer in (
                visitor.get(f"{path}/analysis", headers=JSON),
                visitor.post(f"{path}/analysis", data={"token": visitor.token()}, headers=JSON),
            ):
                assert (answer.status_code, answer.json()["code"]) == (409, code)


@pytest.mark.build
def test_a_forged_form_starts_no_analysis(analysed_games: tuple[Shelf, Server]) -> None:
    games, server = analysed_games
    with Visitor(server) as visitor:
        path = games.paths["paris-connection"]
        assert visitor.post(f"{path}/analysis", data={"token": "0"}).status_code == 403


def test_without_a_compiled_search_no_analysis_is_offered(uncompiled_server: Server) -> None:
    with ExitStack() as stack:
        visitor, grace, mary = (stack.enter_context(Visitor(uncompiled_server)) for _ in range(3))
        path, people = table_of_three(visitor, grace, mary, **SHORT)
        trade_on(people, path, None)
        page = visitor.get(f"{path}/analysis").text
        assert str(no_analysis_yet().message) in page
        assert f'action="{path}/analysis"' not in page
        refusal = visitor.post(f"{path}/analysis", data={"token": visitor.token()}, headers=JSON)
        assert (refusal.status_code, refusal.json()["code"]) == (409, "no-analysis-yet")


# --- What is seen. ---


@pytest.mark.build
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", sorted(GAMES))
def test_an_analysis_links_to_the_turns_and_lines_of_each_game(
    analysed_games: tuple[Shelf, Server], key: str, language: str
) -> None:
    games, server = analysed_games
    path = games.paths[key]
    with Visitor(server, language) as visitor:
        page = visitor.get(f"{path}/analysis").text
        assert page.count("<polyline") == 2 * games.records[key].seats, "for a narrow and for a wide page"
        analysis_links = re.findall(rf'href="({path}/analysis\?at=\d+)#analysis-views"', page)
        assert analysis_links
        for address in {analysis_links[0], analysis_links[-1]}:
            analysis_text = visitor.get(address, headers={"HX-Request": "true"}).text
            assert 'id="turn-title"' in analysis_text
            assert 'id="panel"' in analysis_text
            assert 'id="all-turns"' not in analysis_text
        assert visitor.get(f"{path}/analysis?at=100000").status_code == 404
        turning_points = page[page.index('<ol class="turning-points">') : page.index('id="all-turns"')]
        assert 'class="chip' in turning_points, "pieces in sentences have their icons"
        all_turns_part = page[page.index('id="all-turns"') :]
        turns = all_turns_part[: all_turns_part.index("</details>")].split("<li>")[1:]
        what_if_links = [
            re.findall(rf'href="({path}/replay\?at=(\d+)&amp;as=(\d)&amp;what-if=1)"', turn) for turn in turns
        ]
        assert [len(matches) for matches in what_if_links] == [1] * len(questions_of_game(games.records[key]))
        assert [int(matches[0][1]) for matches in what_if_links] == [
            number - 1 for number in questions_of_game(games.records[key])
        ]
        what_if_page = visitor.get(what_if_links[-1][0][0].replace("&amp;", "&")).text
        assert re.search(r'<details class="what-if" id="what-if-details" open>', what_if_page)
        assert f'<option value="{what_if_links[-1][0][2]}" selected>' in what_if_page
        luck = Words(language).say(template_after("web/templates/analysis_result.html", "{% if luck %}").fill({}))
        assert (f"<h2>{luck}</h2>" in page) == (key != "paris-connection")
        assert 'id="game-result"' in page
        lines = re.findall(rf'href="({path}/analysis/\d+)"', page)
        assert lines
        for address in lines:
            analysis_text = visitor.get(address).text
            assert 'id="engine-line"' in analysis_text
            assert 'data-first-step="0"' in analysis_text
            last_step = int(re.findall(r'data-last-step="(\d+)"', analysis_text)[0])
            assert [visitor.get(f"{address}?at={at}").status_code for at in (0, last_step, last_step + 1)] == [
                200,
                200,
                404,
            ]
        assert visitor.get(f"{path}/analysis/100000").status_code == 404
        assert f'href="{path}/analysis"' in visitor.get(path).text
        assert f'href="{path}/analysis"' in visitor.get(f"{path}/replay").text


@pytest.mark.build
@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_analysis_is_not_too_wide_and_no_texts_overlap_on_desktop_and_phone(
    analysed_games: tuple[Shelf, Server], chromium: Browser, language: str
) -> None:
    games, server = analysed_games
    # The page's own policy would not let axe in.
    context = chromium.new_context(viewport=DESK, locale=language, bypass_csp=True)
    page, problems = context.new_page(), []
    for path in games.paths.values():
        page.goto(f"{server.address}{path}/analysis")
        expect(page.locator(".chart-lines:visible")).to_have_count(1)
        for screen in on_screens(page, DESK, PHONES[0]):
            problems += [f"{path}, {screen}: {fault}" for fault in (*too_wide(page), *overlaps(page))]
        page.set_viewport_size({"width": 1366, "height": 650})
        title = page.locator("#turn-title").bounding_box()
        assert title is not None
        assert title["y"] < 520, "the turn is visible below the chart"
        chart, whole = page.locator(".chart-plot").bounding_box(), page.locator("#analysis").bounding_box()
        assert chart is not None
        assert whole is not None
        assert chart["width"] > 0.95 * whole["width"], "the chart is as wide as the page"
        assert 240 < chart["height"] < 290
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
def test_an_analysis_is_started_by_a_click_and_its_turning_points_are_shown_on_the_board(
    tmp_path: Path, own_server: Callable[..., Server], open_page: Person
) -> None:
    shelf = Shelf(tmp_path / "data")
    path = shelf.paths["paris-connection"]
    server = own_server("--limit", "analysis_seconds=5")
    page = open_page(viewport=PHONES[0], locale="en")
    page.goto(server.address + path)
    page.locator(f'a[href="{path}/analysis"]:visible').first.click()
    page.locator("#analysis form button").click()
    expect(page.locator("#analysis-progress")).to_be_visible()
    expect(page.locator("#chart")).to_be_visible(timeout=SECONDS)
    expect(page.locator("#map-drawing svg")).to_be_visible()
    title = page.locator("#turn-title")
    title_before = title.inner_text()
    page.locator(".chart-places a").nth(2).click()
    expect(title).not_to_have_text(title_before)
    expect(page.locator("#map-drawing svg")).to_be_visible()
    title_text = title.inner_text()
    page.locator("#next-turn-link").click()
    expect(title).not_to_have_text(title_text)
    page.locator("#previous-turn-link").click()
    expect(title).to_have_text(title_text)
    turning = page.locator("ol.turning-points > li").filter(has=page.locator(f'a[href^="{path}/analysis/"]')).first
    number = int(turning.locator("a").first.inner_text().split()[-1])
    turning.locator("a").first.click()
    expect(title).to_have_text(re.compile(rf"^\D*{number}\b"))
    turning.locator(f'a[href^="{path}/analysis/"]').click()
    engine_line = sentence_pattern(template_after("web/templates/replay_step.html", 'id="engine-line"'), move=number)
    expect(page.locator("#engine-line")).to_have_text(re.compile(engine_line))
    for view_address, at in (
        ("#previous-step-link", "0"),
        ("#next-step-link", "1"),
        ("#last-step-link", page.locator("#live-part").get_attribute("data-last-step")),
    ):
        page.locator(view_address).click()
        expect(page.locator("#live-part")).to_have_attribute("data-current-step", at or "")
        expect(page.locator("#engine-line")).to_be_visible()
    page.context.close()
    assert server.stop() == 0, server.log
