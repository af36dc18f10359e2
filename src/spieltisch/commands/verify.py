"""`spieltisch verify`: replay records and tables, and report the first difference of each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from spieltisch.commands import ComponentsOption, Database, find_game, read_components, run_iterator, with_progress
from spieltisch.commands.database import open_database
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail

if TYPE_CHECKING:
    from spieltisch.store.store import Store


def verify(
    files: Annotated[list[Path] | None, typer.Argument(dir_okay=False, help="Records.")] = None,
    data: Annotated[Path | None, typer.Option(file_okay=False, help="Replay all tables in this folder.")] = None,
    database: Database = "",
    components: ComponentsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Replay records, or all tables of a server, and check every move, every draw and the result."""
    with command_output(as_json) as output:
        if not files and data is None and not database:
            raise fail("give record files, a folder with --data, or a database with --database")
        if files:
            _print_results(output, _verify_records(files, components), len(files), "records")
        if data is not None or not files:
            _verify_tables(output, data, database)


class CheckResult(NamedTuple):
    """The result of checking a record or table: its name and what is wrong, "" for nothing."""

    name: str
    problem: str = ""


def _print_results(output: CommandOutput, results: Iterator[CheckResult], total: int, what: str) -> None:
    """Report each problem and the number of valid items."""
    verified = 0
    for checked in with_progress(results, total, what.capitalize()):
        if checked.problem:
            output.fault(f"{checked.name}: {checked.problem}")
        else:
            verified += 1
    values = {"looked_at": total, "verified": verified}
    output.show({what: values}, "{verified} of {total} {what} verified.", verified=verified, total=total, what=what)


def _verify_records(files: Sequence[Path], components: Path | None) -> Iterator[CheckResult]:
    """Yield the result of each record."""
    from spieltisch.core.record import Record

    for file in files:
        try:
            record = Record.read(file)
            record.verify(read_components(find_game(record.game), components))
            yield CheckResult(str(file))
        except ValueError as error:
            yield CheckResult(str(file), str(error))
        except OSError as error:
            yield CheckResult(str(file), str(error.strerror))


def _verify_tables(output: CommandOutput, data: Path | None, database: str) -> None:
    """Replay every table in the database."""
    with open_database(data, database) as (store, runner):
        stored = [table.id for table in runner.run(store.tables())]
        _print_results(output, run_iterator(runner, replay_tables(store, stored)), len(stored), "tables")


async def replay_tables(store: Store, ids: Sequence[str]) -> AsyncIterator[CheckResult]:
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
            yield CheckResult(name, str(error))
            continue
        if table.frozen is not None:
            event = table.replay_difference or next(
                e.event for e in reversed(table.events) if isinstance(e.event, tables.Frozen)
            )
            yield CheckResult(name, f"event {event.version}: {table.frozen}")
        elif not table.matches_commitment:
            yield CheckResult(name, "the secret is not the one that was committed to")
        else:
            yield CheckResult(name)
