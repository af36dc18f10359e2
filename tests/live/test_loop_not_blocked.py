"""Check that the event loop runs every database query on another thread."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from spieltisch import game, tables
from spieltisch.live import Live
from spieltisch.live.limits import DEFAULT
from spieltisch.store import Person, Preferences
from spieltisch.store.lobby import own_tables, public_tables
from spieltisch.tables import NewTable
from tests.live.live_fixture import PLAN, move, play, running, signed_in


async def everything(live: Live, ada: Person, ben: Person) -> None:
    """Use all features of a server in one run, as people would."""
    await live.tables.replaying
    table = await running(live, ada, ben)
    await move(live, table)
    await live.store.table_ids("running")
    await own_tables(live.store, ada.id)
    await public_tables(live.store)
    cleo, token = await live.people.create("Cleo")
    assert await live.people.by_token(token) == cleo
    assert await live.people.by_token("nobody's") is None
    await live.people.update(cleo.id, preferences=Preferences(theme="dark"))
    code = await live.people.issue_device_code(cleo.id, token)
    other = await live.people.log_in(await live.people.by_code(code, visitor="", address=""))
    recovery_code = (await live.people.recovery.give(cleo.id, other)).text
    assert (await live.people.by_code(recovery_code, visitor="", address="")).person == cleo.id
    assert len((await live.people.access(cleo.id)).sessions) == 2
    await live.people.log_out_others(cleo.id, other, "a new session")
    assert len((await live.people.access(cleo.id)).sessions) == 1
    await live.people.log_out("a new session")
    own_text = game("paris-connection").components.text.replace('name = "', 'name = "my-', 1)
    digest = await live.components.add(ada.id, "paris-connection", own_text)
    await live.components.owned_by(ada.id, "paris-connection")
    own_table = await live.tables.open(ada, NewTable("paris-connection", PLAN.seats, components=digest))
    invitation = await live.invitations.read(live.invitations.seat_link(own_table, 2))
    await live.tables.require_can_sit(invitation.table, ben, invitation.seat, by_link=True)
    await live.tables.sit(own_table.id, ben, 2, by_link=True)
    await live.tables.run(own_table.id, tables.ask_abort, ada.id)
    await live.tables.rematch(own_table.id, ada)
    await live.game_history.of(ada.id)
    await live.game_history.ratings(ada.id, [("paris-connection", 3)])
    await live.person_data.export(ada)
    telephone, session = await live.people.create("Ada")
    assert not await live.people.owns_anything(telephone)
    recovery_code = (await live.people.recovery.give(ada.id, await signed_in(live, ada))).text
    credential = await live.people.by_code(recovery_code, visitor="", address="")
    await live.people.log_in(credential, session=session, current=telephone)
    await live.person_data.delete(cleo)


async def load_all_tables(live: Live, ada: Person, ben: Person) -> None:
    """Load all stored tables with their components."""
    await live.tables.replaying
    for stored_table in await live.store.tables():
        await live.tables.get(stored_table.id)


def test_the_event_loop_runs_every_database_query_on_another_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[threading.Thread] = set()
    connect = Engine.connect

    def note_engine(engine: Engine, *args: Any, **kwargs: Any) -> Any:
        threads.add(threading.current_thread())
        return connect(engine, *args, **kwargs)

    monkeypatch.setattr(Engine, "connect", note_engine)
    monkeypatch.setattr("spieltisch.live.live.UNLIMITED", DEFAULT)
    for job in (everything, load_all_tables):
        play(tmp_path, job, DEFAULT)
    assert threads
    assert threading.main_thread() not in threads
