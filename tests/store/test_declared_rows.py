"""Check that SQL tables declare the owners of their rows, which removal, export and features follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from sqlalchemy import Connection, LargeBinary, Table, delete, event, insert, select, text
from sqlalchemy.engine import Engine

from spieltisch.features import FEATURES
from spieltisch.features.chat.rows import CHAT_MESSAGES, MUTES, REACTIONS
from spieltisch.store import Store, StoreUnsupported, person_rows, removal
from spieltisch.store.hooks import Appended
from spieltisch.store.schema import METADATA, PASSKEYS, UPLOADS, Json
from spieltisch.tables import SeatSummary, TableSummary
from tests.async_wait import wait

pytestmark = pytest.mark.both_databases

ADA: Final = "ada"
BEN: Final = "ben"
SECRET: Final = b"a secret or a keyed hash"


def value(table: Table, name: str, person: str) -> Any:
    """Return a value for a column of a row of this person, with their id only in declared columns."""
    column = table.c[name]
    if name in (table.info.get("person"), table.info.get("other_person")):
        return person
    for key in column.foreign_keys:
        return value(key.column.table, key.column.name, person)
    if isinstance(column.type, LargeBinary):
        return b"{}" if isinstance(column.type, Json) else SECRET + person[:1].encode()
    return f"{table}.{name} of {person[:1]}" if column.type.python_type is str else 1 + (person == BEN)


def row_of(table: Table, person: str) -> dict[str, Any]:
    return {column.name: value(table, column.name, person) for column in table.columns}


@pytest.fixture
def filled_store(tmp_path: Path) -> Iterator[Store]:
    """Return a store with a row for each of two people in every SQL table."""

    def fill_rows(connection: Connection) -> None:
        for table in METADATA.sorted_tables:
            for person in (ADA, BEN):
                connection.execute(insert(table), row_of(table, person))

    store = Store(tmp_path / "house.sqlite3", FEATURES)
    wait(store.write(fill_rows))
    yield store
    wait(store.close())


def tables_with(store: Store, word: str) -> set[str]:
    """Return the names of the SQL tables in which a value contains a word."""

    def read_cells(connection: Connection) -> set[str]:
        return {
            table.name
            for table in METADATA.sorted_tables
            for row in connection.execute(select(table))
            if any(word in (cell.decode("latin-1") if isinstance(cell, bytes) else str(cell)) for cell in row)
        }

    return wait(store.read(read_cells))


def test_every_column_of_a_person_or_a_table_is_declared() -> None:
    for table in METADATA.sorted_tables:
        for name, key in (("person", "person"), ("table_id", "table")):
            assert name not in table.c or table.info[key] == name, table.name
        assert all(table.info[key] in table.c for key in ("person", "other_person", "table") if key in table.info)


def test_a_removed_person_leaves_no_row_anywhere(filled_store: Store) -> None:
    other_rows = tables_with(filled_store, BEN)
    assert tables_with(filled_store, ADA) == other_rows
    own_upload = delete(UPLOADS).where(UPLOADS.c.person == ADA)  # or the table, with its messages, would be removed
    wait(filled_store.write(lambda connection: connection.execute(own_upload)))
    wait(removal.remove_person(filled_store, ADA, [], {}, {(value(MUTES, "table_id", ADA), ADA): ("nobody", "N. N.")}))
    assert tables_with(filled_store, ADA) == set()
    assert tables_with(filled_store, BEN) == other_rows
    assert tables_with(filled_store, "nobody") == {"chat_messages"}, "messages stay, without author and text"


def test_the_name_of_a_removed_person_differs_from_all_names_at_the_table(
    filled_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = value(MUTES, "table_id", ADA)
    chat = {value(CHAT_MESSAGES, "name", ADA)}
    assert wait(removal.authors(filled_store, ADA)) == {(table_id, ADA)}
    assert wait(removal.author_names(filled_store, table_id, shown_to_players=False)) == chat
    monkeypatch.setitem(REACTIONS.info, "name", "reaction")  # as if another feature had names, too
    names = wait(removal.author_names(filled_store, table_id, shown_to_players=False))
    assert names == chat | {value(REACTIONS, "reaction", ADA)}


def test_a_removed_table_leaves_no_row_anywhere(filled_store: Store) -> None:
    muted_by_both, other = (value(MUTES, "table_id", person) for person in (ADA, BEN))
    other_rows = tables_with(filled_store, other)
    assert tables_with(filled_store, muted_by_both) == other_rows
    wait(removal.remove_table(filled_store, muted_by_both))
    assert tables_with(filled_store, muted_by_both) == set()
    assert tables_with(filled_store, other) == other_rows


def test_an_export_has_the_rows_of_a_person_and_no_secrets(filled_store: Store) -> None:
    rows = msgspec.json.decode(msgspec.json.encode(wait(person_rows.of_person(filled_store, ADA))))
    assert {name for name, own_rows in rows.items() if len(own_rows) == 1} == tables_with(filled_store, ADA)
    assert rows["people"][0]["preferences"] == {}
    kept_back = {"passkeys": {"credential", "public_key"}, "recovery_codes": {"prefix", "code_hash"}}
    for name, columns in kept_back.items():
        assert METADATA.tables[name].c.keys() - rows[name][0].keys() == columns


@pytest.mark.sqlite_only
def test_rows_of_a_person_and_of_the_players_on_their_device_are_found_by_an_index(filled_store: Store) -> None:
    plans = METADATA.tables["plans"]
    players = (ADA, f"{ADA}/2", "adam", f"{ADA}0", "ad")
    rows = [{**row_of(plans, ADA), "person": player, "number": 9} for player in players]
    wait(filled_store.write(lambda connection: connection.execute(insert(plans), rows)))
    query = select(plans.c.person).where(plans.c.number == 9, person_rows.owned_by(plans, ADA))
    assert wait(filled_store.read(lambda connection: {*connection.execute(query).scalars()})) == {ADA, f"{ADA}/2"}
    sql = f"EXPLAIN QUERY PLAN {query.compile(compile_kwargs={'literal_binds': True})}"
    steps = wait(filled_store.read(lambda connection: str(connection.execute(text(sql)).all())))
    assert "SCAN" not in steps


def test_a_database_with_rows_of_an_undeclared_sql_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    store = Store(path)
    wait(
        store.write(lambda connection: connection.execute(text("CREATE TABLE sightings (table_id TEXT, person TEXT)")))
    )
    wait(store.close())
    store = Store(path)
    wait(store.write(lambda connection: connection.execute(text("INSERT INTO sightings VALUES ('t', 'ada')"))))
    wait(store.close())
    with pytest.raises(StoreUnsupported, match="sightings"):
        Store(path)


@pytest.mark.sqlite_only
def test_a_database_with_rows_of_a_missing_feature_is_refused(filled_store: Store) -> None:
    path = Path(filled_store.database.name)
    wait(filled_store.close())
    with pytest.raises(StoreUnsupported, match="administrators"):
        Store(path)
    wait(Store(path, FEATURES).close())


@dataclass(frozen=True)
class Recorder:
    """A feature that records when it is called."""

    tables: Sequence[Table]
    calls: list[int] = field(default_factory=list)

    def on_append(
        self, connection: Connection, before: TableSummary | None, after: TableSummary, appended: Appended
    ) -> None:
        self.calls.append(appended.version)


SEATS: Final = tuple(SeatSummary("person", person, person) for person in (ADA, BEN))
EVENT: Final = [(1.0, b"{}")]


def summary(to_decide: int) -> TableSummary:
    return TableSummary("running", SEATS, to_decide=to_decide, host=ADA)


def test_a_feature_is_called_only_where_it_has_rows_of_the_table_or_its_people(tmp_path: Path) -> None:
    of_table, of_people = Recorder([MUTES]), Recorder([PASSKEYS])
    store = Store(tmp_path / "house.sqlite3", [of_table, of_people])
    wait(store.create("t", "toy", bytes(32), EVENT, summary(0)))
    wait(store.append("t", 1, EVENT, summary(1)))
    assert (of_table.calls, of_people.calls) == ([], [])
    mute = insert(MUTES).values(table_id="t", person="eve", muted="mallory")
    wait(store.append("t", 2, EVENT, summary(0), lambda connection: connection.execute(mute)))
    assert (of_table.calls, of_people.calls) == ([3], [3]), "an extra write may have stored the first row"
    wait(store.append("t", 3, EVENT, summary(1)))
    assert (of_table.calls, of_people.calls) == ([3, 4], [3])

    def add_passkey(connection: Connection) -> None:
        for table in (METADATA.tables["people"], PASSKEYS):
            connection.execute(insert(table), row_of(table, BEN))

    wait(store.write(add_passkey))
    wait(store.append("t", 4, EVENT, summary(0)))
    assert (of_table.calls, of_people.calls) == ([3, 4, 5], [3, 5])
    wait(store.close())


def test_a_move_without_plans_and_alerts_takes_four_sql_statements(tmp_path: Path) -> None:
    store = Store(tmp_path / "house.sqlite3", FEATURES)
    wait(store.create("t", "toy", bytes(32), EVENT, summary(0)))
    statements: list[str] = []

    def count(connection: Any, cursor: Any, statement: str, *_: object) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", count)
    try:
        wait(store.append("t", 1, EVENT, summary(1)))
    finally:
        event.remove(Engine, "before_cursor_execute", count)
        wait(store.close())
    words = [statement.split()[0] for statement in statements]
    assert [word for word in words if word in ("SELECT", "INSERT", "UPDATE", "DELETE")] == [
        *("SELECT", "INSERT", "UPDATE", "UPDATE"),
    ]
