"""Check the end of a game at the board: points are counted, a bot says a word, the laurel lands."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.web.pages.end_count import end_count
from tests.tables.finished_tables import finished
from tests.web.conftest import Person, PreparedTables
from tests.web.prepared_tables import Layout
from tests.web.table_moves import trade
from tests.web.visitors import let_in

PEOPLE = ("Ada",)


def before_last_trade(position: Position) -> Move | None:
    """Return the next move to where shares are worth points, and a one-for-one trade of Ada ends the game (T6)."""
    moves = position.legal_moves
    if done := [move for move in moves if move.kind == "done"]:
        return done[0]
    if position.state.idle == 8 and position.seat == 0:
        return None
    trades = [move for move in moves if move.kind == "trade" and move.args[2] == 1]
    value = position.state.value
    if max(value) > 0 and (position.state.idle or position.seat == 1):
        return max(trades, key=lambda move: value[move.args[1]] - value[move.args[0]])
    builds = [move for move in moves if move.kind == "build"] or moves
    return builds[7 * position.number % len(builds)]


LAYOUTS = {
    name: Layout(
        "paris-connection", ("bot:easy", "bot:easy"), bytes(range(1, 33)), before_last_trade, {"standstill": "ends"}
    )
    for name in ("desk", "phone", "skipped", "still")
}
KEEP_SCENES = """addEventListener('DOMContentLoaded', () => {
  window.scenes = [];
  const read = () => {
    const scene = document.documentElement.dataset.endScene ?? '';
    const source = document.querySelector('#end-count > .is-current');
    const points = [...document.querySelectorAll('#player-list .points')].map((one) => one.textContent).join(' ');
    const isSpoken = document.querySelector('.chat-bubble') !== null;
    const now = source ? `${source.textContent} = ${points}` : isSpoken && scene ? 'speaks' : scene;
    if (scenes.at(-1) !== now && (scenes.length || now)) scenes.push(now);
  };
  const changes = { attributes: true, childList: true, subtree: true, attributeFilter: ['data-end-scene', 'class'] };
  new MutationObserver(read).observe(document.documentElement, changes);
});"""
"""Keeps the steps of the scene, each source with the points of the players: for `add_init_script`."""
SCENES = "window.scenes"
HOLD_COUNT = """window.heldTimers = [];
const setTimer = window.setTimeout;
window.setTimeout = (job, ...rest) => document.documentElement.dataset.endScene === 'counting' && window.heldTimers
  ? window.heldTimers.push(job) : setTimer(job, ...rest);"""
"""Holds the scene at the first source, however slow the machine is: for `add_init_script`."""
RELEASE_COUNT = "() => { const held = window.heldTimers; window.heldTimers = null; for (const job of held) job(); }"
IS_IN_PROMPT = """() => {
  const [count, prompt] = ['end-count', 'prompt'].map((id) => document.getElementById(id).getBoundingClientRect());
  const isAcross = count.left >= prompt.left && count.right <= prompt.right;
  return isAcross && count.top >= prompt.top && count.bottom <= prompt.bottom;
}"""


def end_game(prepared: PreparedTables, name: str, page: Page) -> str:
    """Open a table as Ada and play its last move there; return the final points of the players."""
    page.add_init_script(KEEP_SCENES)
    page.add_init_script(HOLD_COUNT)
    path = prepared.addresses[name].removeprefix(prepared.server.address)
    with prepared.host() as ada:
        let_in(page.context, ada)
        page.goto(prepared.addresses[name])
        expect(page.locator("#choices button").first).to_be_attached()
        trade(ada, path)
        return " ".join(map(str, ada.state(path)["scores"]))


@pytest.mark.browser
@pytest.mark.parametrize(("name", "width", "height"), [("desk", 1366, 650), ("phone", 390, 844)])
def test_points_are_counted_then_a_bot_speaks_and_the_laurel_lands(
    prepared: PreparedTables, open_page: Person, name: str, width: int, height: int
) -> None:
    page = open_page(viewport={"width": width, "height": height})
    points = end_game(prepared, name, page)
    expect(page.locator("#end-count > .is-current")).to_be_visible()
    assert page.evaluate(IS_IN_PROMPT)
    expect(page.locator("#player-list .first-place-laurel").first).to_be_hidden()
    page.evaluate(RELEASE_COUNT)
    expect(page.locator("#result-link")).to_be_focused()
    expect(page.locator("#player-list .first-place-laurel").first).to_be_visible()
    expect(page.locator("#prompt-title")).to_be_visible()
    expect(page).to_have_url(prepared.addresses[name])
    waiting, *counted, speaks, end = page.evaluate(SCENES)
    assert (waiting, speaks, end) == ("waiting", "speaks", "")
    counted.remove("counting")
    assert len(counted) == len({line.partition(" = ")[0] for line in counted}) >= 1
    assert counted[-1].partition(" = ")[2] == points
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/end$"))


@pytest.mark.browser
def test_a_key_shows_the_end_at_once(prepared: PreparedTables, open_page: Person) -> None:
    page = open_page()
    points = end_game(prepared, "skipped", page)
    expect(page.locator("#end-count > .is-current")).to_be_visible()
    page.keyboard.press("Shift")
    expect(page.locator("#result-link")).to_be_focused()
    expect(page.locator("html:not([data-end-scene])")).to_be_attached()
    assert " ".join(page.locator("#player-list .points").all_inner_texts()) == points


@pytest.mark.browser
def test_with_reduced_motion_the_end_is_shown_at_once(prepared: PreparedTables, open_page: Person) -> None:
    page = open_page(reduced_motion="reduce")
    end_game(prepared, "still", page)
    expect(page.locator("#result-link")).to_be_focused()
    assert page.evaluate(SCENES) == []
    assert page.locator("#end-count").is_hidden()


@pytest.mark.parametrize(
    ("game", "seats"), [("era-of-inventions", 3), ("legendary-inventors", 3), ("paris-connection", 3)]
)
def test_the_sources_add_up_to_the_points(game: str, seats: int) -> None:
    table = finished(game, seats, seed=3)
    assert table.position is not None
    counted = end_count(table)
    assert counted[-1].points == tuple(table.position.scores)
    assert len(counted) > 1
    assert len({str(source.name) for source in counted}) == len(counted)
