"""Check that people who asked for an analysis are told of it, once, and that no one else is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from spieltisch.bots.judging import AnalysisJob
from spieltisch.bots.search import native_library
from spieltisch.live import Live, analysis, requested_analyses
from spieltisch.live.limits import UNLIMITED
from spieltisch.live.requested_analyses import MAX_FINISHED
from spieltisch.store import Person
from spieltisch.tables import NewTable, Table
from tests.live.conftest import House
from tests.live.judges import against_bots, at_once, at_once_for_any_seat
from tests.live.live_fixture import ENDING, play, running, to_the_end

pytestmark = pytest.mark.both_databases

HERE = "192.0.2.1"
AWAY = 600.0
"""Seconds after which a person is not at the site anymore."""


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_library, "find", lambda game: Path(game.key))
    monkeypatch.setattr(analysis, "judge", at_once_for_any_seat)


def told(live: Live, person: Person) -> list[str]:
    return [*live.analysis.requested.finished(person.id)]


async def until_told(live: Live, person: Person, table: Table) -> None:
    while table.id not in told(live, person):
        progress = live.analysis.progress(table)
        assert progress is None or not progress.has_failed
        await asyncio.sleep(0)


def test_only_those_who_asked_are_told_of_a_finished_analysis(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        changed = list[str]()
        eve, _ = await live.people.create("Eve")
        live.publish = lambda topic, person: changed.append(f"{topic} {person}")
        before = live.analysis.requested.version(ada.id)
        table = await to_the_end(live, await running(live, ada, ben))  # which is analysed without being asked
        await live.analysis.start(table, HERE, ada.id)
        await live.analysis.start(table, "192.0.2.2", eve.id)  # a spectator, while it is under way
        await until_told(live, eve, table)
        assert (told(live, ada), told(live, ben)) == ([table.id], [])
        assert {f"analyses {person.id}" for person in (ada, eve)} == {each for each in changed if "analyses" in each}
        assert live.analysis.requested.version(ada.id) > before
        await live.analysis.requested.see(table, ada.id)
        assert (told(live, ada), told(live, eve)) == ([], [table.id])
        await live.analysis.start(table, HERE, ada.id)  # it is stored
        assert told(live, ada) == []

    play(tmp_path, job, replace(UNLIMITED, automatic_analyses_per_hour=1))


def test_who_cannot_see_the_table_is_not_told(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        eve, _ = await live.people.create("Eve")
        plan = NewTable("paris-connection", ("me", "bot:easy", "bot:easy"), ENDING, watch="link")
        table = await to_the_end(live, await live.tables.open(ada, plan))
        for person in (eve, ada):  # with a link, Eve has started it
            await live.analysis.start(table, HERE, person.id)
        await until_told(live, ada, table)
        assert told(live, eve) == []

    play(tmp_path, job)


def test_a_failed_analysis_is_told_to_no_one_and_can_be_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await against_bots(live, ada)
        await live.analysis.start_partial(table.id, ada.id, HERE)
        await live.analysis._running.wait_idle()
        progress = live.analysis.progress(table, ada.id)
        assert progress is not None
        assert progress.has_failed
        assert told(live, ada) == []
        assert not live.analysis.requested._waiting

    monkeypatch.setattr(AnalysisJob, "so_far", lambda *_: 1 / 0)
    monkeypatch.setattr(analysis, "judge", at_once)
    play(tmp_path, job)


def test_a_failed_analysis_of_a_finished_game_is_not_begun_again_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_end(live, await running(live, ada, ben))
        await live.analysis.start(table, HERE)
        await live.analysis._running.wait_idle()
        progress = await live.analysis.resume(table, HERE)
        assert progress is not None
        assert progress.has_failed
        live.analysis._progress.clear()  # as a restart does
        assert await live.analysis.resume(table, HERE) is None

    monkeypatch.setattr(AnalysisJob, "finish", lambda *_: 1 / 0)
    play(tmp_path, job, replace(UNLIMITED, automatic_analyses_per_hour=0))


def test_a_person_is_told_of_the_newest_analyses_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requested_analyses, "MAX_PEOPLE", 1)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        requested, versions = live.analysis.requested, [live.analysis.requested.version(ada.id)]
        for number in range(MAX_FINISHED + 2):
            key = f"table {number}", 0
            requested.add(key, table, ada.id)
            await requested.finish(key, table)
            versions.append(requested.version(ada.id))
        assert told(live, ada) == [f"table {number}" for number in range(2, MAX_FINISHED + 2)]
        for person in (ben, ada):
            requested.add(("another", None), table, person.id)
        await requested.finish(("another", None), table)
        assert sum(map(len, (told(live, ada), told(live, ben)))) == MAX_FINISHED, "those of Ada"
        versions.append(requested.version(ada.id))
        assert versions == sorted(set(versions))

    play(tmp_path, job)


def test_who_is_away_is_alerted_once_unless_they_have_seen_it(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        live, ada = house.live, house.ada
        await house.mailed(ada, "ada@example.org")
        for sees_it in (True, False):
            table = await against_bots(live, ada)
            await live.analysis.start_partial(table.id, ada.id, HERE)
            await until_told(live, ada, table)
            await live.analysis._running.wait_idle()
            if sees_it:
                await live.analysis.requested.see(table, ada.id)
            house.post.mails.clear()
            house.clock.now += AWAY
            await house.look()
            about = [mail for mail in house.post.mails if f"/table/{table.id}/analysis" in mail.get_content()]
            assert len(about) == (not sees_it)
            house.clock.now += AWAY
            await house.look()
            assert len(house.post.mails) == len(about)

    house(job)
