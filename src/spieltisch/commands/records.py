"""`spieltisch export` and `spieltisch import`: finished games as record files, and records as tables."""

from pathlib import Path
from time import time
from typing import Annotated

import typer

from spieltisch.commands import ComponentsOption, Data, Database, read_components, run_iterator, with_progress
from spieltisch.commands.database import open_database
from spieltisch.commands.output import JsonOption, command_output


def export(
    folder: Annotated[Path, typer.Argument(file_okay=False, help="Where to write; created if it does not exist.")],
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Write the record of every finished game into a folder. The server may be running."""
    from spieltisch.games import game
    from spieltisch.live.records import export, finished

    with command_output(as_json) as output, open_database(data, database) as (store, runner):
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
    data: Data = None,
    database: Database = "",
    components: ComponentsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import finished games from their records, as tables to view. The server must be stopped."""
    from spieltisch.core.record import Record
    from spieltisch.games import game
    from spieltisch.live.records import AlreadyImported, import_game
    from spieltisch.store.errors import StoreError

    with command_output(as_json) as output, open_database(data, database, change=True, create=True) as (store, runner):
        output.rows("tables", ())
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
