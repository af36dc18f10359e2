"""What would you do? Advice in the browser, only where nobody but bots sits at the table."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import spieltisch
from spieltisch.bots.advice import Advice, AdvisedMove
from spieltisch.bots.best_line import Line
from spieltisch.bots.search import native_library
from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES
from spieltisch.live import advice
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.renderer import Renderer
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES, WALK

JSON = {"Accept": "application/json"}
AGAINST_BOTS = ("me", "bot:random", "bot:random")


@pytest.fixture(scope="module")
def compiled() -> None:
    for key in GAMES:
        native_library.build(key)


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


@pytest.mark.parametrize(("trust", "told"), [(0.5, True), (1.0, False)])
def test_chances_that_are_drawn_towards_even_say_so(trust: float, told: bool) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    move = str(position.legal_moves[0])
    found = advice.explain(position, Advice(0.3, trust, (AdvisedMove(move, 40, 0.9, 0.05, 9.0, Line((), (), (), ())),)))
    table = SimpleNamespace(id="here", position=position)
    html = Renderer(Assets(), DrawnFiles()).render(
        "advice_text.html", "en", position.setup.game, table=table, hints=found, page=True, for_learner=False
    )
    assert f"{60 if told else 90}% win chance" in html
    assert ("these chances are adjusted towards even" in html) is told


@pytest.mark.parametrize("for_learner", [False, True])
def test_a_learner_reads_a_reason_without_percentages(*, for_learner: bool) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    move = next(str(move) for move in position.legal_moves if position.hint(str(move)))
    line = Line((move,), (), (), ())
    found = advice.explain(position, Advice(0.3, 0.5, (AdvisedMove(move, 40, 0.9, 0.05, 9.0, line),)))
    html = Renderer(Assets(), DrawnFiles()).render(
        "advice_text.html",
        "en",
        position.setup.game,
        table=SimpleNamespace(id="here", position=position),
        hints=found,
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
            page.locator("#talk > summary").click()  # and the chat opens beside them
            expect(page.locator("#talk [name=text]")).to_be_in_viewport(ratio=1)


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", LANGUAGES)
def test_by_keys_and_in_all_languages(server: Server, person: Person, language: str) -> None:
    with Visitor(server, language) as visitor:
        page = opened(person, visitor, visitor.table(*AGAINST_BOTS, game="legendary-inventors"), PHONES[0])
        page.locator("#hint").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#notice .advice li")).to_have_count(3)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.build
@pytest.mark.usefixtures("compiled")
def test_without_a_script_it_is_a_page(ada: Visitor) -> None:
    path = ada.table(*AGAINST_BOTS)
    waits_for(ada, path, 0)
    asked = ada.submit(f"{path}/hint", version=ada.state(path)["version"])
    assert asked.status_code == 200, asked.text
    assert len(re.findall('name="move"', asked.text)) == 3


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
