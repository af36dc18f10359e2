"""The end of a game: the result names the winner, appears by itself, counts the points out, and offers another game."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.result import result_fragment
from tests.tables.test_score_history import finished
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.test_table_actions import decider, trade

Running = tuple[str, list[Visitor]]
WON = re.compile(r"(Ada|Grace|Mary|You)\b.* won[.!]")


@pytest.fixture
def nearly_over(short: Running) -> Running:
    """A game that the ninth 1-for-1 trade in a row ends (T6)."""
    for _ in range(8):
        trade(decider(short)[0], short[0])
    return short


def test_table_and_result_name_the_winner_and_have_one_way_on(nearly_over: Running) -> None:
    path, (ada, *_) = nearly_over
    assert 'class="crown"' not in ada.get(path).text
    trade(decider(nearly_over)[0], path)
    table, result = ada.get(path).text, ada.get(f"{path}/end").text
    scores = ada.state(path)["scores"]
    assert table.count('class="crown"') == scores.count(max(scores))
    title = re.search(r'id="prompt-title">(.*?)</h2>', table)
    assert title
    assert WON.search(re.sub("<[^>]+>", "", title[1]))
    assert '<a class="button primary" id="to-end"' in table
    for page in (table, result):
        shown, _, more = page.partition('id="more-links"')
        assert len(re.findall('class="button primary"', page)) == 1
        assert 'rematch">Rematch' in shown
        assert ">Analysis<" in shown
        assert "Check the shuffle</a></div></details>" in more
        assert ">Record<" in more.partition("</details>")[0]
    assert "Your best stage: Round" in result or "Turning point" in result or 'class="highlights"' not in result


@pytest.mark.rule("E56")
def test_the_bonuses_at_the_end_count_for_no_stage() -> None:
    table, pages = finished("era-of-inventions", 3, seed=3), Renderer(Assets(), DrawnFiles())
    assert table.position is not None
    assert table.score_history is not None
    for seat, player in enumerate(table.position.document()["state"]["players"]):
        points = [stage.points[seat] for stage in table.score_history.stages]
        points[-1] -= sum(player["earned"][bonus] for bonus in ("most patents", "most invested", "most capacity"))
        gain = max(after - before for before, after in pairwise([0, *points]))
        page = re.sub(r"<[^>]+>", "", result_fragment(pages, table, Perspective(seat, is_host=False), "en"))
        assert re.search(rf"Your best stage: Round [1-8], {gain} points?\.", page)
        assert "Turning point" not in page, "the winner is behind until the bonuses"


WITH_A_BEAT = """addEventListener('DOMContentLoaded', () => {
  const beat = document.getElementById('beat');
  const act = () => {
    if (beat.hidden) return;
    sessionStorage.setItem('beat', [...beat.children].map((line) => line.textContent).join(' '));
    %s
  };
  if (beat) new MutationObserver(act).observe(beat, { attributes: true });
});"""
"""Keeps the last beat, also for the page after it, and does something meanwhile: for `add_init_script`."""
LAST_BEAT = "sessionStorage.getItem('beat')"
SKIP = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }));"
USE = "document.querySelector('#menu summary').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));"
TOUCH = "document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'touch' }));"
ALL_SHOWN = """async () => {
  const { enqueue } = await import(new URL('playback-queue.js', document.querySelector('script[src*="/table"]').src));
  await new Promise((so) => enqueue(async () => so()));
  await new Promise((so) => setTimeout(so, 100));
}"""
"""Waits until everything has been shown, and what follows from it without a pause."""


@pytest.mark.browser
def test_the_result_comes_without_a_click_and_is_counted_out(
    person: Person, server: Server, nearly_over: Running
) -> None:
    path, _ = nearly_over
    last, (other, third) = decider(nearly_over)
    counted, still = person(locale="en"), person(locale="en", reduced_motion="reduce")
    stays, touched = person(locale="en"), person(locale="en")
    for page, visitor, act in (
        (counted, other, SKIP),
        (still, third, ""),
        (stays, other, USE),
        (touched, third, TOUCH),
    ):
        page.add_init_script(WITH_A_BEAT % act)
        let_in(page.context, visitor)
        page.goto(server.address + path)
        expect(page.locator("#people")).to_be_visible()
    trade(last, path)
    expect(stays.locator("#prompt-title")).to_have_text(WON)
    # Who skips the beat by a key goes on to the result; who uses something on the page or touches it stays.
    counted.wait_for_url("**/end")
    assert re.fullmatch(r"The game is over\. .* won[.!]", counted.evaluate(LAST_BEAT))
    expect(counted.locator(".is-uncounted").first).to_be_attached()
    counted.keyboard.press("Shift")
    expect(counted.locator(".is-uncounted")).to_have_count(0)
    expect(counted.locator(".is-counted").first).to_be_visible()
    still.wait_for_url("**/end")
    assert still.evaluate(LAST_BEAT) is None
    expect(still.locator(".is-uncounted")).to_have_count(0)
    expect(still.locator(".laurel").first).to_be_visible()
    counted.keyboard.press("Shift")
    expect(counted.locator(".is-uncounted")).to_have_count(0)
    expect(counted.locator(".is-counted").first).to_be_visible()
    for page in (stays, touched):
        page.evaluate(ALL_SHOWN)
        assert "The game is over." in page.evaluate(LAST_BEAT)
        expect(page.locator("#to-end")).to_be_visible()
