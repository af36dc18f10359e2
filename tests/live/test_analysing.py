"""Check partial analyses: the queue, what their process receives, and how long results are kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from spieltisch.bots.judging import JudgeBudget, Question
from spieltisch.bots.search import native_library
from spieltisch.live import Live, analysis
from spieltisch.live.analysis import MAX_QUEUED_PER_REQUESTER
from spieltisch.live.limits import DAY, UNLIMITED
from spieltisch.store import Person
from spieltisch.store.schema import ANALYSES_SO_FAR
from spieltisch.tables import Table
from tests.live.judges import against_bots, at_once, at_once_for_any_seat, never
from tests.live.live_fixture import move, play, running, to_the_end
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases

HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_library, "find", lambda game: Path(game.key))


def at_once_but_not_again(question: Question, effort: JudgeBudget) -> bytes:
    """Return an arbitrary judgement of a question asked for the first time, in a process of its own."""
    if effort.simulations > JudgeBudget().simulations:
        raise RuntimeError("too much to do")
    return at_once(question, effort)


def test_queued_analyses_are_limited_by_address_and_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "judge", never)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        tables = [await against_bots(live, ada) for _ in range(MAX_QUEUED_PER_REQUESTER + 1)]
        for table in tables[:-1]:
            await live.analysis.start_partial(table.id, ada.id, HERE)
        for address in (HERE, THERE):
            with refused("too-many-analyses"):
                await live.analysis.start_partial(tables[-1].id, ada.id, address)
        await live.analysis.start_partial(tables[0].id, ada.id, HERE)  # it is under way already
        table_of_ben = await against_bots(live, ben)
        with refused("too-many-analyses"):
            await live.analysis.start_partial(table_of_ben.id, ben.id, HERE)
        await live.analysis.start_partial(table_of_ben.id, ben.id, THERE)
        for table in tables[:-1]:
            assert live.analysis.progress(table, ada.id) is not None
            assert live.analysis.progress(table) is None, "the game itself is not looked at"
            with refused("not-your-seat"):
                await live.analysis.start_partial(table.id, ben.id, THERE)

    play(tmp_path, job)


def test_queued_analyses_of_four_addresses_leave_room_for_a_fifth_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "judge", never)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        for number in range(4):
            eve, _ = await live.people.create(f"Eve {number}")
            for _ in range(MAX_QUEUED_PER_REQUESTER):
                await live.analysis.start_partial((await against_bots(live, eve)).id, eve.id, f"198.51.100.{number}")
        await live.analysis.start_partial((await against_bots(live, ada)).id, ada.id, HERE)

    play(tmp_path, job)


def test_a_turn_keeps_its_first_judgement_if_its_second_judgement_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "judge", at_once_but_not_again)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await against_bots(live, ada)
        for is_own_turn in (False, True):  # to the end of a turn of Ada's
            while (table.to_decide == 0) == is_own_turn:
                table = await move(live, table)
        await live.analysis.start_partial(table.id, ada.id, HERE)
        while (now := live.analysis.progress(table, ada.id)) is not None:
            assert not now.has_failed
            await asyncio.sleep(0)
        partial_analysis = await live.analysis.partial(table, ada.id)
        assert partial_analysis is not None
        assert any(decision.moves for decision in partial_analysis.decisions)

    play(tmp_path, job)


def test_a_few_games_an_hour_are_analysed_when_they_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "judge", at_once_for_any_seat)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        first = await to_the_end(live, await running(live, ada, ben))
        assert live.analysis.progress(first) is not None or await live.analysis.stored(first) is not None, "at once"
        games = [first, await to_the_end(live, await running(live, ada, ben))]
        while await live.analysis.stored(games[0]) is None:
            progress = live.analysis.progress(games[0])
            assert progress is None or not progress.has_failed
            await asyncio.sleep(0)
        live.analysis.game_changed(games[0])  # as a message does in a finished game
        assert [await live.analysis.stored(table) is not None for table in games] == [True, False]
        assert live.analysis.progress(games[1]) is None

    play(tmp_path, job, replace(UNLIMITED, automatic_analyses_per_hour=1))


def test_a_partial_analysis_is_kept_for_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "judge", at_once)
    monkeypatch.setattr(analysis, "MAX_PARTIAL_ANALYSES", 1)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        async def analyse_so_far() -> Table:
            table = await against_bots(live, ada)
            await live.analysis.start_partial(table.id, ada.id, HERE)
            while (now := live.analysis.progress(table, ada.id)) is not None:
                assert not now.has_failed
                await asyncio.sleep(0)
            return table

        first, second = await analyse_so_far(), await analyse_so_far()
        assert len(live.analysis._answers) == 1
        for table in (first, second):
            assert await live.analysis.partial(table, ada.id) is not None
            with refused("not-your-seat"):
                await live.analysis.partial(table, ben.id)
        is_first = ANALYSES_SO_FAR.c.table_id == first.id
        a_day_later = update(ANALYSES_SO_FAR).where(is_first).values(until=ANALYSES_SO_FAR.c.until - DAY)
        await live.store.write(lambda connection: connection.execute(a_day_later))
        third = await analyse_so_far()
        assert await live.analysis.partial(first, ada.id) is None
        assert await live.analysis.partial(third, ada.id) is not None

    play(tmp_path, job)
