"""`spieltisch people`: who is known to a server; and who is to be gone is removed."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spieltisch.commands.database import ID_ARGUMENTS, NO_LIMIT, open_database
from spieltisch.commands.output import JsonOption, command_output, fail
from spieltisch.commands.tables import Data, table_json, table_line

if TYPE_CHECKING:
    import asyncio

    from spieltisch.store import Person
    from spieltisch.store.store import Store, StoredTable

people = typer.Typer(help="The people of a server: list, show, remove.", no_args_is_help=True)
Id = Annotated[str, typer.Argument(metavar="PERSON", help="The person's id, as in the list.")]


@people.command("list")
def list_people(
    name: Annotated[str, typer.Option(help="Only those whose name holds this.")] = "",
    data: Data = None,
    as_json: JsonOption = False,
) -> None:
    """List all people, the first first, with how many tables they opened or sit at; also while the server runs."""
    from collections import Counter

    from spieltisch.store.people import all_people

    with command_output(as_json) as output, open_database(data) as (store, runner):
        at_tables = Counter(person for table in runner.run(store.tables(limit=NO_LIMIT)) for person in _at(table))
        found = (person for person in runner.run(all_people(store)) if name.casefold() in person.name.casefold())
        output.rows(
            "people",
            ({**_described(person), "tables": at_tables[person.id]} for person in found),
            "{id}  {created:day}  {tables} {tables:table|tables}  {name}",
        )


@people.command(context_settings=ID_ARGUMENTS)
def show(person: Id, data: Data = None, as_json: JsonOption = False) -> None:
    """Show one person: their devices, tables and component files; also while the server runs."""
    from spieltisch.store import component_sets
    from spieltisch.store.people import sessions

    with command_output(as_json) as output, open_database(data) as (store, runner):
        found = _found(store, runner, person)
        devices = runner.run(sessions(store, found.id))
        tables = [table_json(table) for table in runner.run(store.tables(person=found.id, limit=NO_LIMIT))]
        files = runner.run(component_sets.owned_by(store, found.id))
        output.show(
            {**_described(found), "devices": len(devices)},
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
    as_json: JsonOption = False,
) -> None:
    """Remove people. Their games stay, and guests without a name have played in them. The server must be stopped."""
    from spieltisch.games import game
    from spieltisch.live.person_removal import remove_person
    from spieltisch.store.removal import vacuum

    with command_output(as_json) as output, open_database(data, change=True) as (store, runner):
        output.rows("removed", ())
        removed = []
        for found in [_found(store, runner, person) for person in people]:
            try:
                done = runner.run(remove_person(store, game, found, time()))
            except ValueError as error:
                output.fault(f"{found.id}: {error}")
                continue
            removed.append((found, done))
        runner.run(vacuum(store))
        for found, done in removed:
            output.row(
                "removed",
                {"id": found.id, "tables": done.tables},
                "{name} is removed; at {n} {n:table|tables} a guest has their place.",
                name=found.name,
                n=len(done.tables),
            )
            for digest in done.files_with_name:
                output.fault(
                    f"component file {digest[:12]} holds the name among its values, and tables are played with it"
                )


def _at(table: StoredTable) -> set[str]:
    from spieltisch.tables import device_owner

    return {table.host, *(device_owner(seat.person) for seat in table.summary.seats)}


def _described(person: Person) -> dict[str, Any]:
    return {"id": person.id, "name": person.name, "language": person.language, "created": person.created}


def _found(store: Store, runner: asyncio.Runner, person_id: str) -> Person:
    from spieltisch.store.people import by_id

    found = runner.run(by_id(store, person_id))
    if found is None:
        raise fail(f"there is no person {person_id}; `spieltisch people list` says who there is")
    return found
