"""`spieltisch migrate`: everything from a data folder into a PostgreSQL database, or back."""

from pathlib import Path
from typing import Annotated

import typer

from spieltisch.commands import check_url, with_progress
from spieltisch.commands.output import JsonOption, command_output, fail


def migrate(
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="DIR|URL",
            envvar="SPIELTISCH_DATABASE",
            callback=check_url,
            help="The data folder or the PostgreSQL database with the tables.",
        ),
    ],
    target: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="DIR|URL",
            envvar="SPIELTISCH_DATABASE",
            callback=check_url,
            help="The folder or the database for them; it must be empty.",
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Copy everything into another database, and compare all of it. The server must be stopped.

    If it is interrupted, run it again: it goes on where it was.
    """
    from spieltisch.features import FEATURES
    from spieltisch.store.copying import copy_rows
    from spieltisch.store.errors import StoreError
    from spieltisch.store.journal import journal_of
    from spieltisch.store.postgres_database import is_postgres
    from spieltisch.store.schema import DATABASE

    with command_output(as_json) as output:
        old, new = (place if is_postgres(place) else Path(place, DATABASE) for place in (source, target))
        if isinstance(old, Path) and not old.exists():
            raise fail(f"{old} does not exist: there are no tables")
        if old == new:
            raise fail("--from and --to are the same")
        try:
            if isinstance(new, Path) and not new.exists():
                journal_of(new).unlink(missing_ok=True)  # an older state is intended, not a loss
            steps = copy_rows(old, new, FEATURES, is_stopped=True)
            _, total = next(steps)
            for _ in with_progress(steps, total, "Rows", size=lambda step: step[0]):
                pass
        except (StoreError, OSError) as error:
            raise fail(f"{error}") from error
        output.show({"rows": total // 2}, "{rows} {rows:row|rows} copied, and all compared.")
