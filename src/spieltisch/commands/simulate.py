"""`spieltisch simulate`: play games between bots, count the results and write them on request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from spieltisch import commands
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail, write

if TYPE_CHECKING:
    from spieltisch.core.setup import Setup
    from spieltisch.lab.parallel import Parallel
    from spieltisch.lab.simulation import Simulation
    from spieltisch.lab.tally import Score, Tally


def simulate(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    seats: Annotated[
        int | None, typer.Option(help="Play with this many players. Default: as many as bots, or four.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Play this many games.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Start from this seed; equal seeds give equal games.")] = 1,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Play with these bots, one for each seat: easy,random,random. Default: random ones. "
            + commands.LEVELS_HELP
        ),
    ] = None,
    components: commands.PlayedComponents = None,
    option: commands.GameOptions = None,
    max_moves: commands.MaxMoves = 5000,
    jobs: commands.Jobs = 1,
    dask: commands.Dask = "",
    rows: commands.RowsFile = None,
    moves: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Write what each seat could play, and how often it did, as Parquet."),
    ] = None,
    records: Annotated[
        Path | None, typer.Option(file_okay=False, help="Write a record of every game into this folder.")
    ] = None,
    steps: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            help="Write every decision into Parquet files in this folder; what is there is not played again.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play many games, and count who wins."""
    from spieltisch.lab.parallel import Parallel

    with command_output(as_json) as output:
        names = bots.split(",") if bots is not None else None
        if seats is None and names is not None:
            seats = len(names)
        setup = commands.find_setup(game, seats, components, option or (), compiled=False)
        bot_names = names or ["random"] * setup.seats
        task = GamesToPlay(bot_names, games, seed, max_moves, Parallel(jobs, dask))
        _simulate(setup, task, _Files(rows, records, steps, moves), output)


class GamesToPlay(NamedTuple):
    """The games that a command plays, and the cores on which they are played."""

    bots: list[str]
    games: int
    seed: int
    max_moves: int
    cores: Parallel


class _Files(NamedTuple):
    """The files and folders for the results; None for those not asked for."""

    rows: Path | None
    records: Path | None
    steps: Path | None
    moves: Path | None


def _simulate(setup: Setup, task: GamesToPlay, files: _Files, output: CommandOutput) -> None:
    """Play, count, write what is asked for."""
    from spieltisch.bots.search import native_library
    from spieltisch.lab.engines import library_of
    from spieltisch.lab.simulation import MAX_GAMES
    from spieltisch.lab.tally import Tally

    if task.games >= MAX_GAMES:
        raise fail(f"--games: {task.games} is more than {MAX_GAMES - 1}")
    with commands.fail_on_bad_bot():
        simulation = prepare_simulation(setup, task, files.records, files.steps)
        if simulation.in_python:
            write(
                "The games are played in Python, which is slow: a bot is not compiled, or imagines hidden things.",
                to_stderr=True,
            )
        elif library_of(setup) is None:
            write(
                f"The games are played in Python, which is slow: {native_library.problem() or 'nothing is compiled'}",
                to_stderr=True,
            )
        tally = Tally.of(simulation.bots)
        start = perf_counter()
        for _ in commands.with_progress(_play_games(setup, task, files, tally), task.games, "Games", int):
            pass
    seconds = perf_counter() - start
    _print_results(output, setup, tally, task, seconds)


def prepare_simulation(setup: Setup, task: GamesToPlay, *folders: Path | None) -> Simulation:
    """Return a simulation whose games can be played: its folders are there, and what its bots need is built."""
    from spieltisch.lab.batches import make_quick
    from spieltisch.lab.simulation import Simulation

    simulation = Simulation(setup, task.bots, task.seed, max_moves=task.max_moves, use_library=False)
    for folder in folders:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    make_quick(setup, task.bots, lambda: commands.announce_compiling(setup))
    if simulation.in_python:
        commands.prepare_bots(setup.game, task.bots)
    return simulation


def _play_games(setup: Setup, task: GamesToPlay, files: _Files, tally: Tally) -> Iterator[int]:
    """Play, count and write; yields how many games were played since the last time."""
    from spieltisch.core.replaced_files import open_replaced, replace_text
    from spieltisch.lab.batches import play_all
    from spieltisch.lab.move_rows import move_row_writer
    from spieltisch.lab.result_rows import row_writer
    from spieltisch.lab.simulation import record_path
    from spieltisch.lab.trajectories import steps_path

    bots, games, seed, max_moves, cores = task
    rows, records, steps, moves = files
    batches = play_all(
        setup,
        bots,
        seed,
        games,
        cores,
        rows=rows is not None,
        records=records is not None,
        max_moves=max_moves,
        steps=steps,
        moves=moves is not None,
    )
    with (
        row_writer(rows, setup) if rows is not None else nullcontext(lambda game: None) as add,
        move_row_writer(moves) if moves is not None else nullcontext(lambda game: None) as add_moves,
    ):
        for piece, played in batches:
            for result in played.results:
                tally.add(*result)
            for game in played.rows:
                add(game)
            for choices in played.moves:
                add_moves(choices)
            for number, text in enumerate(played.records, piece.first):
                assert records is not None  # noqa: S101  # they were asked for
                replace_text(record_path(records, setup.game.key, seed, number), text)
            if steps is not None and played.steps:
                with open_replaced(steps_path(steps, piece.source)) as file:
                    file.write(played.steps)
            yield piece.games


def heading(setup: Setup) -> str:
    """Return the game, the number of seats, the components and the options in a line."""
    options = (f"{name}={str(value).lower()}" for name, value in setup.options.items())
    return ", ".join((f"{setup.game.title}", f"{setup.seats} seats", setup.components.name, *options))


def _columns(score: Score) -> dict[str, float | int | None]:
    return {
        "wins": round(score.wins, 6),
        "share": score.share,
        "mean_points": score.mean,
        "best": score.best,
        "worst": score.worst,
    }


def _print_results(output: CommandOutput, setup: Setup, tally: Tally, task: GamesToPlay, seconds: float) -> None:
    from spieltisch.lab.simulation import MOVE_LIMIT

    width = max(10, *map(len, task.bots))  # that of the longest name, for `FILE.py:CLASS` may be long
    output.show(
        {
            "game": setup.game.key,
            "seats": setup.seats,
            "components": setup.components.name,
            "options": setup.options,
            "seed": task.seed,
            "games": tally.games,
        },
        "{heading}\n"
        "{games:,} {games:game|games}, seed {seed}; the bots move up one seat from game to game.\n\n"
        f"{'bot':<{width + 2}}{'wins':>10}{'share':>9}{'points':>9}{'best':>7}{'worst':>7}",
        heading=heading(setup),
    )
    output.rows(
        "bots",
        ({"name": score.name, **_columns(score)} for score in tally.scores),
        f"{{row}} {{name:<{width}}}{{wins:>10,.1f}}{{share:>9.1%}}{{mean_points:>9.1f}}{{best:>7}}{{worst:>7}}",
    )
    output.print("\nturn")
    output.rows(
        "turns",
        ({"games": score.games, **_columns(score)} for score in tally.turns),
        f"{{row:<{width + 2}}}{{wins:>10,.1f}}{{share:>9.1%}}{{mean_points:>9.1f}}{{best:>7}}{{worst:>7}}",
    )
    endings = tally.ended.most_common()
    output.show(
        {
            "ended_by": dict(endings),
            "max_moves": task.max_moves,
            "moves_per_game": tally.moves_per_game,
            "shortest": tally.shortest,
            "longest": tally.longest,
            "seconds": round(seconds, 3),
        },
        "\nEnded by {ends}.\n"
        "{moves_per_game:.1f} moves a game, from {shortest} to {longest}.\n"
        "{seconds:.2f} s, {rate:,.0f} games a second.",
        ends=", ".join(f"{rule} {count:,} ({count / tally.games:.1%})" for rule, count in endings),
        rate=tally.games / seconds,
    )
    if stopped := tally.ended[MOVE_LIMIT]:
        output.show(
            {},
            "{stopped:,} {stopped:game|games} stopped after {moves:,} {moves:move|moves}; all seats share the win.",
            stopped=stopped,
            moves=task.max_moves,
        )
