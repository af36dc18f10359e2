"""Check the result at the end of a game: the winner, the points, and the next game."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from spieltisch.core.words import GUEST
from spieltisch.games import GAMES
from spieltisch.tables.results import game_result
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.result import PersonalResult, largest_gap, personal_best, render_result, winners
from tests.sentences import sentence_after
from tests.tables.finished_tables import finished
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.table_moves import decider, trade
from tests.web.visitors import Visitor, let_in

Running = tuple[str, list[Visitor]]
WON = re.compile(r"(Ada|Grace|Mary|You)\b.* won[.!]")


@pytest.fixture
def game_before_last_trade(short_game: Running) -> Running:
    """Return a game that one more one-for-one trade ends (T6)."""
    for _ in range(8):
        trade(decider(short_game)[0], short_game[0])
    return short_game


def test_table_and_result_page_name_the_winner_and_offer_one_next_step(
    server: Server, game_before_last_trade: Running
) -> None:
    path, (ada, *_) = game_before_last_trade
    assert 'class="first-place-laurel"' not in ada.get(path).text
    trade(decider(game_before_last_trade)[0], path)
    table, result = ada.get(path).text, ada.get(f"{path}/end").text
    scores = ada.state(path)["scores"]
    assert table.count('class="first-place-laurel"') == scores.count(max(scores))
    title = re.search(r'id="prompt-title">(.*?)</h2>', table)
    assert title
    assert WON.search(re.sub("<[^>]+>", "", title[1]))
    assert '<a class="button primary" id="result-link"' in table
    for page in (table, result):
        result_part, _, more_links = page.partition('id="more-links"')
        assert len(re.findall('class="button primary"', page)) == 1
        assert 'rematch">Rematch' in result_part
        assert ">Analysis<" in result_part
        shuffle = sentence_after("web/templates/result_links.html", '/fairness") }}">')
        assert f"{shuffle}</a></div></details>" in more_links
        assert ">Record<" in more_links.partition("</details>")[0]
    with Visitor(server) as stranger:
        headline = re.search("<h1>(.*?)</h1>", stranger.get(f"{path}/end").text)
    assert headline
    assert re.fullmatch(rf"[\w, ]+ won with {max(scores)} points\.", re.sub("<[^>]+>", "", headline[1]))
    assert "name-prompt" not in result
    assert ada.submit("/preferences", name="Guest").status_code == 303
    prompt = re.search(
        r'name-prompt" method="post" action="/preferences">.*?name="back"\s+value="([^"]+)"',
        ada.get(f"{path}/end").text,
        re.S,
    )
    assert prompt
    assert prompt[1] == f"{path}/end"
    assert ada.submit("/preferences", name="Ada", back=prompt[1]).headers["location"] == f"{path}/end"
    assert "name-prompt" not in ada.get(f"{path}/end").text
    assert "Your best stage: Round" in result or "Turning point" in result or 'class="highlights"' not in result


@pytest.mark.rule("E56")
def test_the_best_stage_of_a_player_does_not_include_final_bonuses() -> None:
    table, pages = finished("era-of-inventions", 3, seed=3), Renderer(Assets(), DrawnFiles())
    assert table.position is not None
    assert table.score_history is not None
    for seat, player in enumerate(table.position.document()["state"]["players"]):
        points = [stage.points[seat] for stage in table.score_history.stages]
        points[-1] -= sum(player["earned"][bonus] for bonus in ("most patents", "most invested", "most capacity"))
        gain = max(after - before for before, after in pairwise([0, *points]))
        page = re.sub(r"<[^>]+>", "", render_result(pages, table, Perspective(seat, is_host=False), "en"))
        assert re.search(rf"Your best stage: Round [1-8], {gain} points?\.", page)
        assert "Turning point" not in page, "the winner is behind until the bonuses"


def test_a_personal_best_is_named_to_its_player_only() -> None:
    table, pages = finished("era-of-inventions", 3, seed=3), Renderer(Assets(), DrawnFiles())
    sentence, personal = str(personal_best(3, 17)), PersonalResult(surpassed=17)
    assert "with 3 players" in sentence
    assert sentence in render_result(pages, table, Perspective(0, is_host=False), "en", personal)
    assert sentence not in render_result(pages, table, Perspective(None, is_host=False), "en", personal)


@pytest.mark.parametrize("key", GAMES)
def test_who_lost_reads_what_the_winner_got_more_points_from(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, pages = finished(key, 3, seed=3), Renderer(Assets(), DrawnFiles())
    result = game_result(table)
    assert result is not None
    assert table.setup is not None
    (winner,) = winners(table)
    assert largest_gap(result, winner, table.setup) is None
    monkeypatch.setattr(type(table.setup.game), "result_tip", lambda *_: GUEST)
    tip_line = "<span>Guest</span>"
    assert tip_line not in render_result(pages, table, Perspective(winner, is_host=False), "en")
    for seat in {0, 1, 2} - {winner}:
        gap = largest_gap(result, seat, table.setup)
        assert gap is not None
        best, own = (dict(result.players[each].sources) for each in (winner, seat))
        most = max(best.get(source, 0) - own.get(source, 0) for source in {*best, *own})
        assert f", {most} point" in str(gap)
        page = render_result(pages, table, Perspective(seat, is_host=False), "en", PersonalResult(gap=gap))
        assert tip_line in page
        assert str(gap).partition(": ")[2] in re.sub(r"<[^>]+>", "", page)
        assert str(gap).partition(" to ")[0] not in render_result(pages, table, Perspective(None, is_host=False), "en")


KEEP_BANNER = """addEventListener('DOMContentLoaded', () => {
  const banner = document.getElementById('move-banner');
  if (banner) new MutationObserver(() => {
    if (!banner.hidden) window.lastBanner = [...banner.children].map((line) => line.textContent).join(' ');
  }).observe(banner, { attributes: true });
});"""
"""Keeps the last banner: for `add_init_script`."""
LAST_BANNER = "window.lastBanner"
ALL_SHOWN = """async () => {
  const { modules } = await import(document.querySelector('script[src*="/table-page"]').src);
  const { enqueueJob } = modules['playback-queue.js'];
  await new Promise((so) => enqueueJob(async () => so()));
  await new Promise((so) => setTimeout(so, 100));
}"""
"""Waits until everything has been shown, and what follows from it without a pause."""


@pytest.mark.browser
def test_the_board_stays_visible_after_the_end_and_links_to_the_result(
    open_page: Person, server: Server, game_before_last_trade: Running
) -> None:
    path, _ = game_before_last_trade
    last_decider, (other_visitor, third) = decider(game_before_last_trade)
    counting_page, still_page = open_page(locale="en"), open_page(locale="en", reduced_motion="reduce")
    for page, visitor in ((counting_page, other_visitor), (still_page, third)):
        page.add_init_script(KEEP_BANNER)
        let_in(page.context, visitor)
        page.goto(server.address + path)
        expect(page.locator("#player-list")).to_be_visible()
    trade(last_decider, path)
    for page in (counting_page, still_page):
        expect(page.locator("#prompt-title")).to_have_text(WON)
        expect(page.locator("#result-link")).to_be_focused()
        page.evaluate(ALL_SHOWN)
        expect(page).to_have_url(server.address + path)
    assert counting_page.evaluate(LAST_BANNER) == sentence_after("web/pages/move_banners.py", "def _end_texts")
    assert still_page.evaluate(LAST_BANNER) is None
    for page in (counting_page, still_page):
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("/end$"))
        expect(page.locator("#panel-end .laurel").first).to_be_visible()
