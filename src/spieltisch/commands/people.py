"""`spieltisch people`: list, show and remove the people of a server."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spieltisch.commands import Data, Database
from spieltisch.commands.database import ID_ARGUMENTS, open_database
from spieltisch.commands.output import JsonOption, command_output, fail
from spieltisch.commands.tables import table_json, table_line

if TYPE_CHECKING:
    import asyncio

    from spieltisch.store import Person
    from spieltisch.store.store import Store
    from spieltisch.store.table_rows import StoredTable

people = typer.Typer(help="The people of a server: list, show, remove.", no_args_is_help=True)
"""The commands of `spieltisch people`."""
Id = Annotated[str, typer.Argument(metavar="PERSON", help="The person's id, as in the list.")]
"""The argument with a person's id."""


@people.command("list")
def list_people(
    name: Annotated[str, typer.Option(help="List only people whose name contains this.")] = "",
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """List all people in order of arrival, with the number of their tables. The server may be running."""
    from collections import Counter

    from spieltisch.store.people import all_people

    with command_output(as_json) as output, open_database(data, database) as (store, runner):
        at_tables = Counter(person for table in runner.run(store.tables()) for person in _people_at(table))
        matching = (person for person in runner.run(all_people(store)) if name.casefold() in person.name.casefold())
        output.rows(
            "people",
            ({**_person_json(person), "tables": at_tables[person.id]} for person in matching),
            "{id}  {created:day}  {tables} {tables:table|tables}  {name}",
        )


@people.command(context_settings=ID_ARGUMENTS)
def show(person: Id, data: Data = None, database: Database = "", as_json: JsonOption = False) -> None:
    """Show a person's devices, tables and component files. The server may be running."""
    from spieltisch.store import component_sets
    from spieltisch.store.people import access

    with command_output(as_json) as output, open_database(data, database) as (store, runner):
        known = _find_person(store, runner, person)
        devices = runner.run(access(store, known.id)).sessions
        tables = [table_json(table) for table in runner.run(store.tables(person=known.id))]
        files = runner.run(component_sets.owned_by(store, known.id))
        output.show(
            {**_person_json(known), "devices": len(devices)},
            "{name}, {language}, since {created:day}; devices: {devices}",
        )
        output.rows("tables", tables, table_line)
        output.rows(
            "files",
            ({"digest": file.digest, "game": file.game, "added": file.added} for file in files),
            "component file {digest:.12} for {game}, of {added:day}",
        )


@people.command(context_settings=ID_ARGUMENTS)
def remove(
    people: Annotated[list[str], typer.Argument(help="The people's ids.")],
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Remove people. Their games remain, with an unnamed guest in their place. The server must be stopped."""
    from spieltisch.features.admin.rows import record_command
    from spieltisch.games import game
    from spieltisch.live.person_removal import remove_person
    from spieltisch.store.removal import vacuum

    with command_output(as_json) as output, open_database(data, database, change=True) as (store, runner):
        output.rows("removed", ())
        removed = []
        for known in [_find_person(store, runner, person) for person in people]:
            try:
                log = record_command("person-remove", "")  # it must not name who is gone
                removal = runner.run(remove_person(store, game, known, time(), log))
            except ValueError as error:
                output.fault(f"{known.id}: {error}")
                continue
            removed.append((known, removal))
        runner.run(vacuum(store))
        for known, removal in removed:
            output.row(
                "removed",
                {"id": known.id, "tables": removal.tables},
                "{name} is removed; at {n} {n:table|tables} a guest has their place.",
                name=known.name,
                n=len(removal.tables),
            )
            for digest in removal.files_with_name:
                output.fault(
                    f"component file {digest[:12]} holds the name among its values, and tables are played with it"
                )


def _people_at(table: StoredTable) -> set[str]:
    from spieltisch.tables import device_owner

    return {table.host, *(device_owner(seat.person) for seat in table.summary.seats)}


def _person_json(person: Person) -> dict[str, Any]:
    return {"id": person.id, "name": person.name, "language": person.language, "created": person.created}


def _find_person(store: Store, runner: asyncio.Runner, person_id: str) -> Person:
    from spieltisch.store.people import by_id

    known = runner.run(by_id(store, person_id))
    if known is None:
        raise fail(f"there is no person {person_id}; `spieltisch people list` lists them")
    return known
