"""Check that changes by one process on a PostgreSQL database take effect in the other process."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.event import listen

from spieltisch.bots.search import native_library
from spieltisch.features.chat.commands import ChatReader
from spieltisch.features.chat.service import Chat
from spieltisch.features.planned_turns.service import Planner
from spieltisch.live import Live, analysis
from spieltisch.live.limits import UNLIMITED
from spieltisch.live.presence import HOUR
from spieltisch.store import Person
from spieltisch.store.removal import remove_table
from spieltisch.tables import NewTable, Table, TableRefusal, suspend
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.rate_limits import RateLimit
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.table_viewers import TableViewers
from tests.live.held_commits import overlapping
from tests.live.judges import against_bots, at_once, never
from tests.live.live_fixture import running, signed_in
from tests.live.registered_passkeys import HERE
from tests.live.two_processes import run_in_two_servers, until
from tests.postgres import Server
from tests.tables.harness import refused
from tests.web.authenticator import Authenticator

pytestmark = pytest.mark.postgresql


@pytest.mark.parametrize("is_listening", [True, False])
def test_a_session_that_ends_in_one_process_ends_in_the_other_process_at_once(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, is_listening: bool
) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        token, other_session = await signed_in(first, ada), await signed_in(first, ada)
        for live in (first, second):
            assert await live.people.by_token(token) == ada
            assert await live.people.by_token(token, is_pushed=True) == ada
        if not is_listening:
            monkeypatch.setattr(second.people, "evict", lambda *_: None)
        await first.people.log_out(token)
        assert await second.people.by_token(token) is None
        if is_listening:
            await until(lambda: ada.id not in second.people._people)
        await first.people.log_out_others(ada.id, other_session, "new")
        assert await second.people.by_token(other_session) is None
        assert await second.people.by_token("new") == ada

    run_in_two_servers(postgres.schema(), job)


def test_a_process_that_receives_no_notices_reads_people_from_the_database(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        token = await signed_in(first, ada)
        assert await second.people.by_token(token, is_pushed=True) == ada
        assert second.notices._listener is not None
        second.notices._listener.is_listening = False
        await first.people.log_out(token)
        assert await second.people.by_token(token, is_pushed=True) is None

    run_in_two_servers(postgres.schema(), job)


def test_people_changed_by_another_process_are_read_again(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        token = await signed_in(first, ada)
        assert (await second.people.by_token(token, is_pushed=True)) == ada
        access = await second.people.access(ada.id)
        changed_person = await first.people.update(ada.id, name="Adele")
        assert await second.people.by_token(token) == changed_person
        await first.people.recovery.give(ada.id, token)
        await until(lambda: ada.id not in second.people._access)
        assert (await second.people.access(ada.id)).recovery_code > max(access.times)
        new_session = await signed_in(second, ada)
        assert max((await second.people.access(ada.id)).sessions) > (await first.people.access(ada.id)).recovery_code
        assert await first.people.by_token(new_session) == changed_person

    run_in_two_servers(postgres.schema(), job)


def test_access_added_in_one_process_is_later_than_access_from_a_process_with_a_fast_clock(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        token = await signed_in(first, ada)
        additions: tuple[Callable[[], Awaitable[object]], ...] = (
            lambda: signed_in(first, ada),
            lambda: first.people.recovery.give(ada.id, token),
            lambda: first.people.log_out_others(ada.id, token, "new"),
        )

        for add in additions:
            await add()
            added = max((await first.people.access(ada.id)).times)
            await signed_in(second, ada)
            assert max((await second.people.access(ada.id)).sessions) > added > time.time() + 60

    run_in_two_servers(postgres.schema(), job, first_clock=lambda: time.time() + 3600)


def test_chats_and_plans_have_the_same_versions_in_both_processes(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await running(first, ada, ben)
        assert table.to_decide is not None
        waiting_player = next(person for person in (ada, ben) if person.id != table.seats[table.to_decide].person)
        reader = ChatReader(ada.id, 0, is_host=True, is_player=True)
        published: list[tuple[str, str | None]] = []
        second.publish = lambda topic, person: published.append((topic, person))

        def is_told(version: Callable[[Live], int], before: int) -> bool:
            return before < version(second) == version(first)

        def chat_version(live: Live) -> int:
            return live.service(Chat).version(table, reader)

        def plan_version(live: Live) -> int:
            return live.service(Planner).version(table.id, waiting_player.id)

        for version, change in ((chat_version, say), (plan_version, plan)):
            before = version(second)
            await change(first, table, reader, waiting_player)
            await until(partial(is_told, version, before))
        assert published == [(f"chat:{table.id}", None), (f"plans:{table.id}", waiting_player.id)]

    run_in_two_servers(postgres.schema(), job)


async def say(live: Live, table: Table, reader: ChatReader, _: Person) -> None:
    await live.service(Chat).post(table, reader, "Ada", "table", "Hello")


async def plan(live: Live, table: Table, _: ChatReader, waiting_player: Person) -> None:
    assert table.position is not None
    await live.service(Planner).add(table.id, waiting_player.id, [str(table.position.legal_moves[0])])


def test_a_table_removed_by_another_process_is_not_found_even_before_the_notice(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await running(first, ada, ben)
        await second.tables.get(table.id)
        assert table.to_decide is not None
        waiting_player = next(person for person in (ada, ben) if person.id != table.seats[table.to_decide].person)
        reader = ChatReader(ada.id, 0, is_host=True, is_player=True)
        second.notices._handlers.clear()
        await remove_table(first.store, table.id)
        with refused("no-table"):
            await second.tables.run(table.id, suspend)
        with refused("no-table"):
            await plan(second, table, reader, waiting_player)
        with refused("no-table"):
            await say(second, table, reader, ada)
        assert not second.store._writer.is_failing

    run_in_two_servers(postgres.schema(), job)


def test_a_device_code_is_valid_once_in_any_process(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        session = await signed_in(first, ada)
        code = await first.people.issue_device_code(ada.id, session)
        assert (await second.people.code(ada.id) or "").replace(" ", "") == code
        tries = [live.people.by_code(code, visitor="telephone", address="") for live in (first, second)]
        used_codes = await asyncio.gather(*tries, return_exceptions=True)
        (credential,) = [answer for answer in used_codes if not isinstance(answer, BaseException)]
        assert await second.people.by_token(await second.people.log_in(credential)) == ada

    run_in_two_servers(postgres.schema(), job)


def test_two_processes_that_issue_device_codes_for_one_person_at_once_leave_one_valid_code(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        session = await signed_in(first, ada)
        codes = await overlapping(
            first, first.people.issue_device_code(ada.id, session), second.people.issue_device_code(ada.id, session)
        )
        assert (await first.people.code(ada.id) or "").replace(" ", "") == codes[1]
        assert not second.store.is_in_doubt

    run_in_two_servers(postgres.schema(), job)


def test_a_passkey_challenge_of_one_process_is_accepted_once_in_any_process(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        key, session = Authenticator(HERE.origin), await signed_in(first, ada)
        options = await first.people.passkeys.registration_options(ada, HERE, session)
        await second.people.passkeys.register(ada, HERE, session, "Key", key.make(json.loads(options)))
        signed_response = key.sign(json.loads(second.people.passkeys.authentication_options(HERE, "new")))
        assert await first.people.passkeys.authenticate(HERE, "another session", signed_response) is None
        answers = await asyncio.gather(
            *(live.people.passkeys.authenticate(HERE, "new", signed_response) for live in (first, second))
        )
        (credential,) = filter(None, answers)
        assert credential.person == ada.id

    run_in_two_servers(postgres.schema(), job)


def test_who_asked_for_an_analysis_is_told_of_it_in_both_processes(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await running(first, ada, ben)
        here, there = first.analysis.requested, second.analysis.requested
        here.add((table.id, 0), table, ada.id)
        assert here._waiting, "at once in the process that may finish it"
        await until(lambda: bool(there._waiting))
        await here.finish((table.id, 0), table)
        await until(lambda: table.id in here.finished(ada.id) and table.id in there.finished(ada.id))
        assert not here.finished(ben.id) | there.finished(ben.id)
        await there.see(table, ada.id)
        await until(lambda: table.id not in here.finished(ada.id) | there.finished(ada.id))

    run_in_two_servers(postgres.schema(), job)


def test_the_presence_of_a_person_is_known_in_both_processes(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        for live in (first, second):
            live.presence.hours = 1
            for person in ("", ada.id, ben.id):
                live.presence._seen[person] = live.clock() - 2 * HOUR
            await live.presence._save()  # one without anything new learns of the others, too
        with second.presence.connected(ada.id):
            assert not first.presence.is_present(ada.id)
            await second.presence._save()
            await first.presence._save()
            assert first.presence.is_present(ada.id)
        assert not first.presence.is_present(ben.id)
        second.presence.mark_seen(ben.id)  # after a long time
        await until(partial(first.presence.is_present, ben.id))
        second.presence.mark_active(ada.id)
        await until(lambda: first.presence.last_active(ada.id) is not None)
        second.presence.forget(ada.id)
        await until(lambda: ada.id in first.presence._gone)
        await first.presence._save()
        assert ada.id not in first.presence._seen

    run_in_two_servers(postgres.schema(), job)


def test_a_person_gets_a_seat_at_one_table_of_a_duplicate_only(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def know_nothing(*_: object) -> None:
        """Ignore what other processes have announced, like two processes that read at the same moment."""

    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        duplicate = await first.tables.open_duplicate(ada, NewTable("paris-connection", ("open",) * 3), 2)
        first_table, second_table = [table.id for table in await first.tables.duplicate_tables(duplicate)]
        for live in (first, second):
            monkeypatch.setattr(live.tables, "require_first_time", know_nothing)
        sitting = (first.tables.sit(first_table, ben, None), second.tables.sit(second_table, ben, None))
        (refusal,) = [
            answer for answer in await asyncio.gather(*sitting, return_exceptions=True) if not isinstance(answer, Table)
        ]
        assert isinstance(refusal, TableRefusal)
        stored_tables = await first.store.tables("open", person=ben.id)
        assert len(stored_tables) == 1

    run_in_two_servers(postgres.schema(), job)


def test_quotas_apply_to_both_processes_together(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        limits = replace(UNLIMITED, tables_per_host=3, seats_per_person=5)
        for live in (first, second):
            live.quotas._limits = limits

        async def succeeded(*commands: Awaitable[Table]) -> int:
            return sum(isinstance(each, Table) for each in await asyncio.gather(*commands, return_exceptions=True))

        hosts = [(await first.people.create(f"Host {number}"))[0] for number in range(4)]
        plan = NewTable("paris-connection", ("open", "open", "open"))
        opening = [live.tables.open(host, plan) for host in hosts for live in (first, second) * 3]
        assert await succeeded(*opening) == 3 * len(hosts)
        tables = [stored.id for stored in await first.store.tables("open")]
        sitting = [live.tables.sit(table, ben, None) for table in tables for live in (first, second)]
        assert await succeeded(*sitting) == 5

    run_in_two_servers(postgres.schema(), job)


def test_checking_a_quota_takes_no_lock_shared_with_other_processes(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await first.tables.open(ada, NewTable("paris-connection", ("me", "open", "open")))
        first.quotas._limits = replace(UNLIMITED, tables_per_host=3, seats_per_person=5, component_files=3)
        statements: list[str] = []
        listen(first.store.database.readers, "before_cursor_execute", lambda *what: statements.append(what[2]))
        await first.tables.require_can_open(ben, NewTable("paris-connection", ("me", "open", "open")))
        await first.tables.require_can_sit(table, ben, 1)
        with refused("components"):
            await first.components.add(ben.id, "paris-connection", "no component file")
        assert len(statements) >= 4
        assert not [statement for statement in statements if "advisory" in statement]

    run_in_two_servers(postgres.schema(), job)


@pytest.mark.parametrize("judge", [never, at_once])
def test_an_analysis_of_one_process_is_shown_by_the_other_process(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, judge: Callable[..., bytes]
) -> None:
    monkeypatch.setattr(analysis, "judge", judge)
    monkeypatch.setattr(native_library, "find", lambda game: Path(game.key))

    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        table = await against_bots(first, ada)
        shown: list[analysis.Progress] = []

        def is_shown(is_running: bool) -> bool:
            progress = second.analysis.progress(table, ada.id)
            shown.extend([progress] if progress is not None else [])
            return is_running == (progress is not None)

        await first.analysis.start_partial(table.id, ada.id, "192.0.2.1")
        if judge is never:
            await until(lambda: is_shown(True) and shown[-1].total > 0)
            await second.analysis.start_partial(table.id, ada.id, "192.0.2.1")  # it is under way already
            assert not second.analysis._progress
            changes: list[bool] = []
            second.analysis._processes.changed = lambda _: changes.append(is_shown(True))
            first.analysis._processes._ask()  # as when a process has ended
            await until(lambda: changes == [False, True])
        else:
            await until(lambda: first.analysis.progress(table, ada.id) is None)
            assert await second.analysis.partial(table, ada.id)
            await until(lambda: is_shown(False))

    run_in_two_servers(postgres.schema(), job)


def test_spectators_of_both_processes_are_counted(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        counts = [TableViewers(live, Renderer(Assets(), DrawnFiles())) for live in (first, second)]
        changed: list[str] = []
        for count in counts:
            count.viewers = lambda _: []
            count.processes.changed = lambda table_id: changed.append(table_id)
        table = await first.tables.open(ada, NewTable("paris-connection", ("me", "link", "bot:easy"), watch="open"))

        async def is_shown(number: int, viewers: list[tuple[str | None, str]]) -> None:
            counts[1].viewers = lambda _: viewers
            for count in counts:
                count.recount(table.id)
            counts[1].tell_others(table.id)
            await until(lambda: changed == [table.id])
            changed.clear()
            viewers_of_both = (await counts[0]._counted(table)).viewers
            assert viewers_of_both is not None
            assert viewers_of_both.spectators == number

        await is_shown(2, [(ben.id, table.id), (None, table.id)])
        await is_shown(1, [(ben.id, table.id), (ada.id, table.id)])
        await is_shown(0, [])

    run_in_two_servers(postgres.schema(), job)


def test_a_new_epoch_of_one_process_changes_the_page_version_of_the_other_process(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        pages = Renderer(Assets(), DrawnFiles(), epoch=lambda: second.store.epoch)
        before = pages.build
        await first.store.begin_epoch({})
        await second.look_again()
        assert pages.build != before
        assert pages.build.endswith(first.store.epoch)

    run_in_two_servers(postgres.schema(), job)


def test_each_of_several_processes_allows_its_share_of_a_rate_limit(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        limit = RateLimit(5, 60, clock=lambda: 0.0, processes=first.leases.count_processes)
        assert limit.maximum == 5
        for live in (second, first):
            await live.leases.renew()
        assert limit.maximum == 3
        assert [bool(limit.hit("192.0.2.1")) for _ in range(4)] == [False, False, False, True]
        async with second.leases.running():
            pass  # and it has ended
        await first.leases.renew()
        assert limit.maximum == 5

    run_in_two_servers(postgres.schema(), job)
