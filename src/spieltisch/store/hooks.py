"""The hooks by which the store reaches features: their SQL tables, and functions called when events are appended."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, bindparam, exists, inspect, or_, select, table

from spieltisch.store.errors import StoreUnsupported
from spieltisch.store.schema import METADATA, OWN_TABLES, TABLES
from spieltisch.tables.events import Event, decode
from spieltisch.tables.summary import TableSummary


class Appended(msgspec.Struct, frozen=True):
    """Events that a transaction appends to a table: as JSON, with the version and the time (UTC seconds) after them."""

    table_id: str
    version: int
    at: float
    data: Sequence[bytes]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, decoded."""
        return tuple(map(decode, self.data))


OnAppend: TypeAlias = Callable[[Connection, TableSummary | None, TableSummary, Appended], None]
"""Called with the summaries before (None: the table is new) and after the events."""


class StoredFeature(Protocol):
    """The part of a feature that the store knows."""

    @property
    def tables(self) -> Sequence[Table]:
        """Its SQL tables."""

    @property
    def on_append(self) -> OnAppend | None:
        """The function to call when events are appended to a table; None if there is none."""


class Hooks:
    """The features with which a store was opened."""

    def __init__(self, features: Iterable[StoredFeature]) -> None:
        features = tuple(features)
        declared = {*OWN_TABLES, *(table for feature in features for table in feature.tables)}
        self.tables = tuple(each for each in reversed(METADATA.sorted_tables) if each in declared)
        """All SQL tables, each before those to which it refers."""
        hooks = [(feature.on_append, feature.tables) for feature in features if feature.on_append is not None]
        self.on_append = tuple(hook for hook, _ in hooks)
        columns = (TABLES.c.version, TABLES.c.changed, TABLES.c.summary)
        are_called = (_has_rows(tables) for _, tables in hooks)
        of_table = select(*columns, *are_called).where(TABLES.c.id == bindparam("table_id"))
        self.earlier = of_table.with_for_update(of=TABLES)
        """Version, time and summary of the table `table_id`, and for each hook whether it is called.

        It is, if its feature has a row of this table, or of one of the `people` in a table of rows of people only.
        PostgreSQL locks the row until the transaction ends, so that a table has one writer at a time.
        """

    def require_all(self, connection: Connection) -> None:
        """Raise `StoreUnsupported` if the file has rows of people or tables that no feature declares.

        They would be forgotten when a table changes, or a person is removed.
        """
        inspector = inspect(connection)
        for name in sorted({*inspector.get_table_names()} - {own.name for own in self.tables}):
            columns = {column["name"] for column in inspector.get_columns(name)}
            if columns & {"person", "table_id"} and connection.execute(select(1).select_from(table(name))).first():
                raise StoreUnsupported(f"the database holds {name}, which this program does not know")


def _has_rows(tables: Iterable[Table]) -> ColumnElement[bool]:
    """Return a condition that is true if one of these SQL tables has a row of the table or of its people."""
    of_table = [table.c[table.info["table"]] == bindparam("table_id") for table in tables if "table" in table.info]
    of_people = [
        table.c[table.info["person"]].in_(bindparam("people", expanding=True))
        for table in tables
        if "table" not in table.info and "person" in table.info
    ]
    return or_(*(exists().where(condition) for condition in (*of_table, *of_people)))
