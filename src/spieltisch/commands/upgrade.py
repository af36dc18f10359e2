"""`spieltisch upgrade`: what the first start of this version would do to the tables of an earlier one."""

from __future__ import annotations

from typing import Annotated

import typer

from spieltisch.commands import Data, Database, run_iterator, with_progress
from spieltisch.commands.database import open_database
from spieltisch.commands.output import JsonOption, command_output, fail
from spieltisch.commands.verify import replay_tables


def upgrade(
    check: Annotated[bool, typer.Option("--check", help="List the tables that this version would freeze.")] = False,
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Try this version on a copy of the tables and list those that it would freeze. The server may be running."""
    from spieltisch.store.schema import HEAD

    with command_output(as_json) as output:
        if not check:
            raise fail("the next start upgrades the tables by itself; --check says what it would do")
        with open_database(data, database) as (store, runner):
            before = store.upgraded_from or HEAD
            line = (
                "The format stays {format}." if before == HEAD else "The format changes from {format} to {next_format}."
            )
            output.show({"format": before, "next_format": HEAD}, line)
            stored = runner.run(store.tables("open", "running", "frozen"))
            ids = [table.id for table in stored if table.status != "frozen" or table.summary.is_suspended]
            results = with_progress(run_iterator(runner, replay_tables(store, ids)), len(ids), "Tables")
            freezing = [checked for checked in results if checked.problem]
            for checked in freezing:
                output.fault(f"{checked.name} would freeze: {checked.problem}")
            values = {"looked_at": len(ids), "going_on": len(ids) - len(freezing)}
            output.show({"tables": values}, "{going_on} of {looked_at} unfinished tables go on.", **values)
