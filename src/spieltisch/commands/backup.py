"""`spieltisch backup` and `spieltisch restore`: a server's tables to and from one file."""

from pathlib import Path
from typing import Annotated

import typer

from spieltisch.commands import Data, Database, database_place
from spieltisch.commands.output import JsonOption, command_output, fail


def backup(
    file: Annotated[
        Path, typer.Argument(help="Where to write the backup; the file must not exist. With --keep, a folder.")
    ],
    keep: Annotated[
        int | None,
        typer.Option(min=1, help="Name the file by the date and time, and then delete all but the newest N of them."),
    ] = None,
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Write all tables and people into one file. The server may be running."""
    from spieltisch.features import FEATURES
    from spieltisch.store.backup import back_up, dated_backup, delete_old_backups
    from spieltisch.store.errors import StoreError

    with command_output(as_json) as output:
        place = database_place(data, database)
        if isinstance(place, Path) and not place.exists():
            raise fail(f"{place} does not exist: nothing to back up")
        try:
            if keep is None:
                contents = back_up(place, file, FEATURES)
            else:
                folder, file = file, dated_backup(file)
                contents = back_up(place, file, FEATURES)
                delete_old_backups(folder, keep)
        except (StoreError, OSError) as error:
            raise fail(f"{error}") from error
        output.show({"file": str(file), "contents": contents}, "{file}: {contents}; checked.")


def restore(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A backup.")],
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Put a backup into a folder or a database that has no tables yet. The server must be stopped."""
    from spieltisch.features import FEATURES
    from spieltisch.features.admin.rows import record_command
    from spieltisch.store.backup import restore
    from spieltisch.store.beside import write_beside
    from spieltisch.store.errors import StoreError

    with command_output(as_json) as output:
        place = database_place(data, database)
        try:
            contents = restore(file, place, FEATURES)
            with write_beside(place) as connection:
                record_command("restore", file.name)(connection)
        except (StoreError, OSError) as error:
            raise fail(f"{error}") from error
        if isinstance(place, Path):
            line = "{file}: {contents}; checked. Start it with: spieltisch serve --data {folder}"
            output.show({"file": str(place), "contents": contents}, line, folder=place.parent)
        else:
            output.show({"file": "", "contents": contents}, "{contents}; checked.")
