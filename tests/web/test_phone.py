"""A phone held upright: fingers on the map, and the prompt in reach."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

import spieltisch
from tests.web.conftest import SECONDS, Server, Visitor, comes_true, trade_on
from tests.web.layout_checks import too_wide

BESIDE = """() => {
  const targets = [...document.querySelectorAll('#map-static .is-target')];
  const several = (one) => document.querySelectorAll(`#tree li[data-place="${one.dataset.place}"]`).length > 1;
  const boxes = targets.map((one) => [one, one.getBoundingClientRect()]);
  const away = (box, x, y) =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  for (const [, box] of boxes.filter(([one]) => several(one))) {
    for (let turn = 0; turn < 12; turn++) {
      const x = box.left + box.width / 2 + (box.width / 2 + 6) * Math.cos(turn * Math.PI / 6);
      const y = box.top + box.height / 2 + (box.height / 2 + 6) * Math.sin(turn * Math.PI / 6);
      const there = document.elementFromPoint(x, y);
      if (!there?.closest('#map-static') || there.closest('.is-target')) continue;
      const near = boxes.map(([one, its]) => [away(its, x, y), one.dataset.place]).sort((a, b) => a[0] - b[0]);
      const alone = near.length < 2 || near[1][0] - near[0][0] > 2;
      if (!several(document.querySelector(`[data-place="${near[0][1]}"]`))) continue;
      if (near[0][0] > 0 && near[0][0] < 20 && alone) return [x, y, near[0][1]];
    }
  }
  return null;
}"""
"""A point of the map in no legal place, and the legal one that is nearest to it, for several companies."""


@pytest.fixture(scope="module")
def table(server: Server) -> Iterator[tuple[dict[str, str], str]]:
    """A session, and the path of a table where it is theirs to decide."""
    with Visitor(server) as host, Visitor(server) as grace, Visitor(server) as mary:
        path = host.table("me", "open", "open")
        grace.sit(path, "Grace")
        mary.sit(path, "Mary")
        trade_on([host, grace, mary], path, 0)
        yield dict(host.cookies), path


IN_LINE = """() => {
  const line = document.querySelector('#choices .options');
  const tops = [...line.children].map((one) => Math.round(one.getBoundingClientRect().top));
  return [new Set(tops).size, line.scrollWidth > line.clientWidth, getComputedStyle(line).overflowX];
}"""
"""In how many lines the choices are, whether they go on beyond it, and how they are scrolled sideways."""

Open = Callable[..., BrowserContext]
FINGER = 44
"""As many pixels are high enough for one."""


@pytest.fixture
def phone(chromium: Browser, server: Server, table: tuple[dict[str, str], str]) -> Iterator[Open]:
    """Opens the host's phone."""
    opened: list[BrowserContext] = []

    def start(width: int = 390, **settings: Any) -> BrowserContext:
        size = {"width": width, "height": 844}
        context = chromium.new_context(**{"viewport": size, "has_touch": True, "is_mobile": True, **settings})
        cookies = table[0]
        context.add_cookies([{"name": name, "value": value, "url": server.address} for name, value in cookies.items()])
        context.set_default_timeout(SECONDS)
        opened.append(context)
        return context

    yield start
    for context in opened:
        context.close()


def touch(line: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


def zoomed(page: Page) -> float:
    return float(page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--zoom') || 1"))


@pytest.mark.browser
def test_two_fingers_make_the_map_larger_where_they_are(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    expect(page.locator("#map-static svg")).to_be_visible()
    frame = page.locator("#map-frame").bounding_box()
    assert frame is not None
    x, y = frame["x"] + frame["width"] * 0.6, frame["y"] + frame["height"] * 0.4
    under = """([x, y]) => {
        const box = document.querySelector('.map-sheet').getBoundingClientRect();
        return [(x - box.left) / box.width, (y - box.top) / box.height];
    }"""
    before = page.evaluate(under, [x, y])
    line = page.context.new_cdp_session(page)
    touch(line, "touchStart", (x - 20, y), (x + 20, y))
    for apart in range(20, 51, 5):
        touch(line, "touchMove", (x - apart, y), (x + apart, y))
    touch(line, "touchEnd")
    assert zoomed(page) == pytest.approx(2.5, abs=0.01)
    assert page.evaluate(under, [x, y]) == pytest.approx(before, abs=0.01)
    assert page.evaluate("visualViewport.scale") == 1
    version = page.locator("#live").get_attribute("data-version")
    page.locator('[data-do="zoom-out"]').tap()
    assert zoomed(page) == 2
    page.locator('[data-do="zoom-in"]').tap()
    assert zoomed(page) == 3
    assert page.locator("#live").get_attribute("data-version") == version
    assert too_wide(page) == []
    touch(line, "touchStart", (x - 60, y), (x + 60, y))
    for apart in range(60, 5, -5):
        touch(line, "touchMove", (x - apart, y), (x + apart, y))
    touch(line, "touchEnd")
    assert zoomed(page) == 1


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 320])
def test_once_the_map_is_made_larger_every_place_is_as_large_as_a_finger(
    phone: Open, server: Server, table: tuple[dict[str, str], str], width: int
) -> None:
    page = phone(width).new_page()
    page.goto(server.address + table[1])
    expect(page.locator("#map-static svg")).to_be_visible()
    least = """() => Math.min(...[...document.querySelectorAll('#map-static [data-place]')]
        .map((place) => place.getBoundingClientRect()).flatMap(({ width, height }) => [width, height]))"""
    assert page.evaluate(least) < 44
    page.locator('[data-do="zoom-in"]').tap()
    assert page.evaluate(least) >= 43.9
    assert too_wide(page) == []


@pytest.mark.browser
def test_a_tap_opens_the_log_and_a_part_of_the_boards_and_they_stay_open(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    for part, more in (("#story", ".log li:nth-child(2)"), ("#panel-players", "tbody tr")):
        line = page.locator(f"{part} > .unfold")
        expect(line).to_have_attribute("aria-expanded", "false")
        expect(page.locator(f"{part} {more}").first).to_be_hidden()
        line.tap()
        expect(page.locator(f"{part} {more}").first).to_be_visible()
        page.evaluate("document.dispatchEvent(new CustomEvent('spieltisch:changed'))")
        expect(line).to_have_attribute("aria-expanded", "true")
        line.tap()
        expect(line).to_have_attribute("aria-expanded", "false")


@pytest.mark.browser
def test_back_and_escape_close_the_sheet_of_the_log_and_stay_at_the_table(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + "/")
    page.goto(server.address + table[1])
    line = page.locator("#story > .unfold")
    for close in (page.go_back, lambda: page.keyboard.press("Escape"), line.tap):
        line.tap()
        expect(line).to_have_attribute("aria-expanded", "true")
        close()
        expect(line).to_have_attribute("aria-expanded", "false")
        assert page.url == server.address + table[1]
        expect(page.locator("#choices .choice").first).to_be_visible()
    page.go_back()
    expect(page).to_have_url(server.address + "/")  # a closed sheet leaves no step behind


@pytest.mark.browser
def test_the_grid_of_trades_leaves_half_of_the_screen_and_a_share_offers_two_for_one_first(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    page.locator("#choices").get_by_role("button", name="Trade", exact=True).tap()
    expect(page.locator("#choices .axes")).to_be_in_viewport(ratio=1)
    expect(page.locator("#choices .grid tbody tr:visible .choice").last).to_be_in_viewport(ratio=1)
    expect(page.locator("#choices .numbers + .options ~ .back")).to_be_in_viewport(ratio=1)
    box = page.locator("#prompt").bounding_box()
    assert box is not None
    assert box["y"] >= 844 / 2 - 2
    page.locator("#choices .back").tap()
    page.locator("#strip .is-target").first.tap()
    options = page.locator("#choices > .options > .choice")
    expect(options.first).to_contain_text("for two")
    expect(options.last).to_contain_text("for one")


@pytest.mark.browser
def test_the_choices_have_a_line_of_their_own_with_undo_at_its_end(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone(locale="de").new_page()
    page.goto(server.address + table[1])
    page.locator("#choices > .options > .choice").first.tap()  # build
    page.locator("#choices > .options > .choice").first.tap()  # for the first company
    asks, line, undo = [page.locator(f"#choices > {part}").bounding_box() for part in (".asks", ".options", ".back")]
    assert asks is not None
    assert line is not None
    assert undo is not None
    assert line["y"] >= asks["y"] + asks["height"] - 4
    assert line["width"] >= 300
    assert abs(line["y"] + line["height"] / 2 - undo["y"] - undo["height"] / 2) < 8


@pytest.mark.browser
def test_a_badge_counts_unread_messages_and_a_sheet_shows_them(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    with three(server, table[0]) as (path, (host, grace, mary)):
        page = phone().new_page()
        page.goto(server.address + path)
        expect(page.locator("#map-static svg")).to_be_visible()
        last = page.locator("#story .log li:visible").inner_text()
        mary.submit(f"{path}/chat", room="table", text="message 0")
        expect(page.locator("#talk-new")).to_have_text("1")
        host.submit(f"{path}/chat/table/1/mute")
        expect(page.locator("#talk-new")).to_have_text("")  # what is muted waits for nobody
        for number in ("1", "2"):
            grace.submit(f"{path}/chat", room="table", text=f"message {number}")
            expect(page.locator("#talk-new")).to_have_text(number)
        assert page.locator("#story .log li:visible").inner_text() == last
        assert too_wide(page) == []
        page.locator("#story > .unfold").tap()
        expect(page.locator("#talk-new")).to_be_hidden()
        expect(page.locator("#say [name=text]")).to_be_in_viewport(ratio=1)
        expect(page.locator("#story .said").first).to_be_in_viewport(ratio=1)
        expect(page.locator("#story .said").first).to_contain_text("message 2")
        page.locator("#say [name=text]").fill("thank you")
        page.locator("#say .small").tap()
        expect(page.locator("#story .said").first).to_contain_text("thank you")
        page.locator("#story > .unfold").tap()
        expect(page.locator("#say")).to_be_hidden()


@contextmanager
def three(server: Server, cookies: dict[str, str]) -> Iterator[tuple[str, list[Visitor]]]:
    """A table of three people, the first of whom has these cookies."""
    with Visitor(server) as host, Visitor(server) as grace, Visitor(server) as mary:
        host.cookies.update(cookies)
        path = host.table("me", "open", "open")
        grace.sit(path, "Grace")
        mary.sit(path, "Mary")
        yield path, [host, grace, mary]


def table_to_decide(server: Server, cookies: dict[str, str]) -> str:
    """Return the path of a table of three at which the phone's player is to decide."""
    with three(server, cookies) as (path, people):
        trade_on(people, path, 0)
    return path


@pytest.mark.browser
def test_the_board_stays_in_sight_until_the_turn_is_over(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    path = table_to_decide(server, table[0])
    page = phone().new_page()
    page.goto(server.address + path)
    prompt, unroll = page.locator("#prompt"), page.locator("#unroll")
    expect(page.locator("#map-static .reach-icons")).to_be_attached()

    def high() -> float:
        return (prompt.bounding_box() or {"height": 0.0})["height"]

    # Why something is off is said above what can be done, not in place of the board.
    page.locator("#map-static .is-blocked").last.tap()
    expect(prompt.locator(".refusal > p")).to_have_count(2)
    assert high() < 844 * 0.4
    more = prompt.locator(".more-reasons")
    expect(more.locator("p").last).to_be_hidden()
    more.locator("summary").tap()
    expect(more.locator("p").last).to_be_visible()
    more.locator("summary").tap()
    # What may follow a word that is chosen, and the way back.
    page.locator("#choices .choice:not(.blocked)").first.tap()
    expect(page.locator("#choices .asks")).to_be_visible()
    expect(page.locator("#choices .back")).to_be_in_viewport()
    assert high() <= 844 / 2
    # All that can be done lies over the board when it is asked for, until there is nothing to do.
    unroll.tap()
    expect(unroll).to_have_attribute("aria-expanded", "true")
    page.locator("#choices .back").tap()
    page.locator("#choices").get_by_role("button", name="Trade", exact=True).tap()
    while not page.locator("#confirm").count():
        page.locator("#choices .options .choice:not(.blocked)").first.tap()
        expect(page.locator("#choices[aria-busy]")).to_have_count(0)
    expect(page.locator("#prompt-title")).not_to_be_in_viewport()
    page.locator("#confirm").tap()
    expect(page.locator("#choices")).to_have_count(0)
    expect(unroll).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#map-static .reach-icons")).to_have_count(0)
    assert high() < 844 / 4


@pytest.mark.browser
def test_who_comes_to_the_prompt_by_keys_has_all_of_it(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    wraps = "getComputedStyle(document.querySelector('#choices .options')).flexWrap"
    assert page.evaluate(wraps) == "nowrap"
    page.locator("#menu summary").focus()
    while not page.evaluate("document.activeElement.matches('#choices *')"):
        page.keyboard.press("Tab")
    assert page.evaluate(wraps) == "wrap"
    page.locator("#people li").first.tap()
    assert page.evaluate(wraps) == "nowrap"


@pytest.mark.browser
def test_a_turn_that_comes_to_a_page_nobody_has_touched_is_one_line(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    """Its first choice then has the focus, but the keyboard was not used."""
    with three(server, table[0]) as (path, people):
        trade_on(people, path, 1)
        page = phone().new_page()
        page.goto(server.address + path)
        expect(page.locator("#live")).not_to_have_class(re.compile(r"\bmine\b"))
        trade_on(people, path, 0)
        expect(page.locator("#choices .choice").first).to_be_focused()
        assert page.evaluate(IN_LINE)[0] == 1


@pytest.mark.browser
@pytest.mark.parametrize("players", [3, 4])
def test_the_names_of_who_plays_are_not_cut(
    phone: Open, server: Server, table: tuple[dict[str, str], str], players: int
) -> None:
    with Visitor(server) as host:
        host.cookies.update(table[0])
        path = host.table("me", *["bot:random"] * (players - 1), game="era-of-inventions")
    page = phone().new_page()
    page.goto(server.address + path)
    expect(page.locator("#people .bot .name")).to_have_count(players - 1)
    page.locator("#people .points").evaluate_all("(all) => { for (const one of all) one.textContent = '88'; }")
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert page.locator("#people .name").evaluate_all(cut) == []


@pytest.mark.browser
def test_the_own_shares_are_in_the_strip_and_are_pressed_there(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    own = page.locator("#strip .is-target").first
    place = own.get_attribute("data-place")
    own.tap()
    expect(page.locator(f'#strip [data-place="{place}"]')).to_have_class(re.compile("is-chosen"))
    expect(page.locator("#choices .leaf").first).to_be_in_viewport()


@pytest.mark.browser
def test_the_wheel_with_ctrl_makes_the_map_larger(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone(1440, is_mobile=False, has_touch=False).new_page()
    page.goto(server.address + table[1])
    expect(page.locator("#map-static svg")).to_be_visible()
    page.locator("#map-frame").hover()
    page.mouse.wheel(0, -200)
    assert zoomed(page) == 1
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    comes_true(page, "() => getComputedStyle(document.documentElement).getPropertyValue('--zoom') > 1.5")
    page.mouse.wheel(0, 2000)
    comes_true(page, "() => getComputedStyle(document.documentElement).getPropertyValue('--zoom') == 1")


@pytest.mark.browser
def test_a_tap_beside_a_place_takes_the_nearest_legal_one(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    expect(page.locator("#map-static .is-target").first).to_be_attached()
    aim = page.evaluate(BESIDE)
    assert aim is not None
    x, y, place = aim
    page.touchscreen.tap(x, y)
    expect(page.locator(f'#map-static [data-place="{place}"]')).to_have_class(re.compile("is-chosen"))
    expect(page.locator("#choices .leaf").first).to_be_in_viewport()


COVERED = """() => {
  const map = document.getElementById('map-frame').getBoundingClientRect();
  const shown = ['#prompt', '#choices', '#notice'].map((one) => document.querySelector(one).getBoundingClientRect());
  return shown.filter((box) => box.height && box.top < Math.min(map.bottom, innerHeight / 2)).length;
}"""
"""The number of parts of the dock that lie over the map, or over more than half of the screen."""


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
def test_all_is_asked_in_the_dock_in_one_line_and_nothing_over_the_map(
    phone: Open, server: Server, table: tuple[dict[str, str], str], width: int, height: int
) -> None:
    path = table_to_decide(server, table[0])
    page = phone(width, viewport={"width": width, "height": height}).new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-static .is-target").first).to_be_attached()
    # Several companies may build at a place: they are asked for below the map, not over it.
    place = page.locator("#tree li[data-text='build'] li li").evaluate_all(
        "(all) => all.map((one) => one.dataset.place).find((one, n, places) => places.indexOf(one) < n)"
    )
    page.locator(f'#map-static [data-place="{place}"]').tap()
    expect(page.locator("#choices .asks")).to_have_text("Which company will you build for?")
    expect(page.locator("#choices .trail .step")).to_be_visible()
    assert page.evaluate(COVERED) == 0
    assert page.evaluate(IN_LINE)[0] == 1
    version = int(page.locator("#live").get_attribute("data-version") or 0)
    page.locator("#choices .leaf").first.tap()
    expect(page.locator("#live")).to_have_attribute("data-version", str(version + 1))
    # One line, that is moved sideways; Undo stands at its end, in sight.
    assert page.evaluate(IN_LINE) == [1, True, "auto"]
    line, undo = page.locator("#choices > .options").bounding_box(), page.locator("#choices .dock-undo").bounding_box()
    assert line
    assert undo
    assert abs(line["y"] - undo["y"]) < FINGER / 2
    assert line["x"] + line["width"] <= undo["x"] + 2
    assert undo["x"] + undo["width"] <= width
    assert undo["width"] <= FINGER
    assert page.locator("#choices .dock-undo").text_content() == "Undo"
    # What has no place, "stop", is in sight at the end of the line, and beside it another choice.
    stop, other = page.locator("#choices .placeless"), page.locator("#choices .leaf:not(.placeless)").first
    expect(stop).to_be_in_viewport(ratio=1)
    expect(other).to_be_in_viewport(ratio=1)
    assert (stop.bounding_box() or line)["x"] > (other.bounding_box() or line)["x"]
    assert page.evaluate(COVERED) == 0
    # Unrolled, the foot has it, and only the foot.
    page.locator("#unroll").tap()
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#choices .dock-undo")).to_be_hidden()
    page.locator("#unroll").tap()
    page.locator("#choices .dock-undo").tap()
    expect(page.locator("#live")).to_have_attribute("data-version", str(version + 2))
    expect(page.locator("#choices .dock-undo")).to_have_count(0)


@pytest.mark.browser
def test_below_a_short_page_the_dock_ends_at_the_edge_of_the_screen_and_keeps_clear_of_its_bar(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    with Visitor(server) as host:
        host.cookies.update(table[0])
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
    comes_true(page, f"(before) => {padding} === before + 34", before)
    assert page.evaluate(edge)[1] == 844


BESIDE_THE_BOARD = """() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const [board, dock] = [box('#map-frame, #panel'), box('#prompt')];
  const shown = ['#map-frame, #panel', '#prompt-title', '#choices .choice', '#story li', '#menu', '#people li'];
  return [
    ...(document.documentElement.scrollHeight > innerHeight ? ['the page is scrolled'] : []),
    ...(board.right > dock.left || board.height < innerHeight / 2 ? ['the board is covered or small'] : []),
    ...shown.filter((what) => !box(what).height || box(what).bottom > innerHeight || box(what).right > innerWidth),
  ];
}"""
"""The faults of a table on a phone that lies on its side."""


@pytest.mark.browser
@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_on_its_side_the_dock_is_beside_the_board_and_nothing_is_scrolled(
    phone: Open, server: Server, table: tuple[dict[str, str], str], key: str
) -> None:
    with Visitor(server) as host:
        host.cookies.update(table[0])
        path = host.table("me", "bot:random", "bot:random", game=key)
    page = phone(844, viewport={"width": 844, "height": 390}).new_page()
    page.goto(server.address + path)
    expect(page.locator("#choices .choice:not(.blocked)").first).to_be_visible()
    if key == "paris-connection":
        expect(page.locator("#map-static .is-target").first).to_be_attached()
    assert page.evaluate(BESIDE_THE_BOARD) == []
    page.locator("#choices .choice:not(.blocked)").first.tap()
    expect(page.locator("#foot .back, #confirm").first).to_be_in_viewport()
    expect(page.locator("#prompt .at-place")).to_have_count(0)
    assert too_wide(page) == []


@pytest.mark.browser
def test_a_tapped_hex_is_named_with_its_gain_before_it_counts(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    path = table_to_decide(server, table[0])
    page = phone().new_page()
    page.goto(server.address + path)
    expect(page.locator("#map-static .is-target").first).to_be_attached()
    company, place, gain = page.locator("#tree li[data-text='build'] button:has(.gain)").first.evaluate(
        """(move) => [
          move.closest('details').querySelector('.label').textContent,
          move.closest('li').dataset.place,
          move.querySelector('.gain').textContent,
        ]"""
    )
    points = page.locator("#people .own .points").inner_text()
    page.locator("#choices .choice", has_text="Build track").tap()
    page.locator("#choices .choice", has_text=company).tap()
    version = int(page.locator("#live").get_attribute("data-version") or 0)
    page.locator(f'#map-static [data-place="{place}"]').tap()
    expect(page.locator("#choices .leaf")).to_have_count(1)
    expect(page.locator("#choices .leaf .gain")).to_have_text(gain)
    name = page.locator(f'#map-static [data-place="{place}"] > title').text_content()
    expect(page.locator("#choices .leaf .label").last).to_contain_text((name or "?").partition(":")[0])
    expect(page.locator("#live")).to_have_attribute("data-version", str(version))
    expect(page.locator("#map-static .again-mark")).to_have_count(1)
    # A second tap there, which is no double tap, counts.
    page.locator(f'#map-static [data-place="{place}"]').dispatch_event("click")
    expect(page.locator("#live")).to_have_attribute("data-version", str(version + 1))
    expect(page.locator("#people .own .points")).to_have_text(str(int(points) + int(gain)))


@pytest.mark.browser
def test_the_rules_are_folded_with_contents_and_a_search_that_stay_in_sight(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(f"{server.address}/games/era-of-inventions/rules")
    expect(page.locator(".chapter[open]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollHeight") < 14_600 / 3
    # A link to a rule opens its chapter; contents and search stay above it.
    page.goto(f"{server.address}/games/era-of-inventions/rules#E21")
    expect(page.locator("#E21")).to_be_in_viewport()
    expect(page.locator(".chapter[open]")).to_have_count(1)
    expect(page.locator("#search")).to_be_in_viewport()
    page.locator("#contents summary").tap()
    page.locator("#contents a").last.tap()
    expect(page.locator(".chapter").last).to_have_attribute("open", "")
    expect(page.locator(".chapter h2").last).to_be_in_viewport()
    expect(page.locator("#contents a").last).to_be_hidden()
    # A word is found in all chapters, whatever its case; what does not contain it is hidden.
    page.locator("#search").fill("WAREHOUSES")
    expect(page.locator("#E21")).to_be_visible()
    expect(page.locator("#E22")).to_be_hidden()
    page.locator("#search").fill("zeppelin")
    expect(page.locator("#not-found")).to_have_text("Nothing found.")
    expect(page.locator(".chapter").first).to_be_hidden()
    page.locator("#search").fill("")
    expect(page.locator(".chapter").first).to_be_visible()
    expect(page.locator("#not-found")).to_be_empty()
    assert too_wide(page) == []


@pytest.mark.browser
def test_the_lobby_shows_my_tables_and_play_now_and_folds_the_rest(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(f"{server.address}/")
    own_table = page.locator(f'.lobby .tables a[href="{table[1]}"]').first
    play = page.get_by_role("button", name=re.compile("^Play now against"))
    expect(play).to_have_count(3)
    tops = [(part.bounding_box() or {"y": 0})["y"] for part in (own_table, play.first, play.last)]
    assert 0 < tops[0] < tops[1] < tops[2]
    assert tops[2] - tops[1] < 844 / 2
    for part, inside in (("#with-friends", ".preset"), ("#open-tables", ":is(.tables, .empty)")):
        line = page.locator(f"{part} > .unfold")
        expect(line).to_have_attribute("aria-expanded", "false")
        expect(page.locator(f"{part} {inside}").first).to_be_hidden()
        line.tap()
        expect(page.locator(f"{part} {inside}").first).to_be_visible()
    page.evaluate("document.dispatchEvent(new CustomEvent('spieltisch:changed'))")
    expect(page.locator("#open-tables > .unfold")).to_have_attribute("aria-expanded", "true")
    assert too_wide(page) == []


def test_what_is_styled_under_a_pointer_is_styled_only_where_one_can_hover() -> None:
    """A finger leaves the style behind at what it has tapped."""
    sheets = {sheet: sheet.read_text("utf-8") for sheet in Path(spieltisch.__file__).parent.rglob("*.css")}
    assert sum("@media (hover: hover)" in sheet for sheet in sheets.values()) > 5
    hovering = r"@media \(hover: hover\) \{ [^{}]+\{[^{}]*\} \}"
    assert [path.name for path, sheet in sheets.items() if ":hover" in re.sub(hovering, "", sheet)] == []


@pytest.mark.browser
def test_prompt_and_choices_are_in_reach_wherever_the_page_is_scrolled(
    phone: Open, server: Server, table: tuple[dict[str, str], str]
) -> None:
    page = phone().new_page()
    page.goto(server.address + table[1])
    for place in ("0", "document.documentElement.scrollHeight / 2", "document.documentElement.scrollHeight"):
        page.evaluate(f"scrollTo(0, {place})")
        expect(page.locator("#prompt-title")).to_be_in_viewport()
        expect(page.locator("#choices .choice").first).to_be_in_viewport()
