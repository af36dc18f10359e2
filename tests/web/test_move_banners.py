"""Check banners after a move: a new stage, its leader, and gains from another player's move."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from spieltisch import tables
from spieltisch.core.net_changes import net_changes
from spieltisch.core.words import Message, SeatName
from spieltisch.games.era_of_inventions.state import COIN
from spieltisch.tables import NewTable
from spieltisch.web.pages.move_banners import move_banners
from tests.sentences import sentence_after, template_after
from tests.tables.harness import BEN, CLEO, Sitting
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

SHOW = """async ([sentence, key]) => {
  const { modules } = await import(document.querySelector('script[src*="/table-page"]').src);
  const { enqueueJob, showBanner } = modules['playback-queue.js'];
  const banner = document.getElementById('move-banner');
  const over = enqueueJob(() => showBanner([sentence])).then(() => 'over');
  for (let step = 0; step < 20; step += 1) await null; // until it has begun: no time passes
  const seen = banner.hidden ? '' : banner.textContent;
  if (key) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const first = await Promise.race([over, new Promise((so) => setTimeout(() => so('still there'), 1000))]);
  await over;
  return [seen, first, banner.hidden];
}"""
"""Show a sentence, press a key or none; answer what was seen, whether it was over after a second, what is left."""

SHOW_POSITION_WITH_BANNER = """async () => {
  const { modules } = await import(document.querySelector('script[src*="/table-page"]').src);
  const { enqueueJob, showBanner } = modules['playback-queue.js'];
  let drawn = 0;
  document.addEventListener('spieltisch:boards-updated', () => { drawn += 1; });
  await Promise.all([enqueueJob(null, async () => {}), enqueueJob(() => showBanner(['Round 2']))]);
  return drawn;
}"""
"""Put a position on the boards with a banner after it; answer how often the places to choose were drawn."""

GIVING = ("produce", "develop")
"""Moves that bring goods to other players, and lead to those."""


def last_banner(sitting: Sitting, seat: int | None) -> list[Message]:
    """Return the banner of the last move for a seat, or (None) for a spectator."""
    table = sitting.table
    assert table.position is not None
    banners_by_version = move_banners(table, table.log(seat), table.position.observe(seat), seat)
    return banners_by_version[table.moves[-1].version]


def stage_text(sitting: Sitting) -> str:
    """Return the sentence that names the stages of a game, without its values."""
    assert sitting.table.position is not None
    heading = sitting.table.game.stage_heading(sitting.table.position.observe(None))
    assert heading is not None
    return heading.text


def test_a_new_round_is_announced_to_all_and_a_gain_to_its_player_only() -> None:
    sitting = Sitting.plan(NewTable("era-of-inventions", ("me", "open", "open")))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    round_text = stage_text(sitting)
    gain_text = template_after("web/pages/move_banners.py", "def _gain_texts").text
    chance, rounds = random.Random(7), list[Message]()
    gains: list[tuple[int | None, Message]] = []
    while len(rounds) < 2 or not gains:
        mover = sitting.decider
        sitting.plays(chance.choice([move for move in sitting.moves if move.startswith(GIVING)] or sitting.moves))
        banners_of: dict[int | None, list[Message]] = {seat: last_banner(sitting, seat) for seat in (None, 0, 1, 2)}
        new_banners = [[sentence for sentence in seat if sentence.text == round_text] for seat in banners_of.values()]
        assert new_banners == [new_banners[0]] * 4
        # It is the heading of what else is told.
        assert all(seat[0] == new_banners[0][0] for seat in banners_of.values() if new_banners[0])
        rounds += new_banners[0]
        gains += [
            (seat, sentence) for seat, seats in banners_of.items() for sentence in seats if sentence.text == gain_text
        ]
    assert [[*heading.values.values()] for heading in rounds[:2]] == [[2, 9], [3, 9]]
    ((seat, sentence),) = gains
    assert seat not in (None, sitting.table.seat_of(mover.id))
    assert sentence.values["player"] == SeatName(sitting.table.seat_of(mover.id) or 0)
    assert sitting.table.setup is not None
    assert sentence.values["what"] == sitting.table.game.amount_text(sitting.table.setup, COIN, 1)


def test_draws_of_the_set_up_are_not_announced_as_gains() -> None:
    sitting = Sitting.plan(NewTable("legendary-inventors", ("me", "open", "open")))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    while any(move.startswith("choose") for move in sitting.moves):
        sitting.plays(sitting.moves[0])
    assert sitting.table.setup
    changes = net_changes(sitting.table.setup, sitting.table.log(None)[-1].events)
    assert [piece for (_, piece) in changes.pieces] == [0], "Leonardo"
    assert [last_banner(sitting, seat) for seat in (None, 0, 1, 2)] == [[]] * 4


def test_a_new_age_is_announced_with_the_number_of_ages() -> None:
    sitting = Sitting.plan(NewTable("legendary-inventors", ("me", "open", "open"), {"teams": "random"}))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    chance, messages = random.Random(3), list[Message]()
    age_text = stage_text(sitting)
    while not messages:
        sitting.plays(chance.choice([move for move in sitting.moves if move.startswith("send")] or sitting.moves))
        messages = [sentence for sentence in last_banner(sitting, None) if sentence.text == age_text]
    assert [(sentence.values["number"], sentence.values["all"]) for sentence in messages] == [(2, 3)]
    assert str(messages[0]).startswith("age II ")


def test_the_end_is_announced_with_the_last_move_and_no_winner_before_points_are_counted() -> None:
    sitting = Sitting.running()
    chance = random.Random(5)
    while sitting.table.status == "running":
        trades = [move for move in sitting.moves if move.startswith("trade") and " for 1 " in move]
        sitting.plays(chance.choice(trades if len(sitting.table.moves) > 60 and trades else sitting.moves))
    position = sitting.table.position
    assert position is not None
    assert position.outcome is not None
    end_sentence = sentence_after("web/pages/move_banners.py", "def _end_texts")
    for seat in (None, 0, 1, 2):
        assert [str(message) for message in last_banner(sitting, seat)] == [end_sentence]


def opened(person: Person, server: Server, visitor: Visitor, path: str, motion: str) -> Page:
    page = person(locale="en", reduced_motion=motion)
    let_in(page.context, visitor)
    page.goto(server.address + path)
    expect(page.locator("#player-list")).to_be_visible()
    return page


@pytest.mark.browser
def test_a_key_press_hides_a_banner_and_reduced_motion_shows_none(
    open_page: Person, server: Server, running_table: tuple[str, list[Visitor]]
) -> None:
    path, (ada, *_) = running_table
    page, still_page = (opened(open_page, server, ada, path, motion) for motion in ("no-preference", "reduce"))
    assert page.evaluate(SHOW, ["Round 2", ""]) == ["Round 2", "still there", True]
    assert page.evaluate(SHOW, ["Round 3", "Shift"]) == ["Round 3", "over", True]
    assert still_page.evaluate(SHOW, ["Round 2", ""]) == ["", "over", True]
    assert page.evaluate(SHOW_POSITION_WITH_BANNER) == 1
