"""`spieltisch tables`: list, show and remove the tables of a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spieltisch.commands import Data, Database
from spieltisch.commands.database import ID_ARGUMENTS, open_database
from spieltisch.commands.output import JsonOption, command_output, fail, format_line

if TYPE_CHECKING:
    import asyncio

    from spieltisch.store.store import Store
    from spieltisch.store.table_rows import StoredTable

tables = typer.Typer(help="The tables of a server: list, show, remove.", no_args_is_help=True)
"""The commands of `spieltisch tables`."""


@tables.command("list")
def list_tables(
    status: Annotated[
        str, typer.Option(help="List only tables that are open, running, finished, aborted or frozen.")
    ] = "",
    origin: Annotated[
        str, typer.Option("--address", help="List only tables from this address, as the list shows it.")
    ] = "",
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """List all tables, last changed first. The server may be running."""
    with command_output(as_json) as output, open_database(data, database) as (store, runner):
        listed = [
            values
            for values in map(table_json, runner.run(store.tables(*([status] if status else []))))
            if not origin or values["from"] == origin
        ]
        output.rows("tables", listed, table_line)


@tables.command(context_settings=ID_ARGUMENTS)
def show(
    table: Annotated[str, typer.Argument(help="The table's id, as in its address and in the list.")],
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Show a table: its seats, who opened it, the number of its events. The server may be running."""
    with command_output(as_json) as output, open_database(data, database) as (store, runner):
        values = table_json(_find_table(store, runner, table))
        host = values["host"] or "nobody here"
        output.show(values, "{line}\nopened by {opener}; {events} events", line=table_line(values), opener=host)
        for number, seat in enumerate(values["seats"], 1):
            output.print(f"seat {number}: {seat['kind']} {seat['name']} {seat['person']}".rstrip())


@tables.command(context_settings=ID_ARGUMENTS)
def remove(
    tables: Annotated[list[str], typer.Argument(help="The tables' ids.")],
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Remove tables with everything that was played there. The server must be stopped."""
    from spieltisch.features.admin.rows import record_command
    from spieltisch.store.removal import remove_table, vacuum

    with command_output(as_json) as output, open_database(data, database, change=True) as (store, runner):
        for table_id in tables:
            _find_table(store, runner, table_id)
        for table_id in tables:
            runner.run(remove_table(store, table_id, record_command("table-remove", table_id)))
        runner.run(vacuum(store))
        output.show({"removed": tables}, "{n} {n:table|tables} removed.", n=len(tables))


def table_json(stored: StoredTable) -> dict[str, Any]:
    """Return a table for `--json`; times are in UTC seconds."""
    from spieltisch.core.words import Words

    words = Words("en")
    return {
        "id": stored.id,
        "game": stored.game,
        "status": stored.status,
        "created": stored.created,
        "changed": stored.changed,
        "host": stored.host,
        "from": (stored.address_hash or b"").hex()[:8],
        "events": stored.version,
        "seats": [
            {"kind": seat.kind, "person": seat.person, "name": words.say(seat.name)} for seat in stored.summary.seats
        ],
    }


def table_line(values: Mapping[str, Any]) -> str:
    """Return a table as a line.

    It has the id, the game, the status, the days of opening and last change, the address and the players.
    """
    names = ", ".join(seat["name"] or f"({seat['kind']})" for seat in values["seats"])
    address = values["from"] or "-"
    line_format = "{id}  {game}  {status:<8}  {created:day} {changed:day}  {address:<8}  {names}"
    return format_line(line_format, **values, address=address, names=names)


def _find_table(store: Store, runner: asyncio.Runner, table_id: str) -> StoredTable:
    for stored in runner.run(store.tables(table_id=table_id)):
        return stored
    raise fail(f"there is no table {table_id}; `spieltisch tables list` lists them")
