"""`spieltisch report`: play games between bots, or read their rows, and write a page on the balance of the game."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch import commands
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail
from spieltisch.commands.simulate import GamesToPlay, heading, prepare_simulation

if TYPE_CHECKING:
    from spieltisch.core.setup import Setup
    from spieltisch.lab.kept_games import ReportedGame
    from spieltisch.lab.report import Comparison, Report


def report(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. era-of-inventions.")],
    output: Annotated[Path | None, typer.Option(dir_okay=False, help="Write the page here.")] = None,
    seats: Annotated[int | None, typer.Option(help="Play with this many players. Default: four.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Play this many games, of each variant.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Start from this seed; equal seeds give equal games.")] = 1,
    bots: Annotated[
        str, typer.Option(help="Play with this bot in all seats, or with one for each. " + commands.LEVELS_HELP)
    ] = "easy",
    components: commands.PlayedComponents = None,
    option: commands.GameOptions = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(dir_okay=False, help="Compare with the components in this file. May be repeated."),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(help="Compare with other values, PATH=VALUE,VALUE; +1 adds one, * fits any letters of a step."),
    ] = None,
    rows: Annotated[Path | None, typer.Option(dir_okay=False, help="Read these rows instead of playing.")] = None,
    moves: Annotated[Path | None, typer.Option(dir_okay=False, help="Read these rows of moves, too.")] = None,
    folder: Annotated[
        Path | None, typer.Option(file_okay=False, help="Keep the games here; what is there is not played again.")
    ] = None,
    max_moves: commands.MaxMoves = 5000,
    jobs: commands.Jobs = 1,
    dask: commands.Dask = "",
    as_json: JsonOption = False,
) -> None:
    """Report who wins from where, what is offered, taken and worth, and what another value would change."""
    from spieltisch.lab.parallel import Parallel

    with command_output(as_json) as result:
        if (rows is None) != (moves is None):
            raise fail("--rows and --moves are read together")
        if seats is None and "," in bots:
            seats = len(bots.split(","))
        setup = commands.find_setup(game, seats, components, option or (), compiled=False)
        names = bots.split(",") if "," in bots else [bots] * setup.seats
        compared: dict[str, Comparison] = {}
        setups = _setups(setup, against or (), vary or ())
        about = {"games": str(games), "seed": str(seed), "bots": ", ".join(dict.fromkeys(names))}
        if rows is not None and moves is not None:
            if len(setups) > 1:
                raise fail("--against and --vary need games that are played")
            counted = _read(setup, rows, moves)
            about = {"games": str(counted.games), "rows": str(rows)}
        else:
            task = GamesToPlay(names, games, seed, max_moves, Parallel(jobs, dask))
            counted, compared = _play(setups, task, folder)
        _show(result, counted, compared)
        if output is not None:
            _write(output, counted, compared, about)
            result.show({"page": str(output)}, "\nThe page: {page}")


def _setups(setup: Setup, against: Sequence[Path], vary: Sequence[str]) -> dict[str, Setup]:
    """Return the setups by name, the first one that of the report, or end the command."""
    from spieltisch.core.components import ComponentsError
    from spieltisch.lab.variants import read_variation, varied

    game, setups = setup.game, {"": setup}
    for file in against:
        setups[str(file)] = game.setup(setup.seats, commands.read_components(game, file), **setup.options)
    for text in vary:
        try:
            path, values = read_variation(text)
            for value in values:
                components = varied(game, setup.components, path, value)
                setups[f"{path}={value}"] = game.setup(setup.seats, components, **setup.options)
        except (ComponentsError, ValueError) as error:
            raise fail(f"--vary {text}: {error}") from error
    return setups


def _play(setups: dict[str, Setup], task: GamesToPlay, folder: Path | None) -> tuple[Report, dict[str, Comparison]]:
    """Play the games of all setups, and return the report on the first and its comparison with each other one."""
    from spieltisch.lab.report import Comparison, Report

    first = setups[""]
    counted, compared = Report(first), {name: Comparison() for name in setups if name}
    with commands.fail_on_bad_bot():
        prepare_simulation(first, task, folder)
        steps = _counted(setups, task, folder, counted, compared)
        for _ in commands.with_progress(steps, task.games * len(setups), "Games", int):
            pass
    return counted, compared


def _counted(
    setups: dict[str, Setup], task: GamesToPlay, folder: Path | None, counted: Report, compared: dict[str, Comparison]
) -> Iterator[int]:
    """Play and count; yields how many games were played since the last time."""
    from spieltisch.lab.kept_games import play_reported
    from spieltisch.lab.report import quantities

    names = list(setups)
    first: tuple[ReportedGame, ...] = ()
    bots, games, seed, max_moves, cores = task
    for number, played in play_reported(
        list(setups.values()), bots, seed, games, cores, max_moves=max_moves, folder=folder
    ):
        if number == 0:
            first = played
            for game in played:
                counted.add(game.rows, game.moves)
        else:
            for before, after in zip(first, played, strict=True):
                compared[names[number]].add(quantities(before.rows, before.moves), quantities(after.rows, after.moves))
        yield len(played)


def _read(setup: Setup, rows: Path, moves: Path) -> Report:
    """Return the report on the games in files of rows, or end the command."""
    from spieltisch.lab.move_rows import read_moves
    from spieltisch.lab.report import Report
    from spieltisch.lab.result_rows import read

    counted = Report(setup)
    with commands.fail_on_bad_bot():
        games = {game[0].number: game for game in read(rows)}
        for choices in read_moves(moves):
            game = games.get(choices[0].number)
            if game is None:
                raise fail(f"{moves}: {rows} has no game {choices[0].number}")
            played = (game[0].game, game[0].components, game[0].seats, game[0].options)
            if played != (setup.game.key, setup.components.digest, setup.seats, setup.options):
                raise fail(f"{rows}: games with another setup; name it with --seats, --components and --option")
            counted.add(game, choices)
    if not counted.games:
        raise fail(f"{moves}: no games")
    return counted


def _write(output: Path, counted: Report, compared: dict[str, Comparison], about: dict[str, str]) -> None:
    from spieltisch.core.replaced_files import replace_text
    from spieltisch.lab.report_page import report_page

    differences = {name: comparison.differences() for name, comparison in compared.items()}
    setup = counted.setup
    options = {name: str(value).lower() for name, value in setup.options.items()}
    command = shlex.join(["spieltisch", *sys.argv[1:]])
    try:
        replace_text(
            output, report_page(command, counted, differences, about | {"components": setup.components.name} | options)
        )
    except OSError as error:
        raise fail(f"{output}: {error.strerror}") from error


def _show(result: CommandOutput, counted: Report, compared: dict[str, Comparison]) -> None:
    import msgspec

    from spieltisch.lab.report_page import verdicts

    setup = counted.setup
    result.show(
        {
            "game": setup.game.key,
            "seats": setup.seats,
            "components": setup.components.name,
            "options": setup.options,
            "games": counted.games,
        },
        "{heading}\n{games:,} {games:game|games}\n",
        heading=heading(setup),
    )
    result.rows(
        "wins",
        map(msgspec.structs.asdict, counted.wins()),
        "{group} {name}: {share:.1%} won, {low:.1%} to {high:.1%}, {ratio:.2f} of even; {points:.1f} points",
    )
    result.print()
    result.rows(
        "sources",
        (
            {"source": name, "mean": mean.mean, "low": mean.interval()[0], "high": mean.interval()[1]}
            for name, mean in counted.sources.items()
        ),
        "points from {source}: {mean:.2f}, {low:.2f} to {high:.2f}",
    )
    things = counted.things()
    lengths = sorted(counted.lengths)
    result.show(
        {
            "ended_by": dict(counted.ended.most_common()),
            "shortest": lengths[0],
            "median": lengths[len(lengths) // 2],
            "longest": lengths[-1],
        },
        "\nEnded by {ends}; {shortest} to {longest} moves, median {median}.",
        ends=", ".join(f"{rule} {count:,}" for rule, count in counted.ended.most_common()),
    )
    result.rows("things", map(msgspec.structs.asdict, things))
    for verdict, names in verdicts(things).items():
        result.print(f"\n{verdict}: {'; '.join(names) or 'nothing'}")
    for name, comparison in compared.items():
        result.print(f"\n{name}, what changes clearly:")
        result.rows(
            "differences",
            ({"variant": name, **msgspec.structs.asdict(row)} for row in comparison.differences()),
            lambda row: (
                "{group}: {name}: {before:.2f} to {after:.2f} ({low:+.2f} to {high:+.2f})".format(**row)
                if row["is_clear"]
                else None
            ),
        )
