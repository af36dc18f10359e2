"""Advice in the browser, only where all other seats are played by bots."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

import spieltisch
from spieltisch.bots.advice import PREPARING, Advice, AdvisedMove
from spieltisch.bots.best_line import Line
from spieltisch.bots.search import native_library
from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES
from spieltisch.live import Live, advice
from spieltisch.tables import NewTable, TableSettings
from spieltisch.web.app import create_app
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.sessions import Site
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages.renderer import Renderer
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES, WALK, draws

JSON = {"Accept": "application/json"}
AGAINST_BOTS = ("me", "bot:random", "bot:random")


@pytest.fixture(scope="module")
def compiled() -> None:
    for key in GAMES:
        native_library.build(key)


def prepared(name: str, observation: bytes, seed: int, before: int, budget: Any) -> str:
    """Check the first search of a new process."""
    assert budget == PREPARING
    return ""


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # of all routes
def test_the_process_starts_when_a_player_opens_a_table_with_hints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else starts it: neither the server, nor a spectator, nor who opens a table without hints."""
    monkeypatch.setattr(advice, "advise", prepared)
    monkeypatch.setattr(native_library, "find", lambda game: Path(game.key))

    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3")
        site = Site(port=8080)
        transport = httpx.ASGITransport(app=cast(Any, create_app(live, Streams(), site)))
        try:
            ada, session = await live.people.create("Ada")
            without, with_hints = [
                await live.tables.open(
                    ada, NewTable("paris-connection", AGAINST_BOTS, charter=TableSettings(hints=hints))
                )
                for hints in ("off", "bots")
            ]
            async with httpx.AsyncClient(transport=transport, base_url=site.local) as browser:

                async def opens(table_id: str) -> None:
                    assert (await browser.get(f"/table/{table_id}", headers={"Accept": "text/html"})).status_code == 200

                await opens(with_hints.id)
                browser.cookies.set("session", session)
                await opens(without.id)
                assert live.advice._preparing is None
                assert live.advice.processes == ()
                await opens(with_hints.id)
                preparing = live.advice._preparing
                assert preparing is not None
                await preparing
                before = live.advice.processes
                assert len(before) == 1
                await opens(with_hints.id)
                assert (live.advice._preparing, live.advice.processes) == (None, before)
        finally:
            await live.close()

    asyncio.run(job())


def waits_for(visitor: Visitor, path: str, seat: int) -> None:
    """Until bots have played; each look takes the time of an answer."""
    while visitor.state(path)["to_decide"] != seat:
        pass


def opened(start: Person, visitor: Visitor, path: str, size: ViewportSize) -> Page:
    """The table in a browser, once it is the visitor's turn and theirs is something to choose."""
    page = start(viewport=size)
    let_in(page.context, visitor)
    page.goto(f"{visitor.base_url}{path}".replace("//table", "/table"))
    expect(page.locator("#choices .choice").first).to_be_visible()
    if page.locator("#unroll").is_visible():  # on a phone the prompt is one line until then
        page.locator("#unroll").click()
    expect(page.locator("#hint")).to_be_visible()
    return page


@pytest.mark.parametrize(("trust", "is_adjusted"), [(0.5, True), (1.0, False)])
def test_chances_that_are_drawn_towards_even_say_so(trust: float, is_adjusted: bool) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    move = str(position.legal_moves[0])
    hints = advice.explain(position, Advice(0.3, trust, (AdvisedMove(move, 40, 0.9, 0.05, 9.0, Line((), (), (), ())),)))
    table = SimpleNamespace(id="here", position=position)
    html = Renderer(Assets(), DrawnFiles()).render(
        "advice_text.html", "en", position.setup.game, table=table, hints=hints, page=True, for_learner=False
    )
    assert f"{60 if is_adjusted else 90}% win chance" in html
    assert ("these chances are adjusted towards even" in html) is is_adjusted


@pytest.mark.parametrize("for_learner", [False, True])
def test_a_learner_reads_a_reason_without_percentages(*, for_learner: bool) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    move = next(str(move) for move in position.legal_moves if position.hint(str(move)))
    line = Line((move,), (), (), ())
    hints = advice.explain(position, Advice(0.3, 0.5, (AdvisedMove(move, 40, 0.9, 0.05, 9.0, line),)))
    html = Renderer(Assets(), DrawnFiles()).render(
        "advice_text.html",
        "en",
        position.setup.game,
        table=SimpleNamespace(id="here", position=position),
        hints=hints,
        page=True,
        for_learner=for_learner,
    )
    assert ("%" in html) is not for_learner
    assert ("<progress" in html) is not for_learner
    assert html.count('<p class="why">') == 1


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("key", sorted(GAMES))
def test_three_moves_with_their_chances_and_one_is_played(ada: Visitor, person: Person, key: str) -> None:
    page = opened(person, ada, ada.table(*AGAINST_BOTS, game=key), DESK)
    page.locator("#hint").click()
    advice = page.locator("#notice .advice li")
    expect(advice).to_have_count(3)
    for text in advice.locator("p:first-of-type").all_inner_texts():
        percent, doubt = re.search(r"(\d+)% win chance \(± (\d+)\)", text).groups()  # type: ignore[union-attr]  # it must match
        assert 0 <= int(percent) <= 100
        assert 1 <= int(doubt) <= 8
    if key == "paris-connection":
        for text in page.locator("#notice .advice .why").all_inner_texts():
            assert re.search(r"you hold (no|\d+) share|[Yy]our .*shares: (none|\d+)", text)
    before = page.locator("#live").get_attribute("data-version")
    advice.first.locator("button").click()
    expect(page.locator("#confirm").or_(page.locator(f"#live:not([data-version='{before}'])"))).to_be_attached()


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", ["de", "fr"])
def test_at_a_desk_three_moves_are_seen_without_scrolling(server: Server, person: Person, language: str) -> None:
    for key in sorted(GAMES):
        with Visitor(server, language) as visitor:
            page = opened(person, visitor, visitor.table(*AGAINST_BOTS, game=key), DESK)
            page.locator("#hint").click()
            expect(page.locator("#notice .advice li")).to_have_count(3)
            assert page.evaluate(WALK)[0] == [], key
            expect(page.locator("#talk [name=text]")).to_be_in_viewport(ratio=1)


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("teams", ["random", "choose"])
def test_in_a_low_window_three_moves_are_in_sight(server: Server, person: Person, teams: str) -> None:
    with Visitor(server, "fr") as visitor:
        path = visitor.table(*AGAINST_BOTS, game="legendary-inventors", **{"option-teams": teams})
        page = opened(person, visitor, path, {"width": 1366, "height": 625})
        page.locator("#hint").click()
        moves = page.locator("#notice .advice button")
        expect(moves).to_have_count(3)
        draws(page)
        top = (page.locator("#foot").bounding_box() or {"y": 0})["y"]
        bottoms = [box["y"] + box["height"] for box in map(Locator.bounding_box, moves.all()) if box]
        assert [bottom for bottom in bottoms if bottom > top] == []
        for reason in page.locator("#notice .advice .why").all():
            expect(reason).to_be_visible()
        expect(page.locator("#notice [data-do=dismiss]")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", LANGUAGES)
def test_by_keys_and_in_all_languages(server: Server, person: Person, language: str) -> None:
    with Visitor(server, language) as visitor:
        page = opened(person, visitor, visitor.table(*AGAINST_BOTS, game="legendary-inventors"), PHONES[0])
        page.locator("#choices > .dock-hint" if language == "en" else "#hint").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#notice .advice li")).to_have_count(3)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_without_a_script_it_is_a_page(ada: Visitor) -> None:
    path = ada.table(*AGAINST_BOTS)
    waits_for(ada, path, 0)
    response = ada.submit(f"{path}/hint", version=ada.state(path)["version"])
    assert response.status_code == 200, response.text
    assert len(re.findall('name="move"', response.text)) == 3


def test_only_against_bots_and_only_on_ones_turn(server: Server, ada: Visitor) -> None:
    path = ada.table("me", "open", "bot:random")
    with Visitor(server) as grace:
        grace.sit(path, "Grace")
        while ada.state(path)["to_decide"] == 2:  # until the bot has played
            pass
        for visitor in (ada, grace):
            refused = visitor.post(
                f"{path}/hint", data={"token": visitor.token(), "version": visitor.state(path)["version"]}, headers=JSON
            )
            assert refused.status_code in (403, 409)
            assert refused.json()["code"] in ("no-advice", "turn")
            assert 'id="hint"' not in visitor.get(path).text
