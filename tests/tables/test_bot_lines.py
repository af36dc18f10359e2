"""Check the lines that bots say: at few moments, from the moves alone, and from what all at the table see."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.bots.styles import STYLES
from spieltisch.core.moves import Move
from spieltisch.games import GAMES
from spieltisch.tables import Table, bot_lines
from spieltisch.tables.bot_characters import BOT_CHARACTERS
from spieltisch.tables.bot_line_texts import LINES_AT_END, LINES_OF_STYLES
from spieltisch.tables.events import Moved
from tests.tables.harness import ADA, SECRET, Sitting, setup


def lines_of(table: Table, perspective: int | None = None) -> list[tuple[int, bot_lines.BotLine]]:
    """Return the lines at a table, with the versions of the moves that they follow."""
    return [(entry.version, entry.line) for entry in table.log(perspective) if entry.line is not None]


@cache
def whole_game() -> Sitting:
    """Return a table of Ada and three bots that was played to its end with random moves, always the same ones."""
    rules, chance = game("legendary-inventors"), random.Random(0)
    plan = tables.NewTable(rules.key, ("me", "bot:easy", "bot:easy", "bot:easy"), {}, "open")
    sitting = Sitting(tables.open_table(plan, rules, rules.components, ADA, SECRET))
    while sitting.table.to_decide is not None:
        sent = [move for move in sitting.moves if move.startswith("send ") or "take" in move]
        event = tables.move_event(sitting.table, sitting.table.to_decide, chance.choice(sent or sitting.moves))
        sitting._write([event])
        sitting.table = tables.apply(sitting.table, sitting.written[-1:])
    return sitting


def test_bots_say_at_most_three_lines_a_game_far_apart_and_one_at_the_end() -> None:
    table = whole_game().table
    lines = lines_of(table)
    assert {line.moment for _, line in lines} >= {"overtakes", "overtaken"}
    assert max(Counter(line.seat for _, line in lines).values()) <= 3
    assert all(table.seats[line.seat].kind == "bot" for _, line in lines)
    assert (lines[-1][0], lines[-1][1].moment) == (table.moves[-1].version, "won")
    assert len({str(line.words) for _, line in lines}) == len(lines)
    during = [version for version, _ in lines[:-1]]
    for earlier, later in pairwise(during):
        assert sum(play.ended_decision for play in table.moves if earlier < play.version < later) >= 2 * 4


def test_all_readers_processes_and_replays_have_the_same_lines_and_an_undo_takes_them_back() -> None:
    sitting = whole_game()
    lines = lines_of(sitting.table)
    assert all(lines_of(sitting.table, seat) == lines for seat in range(4))
    assert lines_of(sitting.folded()) == lines
    version = lines[0][0]
    before = tables.fold("t", SECRET, sitting.written[: version - 1], setup)
    assert lines_of(before) == []
    undo = tables.Undone(seat=0, move_count=len(before.moves))
    undone = tables.apply(
        tables.fold("t", SECRET, sitting.written[:version], setup),
        [tables.RecordedEvent(version + 1, 2000.0, undo)],
    )
    assert lines_of(undone) == []
    event = sitting.written[version - 1].event
    assert isinstance(event, Moved)
    again = tables.apply(undone, [tables.RecordedEvent(version + 2, 2001.0, event)])
    assert lines_of(again) == [(version + 2, lines[0][1])]


BLUE, PLAYER = 4, 0
"""A company, and the seat of the person at the table of the following tests."""


def paris_before_a_trade(world: int | None = None) -> Table:
    """Return a table where a bot is to move before the person, who has taken three shares of BLUE; two are left.

    In each `world` all is the same that everyone sees, with other portfolios.
    """
    table = Sitting.open("me", "bot:easy", "bot:easy").table
    assert table.position is not None
    position = table.position if world is None else table.position.observe(None).imagine(world)
    state = position.state
    state.seat = 2
    state.depot[BLUE], state.players[PLAYER].taken[BLUE] = 2, 3
    return replace(table, position=position)


def line_after(table: Table, move: Move, *, is_secret: bool = False) -> bot_lines.BotLine | None:
    """Return the line after a move of the seat to decide."""
    assert table.position is not None
    assert table.to_decide is not None
    after = table.position.copy()
    after.play(move)
    return bot_lines.line_after(table, after.observe(None), table.to_decide, None if is_secret else move)


def test_no_line_depends_on_hidden_portfolios() -> None:
    """In worlds that differ only in what is hidden, a bot says the same after the same trade."""
    worlds = [paris_before_a_trade(number) for number in (1, 2, 3)]
    positions = [world.position for world in worlds if world.position is not None]
    assert len({tuple(position.state.players[2].shares) for position in positions}) > 1
    shared = set.intersection(*(set(map(str, position.legal_moves)) for position in positions))
    moments = Counter[str]()
    for move in positions[0].legal_moves:
        if str(move) in shared:
            lines = [line_after(world, move) for world in worlds]
            assert lines == [lines[0]] * len(worlds)
            moments.update(line.moment for line in lines if line is not None)
    assert set(moments) == {"wanted"}


def test_a_bot_remarks_on_taking_what_a_person_wanted_unless_the_move_is_secret_or_a_bot_is_next() -> None:
    table = paris_before_a_trade()
    assert table.position is not None
    taking = next(m for m in table.position.legal_moves if m.kind == "trade" and m.args[1:] == (BLUE, 2))
    style = table.seats[2].style
    assert line_after(table, taking) == bot_lines.BotLine(2, "wanted", LINES_OF_STYLES["wanted"][style])
    assert line_after(table, taking, is_secret=True) is None
    bot = msgspec.structs.replace(table.seats[1], number=PLAYER)
    assert line_after(replace(table, seats=(bot, *table.seats[1:])), taking) is None
    person = msgspec.structs.replace(table.seats[PLAYER], number=2)
    assert line_after(replace(table, seats=(*table.seats[:2], person)), taking) is None


@pytest.mark.parametrize("key", GAMES)
def test_there_are_lines_for_each_moment_of_a_game(key: str) -> None:
    """Otherwise a move would freeze its table."""
    assert set(game(key).remarks) <= set(LINES_OF_STYLES) - {"overtakes", "overtaken"}


@pytest.mark.parametrize("moment", LINES_OF_STYLES)
def test_each_style_has_a_line_of_its_own_for_each_moment(moment: str) -> None:
    assert set(LINES_OF_STYLES[moment]) == set(STYLES)
    assert len(set(map(str, LINES_OF_STYLES[moment].values()))) == len(STYLES)


def test_each_face_has_a_line_for_winning_and_losing() -> None:
    for level in BOT_CHARACTERS.values():
        for character in level:
            assert any(mouth in character.face_parts.split() for mouth in LINES_AT_END["won"])
    assert {mouth for lines in LINES_AT_END.values() for mouth in lines} == {"smile", "firm"}
