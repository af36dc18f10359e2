"""The analysis of a finished game: asked for on its page, worked out beside the tables, kept, and seen by who may."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from spieltisch.bots.search import library
from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES, game
from spieltisch.live.analysing import MOST, MOST_OF_ONE
from spieltisch.live.records import import_game
from spieltisch.store import analyses, removal
from spieltisch.store.schema import DATABASE
from spieltisch.store.store import Store
from tests.test_docs import ROOT
from tests.waiting import wait
from tests.web.conftest import SECONDS, Person, Server, Visitor
from tests.web.screens import DESK, PHONES, findings, overlaps, too_wide

JSON = {"Accept": "application/json"}
GOLDEN = {
    "era-of-inventions": "3-greedy.txt",
    "legendary-inventors": "3-tie.txt",
    "paris-connection": "3-tie.txt",
}
QUICK = ("--limit", "analysis=1")
"""A second for a game: few trial games, and the whole way."""


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    for key in GAMES:
        library.build(key)


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
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Shelf, Server]]:
    """A server on that folder, where all of them were looked at."""
    made = Shelf(tmp_path_factory.mktemp("shelf") / "data")
    server = Server(made.data, *QUICK)
    with Visitor(server) as visitor:
        for path in made.paths.values():
            analysed(visitor, path)
    yield made, server
    assert server.stop() == 0, server.log


def analysed(visitor: Visitor, path: str) -> None:
    """Ask for it, and look until it is there; each look takes the time of an answer."""
    assert visitor.submit(f"{path}/analysis").status_code == 303
    while 'id="progress"' in visitor.get(f"{path}/analysis").text:
        pass


def kept(data: Path, path: str) -> bytes | None:
    store = Store(data / DATABASE)
    found = wait(analyses.find(store, path.rpartition("/")[2]))
    wait(store.close())
    return found


# --- What it takes and who may. ---


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
    found = kept(shelf.data, path)
    assert found is not None
    assert all(name not in found.decode() for name in shelf.records["paris-connection"].players)
    again = own_server(*QUICK)
    with Visitor(again) as visitor:
        page = visitor.get(f"{path}/analysis").text
        assert re.findall(r"<td>[^<]*</td>", page) == re.findall(r"<td>[^<]*</td>", seen) != []
        assert visitor.submit(f"{path}/analysis").status_code == 303
        assert 'id="chart"' in visitor.get(f"{path}/analysis").text
    assert again.stop() == 0, again.log
    assert kept(shelf.data, path) == found
    store = Store(shelf.data / DATABASE)
    wait(removal.remove_table(store, path.rpartition("/")[2]))
    assert wait(analyses.find(store, path.rpartition("/")[2])) is None
    wait(store.close())


def test_a_server_that_is_killed_in_the_middle_begins_anew(tmp_path: Path, own_server: Callable[..., Server]) -> None:
    shelf = Shelf(tmp_path / "data")
    path = shelf.paths["paris-connection"]
    server = own_server()
    with Visitor(server) as visitor:
        assert visitor.submit(f"{path}/analysis").status_code == 303
        while 'value="0"' in (page := visitor.get(f"{path}/analysis").text):
            assert 'id="progress"' in page
    server.stop(signal.SIGKILL)
    assert kept(shelf.data, path) is None
    again = own_server(*QUICK)
    with Visitor(again) as visitor:
        assert 'id="progress"' not in visitor.get(f"{path}/analysis").text
        analysed(visitor, path)
        assert 'id="chart"' in visitor.get(f"{path}/analysis").text
    assert again.stop() == 0, again.log


def test_so_many_wait_at_once_and_a_server_stops_in_the_middle(
    tmp_path: Path, own_server: Callable[..., Server]
) -> None:
    (tmp_path / "data").mkdir()
    store = Store(tmp_path / "data" / DATABASE)
    games = (ROOT / "tests" / "golden" / "paris-connection").glob("[!4]*.txt")
    more = (ROOT / "tests" / "golden" / "legendary-inventors").glob("*.txt")
    files = [*sorted(games), *sorted(more)][: MOST + 1]
    paths = [f"/table/{wait(import_game(store, game, Record.read(file), None, 5.0))}" for file in files]
    wait(store.close())
    server = own_server("--limit", "analysis=0")
    waiting = paths[:MOST]
    for number in range(0, MOST, MOST_OF_ONE):
        with Visitor(server, address=f"127.0.0.{number + 1}") as visitor:
            own = waiting[number : number + MOST_OF_ONE]
            asked = [visitor.submit(f"{path}/analysis") for path in (*own, own[0], waiting[0], paths[MOST])]
            assert [answer.status_code for answer in asked] == [303] * (MOST_OF_ONE + 2) + [409]
    with Visitor(server, address="127.0.0.99") as visitor:
        refused = visitor.post(f"{paths[MOST]}/analysis", data={"token": visitor.token()}, headers=JSON)
        assert (refused.status_code, refused.json()["code"]) == (409, "too-many-analyses")
    assert server.stop() == 0, server.log
    assert "could not be analysed" not in server.log


def test_only_of_a_game_that_is_over(running: tuple[str, list[Visitor]]) -> None:
    path, visitors = running
    assert "/analysis" not in visitors[0].get(path).text
    for answer in (
        visitors[0].get(f"{path}/analysis", headers=JSON),
        visitors[0].post(f"{path}/analysis", data={"token": visitors[0].token()}, headers=JSON),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "not-over")


def test_a_form_from_elsewhere_begins_nothing(shelf: tuple[Shelf, Server]) -> None:
    made, server = shelf
    with Visitor(server) as visitor:
        path = made.paths["paris-connection"]
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
        assert "still compiles what it needs" in page
        assert 'action="' + path + '/analysis"' not in page
        refused = visitor.post(f"{path}/analysis", data={"token": visitor.token()}, headers=JSON)
        assert (refused.status_code, refused.json()["code"]) == (409, "no-analysis-yet")
    assert server.stop() == 0, server.log


# --- What is seen. ---


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", sorted(GAMES))
def test_in_the_words_of_the_game(shelf: tuple[Shelf, Server], key: str, language: str) -> None:
    made, server = shelf
    path = made.paths[key]
    with Visitor(server, language) as visitor:
        page = visitor.get(f"{path}/analysis").text
        assert page.count("<polyline") == made.records[key].seats
        turning = re.findall(r'<li><p><a href="([^"]+)">', page)
        assert turning
        for address in turning:
            address = address.replace("&amp;", "&")
            assert re.fullmatch(rf"{path}/replay\?at=\d+&as=\d", address)
            assert visitor.get(address).status_code == 200
        assert ("What came by chance" in page) == (language == "en" and key != "paris-connection")
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


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [DESK, PHONES[0]], ids=["desk", "phone"])
def test_it_is_seen_and_read_everywhere(
    shelf: tuple[Shelf, Server], chromium: Browser, size: ViewportSize, language: str
) -> None:
    made, server = shelf
    # The page's own policy would not let axe in.
    context = chromium.new_context(viewport=size, locale=language, bypass_csp=True)
    page, found = context.new_page(), []
    for path in made.paths.values():
        page.goto(f"{server.address}{path}/analysis")
        found += [f"{path}: {fault}" for fault in (*too_wide(page), *overlaps(page))]
        expect(page.locator(".chart-lines")).to_be_visible()
        page.locator("#chart-figures summary").click()
        expect(page.locator("#chart-figures tbody tr")).not_to_have_count(0)
        found += [f"{path}, as a table: {fault}" for fault in (*too_wide(page), *overlaps(page))]
        found += [f"{path}, {finding}" for finding in findings(page, "#analysis")]
    context.close()
    assert "\n".join(found) == ""


@pytest.mark.browser
def test_a_click_its_progress_and_a_turning_point_on_the_board(
    tmp_path: Path, own_server: Callable[..., Server], person: Person
) -> None:
    shelf = Shelf(tmp_path / "data")
    path = shelf.paths["paris-connection"]
    server = own_server("--limit", "analysis=5")
    page = person(viewport=PHONES[0], locale="en")
    page.goto(server.address + path)
    page.get_by_role("link", name="Analysis").first.click()
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator("#progress")).to_be_visible()
    expect(page.locator("#chart")).to_be_visible(timeout=SECONDS)
    turning = page.locator(".turning a").first
    number = int((turning.inner_text()).split()[-1])
    turning.click()
    expect(page.locator("#live")).to_have_attribute("data-at", str(number - 1))
    page.go_back()
    page.get_by_role("link", name="See it on the board").first.click()
    expect(page.locator("#better")).to_contain_text(f"Instead of move {number} ")
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
