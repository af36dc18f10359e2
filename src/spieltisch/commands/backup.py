"""`spieltisch backup` and `spieltisch restore`: a server's tables to and from one file."""

from pathlib import Path
from typing import Annotated

import typer

from spieltisch.commands import Data, data_folder
from spieltisch.commands.output import JsonOption, command_output, fail


def backup(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to write the backup; the file must not exist.")],
    data: Data = None,
    as_json: JsonOption = False,
) -> None:
    """Write all tables and people into one file. The server may be running."""
    from spieltisch.store.backup import back_up
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE

    with command_output(as_json) as output:
        database = data_folder(data) / DATABASE
        if not database.exists():
            raise fail(f"{database} does not exist: nothing to back up")
        try:
            contents = back_up(database, file)
        except (StoreError, OSError) as error:
            raise fail(f"{error}") from error
        output.show({"file": str(file), "contents": contents}, "{file}: {contents}; checked.")


def restore(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A backup.")],
    data: Data = None,
    as_json: JsonOption = False,
) -> None:
    """Put a backup into a folder that has no tables yet. The server must be stopped."""
    from spieltisch.store.backup import restore
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import DATABASE

    with command_output(as_json) as output:
        folder = data_folder(data)
        try:
            contents = restore(file, folder / DATABASE)
        except (StoreError, OSError) as error:
            raise fail(f"{error}") from error
        line = "{file}: {contents}; checked. Start it with: spieltisch serve --data {folder}"
        output.show({"file": str(folder / DATABASE), "contents": contents}, line, folder=folder)
