"""The number of clicks of a turn at the boards of the three games, or of keys that choose; and double clicks. One move
is played at a table of a server, the others without.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from spieltisch.bots import choose
from spieltisch.core.position import Position
from tests.games.era_of_inventions import moments as era
from tests.games.legendary_inventors import moments as inventors
from tests.games.paris_connection import moments as paris
from tests.web.conftest import Laid
from tests.web.layout_checks import draws
from tests.web.prepared_tables import NAMES, Layout
from tests.web.table_without_server import TableWithoutServer

pytestmark = pytest.mark.browser
PEOPLE = NAMES
Open = Callable[..., Page]
Show = Callable[[Layout], TableWithoutServer]
OFFICIAL: Final = r"produce (?!.* for )(?!.* counterfeit).+"
"""A card that is paid in one way only."""


THREE: list[str] = []
"""The moves that `three_to_produce` has found."""


def three_to_produce(position: Position) -> bool:
    """The player to act can produce three cards, and the third ends the turn."""
    THREE[:] = three_cards(position)
    return bool(THREE)


def three_cards(position: Position) -> list[str]:
    """Three cards that who is to act can produce one after the other; with the third the turn is over."""

    def on(later: Position, moves: list[str]) -> list[str]:
        if len(moves) == 3:
            return moves if later.seat != position.seat else []
        for move in map(str, later.legal_moves):
            if later.seat == position.seat and re.fullmatch(OFFICIAL, move):
                after = later.copy()
                after.play(move)
                if whole := on(after, [*moves, move]):
                    return whole
        return []

    if "use produce inventions" not in map(str, position.legal_moves):
        return []
    later = position.copy()
    later.play("use produce inventions")
    return on(later, [])


def one_disc_left(position: Position) -> bool:
    """The player to act can take back one disc, and no other."""
    return sum(str(move).startswith("take back") for move in position.legal_moves) == 1


def with_values(position: Position) -> str | None:
    """Until shares of several companies are worth something and a turn begins with some trades for two."""
    values, moves = position.observe(None).view.value, [str(move) for move in position.legal_moves]
    trades = [move for move in moves if re.fullmatch(r"trade \w+ for 2 \w+", move)]
    if len(trades) >= 5 and sum(value > 0 for value in values) > 2:
        return None
    assert position.seat is not None
    return choose("easy", position.observe(position.seat).bytes, seed=position.number)


TABLES: Final = {
    "start": paris.table(3, paris.start),
    "grid": paris.table(3, with_values),
    "send": inventors.layout(3, 0, inventors.beginning),
    "send the last": inventors.layout(3, 0, inventors.only_one_is_active),
    "place": era.table(3, era.start),
    "produce": era.table(3, three_to_produce, 1),
}
ONE_DISC: Final = era.table(3, one_disc_left)
LAID = {"place": TABLES["place"]}


class Hand(Protocol):
    """Chooses something, and counts."""

    count: int

    def press(self, what: Locator) -> None: ...


class Mouse:
    def __init__(self) -> None:
        self.count = 0

    def press(self, what: Locator) -> None:
        """Click it; a card near its corner, where nothing else lies."""
        self.count += 1
        what.click(position={"x": 9, "y": 9} if what.evaluate("(one) => !(one instanceof SVGElement)") else None)


class Keys:
    def __init__(self) -> None:
        self.count = 0

    def press(self, what: Locator) -> None:
        """Press Enter there; `test_tab_and_arrows_lead_to_every_place` shows that keys lead there."""
        self.count += 1
        what.press("Enter")


@pytest.fixture(params=("mouse", "keys"))
def hand(request: pytest.FixtureRequest) -> Hand:
    return Mouse() if request.param == "mouse" else Keys()


def moved(page: Page, press: Callable[[], None]) -> None:
    """Press what changes the table, and wait until the page shows it."""
    before = page.locator("#live").get_attribute("data-version")
    press()
    expect(page.locator(f'#live:not([data-version="{before}"])')).to_be_attached()


def over(table: TableWithoutServer, *moves: str) -> None:
    """The turn of the player is over, with these moves."""
    expect(table.page.locator("#choices, #confirm")).to_have_count(0)
    assert [move.split()[0] for move in table.played] == [*moves]


COVERING = """() => {
  const boxes = (parts) => [...document.querySelectorAll(parts)].map((one) => [one.id, one.getBoundingClientRect()]);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const seen = boxes("#map-frame, #panel, #story, #people, #strip");
  const asked = boxes("#notice > *, #choices > *, #confirm, #caption, #foot, .bubble").flatMap(([id, over]) =>
    seen.filter(([, under]) => meet(over, under)).map(([under]) => `${id} over ${under}`));
  const circle = (place) => {
    const drawn = place.ownerSVGElement?.querySelector('.again-mark circle').getBoundingClientRect();
    if (drawn) return [drawn.x + drawn.width / 2, drawn.y + drawn.height / 2, drawn.width / 2];
    const [own, its] = [getComputedStyle(place), getComputedStyle(place, '::after')];
    const box = place.getBoundingClientRect();
    const r = parseFloat(its.width) / 2;
    return [box.right - parseFloat(own.borderRightWidth) - parseFloat(its.right) - r,
      box.top + parseFloat(own.borderTopWidth) + parseFloat(its.top) + r, r];
  };
  const changed = [...document.querySelectorAll(':is(#map-frame, #panel) :is(.ghost, .is-going)')];
  const places = [...document.querySelectorAll('.is-again')].filter((one) => one.getClientRects().length);
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


def marked(page: Page, where: str) -> None:
    """A place is marked for the second click, and the mark covers nothing."""
    expect(page.locator(f"{where} .is-again")).to_have_count(1)
    expect(page.locator("#map-static .again-mark")).to_have_count(int(where == "#map-static"))
    expect(page.locator(":is(#map-frame, #panel) .ghost").first).to_be_attached()
    assert page.evaluate(COVERING) == []


def ends_with(page: Page, hand: Hand) -> None:
    """Confirm the end of the turn."""
    confirm = page.locator("#confirm")
    expect(confirm).to_be_focused()
    hand.press(confirm)
    expect(confirm).to_have_count(0)


def again(page: Page, hand: Hand, place: Locator) -> None:
    """Confirm: at the place itself with the mouse, which is there, and by keys where the focus is."""
    if isinstance(hand, Mouse):
        moved(page, lambda: hand.press(place))
    else:
        ends_with(page, hand)


def hexes(page: Page, *, companies: int) -> str:
    """A place on the map where so many companies may build."""
    hexagon: str = page.locator("#tree li[data-text='build'] li li").evaluate_all(
        """(all, many) => {
          const counts = new Map();
          for (const one of all) counts.set(one.dataset.place, (counts.get(one.dataset.place) ?? 0) + 1);
          return [...counts].find(([, count]) => count === many)[0];
        }""",
        companies,
    )
    return f'#map-static [data-place="{hexagon}"]'


def test_five_are_built_beginning_on_the_map(without_server: Show, hand: Hand) -> None:
    table = without_server(TABLES["start"])
    page = table.page
    # Where several companies may build, they are asked for in the prompt, and it takes one click more.
    page.locator(hexes(page, companies=2)).click()
    expect(page.locator("#choices .asks")).to_have_text("Which company will you build for?")
    expect(page.locator("#choices .leaf")).to_have_count(2)
    # What another company or a trade could not do has nothing to do with this hex.
    expect(page.locator("#choices .blocked, #choices .standing-back")).to_have_count(0)
    page.keyboard.press("Escape")
    moved(page, lambda: hand.press(page.locator(hexes(page, companies=1))))
    for _ in range(3):
        moved(page, lambda: hand.press(page.locator("#map-static .is-target").first))
    hand.press(page.locator("#map-static .is-target").first)
    expect(page.locator("#notice .preview")).to_be_visible()
    # All of the turn stands there, and nothing lies over the boards.
    for step in page.locator("#notice li").all():
        assert (step.bounding_box() or {"height": 0})["height"] > 10
    marked(page, "#map-static")
    ends_with(page, hand)
    over(table, *["build"] * 5)
    assert hand.count == 6


def test_one_stops_early(without_server: Show, hand: Hand) -> None:
    table = without_server(TABLES["start"])
    page = table.page
    moved(page, lambda: page.locator(hexes(page, companies=1)).click())
    hand.press(page.locator("#choices").get_by_role("button", name="Stop building"))
    ends_with(page, hand)
    over(table, "build", "done")
    assert hand.count == 2


def test_one_share_is_traded_for_two(without_server: Show, hand: Hand) -> None:
    table = without_server(TABLES["start"])
    page = table.page
    hand.press(page.locator("#strip .is-target").first)
    expect(page.locator("#choices .asks")).to_have_text("What will you take?")
    hand.press(page.locator("#choices .leaf", has_text="for two").first)
    ends_with(page, hand)
    over(table, "trade")
    assert hand.count == 3


GRID: Final = """() => {
  const called = (cell) => cell.textContent.trim();
  const companies = [...document.querySelectorAll('#panel .companies tbody tr')];
  const value = (row) => Number(row.querySelector('.value').textContent);
  const values = new Map(companies.map((row) => [called(row.cells[0]), value(row)]));
  const [head, ...rows] = document.querySelectorAll('#choices .grid tr');
  return rows.map((row) => [...row.cells].slice(1).map((cell, c) => {
    const worth = 2 * values.get(called(head.cells[c + 1])) - values.get(called(row.cells[0]));
    return [cell.innerText.trim().replace('−', '-').replace('+', ''), worth];
  }));
}"""
"""Return what stands in the grid of trades, and what a trade for two shares is worth by the values of the panel."""


def test_one_share_is_traded_for_two_in_a_grid_with_the_values(without_server: Show, hand: Hand) -> None:
    table = without_server(TABLES["grid"])
    page = table.page
    hand.press(page.locator("#choices").get_by_role("button", name="Trade", exact=True))
    expect(page.locator("#choices .asks")).to_have_text("Which share will you give back? What will you take?")
    expect(page.locator("#choices .axes .down")).to_have_text("give")
    expect(page.locator("#choices .axes .across")).to_have_text("take")
    rows = page.evaluate(GRID)
    cells = [cell for row in rows for cell in row]
    possible = [(int(shown), worth) for shown, worth in cells if re.fullmatch(r"-?\d+", shown)]
    assert len(cells) == 36
    assert 5 <= len(possible) <= 30
    assert {shown == worth for shown, worth in possible} == {True}
    assert len(set(possible)) > 2
    # What is impossible says why.
    page.locator("#choices .grid .blocked").first.click()
    expect(page.locator("#notice")).to_contain_text(re.compile("different company|hold no shares|depot"))
    page.keyboard.press("Escape")
    one = page.locator("#choices .numbers").get_by_role("button", name="for one")
    one.click()
    expect(one).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(GRID) != rows
    page.locator("#choices .numbers").get_by_role("button", name="for two").click()
    cell = page.locator("#choices .grid .leaf").first
    expect(cell).to_have_accessible_name(re.compile(r"Trade \w+ for two \w+ [+−]?\d+"))
    hand.press(cell)
    ends_with(page, hand)
    over(table, "trade")
    assert hand.count == 3


def test_what_has_one_answer_is_not_asked(without_server: Show, hand: Hand) -> None:
    table = without_server(ONE_DISC)
    take_back = table.page.locator("#choices").get_by_role("button", name="Take the disc back unused")
    expect(take_back).to_have_class(re.compile("leaf"))
    moved(table.page, lambda: hand.press(take_back))
    assert [move[:9] for move in table.played] == ["take back"]


def test_an_inventor_is_sent(without_server: Show, hand: Hand) -> None:
    table = without_server(TABLES["send"])
    page = table.page
    hand.press(page.locator("#panel .is-own .inventor.is-target").first)
    expect(page.locator("#choices .asks")).to_have_text("Which invention?")
    invention = page.locator("#panel .invention.is-target").first
    hand.press(invention)
    expect(page.locator("#notice #confirm")).to_be_focused()
    # What is rare is a link after the choice.
    expect(page.locator("#notice .uncommon")).to_have_text("Send with fewer cubes")
    marked(page, "#panel")
    again(page, hand, invention)
    over(table, "send")
    assert hand.count == 3


def test_the_only_inventor_who_can_work_is_sent_by_choosing_the_invention(without_server: Show, hand: Hand) -> None:
    table = without_server(TABLES["send the last"])
    page = table.page
    invention = page.locator("#panel .invention.is-target").first
    hand.press(invention)
    expect(page.locator("#notice #confirm")).to_be_focused()
    again(page, hand, invention)
    over(table, "send")
    assert hand.count == 2


def test_a_disc_is_placed(without_server: Show, hand: Hand) -> None:
    table = without_server(TABLES["place"])
    page = table.page
    field = page.locator("#panel .action-field.is-target").first
    hand.press(field)
    expect(page.locator("#notice #confirm")).to_be_focused()
    marked(page, "#panel")
    page.keyboard.press("Escape")
    expect(page.locator(".is-again")).to_have_count(0)
    field.click(position={"x": 9, "y": 9})
    expect(page.locator("#notice #confirm")).to_be_focused()
    again(page, hand, field)
    over(table, "place")
    assert hand.count == 2


def test_three_cards_are_produced(without_server: Show, hand: Hand) -> None:
    table = without_server(TABLES["produce"])
    page = table.page
    moved(page, lambda: hand.press(page.locator("#field-produce-inventions")))
    *first, last = (page.locator("#tree li[data-place]", has=page.locator(f'button[value="{move}"]')) for move in THREE)
    for card in first:
        place = f'#panel [data-place="{card.get_attribute("data-place")}"]'
        moved(page, partial(hand.press, page.locator(place)))
    hand.press(page.locator(f'#panel [data-place="{last.get_attribute("data-place")}"]'))
    ends_with(page, hand)
    over(table, "use", *["produce"] * 3)
    assert hand.count == 5


PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
CUT_TEXT: Final = """(all) => all.flatMap((one) => [...one.children])
  .filter((part) => !part.matches('.visually-hidden') && part.scrollHeight > part.clientHeight + 3)
  .map((part) => part.textContent)"""
"""The texts of choices that are cut: all but the tails of letters."""


def test_a_phone_scrolls_to_the_board_in_question_and_shows_choices_whole(without_server: Show) -> None:
    page = without_server(TABLES["produce"]).page
    page.set_viewport_size(PHONE)
    page.evaluate("for (const one of document.querySelectorAll('#panel [aria-expanded=false]')) one.click()")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.locator("#panel .card-of.is-target")).to_have_count(0)
    expect(page.locator("#panel .card-of").first).not_to_be_in_viewport()
    moved(page, page.locator("#choices").get_by_role("button", name="Produce inventions").click)
    expect(page.locator("#panel .card-of.is-target").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#choices .is-long:not(.with-note)").first).to_be_attached()
    assert page.locator("#choices .choice:not(.blocked, .with-note)").evaluate_all(CUT_TEXT) == []


def test_what_is_chosen_has_a_whole_frame_on_a_phone(without_server: Show) -> None:
    page = without_server(TABLES["send"]).page
    page.set_viewport_size(PHONE)
    Mouse().press(page.locator("#panel .invention.is-target").nth(1))
    card = page.locator("#panel .invention.is-chosen")
    expect(card).to_have_count(1)
    room, frame = card.evaluate(
        """(card) => {
          const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(card);
          const edge = card.closest('.panel-frame > section').getBoundingClientRect().right;
          const frame = outlineStyle === 'solid' ? parseFloat(outlineWidth) : 0;
          return [edge - card.getBoundingClientRect().right - frame - parseFloat(outlineOffset), frame];
        }"""
    )
    assert room >= 0
    assert frame == 3


def test_the_lower_edge_of_boards_fades_while_they_continue_there(without_server: Show) -> None:
    page = without_server(TABLES["send"]).page
    page.set_viewport_size({"width": 1366, "height": 650})
    fading = """(wanted) => {
      const style = getComputedStyle(document.getElementById('panel'));
      return style.maskImage.includes('gradient') && parseFloat(style.getPropertyValue('--fade')) > 0 === wanted;
    }"""
    page.evaluate("document.documentElement.dataset.pace = 'normal'")
    assert page.evaluate("panel.scrollHeight > panel.clientHeight + 40")
    page.wait_for_function(fading, arg=True, timeout=9000)
    page.evaluate("panel.scrollTo(0, panel.scrollHeight)")
    page.wait_for_function(fading, arg=False, timeout=9000)
    page.evaluate("document.documentElement.dataset.pace = 'still'")


UNREACHED: Final = """() => {
  const press = (from, key) => {
    from.focus();
    from.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    return document.activeElement;
  };
  const shown = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  return ['#map-static', '#panel', '#strip', '#choices'].flatMap((region) => {
    const all = [...document.querySelectorAll(`${region} :is(.is-target, .choice)`)].filter(shown);
    const stops = () => all.filter((one) => one.tabIndex === 0);
    let at = stops()[0];
    for (const key of at ? ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft'] : []) at = press(at, key);
    const isOneStop = region === '#choices' || stops().length === Math.min(all.length, 1);
    const reached = new Set(stops().slice(0, 1));
    for (const one of reached) {
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) reached.add(press(one, key));
    }
    const other = [...all.filter((one) => !reached.has(one)), ...[...reached].filter((one) => !all.includes(one))];
    return [...isOneStop ? [] : [`${region} has not one Tab stop`], ...other.map((one) => one.outerHTML)];
  });
}"""
"""Return what Tab and arrows do not lead to in each region, though it can be chosen, or lead to though it cannot."""


@pytest.mark.parametrize("name", TABLES)
def test_tab_and_arrows_lead_to_every_place(without_server: Show, name: str) -> None:
    page = without_server(TABLES[name]).page
    assert page.locator(":is(#map-static, #panel, #strip) .is-target").count() > 1
    assert page.evaluate(UNREACHED) == []


def test_the_second_click_of_a_double_click_is_none(without_server: Show) -> None:
    table = without_server(TABLES["start"])
    page = table.page
    moved(page, lambda: page.locator(hexes(page, companies=1)).dblclick())
    draws(page)
    assert (len(table.played), table.asked) == (1, [])
    expect(page.locator("#notice")).to_be_empty()


def at_once(page: Page, place: Locator) -> None:
    place.dblclick(position={"x": 9, "y": 9})


def late(page: Page, place: Locator) -> None:
    """The second click comes when the page has answered the first, as on a slow hand or a busy machine."""
    place.click(position={"x": 9, "y": 9})
    expect(page.locator("#confirm")).to_be_focused()
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)


@pytest.mark.parametrize("twice", [at_once, late])
def test_the_second_click_neither_plays_what_is_to_be_confirmed_nor_takes_the_focus_from_it(
    twice: Callable[[Page, Locator], None], without_server: Show
) -> None:
    table = without_server(TABLES["place"])
    page = table.page
    twice(page, page.locator("#panel .action-field.is-target").first)
    expect(page.locator("#confirm")).to_be_focused()
    draws(page)
    assert (len(table.asked), table.played) == (1, [])


def test_who_wants_nothing_confirmed_places_a_disc_with_one_click(device: Open, laid: Laid) -> None:
    laid.speak("en")
    with laid.host() as host:
        assert host.submit("/preferences", **{"confirm-shown": "1"}).status_code == 303
        seat = host.state(laid.addresses["place"])["to_decide"]
        page = device()
        page.goto(f"{laid.addresses['place']}?me={seat + 1}")
        moved(page, lambda: Mouse().press(page.locator("#panel .action-field.is-target").first))
        assert host.state(laid.addresses["place"])["to_decide"] != seat
