"""Bots take their turns in worker processes, whatever happens to them."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from spieltisch import bots, tables
from spieltisch.live import Live
from spieltisch.live.bot_turns import BotTurns, Choose
from spieltisch.store import Person
from spieltisch.tables import NewTable, Table
from spieltisch.tables.events import BotFailed, Moved
from spieltisch.web.pages.move_animation import last_animations
from spieltisch.workers import Workers, WorkFailed
from tests.web import faulty_bots

SECONDS = 180.0
PLAN = NewTable("paris-connection", ("bot:random", "bot:random", "bot:easy"))


def play(
    path: Path,
    job: Callable[[Live, Person, BotTurns], Awaitable[None]],
    choose: Choose = bots.choose_turn,
) -> None:
    async def main() -> None:
        live = await Live.open(path / "house.sqlite3")
        ada, _ = await live.people.create("Ada")
        turns = BotTurns(live.tables, choose=choose, pace=0, first_pause=0.02, seconds_to_think=SECONDS)
        await turns.start()
        try:
            await asyncio.wait_for(job(live, ada, turns), SECONDS)
        finally:
            await turns.stop()
            await live.close()
        assert turns.workers.processes == ()

    asyncio.run(main())


async def until(live: Live, table: Table, right: Callable[[Table], bool]) -> Table:
    """Wait for the table to be so."""
    loop = asyncio.get_running_loop()
    reached: asyncio.Future[Table] = loop.create_future()

    def look(now: Table) -> None:
        if right(now) and not reached.done():
            reached.set_result(now)

    leave = live.tables.subscribe(table.id, look)
    look(await live.tables.get(table.id))
    try:
        return await reached
    finally:
        leave()


def test_bots_play_a_whole_game(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        over = await until(live, table, lambda now: now.status == "finished")
        assert over.summary().winners
        assert over.matches_commitment
        assert over.secret is not None
        assert not any(isinstance(event.event, BotFailed) for event in over.events)

    play(tmp_path, job)


@pytest.mark.parametrize(
    ("choose", "what"),
    [
        (faulty_bots.raises_once, "it raised ZeroDivisionError"),
        (faulty_bots.dies_once, "its process died"),
        (faulty_bots.cheats_once, "its move was refused"),
    ],
)
def test_what_goes_wrong_once_is_shown_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choose: Choose, what: str
) -> None:
    monkeypatch.setenv(faulty_bots.FLAG, str(tmp_path / "flag"))

    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        later = await until(live, table, lambda now: len(now.moves) >= 3)
        failures = [event.event for event in later.events if isinstance(event.event, BotFailed)]
        assert [(failure.reason, failure.attempt) for failure in failures] == [(what, 1)]
        assert later.bot_trouble is None
        assert "a secret of the bot" not in repr(later.events)

    play(tmp_path, job, choose)


def test_a_bot_that_does_not_come_to_an_end_is_stopped_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flag = tmp_path / "flag"
    monkeypatch.setenv(faulty_bots.FLAG, str(flag))

    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        def watch(now: Table) -> None:
            """Call a bot with little time only for the second move: its process runs by then, after any slow start."""
            failed = any(isinstance(event.event, BotFailed) for event in now.events)
            dreams = len(now.moves) == 1 and not failed
            turns.workers._seconds = 0.5 if dreams else SECONDS
            (flag.touch if dreams else partial(flag.unlink, missing_ok=True))()

        table = await live.tables.open(ada, PLAN)
        live.tables.subscribe(table.id, watch)
        later = await until(live, table, lambda now: len(now.moves) >= 4)
        failures = [event.event for event in later.events if isinstance(event.event, BotFailed)]
        assert [(failure.reason, failure.attempt) for failure in failures] == [("it took too long", 1)]
        assert later.bot_trouble is None

    play(tmp_path, job, faulty_bots.dreams_while_flagged)


def three_more(table: Table) -> Callable[[Table], bool]:
    """Return True if three more moves have been played than at this table."""
    return lambda later: len(later.moves) >= len(table.moves) + 3


def test_a_worker_killed_from_outside_is_replaced(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        now = await until(live, table, lambda now: len(now.moves) >= 2)
        for _ in range(3):
            for pid in turns.workers.processes:
                os.kill(pid, signal.SIGKILL)
            now = await until(live, now, three_more(now))
        assert now.status in ("running", "finished")

    play(tmp_path, job)


def test_pauses_grow_and_the_host_can_put_in_another_bot(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        failing = await until(live, table, lambda now: now.bot_trouble is not None and now.bot_trouble.attempt == 4)
        times = [event.at for event in failing.events if isinstance(event.event, BotFailed)]
        pauses = [later - earlier for earlier, later in itertools.pairwise(times)]
        assert [pause >= 0.02 * 2**n for n, pause in enumerate(pauses)] == [True] * 3
        assert failing.bot_trouble is not None
        after = await live.tables.run(table.id, tables.replace_with_bot, ada.id, failing.bot_trouble.seat, "easy")
        assert after.bot_trouble is None
        await until(live, table, lambda now: now.bot_trouble is not None and now.bot_trouble.bot == "easy")

    play(tmp_path, job, faulty_bots.always_raises)


def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    started: list[Table] = []

    async def first(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        started.append(await until(live, table, lambda now: len(now.moves) >= 4))

    async def second(live: Live, ada: Person, turns: BotTurns) -> None:
        before = await live.tables.get(started[0].id)
        assert len(before.moves) >= 4
        await until(live, before, lambda now: len(now.moves) > len(before.moves) or now.status == "finished")

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_bot_answers_a_person_and_gets_nothing_but_an_observation(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, NewTable("paris-connection", ("me", "bot:random", "bot:random")))
        now = await until(live, table, lambda now: now.to_decide == 0 or now.status == "finished")
        while now.to_decide == 0:
            assert now.position is not None
            move = str(now.position.legal_moves[-1])
            now = await live.tables.run(table.id, tables.play, ada.id, move, now.version)
        later = await until(live, now, lambda later: later.to_decide == 0 or later.status == "finished")
        seats = {event.event.seat for event in later.events if isinstance(event.event, Moved)}
        assert seats == {0, 1, 2}

    play(tmp_path, job)


def test_the_moves_of_a_turn_are_one_change_that_a_page_animates(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        states: list[Table] = []
        leave = live.tables.subscribe(table.id, states.append)
        await until(live, table, lambda now: len(now.moves) >= 12)
        leave()
        for before, after in itertools.pairwise(states):
            new = after.moves[len(before.moves) :]
            assert len(new) > 1
            assert {play.seat for play in new} == {before.to_decide}
            assert after.to_decide != before.to_decide
            assert after.position is not None
            animated = last_animations(after.log(None), after.position.observe(None))
            versions = range(after.version - len(new) + 1, after.version + 1)
            assert [animated[version].seat for version in versions] == [before.to_decide] * len(new)

    play(tmp_path, job, faulty_bots.builds)


def test_a_question_to_a_stopped_pool_fails() -> None:
    async def main() -> None:
        workers = Workers("bot", bots.choose_turn, 1, SECONDS)
        await workers.stop()
        with pytest.raises(WorkFailed):
            await workers.run("random", b"", 1)

    asyncio.run(main())


def test_bots_wait_for_the_answer_to_a_question(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        ben, _ = await live.people.create("Ben")
        table = await live.tables.open(ada, NewTable("paris-connection", ("me", "open", "bot:random")))
        table = await live.tables.run(table.id, tables.sit, ben)
        people = {0: ada.id, 1: ben.id}
        while not any(play.seat == 2 for play in table.moves) or table.moves[-1].seat != 1:  # its process has begun
            table = await until(live, table, lambda now: now.to_decide in people)
            seat = table.to_decide
            assert seat is not None
            table = await live.tables.run(table.id, tables.play, people[seat], trade(table), table.version)
        turn = turns._turns[table.id]
        table = await live.tables.run(table.id, tables.ask_undo, ben.id)
        await turn  # the bot's move came too late, and it is asked for no other
        assert not turns._turns
        waiting = await live.tables.get(table.id)
        assert waiting.version == table.version
        assert waiting.undo_asked is not None
        await live.tables.run(table.id, tables.refuse_undo, ada.id)
        await until(live, table, lambda now: len(now.moves) > len(waiting.moves))

    play(tmp_path, job, faulty_bots.thinks)


def trade(table: Table) -> str:
    assert table.position is not None
    return next(str(move) for move in table.position.legal_moves if str(move).startswith("trade"))
