"""`spieltisch history`: what is kept of finished games is worked out anew from their events."""

from __future__ import annotations

from typing import Annotated

import typer

from spieltisch.commands import run_iterator
from spieltisch.commands.database import open_database
from spieltisch.commands.output import JsonOption, command_output
from spieltisch.commands.tables import Data

results = typer.Typer(help="What people find of their finished games: rebuild.", no_args_is_help=True)
WRONG = {
    "missing": "was not counted yet",
    "different": "another result was kept than its events have",
    "not finished": "a result was kept, but no game came to its end there",
}


@results.callback()
def _results() -> None:
    pass


@results.command()
def rebuild(
    check: Annotated[
        bool, typer.Option("--check", help="Only say what differs, and end with 1 if anything does.")
    ] = False,
    data: Data = None,
    as_json: JsonOption = False,
) -> None:
    """Work out anew, from the events of all finished tables, what is kept of them, and say what was different. The
    server must be stopped, unless it is only a check.
    """
    from spieltisch.games import game
    from spieltisch.live import game_history as live

    with command_output(as_json) as output, open_database(data, change=not check) as (store, runner):
        tables, differs, failed = 0, [], 0
        for table_id, wrong in run_iterator(runner, live.rebuild(store, game, check=check)):
            tables += wrong != "not finished"
            if not wrong:
                continue
            differs.append({"table": table_id, "why": wrong})
            line = f"{table_id}: {WRONG.get(wrong, wrong)}"
            if check and wrong != "missing":
                output.fault(line)
            else:
                output.print(line)
            failed += wrong not in WRONG
        done = "would change" if check else "were put right"
        output.show(
            {"tables": tables, "differs": differs},
            "{tables} finished {tables:table|tables}, {changed} {done}.",
            changed=len(differs) - failed,
            done=done,
        )
