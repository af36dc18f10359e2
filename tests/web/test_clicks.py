"""Check the number of clicks or keys for a turn on the boards of the three games, and double clicks."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from spieltisch.core.position import Position
from spieltisch.games.paris_connection.refusals import SAME_COMPANY
from tests.games.era_of_inventions import moments as era
from tests.games.paris_connection.positions import reason
from tests.sentences import sentence_after
from tests.web.clicked_tables import TABLES, THREE
from tests.web.conftest import PreparedTables
from tests.web.input_devices import InputDevice, Keyboard, Mouse, press_and_wait
from tests.web.key_player import word_labels, word_questions
from tests.web.layout_checks import draws
from tests.web.prepared_tables import NAMES, Layout
from tests.web.table_without_server import TableWithoutServer

pytestmark = pytest.mark.browser
PEOPLE = NAMES
Open = Callable[..., Page]
Show = Callable[[Layout], TableWithoutServer]
PARIS: Final = "paris-connection"
_, WHICH_COMPANY, _ = word_questions(PARIS, "build red Amiens")
_, WHICH_GIVEN, _, WHICH_TAKEN = word_questions(PARIS, "trade red for 2 black")
TRADE, _, FOR_TWO, _ = word_labels(PARIS, "trade red for 2 black")
FOR_ONE = word_labels(PARIS, "trade red for 1 black")[2]
AXES: Final = [sentence_after("games/paris_connection/drawing.py", '{"trade": (', *comma) for comma in ((), (", ",))]
"""The labels of the rows and of the columns of the grid of trades."""


def one_disc_left(position: Position) -> bool:
    """Return True if the deciding player can take back one disc and no other."""
    return sum(str(move).startswith("take back") for move in position.legal_moves) == 1


ONE_DISC: Final = era.layout_at(3, one_disc_left)
LAYOUTS = {"place": TABLES["place"]}


@pytest.fixture(params=("mouse", "keys"))
def input_device(request: pytest.FixtureRequest) -> InputDevice:
    return Mouse() if request.param == "mouse" else Keyboard()


def over(table: TableWithoutServer, *moves: str) -> None:
    """Check that the player's turn is over with these moves."""
    expect(table.page.locator("#choices, #confirm-button")).to_have_count(0)
    assert [move.split()[0] for move in table.played] == [*moves]


COVERING = """() => {
  const boxes = (parts) => [...document.querySelectorAll(parts)].map((one) => [one.id, one.getBoundingClientRect()]);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const seen = boxes("#map-frame, #panel, #log-panel, #player-list, #own-summary");
  const above = boxes("#notice > *, #choices > *, #confirm-button, #move-caption, #prompt-foot, .chat-bubble");
  const asked = above.flatMap(([id, over]) =>
    seen.filter(([, under]) => meet(over, under)).map(([under]) => `${id} over ${under}`));
  const circle = (place) => {
    const drawn = place.ownerSVGElement?.querySelector('.repeat-mark circle').getBoundingClientRect();
    if (drawn) return [drawn.x + drawn.width / 2, drawn.y + drawn.height / 2, drawn.width / 2];
    const [own, its] = [getComputedStyle(place), getComputedStyle(place, '::after')];
    const box = place.getBoundingClientRect();
    const r = parseFloat(its.width) / 2;
    return [box.right - parseFloat(own.borderRightWidth) - parseFloat(its.right) - r,
      box.top + parseFloat(own.borderTopWidth) + parseFloat(its.top) + r, r];
  };
  const changed = [...document.querySelectorAll(':is(#map-frame, #panel) :is(.ghost, .is-disappearing)')];
  const places = [...document.querySelectorAll('.is-repeatable')].filter((one) => one.getClientRects().length);
  const marked = places.flatMap((place) => {
    const [x, y, r] = circle(place);
    const apart = (one) => !one.contains(place) && one !== place;
    const beside = [...Array(16).keys()].map((n) => n * Math.PI / 8)
      .map((turn) => document.elementFromPoint(x + r * Math.cos(turn), y + r * Math.sin(turn))?.closest('[data-place]'))
      .filter((one) => one && apart(one) && !place.contains(one));
    const over = changed.filter(apart).map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width
      && Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)) < r - 0.5);
    const under = [...beside, ...over.map(([one]) => one)];
    return under.map((one) => `the mark of ${place.dataset.place} over ${one.outerHTML}`);
  });
  return [...asked, ...marked];
}"""
"""The questions and captions that lie over the boards, the log, the players or one's own goods; and the marks of
a second click that lie over another place or over what changed.
"""


def expect_marked_place(page: Page, place_name: str) -> None:
    """Check that a place is marked for the second click, and that the mark covers nothing."""
    expect(page.locator(f"{place_name} .is-repeatable")).to_have_count(1)
    expect(page.locator("#map-drawing .repeat-mark")).to_have_count(int(place_name == "#map-drawing"))
    expect(page.locator(":is(#map-frame, #panel) .ghost").first).to_be_attached()
    assert page.evaluate(COVERING) == []


def confirm_end_of_turn(page: Page, hand: InputDevice) -> None:
    """Confirm the end of the turn."""
    confirm = page.locator("#confirm-button")
    expect(confirm).to_be_focused()
    hand.press(confirm)
    expect(confirm).to_have_count(0)


def confirm(page: Page, hand: InputDevice, place: Locator) -> None:
    """Confirm with the mouse at the place itself, or by keys at the focused element."""
    if isinstance(hand, Mouse):
        press_and_wait(page, lambda: hand.press(place))
    else:
        confirm_end_of_turn(page, hand)


def place_for_companies(page: Page, *, companies: int) -> str:
    """Return a place on the map where this number of companies may build."""
    hexagon: str = page.locator("#move-tree li[data-word-text='build'] li li").evaluate_all(
        """(all, many) => {
          const counts = new Map();
          for (const one of all) counts.set(one.dataset.place, (counts.get(one.dataset.place) ?? 0) + 1);
          return [...counts].find(([, count]) => count === many)[0];
        }""",
        companies,
    )
    return f'#map-drawing [data-place="{hexagon}"]'


def test_five_tracks_are_built_in_six_clicks(without_server: Show, input_device: InputDevice) -> None:
    table = without_server(TABLES["start"])
    page = table.page
    # Where several companies may build, they are asked for in the prompt, and it takes one click more.
    page.locator(place_for_companies(page, companies=2)).click()
    expect(page.locator("#choices .choice-question")).to_have_text(WHICH_COMPANY)
    expect(page.locator("#choices .final-choice")).to_have_count(2)
    # What another company or a trade could not do has nothing to do with this hex.
    expect(page.locator("#choices .blocked-choice, #choices .blocked-choices")).to_have_count(0)
    page.keyboard.press("Escape")
    press_and_wait(page, lambda: input_device.press(page.locator(place_for_companies(page, companies=1))))
    for _ in range(3):
        press_and_wait(page, lambda: input_device.press(page.locator("#map-drawing .is-target").first))
    input_device.press(page.locator("#map-drawing .is-target").first)
    expect(page.locator("#notice .confirm-notice")).to_be_visible()
    # All of the turn stands there, its steps folded, and nothing lies over the boards.
    expect(page.locator("#notice details li")).to_have_count(4)
    expect(page.locator("#notice details > summary")).to_be_visible()
    expect(page.locator("#notice .turn-summary")).to_be_visible()
    expect_marked_place(page, "#map-drawing")
    confirm_end_of_turn(page, input_device)
    over(table, *["build"] * 5)
    assert input_device.count == 6


def test_building_is_stopped_early_in_two_clicks(without_server: Show, input_device: InputDevice) -> None:
    table = without_server(TABLES["start"])
    page = table.page
    press_and_wait(page, lambda: page.locator(place_for_companies(page, companies=1)).click())
    input_device.press(page.locator("#choices").get_by_role("button", name=word_labels(PARIS, "done")[0]))
    confirm_end_of_turn(page, input_device)
    over(table, "build", "done")
    assert input_device.count == 2


def test_a_share_is_traded_for_two_in_three_clicks(without_server: Show, input_device: InputDevice) -> None:
    table = without_server(TABLES["start"])
    page = table.page
    input_device.press(page.locator("#own-summary .is-target").first)
    expect(page.locator("#choices .choice-question")).to_have_text(WHICH_TAKEN)
    input_device.press(page.locator("#choices .final-choice", has_text=FOR_TWO).first)
    confirm_end_of_turn(page, input_device)
    over(table, "trade")
    assert input_device.count == 3


GRID: Final = """() => {
  const called = (cell) => cell.textContent.trim();
  const companies = [...document.querySelectorAll('#panel .company-table tbody tr')];
  const value = (row) => Number(row.querySelector('.company-value').textContent);
  const values = new Map(companies.map((row) => [called(row.cells[0]), value(row)]));
  const [head, ...rows] = document.querySelectorAll('#choices .move-grid tr');
  return rows.map((row) => [...row.cells].slice(1).map((cell, c) => {
    const worth = 2 * values.get(called(head.cells[c + 1])) - values.get(called(row.cells[0]));
    return [cell.innerText.trim().replace('−', '-').replace('+', ''), worth];
  }));
}"""
"""Return what stands in the grid of trades, and what a trade for two shares is worth by the values of the panel."""


def test_a_share_is_traded_for_two_in_a_grid_with_the_values(without_server: Show, input_device: InputDevice) -> None:
    table = without_server(TABLES["grid"])
    page = table.page
    input_device.press(page.locator("#choices").get_by_role("button", name=TRADE, exact=True))
    expect(page.locator("#choices .choice-question")).to_have_text(f"{WHICH_GIVEN} {WHICH_TAKEN}")
    grid = page.locator("#move-tree li[data-is-grid]").first
    labels = [grid.get_attribute(f"data-{axis}") or "" for axis in ("row-label", "column-label")]
    assert labels == AXES
    for axis, label in zip(("row-label", "column-label"), labels, strict=True):
        expect(page.locator(f"#choices .axis-labels .{axis}")).to_have_text(label)
    note = page.locator("#move-tree").get_attribute("data-grid-caption") or ""
    expect(page.locator("#choices .move-grid > caption")).to_have_text(note)
    rows = page.evaluate(GRID)
    cells = [cell for row in rows for cell in row]
    possible = [(int(shown_text), worth) for shown_text, worth in cells if re.fullmatch(r"-?\d+", shown_text)]
    assert len(cells) == 36
    assert 5 <= len(possible) <= 30
    assert {shown_text == worth for shown_text, worth in possible} == {True}
    assert len(set(possible)) > 2
    # What is impossible says why.
    page.locator("#choices .move-grid .blocked-choice").first.click()
    expect(page.locator("#notice")).to_contain_text(" ".join(reason(SAME_COMPANY)))
    page.keyboard.press("Escape")
    number_for_one = page.locator("#choices .count-buttons").get_by_role("button", name=FOR_ONE)
    number_for_one.click()
    expect(number_for_one).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(GRID) != rows
    page.locator("#choices .count-buttons").get_by_role("button", name=FOR_TWO).click()
    cell = page.locator("#choices .move-grid .final-choice").first
    expect(cell).to_have_accessible_name(re.compile(rf"{TRADE} \w+ {FOR_TWO} \w+ [+−]?\d+"))
    input_device.press(cell)
    confirm_end_of_turn(page, input_device)
    over(table, "trade")
    assert input_device.count == 3


def test_a_choice_with_one_option_is_made_automatically(without_server: Show, input_device: InputDevice) -> None:
    table = without_server(ONE_DISC)
    take_back = table.page.locator("#choices").get_by_role(
        "button", name=word_labels("era-of-inventions", "take back exchange market")[0]
    )
    expect(take_back).to_have_class(re.compile("final-choice"))
    press_and_wait(table.page, lambda: input_device.press(take_back))
    assert [move[:9] for move in table.played] == ["take back"]


def test_an_inventor_is_sent_in_three_clicks(without_server: Show, input_device: InputDevice) -> None:
    table = without_server(TABLES["send"])
    page = table.page
    input_device.press(page.locator("#panel .is-own .inventor.is-target").first)
    expect(page.locator("#choices .choice-question")).to_have_text(
        word_questions("legendary-inventors", "send Archimedes to Bow")[-1]
    )
    invention = page.locator("#panel .invention.is-target").first
    input_device.press(invention)
    expect(page.locator("#notice #confirm-button")).to_be_focused()
    # What is rare is a link after the choice.
    expect(page.locator("#notice .uncommon-choices")).to_have_text(
        word_labels("legendary-inventors", "send fewer with Archimedes to Bow")[0]
    )
    expect_marked_place(page, "#panel")
    confirm(page, input_device, invention)
    over(table, "send")
    assert input_device.count == 3


def test_the_only_inventor_who_can_work_is_sent_by_choosing_the_invention(
    without_server: Show, input_device: InputDevice
) -> None:
    table = without_server(TABLES["send the last"])
    page = table.page
    invention = page.locator("#panel .invention.is-target").first
    input_device.press(invention)
    expect(page.locator("#notice #confirm-button")).to_be_focused()
    confirm(page, input_device, invention)
    over(table, "send")
    assert input_device.count == 2


def test_a_disc_is_placed_in_two_clicks(without_server: Show, input_device: InputDevice) -> None:
    table = without_server(TABLES["place"])
    page = table.page
    field = page.locator("#panel .action-field.is-target").first
    input_device.press(field)
    expect(page.locator("#notice #confirm-button")).to_be_focused()
    expect_marked_place(page, "#panel")
    page.keyboard.press("Escape")
    expect(page.locator(".is-repeatable")).to_have_count(0)
    field.click(position={"x": 9, "y": 9})
    expect(page.locator("#notice #confirm-button")).to_be_focused()
    confirm(page, input_device, field)
    over(table, "place")
    assert input_device.count == 2


def test_three_cards_are_produced_in_five_clicks(without_server: Show, input_device: InputDevice) -> None:
    table = without_server(TABLES["produce"])
    page = table.page
    press_and_wait(page, lambda: input_device.press(page.locator("#field-produce-inventions")))
    *first, last_move = (
        page.locator("#move-tree li[data-place]", has=page.locator(f'button[value="{move}"]')) for move in THREE
    )
    for card in first:
        place = f'#panel [data-place="{card.get_attribute("data-place")}"]'
        press_and_wait(page, partial(input_device.press, page.locator(place)))
    input_device.press(page.locator(f'#panel [data-place="{last_move.get_attribute("data-place")}"]'))
    confirm_end_of_turn(page, input_device)
    over(table, "use", *["produce"] * 3)
    assert input_device.count == 5


def test_the_second_click_of_a_double_click_is_ignored(without_server: Show) -> None:
    table = without_server(TABLES["start"])
    page = table.page
    press_and_wait(page, lambda: page.locator(place_for_companies(page, companies=1)).dblclick())
    draws(page)
    assert (len(table.played), table.asked) == (1, [])
    expect(page.locator("#notice")).to_be_empty()


def at_once(page: Page, place: Locator) -> None:
    place.dblclick(position={"x": 9, "y": 9})


def late(page: Page, place: Locator) -> None:
    """Delay the second click of a double click until the page has answered the first click."""
    place.click(position={"x": 9, "y": 9})
    expect(page.locator("#confirm-button")).to_be_focused()
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)


@pytest.mark.parametrize("choose_twice", [at_once, late])
def test_a_double_click_does_not_confirm_a_move_and_leaves_the_focus_on_its_confirmation(
    choose_twice: Callable[[Page, Locator], None], without_server: Show
) -> None:
    table = without_server(TABLES["place"])
    page = table.page
    choose_twice(page, page.locator("#panel .action-field.is-target").first)
    expect(page.locator("#confirm-button")).to_be_focused()
    draws(page)
    assert (len(table.asked), table.played) == (1, [])


def test_without_confirmations_a_disc_is_placed_with_one_click(device: Open, prepared: PreparedTables) -> None:
    prepared.speak("en")
    with prepared.host() as host:
        assert host.submit("/preferences", **{"confirm-shown": "1"}).status_code == 303
        seat = host.state(prepared.addresses["place"])["to_decide"]
        page = device()
        page.goto(f"{prepared.addresses['place']}?me={seat + 1}")
        press_and_wait(page, lambda: Mouse().press(page.locator("#panel .action-field.is-target").first))
        assert host.state(prepared.addresses["place"])["to_decide"] != seat
