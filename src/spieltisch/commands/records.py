"""`spieltisch export` and `spieltisch import`: finished games as record files, and those as tables to look at."""

from __future__ import annotations

from pathlib import Path
from time import time
from typing import Annotated

import typer

from spieltisch.commands import awaited, data_folder, fail, read_components, watched

DATA_HELP = "Folder of the tables. Default: your application data."


def export(
    folder: Annotated[Path, typer.Argument(file_okay=False, help="Where to write; it is made if it is not there.")],
    data: Annotated[Path | None, typer.Option(file_okay=False, help=DATA_HELP)] = None,
) -> None:
    """Write the record of every finished game into a folder, also while the server runs."""
    import asyncio

    from spieltisch.games import game
    from spieltisch.live.records import export, finished
    from spieltisch.store.backup import snapshot
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE
    from spieltisch.store.store import Store

    database = data_folder(data) / DATABASE
    if not database.exists():
        raise fail(f"{database} is not there: nothing to export")
    wrong = many = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with snapshot(database) as copy, asyncio.Runner() as runner:
            store = runner.run(Store.open(copy))
            try:
                total = len(runner.run(finished(store)))
                for stored, _, why in watched(awaited(runner, export(store, game, folder)), total, "Records"):
                    many += 1
                    if why:
                        wrong += 1
                        typer.echo(f"table {stored.id}: {why}", err=True)
            finally:
                runner.run(store.close())
    except (StoreError, OSError) as problem:
        raise fail(f"{problem}") from problem
    typer.echo(f"{folder}: {many - wrong} of {many} finished games.")
    if wrong:
        raise typer.Exit(1)


def import_records(
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help="Records of finished games.")],
    data: Annotated[Path | None, typer.Option(file_okay=False, help=DATA_HELP)] = None,
    components: Annotated[
        Path | None, typer.Option(dir_okay=False, help="The components they were played with, if others.")
    ] = None,
) -> None:
    """Read finished games in from their records, as tables to look at. The server must be stopped."""
    import asyncio

    from spieltisch.core.record import Record
    from spieltisch.games import game
    from spieltisch.live.records import AlreadyThere, import_game
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE
    from spieltisch.store.store import Store

    wrong = 0
    with asyncio.Runner() as runner:
        try:
            store = runner.run(Store.open(data_folder(data) / DATABASE))
        except (StoreError, OSError) as problem:
            raise fail(f"{problem}") from problem
        try:
            for file in watched(files, len(files), "Records"):
                try:
                    record = Record.read(file)
                    own = read_components(game(record.game), components)
                    table_id = runner.run(import_game(store, game, record, own, time()))
                    typer.echo(f"{file}: /table/{table_id}")
                except AlreadyThere as there:
                    typer.echo(f"{file}: /table/{there.table_id} (there already)")
                except (ValueError, StoreError, OSError) as problem:
                    wrong += 1
                    typer.echo(f"{file}: {problem}", err=True)
        finally:
            runner.run(store.close())
    if wrong:
        raise typer.Exit(1)
