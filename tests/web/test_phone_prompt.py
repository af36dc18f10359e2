"""Check the prompt on a phone: visible, in one line, and beside or below the board."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Phone, wait_for_true
from tests.web.layout_checks import too_wide
from tests.web.phone_tables import FOR_ONE, FOR_TWO, TRADE, UNDO, WHICH_COMPANY, table_to_decide, three
from tests.web.servers import Server
from tests.web.visitors import Visitor, trade_on

IN_LINE = """() => {
  const line = document.querySelector('#choices .choice-list');
  const tops = [...line.children].map((one) => Math.round(one.getBoundingClientRect().top));
  return [new Set(tops).size, line.scrollWidth > line.clientWidth, getComputedStyle(line).overflowX];
}"""
"""In how many lines the choices are, whether they go on beyond it, and how they are scrolled sideways."""
FINGER = 44
"""As many pixels are high enough for one."""


@pytest.mark.browser
def test_the_trade_grid_covers_at_most_half_the_screen_and_starts_with_two_for_one(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + session_and_path[1])
    page.locator("#choices").get_by_role("button", name=TRADE, exact=True).tap()
    expect(page.locator("#choices .axis-labels")).to_be_in_viewport(ratio=1)
    expect(page.locator("#choices .move-grid tbody tr:visible .choice").last).to_be_in_viewport(ratio=1)
    expect(page.locator("#choices .count-buttons + .choice-list ~ .undo-step")).to_be_in_viewport(ratio=1)
    box = page.locator("#prompt").bounding_box()
    assert box is not None
    assert box["y"] >= 844 / 2 - 2
    page.locator("#choices .undo-step").tap()
    page.locator("#own-summary .is-target").first.tap()
    options = page.locator("#choices > .choice-list > .choice")
    expect(options.first).to_contain_text(FOR_TWO)
    expect(options.last).to_contain_text(FOR_ONE)


@pytest.mark.browser
def test_the_choices_on_a_phone_are_one_line_that_ends_with_undo(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone(locale="de").new_page()
    page.goto(server.address + session_and_path[1])
    page.locator("#choices > .choice-list > .choice").first.tap()  # build
    page.locator("#choices > .choice-list > .choice").first.tap()  # for the first company
    parts = (".choice-question", ".choice-list", ".undo-step")
    prompt_box, line, undo = [page.locator(f"#choices > {part}").bounding_box() for part in parts]
    assert prompt_box is not None
    assert line is not None
    assert undo is not None
    assert line["y"] >= prompt_box["y"] + prompt_box["height"] - 4
    assert line["width"] >= 300
    assert abs(line["y"] + line["height"] / 2 - undo["y"] - undo["height"] / 2) < 8


@pytest.mark.browser
def test_the_board_stays_visible_on_a_phone_until_the_turn_is_over(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    path = table_to_decide(server, session_and_path[0])
    page = phone().new_page()
    page.goto(server.address + path)
    prompt, unroll = page.locator("#prompt"), page.locator("#expand-prompt")
    expect(page.locator("#map-drawing .reach-icons")).to_be_attached()

    def high() -> float:
        return (prompt.bounding_box() or {"height": 0.0})["height"]

    # Why something is off is said above what can be done, not in place of the board.
    page.locator("#map-drawing .is-blocked").last.tap()
    expect(prompt.locator(".refusal > p")).to_have_count(2)
    assert high() < 844 * 0.4
    more_reasons = prompt.locator(".more-reasons")
    expect(more_reasons.locator("p").last).to_be_hidden()
    more_reasons.locator("summary").tap()
    expect(more_reasons.locator("p").last).to_be_visible()
    more_reasons.locator("summary").tap()
    # What may follow a word that is chosen, and the way back.
    page.locator("#choices .choice:not(.blocked-choice)").first.tap()
    expect(page.locator("#choices .choice-question")).to_be_visible()
    expect(page.locator("#choices .undo-step")).to_be_in_viewport()
    assert high() <= 844 / 2
    # All that can be done lies over the board when it is asked for, until there is nothing to do.
    unroll.tap()
    expect(unroll).to_have_attribute("aria-expanded", "true")
    page.locator("#choices .undo-step").tap()
    page.locator("#choices .choice", has_text=TRADE).tap()
    while not page.locator("#confirm-button").count():
        page.locator("#choices .choice-list .choice:not(.blocked-choice)").first.tap()
        expect(page.locator("#choices[aria-busy]")).to_have_count(0)
    expect(page.locator("#prompt-title")).not_to_be_in_viewport()
    page.locator("#confirm-button").tap()
    expect(page.locator("#choices")).to_have_count(0)
    expect(unroll).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#map-drawing .reach-icons")).to_have_count(0)
    assert high() < 844 / 4


@pytest.mark.browser
def test_the_whole_prompt_is_visible_when_reached_by_keyboard(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + session_and_path[1])
    wraps = "getComputedStyle(document.querySelector('#choices .choice-list')).flexWrap"
    assert page.evaluate(wraps) == "nowrap"
    page.locator("#table-menu summary").focus()
    while not page.evaluate("document.activeElement.matches('#choices *')"):
        page.keyboard.press("Tab")
    assert page.evaluate(wraps) == "wrap"
    page.locator("#player-list li").first.tap()
    assert page.evaluate(wraps) == "nowrap"


@pytest.mark.browser
def test_the_prompt_of_a_new_turn_on_an_untouched_page_is_one_line(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    """The first choice has the focus although no key was pressed."""
    with three(server, session_and_path[0]) as (path, people):
        trade_on(people, path, 1)
        page = phone().new_page()
        page.goto(server.address + path)
        expect(page.locator("#live-part")).not_to_have_class(re.compile(r"\bis-my-turn\b"))
        trade_on(people, path, 0)
        expect(page.locator("#choices .choice").first).to_be_focused()
        assert page.evaluate(IN_LINE)[0] == 1


COVERED = """() => {
  const map = document.getElementById('map-frame').getBoundingClientRect();
  const shown = ['#prompt', '#choices', '#notice'].map((one) => document.querySelector(one).getBoundingClientRect());
  return shown.filter((box) => box.height && box.top < Math.min(map.bottom, innerHeight / 2)).length;
}"""
"""The number of parts of the dock that lie over the map, or over more than half of the screen."""


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
def test_on_a_phone_every_question_is_one_line_and_the_map_is_not_covered(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str], width: int, height: int
) -> None:
    path = table_to_decide(server, session_and_path[0])
    page = phone(width, viewport={"width": width, "height": height}).new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-drawing .is-target").first).to_be_attached()
    # Several companies may build at a place: they are asked for below the map, not over it.
    place = page.locator("#move-tree li[data-word-text='build'] li li").evaluate_all(
        "(all) => all.map((one) => one.dataset.place).find((one, n, places) => places.indexOf(one) < n)"
    )
    page.locator(f'#map-drawing [data-place="{place}"]').tap()
    expect(page.locator("#choices .choice-question")).to_have_text(WHICH_COMPANY)
    expect(page.locator("#choices .chosen-steps .chosen-step")).to_be_visible()
    assert page.evaluate(COVERED) == 0
    assert page.evaluate(IN_LINE)[0] == 1
    version = int(page.locator("#live-part").get_attribute("data-version") or 0)
    page.locator("#choices .final-choice").first.tap()
    expect(page.locator("#live-part")).to_have_attribute("data-version", str(version + 1))
    # One line, that is moved sideways; Undo stands at its end, in sight.
    assert page.evaluate(IN_LINE) == [1, True, "auto"]
    line, undo = (
        page.locator("#choices > .choice-list").bounding_box(),
        page.locator("#choices .undo-in-dock").bounding_box(),
    )
    assert line
    assert undo
    assert abs(line["y"] - undo["y"]) < FINGER / 2
    assert line["x"] + line["width"] <= undo["x"] + 2
    assert undo["x"] + undo["width"] <= width
    assert undo["width"] <= FINGER
    assert page.locator("#choices .undo-in-dock").text_content() == UNDO
    # What has no place, "stop", is in sight at the end of the line, and beside it another choice.
    stop_button, other_button = (
        page.locator("#choices .is-placeless"),
        page.locator("#choices .final-choice:not(.is-placeless)").first,
    )
    expect(stop_button).to_be_in_viewport(ratio=1)
    expect(other_button).to_be_in_viewport(ratio=1)
    assert (stop_button.bounding_box() or line)["x"] > (other_button.bounding_box() or line)["x"]
    assert page.evaluate(COVERED) == 0
    # Unrolled, the foot has it, and only the foot.
    page.locator("#expand-prompt").tap()
    expect(page.locator("#undo-button")).to_be_visible()
    expect(page.locator("#choices .undo-in-dock")).to_be_hidden()
    page.locator("#expand-prompt").tap()
    page.locator("#choices .undo-in-dock").tap()
    expect(page.locator("#live-part")).to_have_attribute("data-version", str(version + 2))
    expect(page.locator("#choices .undo-in-dock")).to_have_count(0)


@pytest.mark.browser
def test_on_a_short_page_the_prompt_reaches_the_screen_edge_and_avoids_the_home_bar(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    with Visitor(server) as host:
        host.cookies.update(session_and_path[0])
        options = {"game": "legendary-inventors", "option-teams": "choose"}
        path = host.table("me", "bot:random", "bot:random", **options)
    page = phone().new_page()
    page.goto(server.address + path)
    expect(page.locator("#choices .choice").first).to_be_visible()
    edge = "[document.documentElement.scrollHeight, document.getElementById('prompt').getBoundingClientRect().bottom]"
    assert page.evaluate(edge) == [844, 844]
    padding = "parseFloat(getComputedStyle(document.getElementById('prompt')).paddingBottom)"
    before = page.evaluate(padding)
    insets = {"insets": {"bottom": 34}}
    page.context.new_cdp_session(page).send("Emulation.setSafeAreaInsetsOverride", insets)
    wait_for_true(page, f"(before) => {padding} === before + 34", before)
    assert page.evaluate(edge)[1] == 844


BESIDE_THE_BOARD = """() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const [board, dock] = [box('#map-frame, #panel'), box('#prompt')];
  const shown = ['#map-frame, #panel', '#prompt-title', '#choices .choice', '#log-panel li', '#table-menu',
    '#player-list li'];
  return [
    ...(document.documentElement.scrollHeight > innerHeight ? ['the page is scrolled'] : []),
    ...(board.right > dock.left || board.height < innerHeight / 2 ? ['the board is covered or small'] : []),
    ...shown.filter((what) => !box(what).height || box(what).bottom > innerHeight || box(what).right > innerWidth),
  ];
}"""
"""The faults of a table on a phone that lies on its side."""


@pytest.mark.browser
@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_in_landscape_the_prompt_is_beside_the_board_and_nothing_scrolls(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str], key: str
) -> None:
    with Visitor(server) as host:
        host.cookies.update(session_and_path[0])
        path = host.table("me", "bot:random", "bot:random", game=key)
    page = phone(844, viewport={"width": 844, "height": 390}).new_page()
    page.goto(server.address + path)
    expect(page.locator("#choices .choice:not(.blocked-choice)").first).to_be_visible()
    if key == "paris-connection":
        expect(page.locator("#map-drawing .is-target").first).to_be_attached()
    assert page.evaluate(BESIDE_THE_BOARD) == []
    page.locator("#choices .choice:not(.blocked-choice)").first.tap()
    expect(page.locator("#prompt-foot .undo-step, #confirm-button").first).to_be_in_viewport()
    assert set(page.evaluate(BESIDE_THE_BOARD)) <= {"#choices .choice"}, "which a move to confirm hides"
    assert too_wide(page) == []


@pytest.mark.browser
def test_prompt_and_choices_stay_visible_wherever_the_page_is_scrolled(
    phone: Phone, server: Server, session_and_path: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + session_and_path[1])
    for place in ("0", "document.documentElement.scrollHeight / 2", "document.documentElement.scrollHeight"):
        page.evaluate(f"scrollTo(0, {place})")
        expect(page.locator("#prompt-title")).to_be_in_viewport()
        expect(page.locator("#choices .choice").first).to_be_in_viewport()
