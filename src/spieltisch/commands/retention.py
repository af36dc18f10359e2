"""`spieltisch retention`: show what is older than it has to be kept, and remove it."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch.commands import Data, Database, KeepDays
from spieltisch.commands.config_file import Config
from spieltisch.commands.database import open_database
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail

if TYPE_CHECKING:
    import asyncio

    from spieltisch.live.retention import Due
    from spieltisch.store.store import Store


def retention(
    remove: Annotated[bool, typer.Option("--remove", help="Remove it, for good. The server must be stopped.")] = False,
    keep_days: KeepDays = None,
    data: Data = None,
    database: Database = "",
    config: Config = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a server with these settings would remove because it is old. The server may be running."""
    from spieltisch.live.clock_pauses import open_clock
    from spieltisch.live.limits import BadLimit
    from spieltisch.live.retention import Retention, find_due

    with command_output(as_json) as output:
        try:
            kept = Retention.read(keep_days or ())
        except BadLimit as error:
            raise fail(f"{error}") from error
        with open_database(data, database, change=remove) as (store, runner):
            clock = runner.run(open_clock(store))
            due = runner.run(find_due(store, kept, clock, clock()))
            if remove:
                _remove(store, runner, due)
            _show(output, due, is_removed=remove)


def _show(output: CommandOutput, due: Due, *, is_removed: bool) -> None:
    output.data["removed"] = is_removed
    for key, ids in (("tables", due.tables), ("chats", due.chats), ("people", due.people)):
        output.rows(key, ({"id": each} for each in ids), f"{key}: {{id}}")
    output.show(
        {"admin_log": len(due.admin_log)},
        "{tables} {tables:table|tables}, {chats} {chats:chat|chats}, {people} {people:person|people} and {admin_log} "
        f"{{admin_log:entry|entries}} of the log of administrators {'removed' if is_removed else 'are old'}.",
        tables=len(due.tables),
        chats=len(due.chats),
        people=len(due.people),
    )


def _remove(store: Store, runner: asyncio.Runner, due: Due) -> None:
    from spieltisch.features.admin.rows import record_command
    from spieltisch.games import game
    from spieltisch.live.person_removal import remove_person
    from spieltisch.store.people import by_id
    from spieltisch.store.removal import remove_table, vacuum
    from spieltisch.store.retention import remove_log_entries, remove_messages, require_over, require_unused

    for table_id, at in due.tables.items():
        log = record_command("table-remove", table_id)
        runner.run(remove_table(store, table_id, require_over(table_id, at), log))
    for table_id, at in due.chats.items():
        runner.run(remove_messages(store, table_id, at))
    for person_id, at in due.people.items():
        if (person := runner.run(by_id(store, person_id))) is not None:
            log = record_command("person-remove", "")  # it must not name who is gone
            runner.run(remove_person(store, game, person, time(), require_unused(store, person_id, at), log))
    runner.run(remove_log_entries(store, due.admin_log))
    runner.run(vacuum(store))
