"""Check hints in the browser against bots."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

import spieltisch
from spieltisch.bots.advice import PREPARING, Advice, AdvisedMove
from spieltisch.bots.best_line import Line
from spieltisch.bots.search import native_library
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Message, Sentence
from spieltisch.features import FEATURES
from spieltisch.games import GAMES
from spieltisch.live import Live, advice
from spieltisch.tables import NewTable, TableSettings
from spieltisch.web.app import create_app
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.sessions import Site
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages.renderer import Renderer
from tests.sentences import sentence_after, template_after
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES, WALK, draws
from tests.web.servers import Server
from tests.web.table_moves import waits_for
from tests.web.visitors import Visitor, let_in

JSON = {"Accept": "application/json"}
ADVICE = "web/templates/advice_text.html"
SHARE_REASONS = tuple(
    template_after("games/paris_connection/hints.py", *code)
    for code in (
        ("elif me.shares[k]:",),
        ("elif me.shares[k]:", "else:"),
        ("if points > 0:",),
        ("if points < 0:",),
        ("left=observation.view.depot[k]",),
        ("def _extension_text",),
    )
)
COMPARISONS: tuple[Sentence | Message, ...] = (
    *advice.SOURCE_SENTENCES.values(),
    *advice.OTHERS_SENTENCES.values(),
    *advice.WINS.values(),
    advice.EQUAL,
    advice.UNCLEAR,
)
REASONS = "|".join(
    re.sub(r"\\\{\w+\\\}", ".+", re.escape(text))
    for said in (*SHARE_REASONS, *COMPARISONS)
    for text in (said.text, said.plural)
    if text
)
"""Paris Connection gives one of these reasons for a move: a comparison, or the player's own shares."""
AGAINST_BOTS = ("me", "bot:random", "bot:random")


def prepared(name: str, observation: bytes, seed: int, before: int, budget: Any) -> str:
    """Check the first search of a new process."""
    assert budget == PREPARING
    return ""


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # of all routes
def test_the_hint_process_starts_when_a_player_opens_a_table_with_hints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process starts neither with the server, nor for a spectator or a table without hints."""
    monkeypatch.setattr(advice, "advise", prepared)
    monkeypatch.setattr(native_library, "find", lambda game: Path(game.key))

    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        site = Site(port=8080)
        transport = httpx.ASGITransport(app=cast(Any, create_app(live, Streams(), site)))
        try:
            ada, session = await live.people.create("Ada")
            page_without_hints, with_hints = [
                await live.tables.open(
                    ada, NewTable("paris-connection", AGAINST_BOTS, charter=TableSettings(hints=hints))
                )
                for hints in ("off", "bots")
            ]
            async with httpx.AsyncClient(transport=transport, base_url=site.local) as browser:

                async def open_table_with_hints(table_id: str) -> None:
                    assert (await browser.get(f"/table/{table_id}", headers={"Accept": "text/html"})).status_code == 200

                await open_table_with_hints(with_hints.id)
                browser.cookies.set("session", session)
                await open_table_with_hints(page_without_hints.id)
                assert None not in live.advice.preparing
                assert live.advice.processes == ()
                await open_table_with_hints(with_hints.id)
                assert None in live.advice.preparing
                await live.advice.preparing.wait_idle()
                before = live.advice.processes
                assert len(before) == 1
                await open_table_with_hints(with_hints.id)
                assert (None in live.advice.preparing, live.advice.processes) == (False, before)
        finally:
            await live.close()

    asyncio.run(job())


def opened(start: Person, visitor: Visitor, path: str, size: ViewportSize) -> Page:
    """Return the table in a browser once it is the visitor's turn and a choice is shown."""
    page = start(viewport=size)
    let_in(page.context, visitor)
    page.goto(f"{visitor.base_url}{path}".replace("//table", "/table"))
    expect(page.locator("#choices .choice").first).to_be_visible()
    if page.locator("#expand-prompt").is_visible():  # on a phone the prompt is one line until then
        page.locator("#expand-prompt").click()
    expect(page.locator("#hint-button")).to_be_visible()
    return page


def rendered(position: Position, hints: advice.ExplainedAdvice) -> str:
    """Return the hints as they are shown on a page of their own."""
    table = SimpleNamespace(id="here", position=position)
    return Renderer(Assets(), DrawnFiles()).render(
        "advice_text.html", "en", position.setup.game, table=table, hints=hints, page=True
    )


@pytest.mark.parametrize(("trust", "is_adjusted"), [(0.5, True), (1.0, False)])
def test_a_hint_says_whether_its_chances_are_adjusted_towards_even(trust: float, is_adjusted: bool) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    move = str(position.legal_moves[0])
    hints = advice.explain(position, Advice(0.3, trust, (AdvisedMove(move, 40, 0.9, 0.05, 9.0, Line((), (), (), ())),)))
    html = rendered(position, hints)
    chance = "60% (± " if is_adjusted else "90% (± "
    assert f'<span class="note win-chance">{chance}' in " ".join(html.split())
    assert (sentence_after(ADVICE, "hints.trust < 1") in html) is is_adjusted


def test_a_hint_has_a_chance_points_and_a_reason() -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    move = next(str(move) for move in position.legal_moves if position.hint(str(move)))
    line = Line((move,), (), (), ())
    hints = advice.explain(position, Advice(0.3, 0.5, (AdvisedMove(move, 40, 0.9, 0.05, 9.0, line),)))
    html = rendered(position, hints)
    (chance_note,) = re.findall(r'<span class="note win-chance">(.*?)</span>', html, re.DOTALL)
    assert "60%" in chance_note
    assert "9 points" in " ".join(chance_note.split())
    assert html.count('<span class="advice-reason">') == 1


@pytest.mark.parametrize(("chances", "has_chances"), [((0.9, 0.5), True), ((0.4, 0.4), False)])
def test_a_hint_whose_chances_are_all_equal_shows_no_chances(
    chances: tuple[float, float], *, has_chances: bool
) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    moves = [
        AdvisedMove(str(move), 40, chance, 0.05, 9.0, Line((), (), (), ()))
        for move, chance in zip(position.legal_moves, chances, strict=False)
    ]
    html = Renderer(Assets(), DrawnFiles()).render(
        "advice_text.html",
        "en",
        position.setup.game,
        table=SimpleNamespace(id="here", position=position),
        hints=advice.explain(position, Advice(0.3, 1.0, tuple(moves))),
        page=True,
    )
    notes = re.findall(r'<span class="note win-chance">(.*?)</span>', html, re.DOTALL)
    assert [("%" in text, "9" in text) for text in notes] == [(has_chances, True)] * 2


def test_what_all_suggested_moves_share_is_said_once_above_them() -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    texts = [str(move) for move in position.legal_moves]
    first_words = [[word.label for word in position.words(text)][:2] for text in texts]
    alike = [text for text, words in zip(texts, first_words, strict=True) if words == first_words[0]]
    line = Line((), (), (), ())
    moves = tuple(AdvisedMove(text, 40, 0.4, 0.05, 9.0, line) for text in alike[:3])
    hints = advice.explain(position, Advice(0.3, 1.0, moves))
    assert len(moves) == 3
    assert hints.shared_words == 2
    html = rendered(position, hints)
    labels = re.findall(r'<span class="move-label">(.*?)</button>', html, re.DOTALL)
    seen = [re.sub(r'<span class="visually-hidden">.*?</span>', "", label, flags=re.DOTALL) for label in labels]
    assert html.count('class="shared-words"') == 1
    assert ["Build" in label for label in seen] == [False] * 3
    assert ["Build" in label for label in labels] == [True] * 3, "screen readers read the whole move"
    other = next(text for text, words in zip(texts, first_words, strict=True) if words[0] != first_words[0][0])
    mixed = (moves[0], AdvisedMove(other, 40, 0.4, 0.05, 9.0, line))
    assert advice.explain(position, Advice(0.3, 1.0, mixed)).shared_words == 0


def test_a_reason_that_all_suggested_moves_share_is_given_once() -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    move = str(position.legal_moves[0])
    reason = position.hint(next(str(each) for each in position.legal_moves if position.hint(str(each))))
    assert reason is not None
    advised = AdvisedMove(move, 40, 0.4, 0.05, 9.0, Line((), (), (), ()))
    shared = advice.ExplainedAdvice(0.3, 1.0, (advice.ExplainedMove(advised, 0.4, 0.05, (reason,), ()),) * 3)
    assert shared.shared_reason == reason
    html = Renderer(Assets(), DrawnFiles()).render(
        "advice_text.html",
        "en",
        position.setup.game,
        table=SimpleNamespace(id="here", position=position),
        hints=shared,
        page=True,
    )
    assert html.count("advice-reason") == 1
    different = (*shared.moves[:2], advice.ExplainedMove(advised, 0.4, 0.05, (), ()))
    equal = advice.ExplainedAdvice(0.3, 1.0, different, equality=advice.ALL_UNCLEAR)
    assert rendered(position, equal).count(advice.ALL_UNCLEAR.text) == 1
    single = advice.ExplainedAdvice(0.3, 1.0, shared.moves[:1])
    assert single.shared_reason is None


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_hint_shows_three_moves_with_their_chances_and_plays_one(ada: Visitor, open_page: Person, key: str) -> None:
    page = opened(open_page, ada, ada.table(*AGAINST_BOTS, game=key), DESK)
    held: list[Route] = []
    page.route("**/hint", lambda route: held.append(route))
    button = page.locator("#hint-button")
    with page.expect_request("**/hint"):
        button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    button.click()
    held[0].continue_()
    advice = page.locator("#notice .advice li")
    expect(advice).to_have_count(3)
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert len(held) == 1, "a second click asks for no second hint"
    numbers = "labels => labels.map((label) => getComputedStyle(label, '::before').content)"
    assert advice.locator(".move-label").evaluate_all(numbers) == ['counter(advised) ". "'] * 3
    texts = advice.locator(".choice > .win-chance").all_inner_texts()
    assert len(texts) == 3
    if any("%" in text for text in texts):  # chances that are all the same are not shown
        for text in texts:
            chance = re.search(r"(\d+)%[^±]*± (\d+)", text)
            assert chance is not None
            assert 0 <= int(chance[1]) <= 100
            assert 1 <= int(chance[2]) <= 8
    if key == "paris-connection":
        for text in page.locator("#notice .advice .advice-reason").all_inner_texts():
            assert re.search(REASONS, " ".join(text.split()))  # "2 → 4" does not break
    before = page.locator("#live-part").get_attribute("data-version")
    advice.first.locator("button").click()
    expect(
        page.locator("#confirm-button").or_(page.locator(f"#live-part:not([data-version='{before}'])"))
    ).to_be_attached()


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", ["de", "fr"])
def test_on_a_desktop_a_hint_is_visible_without_scrolling(server: Server, open_page: Person, language: str) -> None:
    for key in sorted(GAMES):
        with Visitor(server, language) as visitor:
            page = opened(open_page, visitor, visitor.table(*AGAINST_BOTS, game=key), DESK)
            page.locator("#hint-button").click()
            expect(page.locator("#notice .advice li")).to_have_count(3)
            assert page.evaluate(WALK)[0] == [], key
            expect(page.locator("#chat [name=text]")).to_be_in_viewport(ratio=1)


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("teams", ["random", "choose"])
def test_in_a_low_window_the_moves_of_a_hint_are_visible(server: Server, open_page: Person, teams: str) -> None:
    with Visitor(server, "fr") as visitor:
        path = visitor.table(*AGAINST_BOTS, game="legendary-inventors", **{"option-teams": teams})
        page = opened(open_page, visitor, path, {"width": 1366, "height": 625})
        page.locator("#hint-button").click()
        moves = page.locator("#notice .advice button")
        expect(moves).to_have_count(3)
        draws(page)
        foot_top = (page.locator("#prompt-foot").bounding_box() or {"y": 0})["y"]
        bottoms = [box["y"] + box["height"] for box in map(Locator.bounding_box, moves.all()) if box]
        assert [bottom for bottom in bottoms if bottom > foot_top] == []
        for reason in page.locator("#notice .advice .advice-reason").all():
            expect(reason).to_be_visible()
        expect(page.locator("#notice [data-action=dismiss]")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_is_requested_by_keys_in_all_languages(server: Server, open_page: Person, language: str) -> None:
    with Visitor(server, language) as visitor:
        page = opened(open_page, visitor, visitor.table(*AGAINST_BOTS, game="legendary-inventors"), PHONES[0])
        page.locator("#choices > .hint-in-dock" if language == "en" else "#hint-button").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#notice .advice li")).to_have_count(3)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_without_a_script_a_hint_is_a_page(ada: Visitor) -> None:
    path = ada.table(*AGAINST_BOTS)
    waits_for(ada, path, 0)
    response = ada.submit(f"{path}/hint", version=ada.state(path)["version"])
    assert response.status_code == 200, response.text
    assert len(re.findall('name="move"', response.text)) == 3


def test_hints_are_given_only_against_bots_and_only_in_the_turn_of_the_asking_player(
    server: Server, ada: Visitor
) -> None:
    path = ada.table("me", "open", "bot:random")
    with Visitor(server) as grace:
        grace.sit(path, "Grace")
        while ada.state(path)["to_decide"] == 2:  # until the bot has played
            pass
        for visitor in (ada, grace):
            refusal = visitor.post(
                f"{path}/hint", data={"token": visitor.token(), "version": visitor.state(path)["version"]}, headers=JSON
            )
            assert refusal.status_code in (403, 409)
            assert refusal.json()["code"] in ("no-advice", "turn")
            assert 'id="hint-button"' not in visitor.get(path).text
