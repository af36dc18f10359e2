"""Check which data are old enough to be removed: never data in use, and never a person with data of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection, LargeBinary, Select, Table, insert, select, update

from spieltisch.features import FEATURES
from spieltisch.features.chat.rows import CHAT_MESSAGES, MUTES, REACTIONS
from spieltisch.store import Store, retention
from spieltisch.store.errors import StillNeeded
from spieltisch.store.people import save_seen
from spieltisch.store.schema import METADATA, PEOPLE, TABLES, Json
from tests.async_wait import wait

pytestmark = pytest.mark.both_databases

AT: Final = 1000.0
"""The time of all rows."""


def people_columns(table: Table) -> set[str]:
    """Return the columns that name people."""
    names = {table.info[key] for key in ("person", "other_person") if key in table.info}
    return names | set(table.info.get("mentions", ()))


def value(table: Table, name: str, key: int, person: str) -> Any:
    """Return a value for a column in the row with this key, and the person's id in columns that name people."""
    column = table.c[name]
    if name in people_columns(table):
        return person
    for parent in column.foreign_keys:
        return value(parent.column.table, parent.column.name, key, person)
    if isinstance(column.type, LargeBinary):
        return b"{}" if isinstance(column.type, Json) else f"{table}.{name} {key}".encode()
    return {str: f"{table}.{name} {key}", float: AT, int: key}[column.type.python_type]


def same_person(table: Table) -> set[Table]:
    """Return the tables whose rows name the same person as a row of this one that they belong to, and this one."""
    return {table} | {
        end
        for other in METADATA.sorted_tables
        for foreign_key in other.foreign_key_constraints
        if table in (other, foreign_key.referred_table)
        and {column.name for column in foreign_key.columns} & people_columns(other)
        and PEOPLE is not foreign_key.referred_table
        for end in (other, foreign_key.referred_table)
    }


def row(table: Table, key: int, person: str) -> dict[str, Any]:
    return {column.name: value(table, column.name, key, person) for column in table.columns}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened_store = Store(tmp_path / "house.sqlite3", FEATURES)
    yield opened_store
    wait(opened_store.close())


def write(store: Store, *rows: tuple[Table, dict[str, Any]]) -> None:
    def job(connection: Connection) -> None:
        for table, values in rows:
            connection.execute(insert(table).values(values))

    wait(store.write(job))


def is_refused(store: Store, job: Callable[[Connection], object]) -> bool:
    try:
        wait(store.write(job))
    except StillNeeded:
        return True
    return False


def test_a_person_named_in_any_row_except_sessions_and_device_codes_is_kept(store: Store) -> None:
    naming = [table for table in METADATA.sorted_tables if people_columns(table) and table is not PEOPLE]
    for key, of_person in enumerate(naming):
        write(store, *((PEOPLE, row(PEOPLE, key, f"{of_person}{suffix}")) for suffix in ("", " of another")))
        named = same_person(of_person)
        for table in METADATA.sorted_tables:
            if table is not PEOPLE:
                write(store, (table, row(table, key, f"{of_person}{'' if table in named else ' of another'}")))
    unused = wait(retention.people_unused(store, AT))
    assert unused == {"device_codes": AT, "sessions": AT}
    for table in naming:
        is_kept = is_refused(store, retention.require_unused(store, table.name, AT))
        assert is_kept is (table.name not in unused)


def test_a_person_is_kept_until_their_last_visit_is_old_enough(store: Store) -> None:
    write(store, (PEOPLE, row(PEOPLE, 1, "ada")))
    wait(save_seen(store, {"ada": AT + 50, "ben": AT}))
    wait(save_seen(store, {"ada": AT + 20}))
    assert wait(retention.people_unused(store, AT + 49)) == {}
    assert is_refused(store, retention.require_unused(store, "ada", AT + 49))
    assert wait(retention.people_unused(store, AT + 50)) == {"ada": AT + 50}
    assert not is_refused(store, retention.require_unused(store, "ada", AT + 50))


def table_row(table_id: str, status: str, **values: Any) -> tuple[Table, dict[str, Any]]:
    return TABLES, {**row(TABLES, 1, ""), "id": table_id, "status": status, "duplicate": None, **values}


@pytest.mark.parametrize("marks", [table for table in METADATA.sorted_tables if "other_person" in table.info], ids=str)
def test_what_others_keep_about_a_person_does_not_keep_that_person(store: Store, marks: Table) -> None:
    """Compare two people of whom one is muted, blocked or reported: who is there much later would learn of it."""
    write(
        store, *((PEOPLE, row(PEOPLE, 1, person)) for person in ("ada", "ben", "cleo")), table_row("over", "finished")
    )
    mark = {**row(marks, 1, "ada"), marks.info["other_person"]: "ben"}
    write(store, (marks, {**mark, **({"table_id": "over"} if "table" in marks.info else {})}))
    assert wait(retention.people_unused(store, AT)) == {"ben": AT, "cleo": AT}
    assert not is_refused(store, retention.require_unused(store, "ben", AT))


def test_only_finished_and_aborted_tables_become_old(store: Store) -> None:
    write(
        store,
        *(table_row(status, status) for status in ("open", "running", "frozen", "finished", "aborted")),
        table_row("newer", "finished", changed=AT + 1),
        table_row("with others", "finished", duplicate="deal"),
        table_row("its duplicate", "running", duplicate="deal"),
    )
    assert wait(retention.tables_over(store, AT)) == {"aborted": AT, "finished": AT}
    assert [is_refused(store, retention.require_over(name, AT)) for name in ("running", "with others", "gone")] == [
        True
    ] * 3
    statement = update(TABLES).values(status="finished")
    wait(store.write(lambda connection: connection.execute(statement)))
    assert len(wait(retention.tables_over(store, AT))) == 7


def test_each_message_is_removed_with_its_reactions_by_its_own_age(store: Store) -> None:
    """A note keeps or removes nothing that others read: they would learn of it."""
    chats = (CHAT_MESSAGES, REACTIONS, MUTES)
    write(store, table_row("over", "finished"), table_row("running", "running"), table_row("silent", "finished"))
    for table_id in ("over", "running"):
        write(store, *((table, {**row(table, 1, "ada"), "table_id": table_id}) for table in chats))
    for number, room, at in ((2, "table", AT + 5), (3, "note", AT - 5), (4, "note", AT + 5)):
        message = {**row(CHAT_MESSAGES, number, "ben"), "table_id": "over", "room": room, "at": at}
        write(store, (CHAT_MESSAGES, message), (REACTIONS, {**row(REACTIONS, number, "ada"), "table_id": "over"}))
    first_room = row(CHAT_MESSAGES, 1, "ada")["room"]
    assert wait(retention.messages_over(store, AT)) == {("over", AT - 5): AT, ("over", AT): AT}
    assert wait(retention.remove_messages(store, "over", AT)) == {(first_room, ""), ("note", "ben")}
    assert wait(retention.remove_messages(store, "over", AT)) == set()
    with pytest.raises(StillNeeded):
        wait(retention.remove_messages(store, "running", AT + 5))
    for table in chats[:2]:
        query = select(table.c.table_id, table.c.number).order_by(table.c.table_id, table.c.number)

        def read(connection: Connection, query: Select[tuple[str, int]] = query) -> list[Any]:
            return [tuple(row) for row in connection.execute(query)]

        assert wait(store.read(read)) == [("over", 2), ("over", 4), ("running", 1)]
    assert len(wait(store.read(lambda connection: connection.execute(select(MUTES)).all()))) == 2
