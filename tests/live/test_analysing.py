"""The game so far, looked at for who plays: how many wait at once, what the process is told, and what is kept."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import msgspec
import pytest

from spieltisch.bots.analysis import JudgedDecision
from spieltisch.bots.judging import JudgeBudget, Question
from spieltisch.bots.search import native_library
from spieltisch.core.observation import Observation
from spieltisch.live import Live, analysis
from spieltisch.live.analysis import MAX_PARTIAL_ANALYSES, MAX_QUEUED_PER_REQUESTER
from spieltisch.store import Person
from spieltisch.tables import NewTable, Table
from tests.live.live_fixture import move, play
from tests.tables.harness import refused

HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_library, "find", lambda game: Path(game.key))


def never(question: Question, effort: JudgeBudget) -> bytes:
    """No answer. Run in a process of its own."""
    threading.Event().wait()
    raise AssertionError


def at_once(question: Question, effort: JudgeBudget) -> bytes:
    """Any answer. Run in a process of its own, which gets what the seat knew, and no generator."""
    seen = Observation.read(question.observation)
    assert seen.seat == 0
    assert "rng" not in (seen.setup.game.View.names or ())
    even = (1 / 3,) * 3
    number = seen.number + bool(question.moves)
    last = seen.number + len(question.moves)
    return msgspec.json.encode(JudgedDecision(number, 0, even, even, last, question.moves, question.moves, even[0]))


def at_once_but_not_again(question: Question, effort: JudgeBudget) -> bytes:
    """Any answer to a question that is asked for the first time. Run in a process of its own."""
    if effort.simulations > JudgeBudget().simulations:
        raise RuntimeError("too much to do")
    return at_once(question, effort)


async def against_bots(live: Live, person: Person) -> Table:
    table = await live.tables.open(person, NewTable("paris-connection", ("me", "bot:random", "bot:random")))
    return await move(live, table)


def test_so_many_wait_at_once_for_one_address_and_for_one_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "judge", never)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        tables = [await against_bots(live, ada) for _ in range(MAX_QUEUED_PER_REQUESTER + 1)]
        for table in tables[:-1]:
            await live.analysis.start_partial(table.id, ada.id, HERE)
        for address in (HERE, THERE):
            with refused("too-many-analyses"):
                await live.analysis.start_partial(tables[-1].id, ada.id, address)
        await live.analysis.start_partial(tables[0].id, ada.id, HERE)  # it is under way already
        of_ben = await against_bots(live, ben)
        with refused("too-many-analyses"):
            await live.analysis.start_partial(of_ben.id, ben.id, HERE)
        await live.analysis.start_partial(of_ben.id, ben.id, THERE)
        for table in tables[:-1]:
            assert live.analysis.progress(table, ada.id) is not None
            assert live.analysis.progress(table) is None, "the game itself is not looked at"
            with refused("not-your-seat"):
                await live.analysis.start_partial(table.id, ben.id, THERE)

    play(tmp_path, job)


def test_four_addresses_leave_room_for_a_fifth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "judge", never)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        for number in range(4):
            eve, _ = await live.people.create(f"Eve {number}")
            for _ in range(MAX_QUEUED_PER_REQUESTER):
                await live.analysis.start_partial((await against_bots(live, eve)).id, eve.id, f"198.51.100.{number}")
        await live.analysis.start_partial((await against_bots(live, ada)).id, ada.id, HERE)

    play(tmp_path, job)


def test_a_turn_that_cannot_be_judged_again_keeps_its_judgement(
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
        judged = live.analysis.partial(table, ada.id)
        assert judged is not None
        assert any(decision.moves for decision in judged.decisions)

    play(tmp_path, job)


def test_what_was_found_is_kept_until_many_others_have_been_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "judge", at_once)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        async def analyse_so_far(table: Table) -> Table:
            await live.analysis.start_partial(table.id, ada.id, HERE)
            while (now := live.analysis.progress(table, ada.id)) is not None:
                assert not now.has_failed
                await asyncio.sleep(0)
            return table

        first, *others = [await analyse_so_far(await against_bots(live, ada)) for _ in range(MAX_PARTIAL_ANALYSES)]
        assert live.analysis.partial(first, ada.id) is not None
        await analyse_so_far(await against_bots(live, ada))
        assert live.analysis.partial(first, ada.id) is None
        assert all(live.analysis.partial(request, ada.id) is not None for request in others)
        with refused("not-your-seat"):
            live.analysis.partial(others[0], ben.id)

    play(tmp_path, job)
