"""The rows that belong to a person, as `Table.info` declares them; see `schema`."""

from typing import Any

import msgspec
from sqlalchemy import Column, ColumnElement, Connection, LargeBinary, Table, select

from spieltisch.store.people import on_device_of
from spieltisch.store.schema import Json
from spieltisch.store.store import Store

PersonRows = dict[str, list[dict[str, Any]]]
"""Rows by the names of their table and columns."""


def owned_by(table: Table, person_id: str) -> ColumnElement[bool]:
    """Return the condition that a row belongs to a person or to a player on their device."""
    return on_device_of(table.c[table.info["person"]], person_id)


async def of_person(store: Store, person_id: str) -> PersonRows:
    """Return all rows of a person, without secrets and keyed hashes; JSON as it is stored."""

    def job(connection: Connection) -> PersonRows:
        tables = sorted((table for table in store.hooks.tables if "person" in table.info), key=lambda table: table.name)
        return {table.name: _rows(connection, table, person_id) for table in tables}

    return await store.read(job)


def _rows(connection: Connection, table: Table, person_id: str) -> list[dict[str, Any]]:
    columns = [
        column
        for column in table.columns
        if not column.info.get("is_secret") and (isinstance(column.type, Json) or type(column.type) is not LargeBinary)
    ]
    is_json = [isinstance(column.type, Json) for column in columns]
    return [
        {
            column.name: _exported(column, value) if is_encoded and value is not None else value
            for column, is_encoded, value in zip(columns, is_json, row, strict=True)
        }
        for row in connection.execute(select(*columns).where(owned_by(table, person_id)))
    ]


def _exported(column: Column[Any], value: bytes) -> Any:
    """Return JSON as it is stored, without the fields that are keyed hashes."""
    if not (secret := column.info.get("secret_fields")):
        return msgspec.Raw(value)
    return {name: field for name, field in msgspec.json.decode(value).items() if name not in secret}
