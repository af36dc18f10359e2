"""Check a long turn: effects of choices, the list of its moves, and one confirmation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

import spieltisch
from spieltisch.core.words import Value
from spieltisch.games.era_of_inventions.goods_text import amounts
from spieltisch.games.era_of_inventions.log import CARRIES_OUT, EVENTS, EXCHANGES, EXCHANGES_TWO, KEEPS_BONUS_DISC
from spieltisch.games.era_of_inventions.state import COAL, COIN, TOOL, WOOD
from tests.games.declared_sentences import event_text
from tests.games.era_of_inventions.positions import goods_text
from tests.sentences import sentence_after, template_after
from tests.tiers import first_alone
from tests.web.conftest import SECONDS
from tests.web.key_player import choice_of, word_labels
from tests.web.servers import Server
from tests.web.visitors import Visitor

pytestmark = pytest.mark.browser
GAME = "era-of-inventions"
MARKET = "exchange market"
HINTS = "games/era_of_inventions/hints.py"
USE_MARKET = " ".join(word_labels(GAME, f"use {MARKET}"))
INFLUENCE_WORDS = word_labels(GAME, "exchange coin coin for influence")
TOOL_WORDS = word_labels(GAME, "exchange wood coal for tool")
SIZES: dict[str, ViewportSize] = {"desk": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture
def path_before_choosing_a_disc(ada: Visitor) -> str:
    """Return a table where Ada is to choose between her discs, one of them on the exchange market."""
    while True:
        answer = ada.submit(
            f"/new/{GAME}", **{"name": "Ada", "seat-0": "me", "seat-1": "bot:random", "seat-2": "bot:random"}
        )
        path: str = answer.headers["location"]
        state = ada.state(path)
        while not state["moves"] or state["moves"][0].startswith("place"):
            if moves := state["moves"]:
                ada.play(path, f"place {MARKET}" if f"place {MARKET}" in moves else moves[0], state["version"])
            state = ada.state(path)
        if f"use {MARKET}" in state["moves"]:  # the bots may have been quicker to take it
            return path


@pytest.fixture(params=first_alone("desk", SIZES))
def page(request: pytest.FixtureRequest, chromium: Browser, server: Server, ada: Visitor) -> Iterator[Page]:
    context: BrowserContext = chromium.new_context(viewport=SIZES[request.param], locale="en")
    context.set_default_timeout(SECONDS)
    kept_choices: list[Any] = [
        {"name": cookie.name, "value": cookie.value or "", "url": server.address} for cookie in ada.cookies.jar
    ]
    context.add_cookies(kept_choices)
    yield context.new_page()
    context.close()


def open_table_with_prompt(page: Page, address: str) -> None:
    """Open the page, and on a phone also the prompt."""
    page.goto(address)
    expect(page.locator("#choices .choice").first).to_be_visible()
    if page.locator("#expand-prompt").is_visible():
        page.locator("#expand-prompt").click()


def choose(page: Page, *names: str) -> None:
    """Press words one after another, without those chosen automatically."""
    for name in names:
        choice_of(page, name).click()


def moved(page: Page, key_press: str) -> None:
    """Press an element that changes the table, and wait until the page shows the change."""
    before = page.locator("#live-part").get_attribute("data-version") or ""
    page.locator(key_press).click()
    expect(page.locator(f'#live-part:not([data-version="{before}"])')).to_be_attached()


def exchange(page: Page, *words: str) -> None:
    before = page.locator("#live-part").get_attribute("data-version") or ""
    choose(page, *words)
    expect(page.locator(f'#live-part:not([data-version="{before}"])')).to_be_attached()


def logged(code: int, **values: Value) -> str:
    """Return the log sentence about Ada's action."""
    return event_text(EVENTS, code, 1, values, ["Ada"])


def summary_text(spent_goods: Mapping[int, int], received_goods: Mapping[int, int] = MappingProxyType({})) -> str:
    """Return the summary of a turn with these goods, in which the influence grows from 0 to 1."""
    board = spieltisch.game(GAME).setup(3).board
    goods = {"mine.paid": spent_goods, "mine.got": received_goods}
    sentences = [
        sentence_after(
            HINTS,
            "summary = []",
            f"if any({goods_of})",
            goods=amounts(board, [counts.get(kind, 0) for kind in range(7)]),
        )
        for goods_of, counts in goods.items()
        if counts
    ]
    return " ".join([*sentences, sentence_after(HINTS, "if not any(track)", before=0, after=1)])


def steps(page: Page) -> list[str]:
    """Return the listed moves of the current turn."""
    return [" ".join(text.split()) for text in page.locator("#turn-so-far li").all_text_contents()]


def test_the_effect_of_an_action_field_is_shown_beside_or_below_its_name(
    path_before_choosing_a_disc: str, page: Page, server: Server, ada: Visitor
) -> None:
    open_table_with_prompt(page, server.address + path_before_choosing_a_disc)
    market = choice_of(page, USE_MARKET)
    description = template_after(HINTS, "kind_of(number) == TAKE_STONE", "return message(", "return message(").text
    expect(market).to_have_accessible_name(re.compile(f"^{USE_MARKET} – {description}"))
    expect(page.locator("#turn-so-far")).to_have_count(0)
    note, label = market.locator(".note").bounding_box(), market.locator(".move-label").bounding_box()
    assert note
    assert label
    if (page.viewport_size or {"width": 0})["width"] < 500:
        expect(market.locator(".note")).to_have_text(description)
        assert note["y"] >= label["y"] + label["height"] - 1, "the note stands below the words"
    else:  # a few words at the end of the line
        expect(market.locator(".note")).to_have_attribute("title", description)
        assert note["x"] > label["x"] + label["width"]
        assert label["y"] - 4 < note["y"] < label["y"] + label["height"]


def test_a_long_turn_is_listed_summed_up_and_undone_step_by_step(
    path_before_choosing_a_disc: str, page: Page, server: Server, ada: Visitor
) -> None:
    open_table_with_prompt(page, server.address + path_before_choosing_a_disc)
    phone = (page.viewport_size or {"width": 0})["width"] < 500
    exchange(page, USE_MARKET)
    expect(page.locator("#turn-so-far .count")).to_have_text("(1)")
    expect(page.locator("#undo-turn-button")).to_have_count(0)
    exchange(page, *INFLUENCE_WORDS[1:3], " ".join(INFLUENCE_WORDS))
    exchange(page, *TOOL_WORDS[1:3], " ".join(TOOL_WORDS))
    expect(page.locator("#turn-so-far .count")).to_have_text("(3)")
    carried_out = logged(CARRIES_OUT, action="Exchange market")
    assert steps(page) == [
        carried_out,
        logged(EXCHANGES, give=goods_text(coin=2), get=goods_text(influence=1)),
        logged(EXCHANGES_TWO, give=goods_text(wood=1, coal=1), get=goods_text(tool=1)),
    ]
    expect(page.locator("#turn-summary")).to_have_text(summary_text({WOOD: 1, COAL: 1, COIN: 2}, {TOOL: 1}))
    expect(page.locator("#turn-summary")).to_be_in_viewport()
    assert page.locator("#turn-so-far li").first.is_visible() != phone, "listed where there is room"
    page.locator("#turn-so-far summary").click()
    assert page.locator("#turn-so-far li").first.is_visible() == phone

    # Back, one by one, and on again.
    while page.locator("#prompt .undo-step:visible").count():
        page.locator("#prompt .undo-step:visible").click()
    assert (page.locator("#undo-button").bounding_box() or {"height": 0})["height"] >= 44
    moved(page, "#undo-button")
    expect(page.locator("#turn-summary")).to_have_text(summary_text({COIN: 2}))
    assert len(steps(page)) == 2
    moved(page, "#undo-button")
    assert steps(page) == [carried_out]
    expect(page.locator("#turn-summary")).to_have_count(0)
    exchange(page, *INFLUENCE_WORDS[1:3], " ".join(INFLUENCE_WORDS))

    # The end is asked about once, and says all of it.
    while page.locator("#prompt .undo-step:visible").count():
        page.locator("#prompt .undo-step:visible").click()
    exchange(page, *word_labels(GAME, "done"))  # a bonus disc may follow, so nothing is asked
    expect(page.locator("#confirm-button")).to_have_count(0)
    choose(page, *word_labels(GAME, "keep bonus disc"))
    expect(page.locator("#confirm-button")).to_be_focused()
    whole_turn = sentence_after("web/templates/move_preview_text.html", "if steps and not between")
    skipped = logged(KEEPS_BONUS_DISC)
    expect(page.locator(".confirm-notice .turn-summary")).to_have_text(f"{whole_turn} {summary_text({COIN: 2})}")
    expect(page.locator(".confirm-notice")).to_contain_text(skipped)
    assert len(page.locator(".confirm-notice li").all_text_contents()) == 3
    expect(page.locator("#turn-so-far")).to_be_hidden()
    expect(page.locator("#confirm-button")).to_be_in_viewport()
    moved(page, "#confirm-button")
    assert ada.state(path_before_choosing_a_disc)["log"][-1]["text"]
    assert not any(skipped in text for text in steps(page))


CONTROLS = (
    "() => [...document.querySelectorAll('#prompt-foot > .button')].map(({ id, offsetLeft }) => [id, offsetLeft])"
)


def test_the_undo_menu_shifts_no_control_in_the_foot_of_the_prompt(
    path_before_choosing_a_disc: str, page: Page, server: Server, ada: Visitor
) -> None:
    page.goto(server.address + path_before_choosing_a_disc)
    expect(page.locator("#prompt-foot > span.more-undo-buttons")).to_be_attached()
    control_boxes = page.evaluate(CONTROLS)
    for move in (f"use {MARKET}", "exchange coin coin for influence"):
        assert ada.play(path_before_choosing_a_disc, move).status_code == 200
    expect(page.locator("#more-undo-buttons")).to_be_attached()
    assert page.evaluate(CONTROLS) == control_boxes


@pytest.mark.parametrize("page", ["desk"], indirect=True)
def test_controls_in_the_foot_of_the_prompt_keep_their_place_and_undo_takes_back_one_step(
    path_before_choosing_a_disc: str, page: Page, server: Server, ada: Visitor
) -> None:
    page.set_viewport_size({"width": 1366, "height": 650})
    page.goto(server.address + path_before_choosing_a_disc)
    undo, live = page.locator("#undo-button"), page.locator("#live-part")
    expect(page.locator("#choices .choice").first).to_be_visible()
    control_boxes, controls = page.locator("#prompt-foot").bounding_box(), page.evaluate(CONTROLS)
    before = ada.state(path_before_choosing_a_disc)["version"]
    exchange(page, USE_MARKET)
    expect(page.locator("#turn-so-far .count")).to_have_text("(1)")
    played_version = live.get_attribute("data-version")
    choose(page, "coin")
    expect(page.locator("#choices .chosen-steps")).to_contain_text("coin")
    assert page.locator("#prompt-foot").bounding_box() == control_boxes
    assert page.evaluate(CONTROLS) == controls
    undo.click()
    expect(page.locator("#choices .chosen-steps")).not_to_contain_text("coin")
    expect(live).to_have_attribute("data-version", str(played_version))
    moved(page, "#undo-button")
    expect(page.locator("#turn-so-far")).to_have_count(0)
    assert page.locator("#prompt-foot").bounding_box() == control_boxes
    assert ada.state(path_before_choosing_a_disc)["version"] > before


def test_a_whole_turn_is_undone_with_one_click(
    path_before_choosing_a_disc: str, page: Page, server: Server, ada: Visitor
) -> None:
    before = ada.state(path_before_choosing_a_disc)["moves"]
    for move in (f"use {MARKET}", "exchange coin coin for influence", "exchange wood coal for tool"):
        assert ada.play(path_before_choosing_a_disc, move).status_code == 200
    page.goto(server.address + path_before_choosing_a_disc)
    expect(page.locator("#turn-so-far .count")).to_have_text("(3)")
    if page.locator("#expand-prompt").is_visible():  # a phone has it in the menu, which is always there
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.locator("#table-menu > summary").click()
        moved(page, "#menu-undo-turn-button")
    else:
        page.locator("#more-undo-buttons > summary").click()
        moved(page, "#undo-turn-button")
    expect(page.locator("#turn-so-far")).to_have_count(0)
    assert ada.state(path_before_choosing_a_disc)["moves"] == before


def test_undoing_a_whole_turn_is_refused_where_undoing_a_move_is_refused(
    path_before_choosing_a_disc: str, ada: Visitor, grace: Visitor
) -> None:
    seen_version = str(ada.state(path_before_choosing_a_disc)["version"])
    json = {"Accept": "application/json"}

    def send_request(visitor: Visitor, version: str) -> Any:
        fields = {"token": visitor.token(), "version": version}
        return visitor.post(f"{path_before_choosing_a_disc}/undo-turn", data=fields, headers=json)

    assert send_request(ada, seen_version).json()["code"] in ("nothing-to-undo", "final-move")
    assert ada.play(path_before_choosing_a_disc, f"use {MARKET}").status_code == 200
    assert send_request(grace, str(ada.state(path_before_choosing_a_disc)["version"])).json()["code"] == "not-your-seat"
    assert send_request(ada, seen_version).json()["code"] == "stale"
    assert send_request(ada, "x").status_code == 400
    assert send_request(ada, str(ada.state(path_before_choosing_a_disc)["version"])).status_code == 200
    assert f"use {MARKET}" in ada.state(path_before_choosing_a_disc)["moves"]
