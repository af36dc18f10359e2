"""`spieltisch export` and `spieltisch import`: finished games as record files, and records as tables."""

from __future__ import annotations

from pathlib import Path
from time import time
from typing import Annotated

import typer

from spieltisch.commands import data_folder, read_components, run_iterator, with_progress
from spieltisch.commands.database import open_database
from spieltisch.commands.output import JsonOption, command_output, fail

DATA_HELP = "Use the tables in this folder. Default: your application data."
"""The help text of the option `--data`."""


def export(
    folder: Annotated[Path, typer.Argument(file_okay=False, help="Where to write; created if it does not exist.")],
    data: Annotated[Path | None, typer.Option(file_okay=False, help=DATA_HELP)] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the record of every finished game into a folder. The server may be running."""
    from spieltisch.games import game
    from spieltisch.live.records import export, finished

    with command_output(as_json) as output, open_database(data) as (store, runner):
        files: list[str] = []
        output.show({"folder": str(folder), "files": files})
        folder.mkdir(parents=True, exist_ok=True)
        total = len(runner.run(finished(store)))
        for stored, file, why in with_progress(run_iterator(runner, export(store, game, folder)), total, "Records"):
            if file is None:
                output.fault(f"table {stored.id}: {why}")
            else:
                files.append(str(file))
        output.print(f"{folder}: {len(files)} of {len(files) + len(output.faults)} finished games.")


def import_records(
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help="Records of finished games.")],
    data: Annotated[Path | None, typer.Option(file_okay=False, help=DATA_HELP)] = None,
    components: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Read the components from this file, if they are not the game's."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Import finished games from their records, as tables to view. The server must be stopped."""
    import asyncio

    from spieltisch.core.record import Record
    from spieltisch.games import game
    from spieltisch.live.records import AlreadyImported, import_game
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE
    from spieltisch.store.store import Store

    with command_output(as_json) as output, asyncio.Runner() as runner:
        output.rows("tables", ())
        try:
            store = runner.run(Store.open(data_folder(data) / DATABASE))
        except (StoreError, OSError) as error:
            raise fail(f"{error}") from error
        try:
            for file in with_progress(files, len(files), "Records"):
                new = True
                try:
                    record = Record.read(file)
                    own = read_components(game(record.game), components)
                    table = f"/table/{runner.run(import_game(store, game, record, own, time()))}"
                except AlreadyImported as existing:
                    table, new = f"/table/{existing.table_id}", False
                except (ValueError, StoreError, OSError) as error:
                    output.fault(f"{file}: {error}")
                    continue
                output.row(
                    "tables",
                    {"file": str(file), "table": table, "new": new},
                    "{file}: {table}" if new else "{file}: {table} (there already)",
                )
        finally:
            runner.run(store.close())
