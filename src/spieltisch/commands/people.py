"""`spieltisch people`: who is known to a server; and who is to be gone is removed."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spieltisch.commands import AsJson, fail, result
from spieltisch.commands.opened import MOST, Run, opened
from spieltisch.commands.tables import Data, day, described, line

if TYPE_CHECKING:
    from spieltisch.store import Person
    from spieltisch.store.store import Store, StoredTable

people = typer.Typer(help="The people of a server: list, show, remove.", no_args_is_help=True)
Id = Annotated[str, typer.Argument(metavar="PERSON", help="The person's id, as in the list.")]


@people.command("list")
def list_people(
    name: Annotated[str, typer.Option(help="Only those whose name holds this.")] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List all people, the first first, with how many tables they opened or sit at; also while the server runs."""
    from collections import Counter

    from spieltisch.store.people import everybody

    with result(as_json) as end, opened(data) as (store, run):
        at_tables = Counter(person for table in run(store.tables(limit=MOST)) for person in _at(table))
        end.found = {"people": []}
        for person in run(everybody(store)):
            if name.casefold() in person.name.casefold():
                told = {**_described(person), "tables": at_tables[person.id]}
                end.found["people"].append(told)
                tables = f"{told['tables']} {'table' if told['tables'] == 1 else 'tables'}"
                end.say(f"{person.id}  {day(person.created)}  {tables}  {person.name}")


@people.command()
def show(
    person: Id,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show one person: their devices, tables and component files; also while the server runs."""
    from spieltisch.store import component_sets
    from spieltisch.store.people import sessions

    with result(as_json) as end, opened(data) as (store, run):
        found = _found(store, run, person)
        devices = run(sessions(store, found.id))
        tables = [described(table) for table in run(store.tables(person=found.id, limit=MOST))]
        files = run(component_sets.owned_by(store, found.id))
        end.found = {
            **_described(found),
            "devices": len(devices),
            "tables": tables,
            "files": [{"digest": file.digest, "game": file.game, "added": file.added} for file in files],
        }
        end.say(f"{found.name}, {found.language}, since {day(found.created)}; devices: {len(devices)}")
        for table in tables:
            end.say(line(table))
        for file in files:
            end.say(f"component file {file.digest[:12]} for {file.game}, of {day(file.added)}")


@people.command()
def remove(
    person: Id,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Remove a person. Their games stay, and a guest without a name has played in them. The server must be stopped."""
    from spieltisch.games import game
    from spieltisch.live.removal import remove_person

    with result(as_json) as end, opened(data, change=True) as (store, run):
        found = _found(store, run, person)
        try:
            done = run(remove_person(store, game, found, time()))
        except ValueError as problem:
            raise fail(f"{problem}") from problem
        end.found = {"removed": found.id, "tables": done.tables}
        many = len(done.tables)
        end.say(f"{found.name} is removed; at {many} {'table' if many == 1 else 'tables'} a guest has their place.")
        for digest in done.files_with_name:
            end.fault(f"component file {digest[:12]} holds the name among its values, and tables are played with it")


def _at(table: StoredTable) -> set[str]:
    from spieltisch.tables import device_of

    return {table.host, *(device_of(seat.person) for seat in table.summary.seats)}


def _described(person: Person) -> dict[str, Any]:
    return {"id": person.id, "name": person.name, "language": person.language, "created": person.created}


def _found(store: Store, run: Run, person_id: str) -> Person:
    from spieltisch.store.people import by_id

    found = run(by_id(store, person_id))
    if found is None:
        raise fail(f"there is no person {person_id}; `spieltisch people list` says who there is")
    return found
