"""Beats: a new stage, its leader, and gains from another player's move are shown for a moment and can be skipped."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from spieltisch import tables
from spieltisch.core.net_changes import net_changes
from spieltisch.tables import NewTable
from spieltisch.web.pages.beats import last_beats
from tests.tables.harness import BEN, CLEO, Sitting
from tests.web.conftest import Person, Server, Visitor, let_in

SHOW = """async ([sentence, key]) => {
  const queue = new URL('playback-queue.js', document.querySelector('script[src*="/table"]').src);
  const { enqueue, showBeat } = await import(queue);
  const beat = document.getElementById('beat');
  const over = enqueue(() => showBeat([sentence])).then(() => 'over');
  for (let step = 0; step < 20; step += 1) await null; // until it has begun: no time passes
  const seen = beat.hidden ? '' : beat.textContent;
  if (key) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const first = await Promise.race([over, new Promise((so) => setTimeout(() => so('still there'), 1000))]);
  await over;
  return [seen, first, beat.hidden];
}"""
"""Show a sentence, press a key or none; answer what was seen, whether it was over after a second, what is left."""

BEFORE_A_BEAT = """async () => {
  const queue = new URL('playback-queue.js', document.querySelector('script[src*="/table"]').src);
  const { enqueue, showBeat } = await import(queue);
  let drawn = 0;
  document.addEventListener('spieltisch:boards', () => { drawn += 1; });
  await Promise.all([enqueue(null, async () => {}), enqueue(() => showBeat(['Round 2']))]);
  return drawn;
}"""
"""Put a position on the boards with a beat after it; answer how often the places to choose were drawn."""

GIVING = ("produce", "develop")
"""Moves that bring goods to other players, and lead to those."""


def beats(sitting: Sitting, seat: int | None) -> list[str]:
    """Return the beats of the last move for a seat, or (None) for a spectator."""
    table = sitting.table
    assert table.position is not None
    beats_by_version = last_beats(table, table.log(seat), table.position.observe(seat), seat)
    return [str(message) for message in beats_by_version[table.moves[-1].version]]


def test_a_new_round_and_goods_from_others_are_told_once_to_whom_they_concern() -> None:
    sitting = Sitting.plan(NewTable("era-of-inventions", ("me", "open", "open")))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    chance, rounds = random.Random(7), list[str]()
    gains: list[tuple[int | None, str]] = []
    while len(rounds) < 2 or not gains:
        mover = sitting.decider
        sitting.plays(chance.choice([move for move in sitting.moves if move.startswith(GIVING)] or sitting.moves))
        beats_of: dict[int | None, list[str]] = {seat: beats(sitting, seat) for seat in (None, 0, 1, 2)}
        new = [[sentence for sentence in seat if "Round" in sentence] for seat in beats_of.values()]
        assert new == [new[0]] * 4
        # It is the heading of what else is told.
        assert all(seat[0] == new[0][0] for seat in beats_of.values() if new[0])
        rounds += new[0]
        gains += [
            (seat, sentence) for seat, seats in beats_of.items() for sentence in seats if "brings you" in sentence
        ]
    assert rounds[:2] == ["Round 2 of 9", "Round 3 of 9"]
    ((seat, sentence),) = gains
    assert seat not in (None, sitting.table.seat_of(mover.id))
    assert sentence.endswith("’s move brings you 1 coin.")


def test_what_is_drawn_once_all_have_a_team_is_brought_by_no_player() -> None:
    sitting = Sitting.plan(NewTable("legendary-inventors", ("me", "open", "open")))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    while any(move.startswith("choose") for move in sitting.moves):
        sitting.plays(sitting.moves[0])
    assert sitting.table.setup
    changes = net_changes(sitting.table.setup, sitting.table.log(None)[-1].events)
    assert [piece for (_, piece) in changes.pieces] == [0], "Leonardo"
    assert [beats(sitting, seat) for seat in (None, 0, 1, 2)] == [[]] * 4


def test_a_new_age_is_told_with_the_number_of_ages() -> None:
    sitting = Sitting.plan(NewTable("legendary-inventors", ("me", "open", "open"), {"teams": "random"}))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    chance, told = random.Random(3), list[str]()
    while not told:
        sitting.plays(chance.choice([move for move in sitting.moves if move.startswith("send")] or sitting.moves))
        told = [sentence for sentence in beats(sitting, None) if "age" in sentence]
    assert told == ["age II (2 of 3)"]


def test_the_end_and_who_won_are_told_to_each_with_the_last_move() -> None:
    sitting = Sitting.running()
    chance = random.Random(5)
    while sitting.table.status == "running":
        trades = [move for move in sitting.moves if move.startswith("trade") and " for 1 " in move]
        sitting.plays(chance.choice(trades if len(sitting.table.moves) > 60 and trades else sitting.moves))
    position = sitting.table.position
    assert position is not None
    assert position.outcome is not None
    (winner,) = position.outcome.winners
    for seat in (None, 0, 1, 2):
        won = "You won!" if seat == winner else f"Player {winner + 1} won."
        assert beats(sitting, seat) == ["The game is over.", won]


def opened(person: Person, server: Server, visitor: Visitor, path: str, motion: str) -> Page:
    page = person(locale="en", reduced_motion=motion)
    let_in(page.context, visitor)
    page.goto(server.address + path)
    expect(page.locator("#people")).to_be_visible()
    return page


@pytest.mark.browser
def test_a_key_ends_a_beat_that_hides_no_choice_and_with_reduced_motion_there_is_none(
    person: Person, server: Server, running: tuple[str, list[Visitor]]
) -> None:
    path, (ada, *_) = running
    page, still = (opened(person, server, ada, path, motion) for motion in ("no-preference", "reduce"))
    assert page.evaluate(SHOW, ["Round 2", ""]) == ["Round 2", "still there", True]
    assert page.evaluate(SHOW, ["Round 3", "Shift"]) == ["Round 3", "over", True]
    assert still.evaluate(SHOW, ["Round 2", ""]) == ["", "over", True]
    assert page.evaluate(BEFORE_A_BEAT) == 1
