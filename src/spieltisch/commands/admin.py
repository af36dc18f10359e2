"""`spieltisch admin` and `spieltisch admin-log`: make an administrator, and read what administrators did."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spieltisch.commands import Data, Database, database_place
from spieltisch.commands.database import open_database
from spieltisch.commands.output import JsonOption, command_output, fail


def admin(data: Data = None, database: Database = "", as_json: JsonOption = False) -> None:
    """Print a link that makes the first person to follow it an administrator. The server may be running."""
    from sqlalchemy import select

    from spieltisch.features.admin import links, rows
    from spieltisch.store.beside import write_beside
    from spieltisch.store.errors import StoreError
    from spieltisch.store.schema import SETTINGS

    with command_output(as_json) as output:
        place = database_place(data, database)
        if isinstance(place, Path) and not place.exists():
            raise fail(f"{place} does not exist: start the server once")
        try:
            with write_beside(place) as connection:
                token = links.new_token(rows.link_key(connection))
                rows.add_link(connection, token)
                rows.record_command("link", "")(connection)
                own = select(SETTINGS.c.value).where(SETTINGS.c.name == rows.ADDRESS)
                address = bytes(connection.execute(own).scalar() or b"http://localhost:8889").decode()
        except (StoreError, OSError) as error:
            raise fail(f"{error}") from error
        minutes = int(rows.LINK_SECONDS // 60)
        line = "{link}\nIt works once, for {minutes} minutes, while the server runs. Give it to no one else."
        output.show({"link": f"{address}{links.PATH}{token}", "minutes": minutes}, line)


def admin_log(
    newest: Annotated[int | None, typer.Option(min=1, help="Show only the newest N acts.")] = None,
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Show what administrators did, on the page and by commands, oldest first. The server may be running."""
    from datetime import UTC, datetime

    from spieltisch.features.admin import rows

    with command_output(as_json) as output, open_database(data, database) as (store, runner):
        entries = runner.run(rows.log_entries(store, newest))
        names = runner.run(rows.names(store, {entry.actor for entry in entries}))
        output.rows("acts", ())
        for entry in reversed(entries):
            values = {
                "at": entry.at,
                "person": entry.actor,
                "user": entry.command_user,
                "act": entry.act,
                "subject": entry.subject,
            }
            who = entry.command_user or names.get(entry.actor) or "a removed person"
            when = datetime.fromtimestamp(entry.at, UTC).isoformat(" ", "seconds")
            output.row("acts", values, "{when}  {who}  {act}  {subject}", when=when, who=who)
