"""Check turns of bots in worker processes, with all kinds of failures."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from spieltisch import bots, tables
from spieltisch.live import Live
from spieltisch.live.bot_turns import BotTurns, Choose
from spieltisch.store import Person
from spieltisch.tables import NewTable, Table
from spieltisch.tables.events import BotFailed, Moved
from spieltisch.web.pages.move_animation import last_animations
from spieltisch.workers import Workers, WorkFailed
from tests.live.running_bots import SECONDS, play, until
from tests.web import faulty_bots

pytestmark = pytest.mark.both_databases

PLAN = NewTable("paris-connection", ("bot:random", "bot:random", "bot:easy"))


def test_bots_in_worker_processes_play_a_whole_game(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        finished_table = await until(live, table, lambda now: now.status == "finished")
        assert finished_table.summary().winners
        assert finished_table.matches_commitment
        assert finished_table.secret is not None
        assert not any(isinstance(event.event, BotFailed) for event in finished_table.events)

    play(tmp_path, job)


@pytest.mark.parametrize(
    ("choose", "what"),
    [
        (faulty_bots.raises_once, "it raised ZeroDivisionError"),
        (faulty_bots.dies_once, "its process died"),
        (faulty_bots.cheats_once, "its move was refused"),
    ],
)
def test_a_single_bot_failure_is_shown_and_play_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choose: Choose, what: str
) -> None:
    monkeypatch.setenv(faulty_bots.FLAG, str(tmp_path / "flag"))

    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        later_table = await until(live, table, lambda now: len(now.moves) >= 3)
        failures = [event.event for event in later_table.events if isinstance(event.event, BotFailed)]
        assert [(failure.reason, failure.attempt) for failure in failures] == [(what, 1)]
        assert later_table.bot_trouble is None
        assert "a secret of the bot" not in repr(later_table.events)

    play(tmp_path, job, choose)


def test_a_bot_that_never_answers_is_stopped_and_play_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flag = tmp_path / "flag"
    monkeypatch.setenv(faulty_bots.FLAG, str(flag))

    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        def watch_table(now: Table) -> None:
            """Give a bot little time for its second move only, so that the start of its process does not count."""
            has_failed = any(isinstance(event.event, BotFailed) for event in now.events)
            dreams = len(now.moves) == 1 and not has_failed
            turns.workers._seconds = 0.5 if dreams else SECONDS
            (flag.touch if dreams else partial(flag.unlink, missing_ok=True))()

        table = await live.tables.open(ada, PLAN)
        live.tables.subscribe(table.id, watch_table)
        later_table = await until(live, table, lambda now: len(now.moves) >= 4)
        failures = [event.event for event in later_table.events if isinstance(event.event, BotFailed)]
        assert [(failure.reason, failure.attempt) for failure in failures] == [("it took too long", 1)]
        assert later_table.bot_trouble is None

    play(tmp_path, job, faulty_bots.never_answers_while_flagged)


def until_three_more_moves(table: Table) -> Callable[[Table], bool]:
    """Return True if three more moves have been played than at this table."""
    return lambda later_table: len(later_table.moves) >= len(table.moves) + 3


def test_a_killed_worker_process_is_replaced(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        now = await until(live, table, lambda now: len(now.moves) >= 2)
        for _ in range(3):
            for pid in turns.workers.processes:
                os.kill(pid, signal.SIGKILL)
            now = await until(live, now, until_three_more_moves(now))
        assert now.status in ("running", "finished")

    play(tmp_path, job)


def test_retry_pauses_grow_and_the_host_can_replace_the_bot(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        failing = await until(live, table, lambda now: now.bot_trouble is not None and now.bot_trouble.attempt == 4)
        times = [event.at for event in failing.events if isinstance(event.event, BotFailed)]
        pauses = [later_time - earlier for earlier, later_time in itertools.pairwise(times)]
        assert [pause >= 0.02 * 2**n for n, pause in enumerate(pauses)] == [True] * 3
        assert failing.bot_trouble is not None
        after = await live.tables.run(table.id, tables.replace_with_bot, ada.id, failing.bot_trouble.seat, "easy")
        assert after.bot_trouble is None
        await until(live, table, lambda now: now.bot_trouble is not None and now.bot_trouble.bot == "easy")

    play(tmp_path, job, faulty_bots.always_raises)


def test_bots_continue_a_game_after_a_restart(tmp_path: Path) -> None:
    started_games: list[Table] = []

    async def first(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        started_games.append(await until(live, table, lambda now: len(now.moves) >= 4))

    async def second(live: Live, ada: Person, turns: BotTurns) -> None:
        before = await live.tables.get(started_games[0].id)
        assert len(before.moves) >= 4
        await until(live, before, lambda now: len(now.moves) > len(before.moves) or now.status == "finished")

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_bot_receives_only_the_observation_of_its_seat(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, NewTable("paris-connection", ("me", "bot:random", "bot:random")))
        now = await until(live, table, lambda now: now.to_decide == 0 or now.status == "finished")
        while now.to_decide == 0:
            assert now.position is not None
            move = str(now.position.legal_moves[-1])
            now = await live.tables.run(table.id, tables.play, ada.id, move, now.version)
        later_table = await until(
            live, now, lambda later_table: later_table.to_decide == 0 or later_table.status == "finished"
        )
        seats = {event.event.seat for event in later_table.events if isinstance(event.event, Moved)}
        assert seats == {0, 1, 2}

    play(tmp_path, job)


def test_the_moves_of_a_bots_turn_are_one_change_of_the_page(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        states: list[Table] = []
        leave = live.tables.subscribe(table.id, states.append)
        await until(live, table, lambda now: len(now.moves) >= 12)
        leave()
        for before, after in itertools.pairwise(states):
            new_moves = after.moves[len(before.moves) :]
            assert len(new_moves) > 1
            assert {play.seat for play in new_moves} == {before.to_decide}
            assert after.to_decide != before.to_decide
            assert after.position is not None
            animated = last_animations(after.log(None), after.position.observe(None))
            versions = range(after.version - len(new_moves) + 1, after.version + 1)
            assert [animated[version].seat for version in versions] == [before.to_decide] * len(new_moves)

    play(tmp_path, job, faulty_bots.builds)


def test_a_request_to_a_stopped_worker_pool_fails() -> None:
    async def main() -> None:
        workers = Workers("bot", bots.choose_turn, 1, SECONDS)
        await workers.stop()
        with pytest.raises(WorkFailed):
            await workers.run("random", b"", 1)

    asyncio.run(main())


def test_bots_wait_while_a_request_for_consent_is_open(tmp_path: Path) -> None:
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
        table = await live.tables.run(table.id, tables.ask_undo, ben.id)
        await turns.playing.wait_idle()  # the bot's move came too late, and it is asked for no other
        waiting_table = await live.tables.get(table.id)
        assert waiting_table.version == table.version
        assert waiting_table.undo_asked is not None
        await live.tables.run(table.id, tables.refuse_undo, ada.id)
        await until(live, table, lambda now: len(now.moves) > len(waiting_table.moves))

    play(tmp_path, job, faulty_bots.thinks)


def test_a_bot_whose_table_is_removed_stops_and_logs_nothing(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        table = await live.tables.open(ada, PLAN)
        await until(live, table, lambda now: len(now.moves) > 1)
        with capture_logs() as logs:
            await live.tables.remove(table.id, lambda connection: None, lambda connection: None)
            await turns.playing.wait_idle()
        assert logs == []

    play(tmp_path, job, faulty_bots.thinks)


def trade(table: Table) -> str:
    assert table.position is not None
    return next(str(move) for move in table.position.legal_moves if str(move).startswith("trade"))
