"""`spieltisch arena`: pairwise duels of bots until it is certain which is better."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch.commands import LEVELS_HELP, Dask, Jobs, MaxMoves, RowsFile, find_setup, prepare_bots, with_progress
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail, format_line

if TYPE_CHECKING:
    from spieltisch.lab.arena import Arena

SAVE_INTERVAL_SECONDS = 5.0
"""The time between two writes of the played games."""


def arena(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    bots: Annotated[
        str,
        typer.Option(help="Compare these bots: master@0.5,engineer,greedy; NAME@SECONDS sets a budget. " + LEVELS_HELP),
    ],
    seats: Annotated[int, typer.Option(help="Play with this many players.")] = 4,
    games: Annotated[int, typer.Option(min=1, help="End a duel after this many games at most.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Start from this seed; equal seeds give equal games.")] = 1,
    max_moves: MaxMoves = 5000,
    jobs: Jobs = 1,
    dask: Dask = "",
    rows: RowsFile = None,
    components: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Play with the components in this file, not with the game's own."),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="Set an option of the game: name=value. May be repeated.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots duel in pairs of seats and say which is better, and how certain that is."""
    from spieltisch.bots.external import UnknownBot, traceback_of
    from spieltisch.core.replaced_files import is_regular_or_new
    from spieltisch.lab.arena import Arena
    from spieltisch.lab.parallel import Parallel
    from spieltisch.lab.result_rows import read

    with command_output(as_json) as output:
        setup = find_setup(game, seats, components, option or (), compiled=False)
        try:
            contest = Arena(setup, bots.split(","), seed, max_moves=max_moves)
            if rows is not None and rows.exists() and is_regular_or_new(rows):
                contest.resume(read(rows))
            prepare_bots(setup.game, contest.bots)
            steps = contest.play(games, Parallel(jobs, dask))
            for _ in with_progress(_save_rows(contest, steps, rows), games * len(contest.scores()), "Games", int):
                pass
        except UnknownBot as error:
            raise fail(f"{error}\n{traceback_of(error.__cause__)}".rstrip()) from error
        except (ValueError, OSError, RuntimeError) as error:
            raise fail(f"{error}") from error
        _print_ranking(output, contest)


def _save_rows(contest: Arena, steps: Iterator[int], rows: Path | None) -> Iterator[int]:
    """Yield the steps, and write the played games at intervals and at the end, even after an error."""
    from spieltisch.core.replaced_files import is_regular_or_new
    from spieltisch.lab.result_rows import row_writer, write

    if rows is None:
        yield from steps
        return
    if not is_regular_or_new(rows):  # a pipe or a device takes the rows once
        with row_writer(rows) as add:
            yield from steps
            for game in contest.games():
                add(game)
        return
    write(rows, contest.games())  # where nothing can be written, nothing is played
    saved = monotonic()
    try:
        for step in steps:
            yield step
            if monotonic() - saved > SAVE_INTERVAL_SECONDS:
                write(rows, contest.games())
                saved = monotonic()
    finally:
        write(rows, contest.games())


def _print_ranking(output: CommandOutput, contest: Arena) -> None:
    setup = contest.setup
    output.show(
        {
            "game": setup.game.key,
            "seats": setup.seats,
            "options": setup.options,
            "seed": contest.seed,
            "max_moves": contest.max_moves,
        },
        "{title}, {seats} seats, seed {seed}\n",
        title=setup.game.title,
    )
    output.rows(
        "order",
        (
            {
                "bot": row.bot,
                "share": row.share,
                "from": row.low,
                "to": row.high,
                "rating": row.rating,
                "doubt": row.doubt,
            }
            for row in contest.ranking()
        ),
        "{row}. {bot:<16}{share:>7.1%} won, {from:.1%} to {to:.1%}; rating {rating:.1f} ± {doubt:.1f}",
    )
    output.print()
    form = "{one} against {other}: {share:.1%} of {games} {games:game|games}, {from:.1%} to {to:.1%}"
    ends = "; {stopped} stopped after {max_moves:,} {max_moves:move|moves}, won by all seats alike"
    output.rows(
        "duels",
        (
            {
                "one": score.one,
                "other": score.other,
                "games": score.games,
                "share": score.share,
                "from": score.low,
                "to": score.high,
                "clear": score.is_decided,
                "stopped": score.stopped,
            }
            for score in contest.scores()
        ),
        lambda row: format_line(
            form + (not row["clear"]) * ", not clear" + (row["stopped"] > 0) * ends, **row, max_moves=contest.max_moves
        ),
    )
