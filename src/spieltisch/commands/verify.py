"""`spieltisch verify`: everything replayed and checked, the first difference of each reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from spieltisch.commands import find_game, read_components, run_iterator, with_progress
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail

if TYPE_CHECKING:
    from spieltisch.store.store import Store

MOST_TABLES = 1 << 31


def verify(
    files: Annotated[list[Path] | None, typer.Argument(dir_okay=False, help="Records.")] = None,
    data: Annotated[
        Path | None, typer.Option(file_okay=False, help="A folder of tables, all of which are replayed.")
    ] = None,
    components: Annotated[
        Path | None, typer.Option(dir_okay=False, help="The components the records were played with, if others.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Replay records, or all tables of a server, and check every move, every draw and the result."""
    with command_output(as_json) as output:
        if not files and data is None:
            raise fail("name records, or a folder with --data")
        if files:
            _say(output, _records(files, components), len(files), "records")
        if data is not None:
            _tables(output, data)


class Checked(NamedTuple):
    """What came of looking at a thing: what is wrong with it, "" for nothing; else by which scheme its chance comes
    from a secret, 0 where it does not, and what the seats added.
    """

    name: str
    problem: str = ""
    scheme: int = 0
    texts: tuple[str, ...] = ()


def _say(output: CommandOutput, found: Iterator[Checked], total: int, what: str) -> None:
    """Say what is wrong with each of the things, how many are right, and where their chance comes from."""
    verified, schemes, added = 0, Counter[str](), {}
    for one in with_progress(found, total, what.capitalize()):
        if one.problem:
            output.fault(f"{one.name}: {one.problem}")
            continue
        verified += 1
        if one.scheme:
            schemes[str(one.scheme)] += 1
        if any(one.texts):
            added[one.name] = one.texts
            said = ", ".join(f"seat {seat} “{text}”" for seat, text in enumerate(one.texts, 1) if text)
            output.print(f"{one.name}: added to chance: {said}")
    values = {"looked_at": total, "verified": verified, "schemes": dict(schemes), "texts": added}
    output.show({what: values}, "{verified} of {total} {what} verified.", verified=verified, total=total, what=what)
    if schemes:
        output.print(
            "Chance from a secret: " + ", ".join(f"{schemes[one]} by scheme {one}" for one in sorted(schemes)) + "."
        )


def _records(files: Sequence[Path], components: Path | None) -> Iterator[Checked]:
    """What came of each record."""
    from spieltisch.core.record import Record

    for file in files:
        try:
            record = Record.read(file)
            record.verify(read_components(find_game(record.game), components))
            yield Checked(str(file), scheme=record.scheme if record.secret is not None else 0, texts=record.texts)
        except ValueError as error:
            yield Checked(str(file), str(error))
        except OSError as error:
            yield Checked(str(file), str(error.strerror))


def _tables(output: CommandOutput, folder: Path) -> None:
    """Replay every table in the folder's database."""
    import asyncio

    from spieltisch.store.backup import snapshot
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE
    from spieltisch.store.store import Store

    file = folder / DATABASE
    if not file.exists():
        raise fail(f"{file} is not there")
    try:
        with snapshot(file) as copy, asyncio.Runner() as runner:  # a server may go on with the file itself
            store = runner.run(Store.open(copy))
            try:
                stored = [table.id for table in runner.run(store.tables(limit=MOST_TABLES))]
                _say(output, run_iterator(runner, _replay_tables(store, stored)), len(stored), "tables")
            finally:
                runner.run(store.close())
    except (StoreError, OSError) as error:
        raise fail(f"{error}") from error


async def _replay_tables(store: Store, ids: Sequence[str]) -> AsyncIterator[Checked]:
    """What came of each table: the first event that comes out differently, or that cannot stand where it does."""
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
            where = table.replay_difference or next(
                e.event for e in reversed(table.events) if isinstance(e.event, tables.Frozen)
            )
            yield Checked(name, f"event {where.version}: {table.frozen}")
        elif not table.matches_commitment:
            yield Checked(name, "the secret is not the one that was committed to")
        else:
            yield Checked(
                name, scheme=0 if table.draws_from_record else table.opened.chance_scheme, texts=table.entropy_texts
            )
