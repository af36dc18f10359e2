"""`spieltisch results`: recompute the stored results of finished games from their events."""

from typing import Annotated

import typer

from spieltisch.commands import Data, Database, run_iterator
from spieltisch.commands.database import open_database
from spieltisch.commands.output import JsonOption, command_output

results = typer.Typer(help="Stored results of finished games: rebuild.", no_args_is_help=True)
"""The commands of `spieltisch results`."""
DIFFERENCES = {
    "missing": "was not counted yet",
    "different": "another result was kept than its events have",
    "not finished": "a result was kept, but no game came to its end there",
}
"""The text of each difference."""


@results.callback()
def _results() -> None:
    """Keep `rebuild` a subcommand; Typer would merge a single command into its group."""


@results.command()
def rebuild(
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing, show what differs, and exit with 1 if anything does.")
    ] = False,
    data: Data = None,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Recompute the stored results of all finished tables from their events, and show what was different.

    The server must be stopped, except for `--check`.
    """
    from spieltisch.games import game
    from spieltisch.live import game_history as live

    with command_output(as_json) as output, open_database(data, database, change=not check) as (store, runner):
        tables, differs, failed = 0, [], 0
        for table_id, difference in run_iterator(runner, live.rebuild(store, game, check=check)):
            tables += difference != "not finished"
            if not difference:
                continue
            differs.append({"table": table_id, "why": difference})
            line = f"{table_id}: {DIFFERENCES.get(difference, difference)}"
            if check and difference != "missing":
                output.fault(line)
            else:
                output.print(line)
            failed += difference not in DIFFERENCES
        action = "would change" if check else "were put right"
        output.show(
            {"tables": tables, "differs": differs},
            "{tables} finished {tables:table|tables}, {changed} {done}.",
            changed=len(differs) - failed,
            done=action,
        )
