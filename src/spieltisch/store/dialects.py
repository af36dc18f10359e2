"""SQL that SQLite and PostgreSQL write differently."""

from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Float,
    Table,
    TableValuedAlias,
    Text,
    cast,
    column,
    func,
    literal_column,
)
from sqlalchemy.dialects.postgresql import JSONB

_DATABASE_BYTES: Final = {
    "sqlite": "select page_count * page_size from pragma_page_count, pragma_page_size",
    "postgresql": "select pg_database_size(current_database())",
}


def insert_new(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Insert a row, unless there is one with its key."""
    connection.execute(insert_into(connection, table).on_conflict_do_nothing(), row)


def insert_or_replace(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Insert a row, in place of the one with its primary key."""
    key = list(table.primary_key.columns)
    connection.execute(insert_into(connection, table).values(row).on_conflict_do_update(index_elements=key, set_=row))


def contains(connection: Connection, column: Column[bytes], text: str) -> ColumnElement[bool]:
    """Return the condition that a binary column contains a text in UTF-8."""
    position = func.instr if connection.dialect.name == "sqlite" else func.pg_catalog.position
    return position(column, text.encode()) > 0


class SummarySeats(NamedTuple):
    """The seats in the summary of a table as rows to select from, with their numbers and names."""

    rows: TableValuedAlias
    number: ColumnElement[int]
    name: ColumnElement[str]


def summary_seats(connection: Connection, summary: Column[bytes]) -> SummarySeats:
    """Return the seats in a column of summaries."""
    if connection.dialect.name == "sqlite":
        rows = func.json_each(cast(summary, Text), "$.seats").table_valued("key", "value")
        return SummarySeats(rows, rows.c.key, func.json_extract(rows.c.value, "$.name"))
    seats = cast(func.pg_catalog.convert_from(summary, "UTF8"), JSONB)["seats"]
    rows = func.pg_catalog.jsonb_array_elements(seats).table_valued(column("value", JSONB), with_ordinality="number")
    rows = rows.render_derived()
    return SummarySeats(rows, rows.c.number - 1, rows.c.value["name"].astext)


def take_turns(connection: Connection, number: int) -> None:
    """Let one process at a time go on, until its transaction ends; SQLite has one that writes anyway.

    Whatever has the same number in the code of a program takes turns.
    """
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))", (number,))


def clock(connection: Connection) -> ColumnElement[float]:
    """Return the time of the database in UTC seconds, which all its processes see, whatever their own clocks show."""
    is_sqlite = connection.dialect.name == "sqlite"
    now = "(julianday('now') - 2440587.5) * 86400" if is_sqlite else "extract(epoch FROM clock_timestamp())::float8"
    return literal_column(f"({now})", Float)


def database_bytes(connection: Connection) -> int:
    """Return the size of the database."""
    return int(connection.exec_driver_sql(_DATABASE_BYTES[connection.dialect.name]).scalar_one())


def insert_into(connection: Connection, table: Table) -> Any:
    """Return the insert statement of the dialect, which has `on_conflict_do_update`."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert

        return insert(table)
    from sqlalchemy.dialects.postgresql import insert as insert_into_postgresql

    return insert_into_postgresql(table)
