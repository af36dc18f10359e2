"""`spieltisch verify`: replay records and tables, and report the first difference of each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from spieltisch.commands import ComponentsOption, find_game, read_components, run_iterator, with_progress
from spieltisch.commands.database import NO_LIMIT, open_database
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail

if TYPE_CHECKING:
    from spieltisch.store.store import Store


def verify(
    files: Annotated[list[Path] | None, typer.Argument(dir_okay=False, help="Records.")] = None,
    data: Annotated[Path | None, typer.Option(file_okay=False, help="Replay all tables in this folder.")] = None,
    components: ComponentsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Replay records, or all tables of a server, and check every move, every draw and the result."""
    with command_output(as_json) as output:
        if not files and data is None:
            raise fail("give record files, or a folder with --data")
        if files:
            _say(output, _records(files, components), len(files), "records")
        if data is not None:
            _tables(output, data)


class Checked(NamedTuple):
    """The result of checking a record or table: its name and what is wrong, "" for nothing."""

    name: str
    problem: str = ""


def _say(output: CommandOutput, results: Iterator[Checked], total: int, what: str) -> None:
    """Report each problem and the number of valid items."""
    verified = 0
    for checked in with_progress(results, total, what.capitalize()):
        if checked.problem:
            output.fault(f"{checked.name}: {checked.problem}")
        else:
            verified += 1
    values = {"looked_at": total, "verified": verified}
    output.show({what: values}, "{verified} of {total} {what} verified.", verified=verified, total=total, what=what)


def _records(files: Sequence[Path], components: Path | None) -> Iterator[Checked]:
    """Yield the result of each record."""
    from spieltisch.core.record import Record

    for file in files:
        try:
            record = Record.read(file)
            record.verify(read_components(find_game(record.game), components))
            yield Checked(str(file))
        except ValueError as error:
            yield Checked(str(file), str(error))
        except OSError as error:
            yield Checked(str(file), str(error.strerror))


def _tables(output: CommandOutput, folder: Path) -> None:
    """Replay every table in the folder's database."""
    with open_database(folder) as (store, runner):
        stored = [table.id for table in runner.run(store.tables(limit=NO_LIMIT))]
        _say(output, run_iterator(runner, _replay_tables(store, stored)), len(stored), "tables")


async def _replay_tables(store: Store, ids: Sequence[str]) -> AsyncIterator[Checked]:
    """Yield the result of each table.

    It names the first event that gives another result, or that is impossible at its place.
    """
    from spieltisch import tables
    from spieltisch.games import game
    from spieltisch.live.records import offline_library
    from spieltisch.live.table_loading import load_table

    components = offline_library(store, game, time())
    for table_id in ids:
        name = f"table {table_id}"
        try:
            table = await load_table(store, components, table_id)
        except ValueError as error:
            yield Checked(name, str(error))
            continue
        if table.frozen is not None:
            event = table.replay_difference or next(
                e.event for e in reversed(table.events) if isinstance(e.event, tables.Frozen)
            )
            yield Checked(name, f"event {event.version}: {table.frozen}")
        elif not table.matches_commitment:
            yield Checked(name, "the secret is not the one that was committed to")
        else:
            yield Checked(name)
