"""`spieltisch backup` and `spieltisch restore`: a server's tables as one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spieltisch.commands import AsJson, data_folder, fail, result

DATA_HELP = "Folder of the tables. Default: your application data."


def backup(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to write the backup; it must not be there.")],
    data: Annotated[Path | None, typer.Option(file_okay=False, help=DATA_HELP)] = None,
    as_json: AsJson = False,
) -> None:
    """Write all tables and people into one file, also while the server runs."""
    from spieltisch.store.backup import back_up
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE

    with result(as_json) as end:
        database = data_folder(data) / DATABASE
        if not database.exists():
            raise fail(f"{database} is not there: nothing to back up")
        try:
            found = back_up(database, file)
        except (StoreError, OSError) as problem:
            raise fail(f"{problem}") from problem
        end.found = {"file": str(file), "contents": found}
        end.say(f"{file}: {found}; checked.")


def restore(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A backup.")],
    data: Annotated[Path | None, typer.Option(file_okay=False, help=DATA_HELP)] = None,
    as_json: AsJson = False,
) -> None:
    """Put a backup into a folder that has no tables yet. The server must be stopped."""
    from spieltisch.store.backup import restore
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE

    with result(as_json) as end:
        folder = data_folder(data)
        try:
            found = restore(file, folder / DATABASE)
        except (StoreError, OSError) as problem:
            raise fail(f"{problem}") from problem
        end.found = {"file": str(folder / DATABASE), "contents": found}
        end.say(f"{folder / DATABASE}: {found}; checked. Start it with: spieltisch serve --data {folder}")
