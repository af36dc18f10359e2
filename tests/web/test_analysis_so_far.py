"""Check the analysis of a running game, for a player against bots or for one player of a shared device."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from spieltisch.core.words import LANGUAGES
from tests.sentences import sentence_after
from tests.web.conftest import SECONDS
from tests.web.layout_checks import DESK, PHONES, findings, overlaps, too_wide
from tests.web.quick_analyses import QUICK_ANALYSES, wait_for_analysis
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def quick_server(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("so-far") / "data", *QUICK_ANALYSES)
    yield server
    assert server.stop() == 0, server.log


def play_on(visitor: Visitor, path: str, moves: int) -> None:
    """Play this number of moves, and wait for the moves of bots."""
    for _ in range(moves):
        while (state := visitor.state(path))["to_decide"] != state["seat"]:
            pass
        assert visitor.play(path, state["moves"][-1], state["version"]).status_code == 200
    while (state := visitor.state(path))["to_decide"] != state["seat"]:
        pass


def after(page: str) -> list[int]:
    """Return the numbers of the last moves of the turns in the table of chances, 0 for the set-up."""
    rows = re.findall(r'<tr><th scope="row">[^<\d]*(\d*)</th><td>\d+</td></tr>', page)
    return [int(number or 0) for number in rows]


@pytest.mark.build
def test_a_player_against_bots_can_analyse_the_running_game(quick_server: Server) -> None:
    with Visitor(quick_server) as ada, Visitor(quick_server) as other_visitor:
        path = ada.table("me", "bot:random", "bot:random")
        play_on(ada, path, 2)
        before = ada.state(path)["log"]
        assert f'href="{path}/analysis"' in ada.get(path).text
        assert f"{path}/analysis" not in other_visitor.get(path).text
        wait_for_analysis(ada, path)
        analysis_text = ada.get(f"{path}/analysis").text
        moves = after(analysis_text)[-1]
        assert moves >= 6
        assert after(analysis_text)[0] == 0, "before the first turn"
        assert after(analysis_text) == sorted(set(after(analysis_text)))
        assert analysis_text.count("<polyline") == 2, "for a narrow and for a wide page"
        assert re.search(r'<g class="seat-line-\d is-own">', analysis_text), "one's own line is thick"
        assert sentence_after("web/templates/analysis.html", "{% if so_far %}") in analysis_text
        assert f'action="{path}/analysis"' not in analysis_text, "all of it is analysed"
        assert ada.state(path)["log"] == before, "there is nobody to be told"
        assert other_visitor.get(f"{path}/analysis", headers=JSON).json()["code"] == "not-over"
        play_on(ada, path, 1)
        assert f'action="{path}/analysis"' in ada.get(f"{path}/analysis").text, "there is more to analyse"
        wait_for_analysis(ada, path)
        analysis_page = ada.get(f"{path}/analysis").text
        assert after(analysis_page)[: len(after(analysis_text))] == after(analysis_text)
        assert after(analysis_page)[-1] >= moves + 3
        first = re.findall(r"<td>(\d+)</td>", analysis_text)
        assert re.findall(r"<td>(\d+)</td>", analysis_page)[: len(first)] == first, "what was known is not asked anew"


@pytest.mark.build
def test_on_a_shared_device_only_the_player_who_requested_an_analysis_sees_it_and_the_log_mentions_the_request(
    quick_server: Server,
) -> None:
    with Visitor(quick_server) as ada:
        path = ada.table("me", "here", "bot:random", **{"here-1": "Ben", "hints": "all"})
        while ada.state(path)["to_decide"] == 2:
            pass  # the bot begins in some deals, and what it plays later would have to be analysed, too
        assert ada.get(f"{path}/analysis", headers=JSON).status_code != 200, "the handoff screen is shown"
        response = ada.post(f"{path}/analysis?me=2", data={"token": ada.token()})
        assert response.status_code == 303
        assert response.headers["location"].endswith("me=2")
        while 'id="analysis-progress"' in ada.get(f"{path}/analysis?me=2").text:
            pass
        assert f'action="{path}/analysis?me=2"' not in ada.get(f"{path}/analysis?me=2").text
        assert f'action="{path}/analysis?me=0"' in ada.get(f"{path}/analysis?me=0").text
        log_sentence = sentence_after("tables/fold.py", "if event.so_far", player="Ben")
        assert [log_sentence] in [line["text"] for line in ada.state(path)["log"]]


def told(visitor: Visitor, address: str) -> list[str]:
    """Return the tables whose finished analysis a page tells of."""
    notice = re.search(r'<p id="analyses-notice"[^>]*>(.*?)</p>', visitor.get(address).text, re.DOTALL)
    assert notice
    return re.findall(r'href="(/table/[^/]+)/analysis"', notice.group(1))


def ask(visitor: Visitor, path: str) -> dict[str, Any]:
    """Ask for an analysis; return what is pushed once it is finished."""
    version = re.search(r'data-topic="analyses" data-version="(\d+)"', visitor.get("/").text)
    assert version
    assert visitor.submit(f"{path}/analysis").status_code == 303
    while (changes := visitor.get("/changes", params={"watch": f"analyses@{version[1]}"})).status_code == 204:
        pass
    (change,) = changes.json()
    assert isinstance(change, dict)
    return change


@pytest.mark.build
def test_who_asked_for_an_analysis_is_told_on_every_page_until_they_see_it(quick_server: Server) -> None:
    with Visitor(quick_server) as ada, Visitor(quick_server) as other_visitor:
        path = ada.table("me", "bot:random", "bot:random")
        other_path = other_visitor.table("me", "bot:random", "bot:random")
        play_on(ada, path, 1)
        assert told(ada, "/") == []
        change = ask(ada, path)
        assert f'href="{path}/analysis"' in change["html"]
        for address in ("/", path, "/me/history", "/preferences"):
            assert told(ada, address) == [path]
        assert (told(other_visitor, "/"), told(other_visitor, other_path)) == ([], [])
        assert told(ada, f"{path}/analysis") == [], "it is shown"
        assert told(ada, "/") == []
        (blank,) = ada.get("/changes", params={"watch": f"analyses@{change['version']}"}).json()
        assert not blank["html"].strip()


@pytest.mark.build
def test_who_has_left_the_game_is_told_of_its_analysis_until_they_open_the_page(quick_server: Server) -> None:
    with Visitor(quick_server) as ada, Visitor(quick_server) as grace:
        path = ada.table("me", "open", "bot:random", hints="all")
        assert grace.sit(path, "Grace").status_code == 303
        ask(ada, path)
        assert ada.leave(path).status_code == 303
        assert told(ada, "/") == [path]
        refusal = ada.get(f"{path}/analysis", headers=JSON).json()
        assert refusal["code"] == "not-over", "others go on playing"
        assert told(ada, "/") == []


@pytest.mark.build
@pytest.mark.browser
def test_a_finished_analysis_is_announced_in_the_lobby(quick_server: Server, chromium: Browser) -> None:
    with Visitor(quick_server) as ada:
        path = ada.table("me", "bot:random", "bot:random")
        play_on(ada, path, 1)
        context = chromium.new_context(viewport=PHONES[0], bypass_csp=True)
        let_in(context, ada)
        lobby, other_tab = context.new_page(), context.new_page()
        for page in (lobby, other_tab):
            page.goto(quick_server.address)
            page.evaluate(
                "window.bells = 0; document.addEventListener('spieltisch:turn-announced', () => { bells += 1; })"
            )
        assert ada.submit(f"{path}/analysis").status_code == 303
        for page in (lobby, other_tab):
            expect(page.locator("#analyses-notice")).to_have_role("status")
            expect(page.locator("#analyses-notice a")).to_have_count(1, timeout=SECONDS)
            page.wait_for_function("bells === 1")
        assert [*too_wide(lobby), *findings(lobby, "#analyses-notice")] == []
        lobby.locator("#analyses-notice a").click()
        expect(lobby.locator("#analysis .chart-lines:visible")).to_have_count(1)
        expect(other_tab.locator("#analyses-notice")).to_be_empty()
        assert other_tab.evaluate("bells") == 1
        context.close()


@pytest.mark.build
@pytest.mark.browser
def test_a_partial_analysis_fits_phone_and_desktop_in_all_languages(quick_server: Server, chromium: Browser) -> None:
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
            page.locator("#table-menu > summary").click()
            page.locator("#analysis-link").click()
            if language == "en":
                page.locator("#analysis button").click()
            expect(page.locator(".chart-lines:visible")).to_have_count(1, timeout=SECONDS)
            expect(page.locator(".accuracy tbody tr")).to_have_count(1)
            page.locator("#chart-figures summary").click()
            assert [*too_wide(page), *overlaps(page), *findings(page, "#analysis")] == []
            context.close()
