"""`spieltisch fuzz`: games by the hundred thousand, in search of what must never happen."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch.commands import find_game, read_components, read_options, say_if_compiling, with_progress
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail, write

if TYPE_CHECKING:
    from spieltisch.core.record import Record
    from spieltisch.core.setup import Setup


def fuzz(
    game: Annotated[
        str | None, typer.Argument(help="The game's name. Default: every game, one after the other.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games of each are played.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal games.")] = 1,
    seats: Annotated[int | None, typer.Option(help="Number of players. Default: every number in turn.")] = None,
    closely: Annotated[
        int, typer.Option(min=0, help="How many of the games are also played on plain Python and looked at closely.")
    ] = 100,
    components: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Components other than the game's own.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game: name=value. Default: every choice in turn.")
    ] = None,
    records: Annotated[
        Path, typer.Option(file_okay=False, help="The folder for the record of a game in which something was found.")
    ] = Path(),
    as_json: JsonOption = False,
) -> None:
    """Play many games to the end and look for what must never happen: dead ends, endless games, wrong undo, leaks."""
    from spieltisch.games import game_modules
    from spieltisch.lab.fuzz import FuzzFailure
    from spieltisch.lab.simulation import MAX_GAMES

    with command_output(as_json) as output:
        output.rows("games", ())
        if games >= MAX_GAMES:
            raise fail(f"--games: {games} is more than {MAX_GAMES - 1}")
        for key in [game] if game is not None else sorted(game_modules()):
            setups = _setups(key, seats, components, option or [])
            try:
                _fuzz(output, setups, games, seed, closely)
            except FuzzFailure as found:
                output.faults += fail(found.what).faults
                output.show({"record": f"{_keep(found.record, records)}"})
                return
            except ValueError as error:
                raise fail(f"{error}") from error


def _setups(key: str, seats: int | None, components: Path | None, options: list[str]) -> list[Setup]:
    """Every number of players with every choice of options that is not given, shuffled: where there are more of them
    than games, the games still show every value.
    """
    game = find_game(key, compiled=True)
    contents, chosen = read_components(game, components), read_options(game, options)
    numbers = [seats] if seats is not None else list(game.seats)
    free = [option for option in game.options if option.name not in chosen]
    try:
        setups = [
            game.setup(number, contents, **chosen, **{one.name: value for one, value in zip(free, values, strict=True)})
            for number in numbers
            for values in product(*([value for value, _ in option.choices] for option in free))
        ]
    except ValueError as error:
        raise fail(f"{error}") from error
    random.Random(0).shuffle(setups)  # noqa: S311 - an order
    return setups


def _fuzz(output: CommandOutput, setups: list[Setup], games: int, seed: int, closely: int) -> None:
    """All of one game. Raises Found, and ValueError for a seed that is none."""
    from spieltisch.lab.fuzz import Fuzzer
    from spieltisch.testing import Report, check_position

    say_if_compiling(setups[0], "fuzz_games")
    fuzzers = [Fuzzer(setup, seed) for setup in setups[:games]]
    shares = [len(range(n, games, len(setups))) for n in range(len(fuzzers))]
    begun = perf_counter()
    many = (step for fuzzer, share in zip(fuzzers, shares, strict=True) for step in fuzzer.run(share))
    for _ in with_progress(many, games, "Games", int):
        pass
    played, begun = perf_counter() - begun, perf_counter()
    report, chance = Report(), random.Random(seed)  # noqa: S311 - which moves are tried
    again = range(min(closely, games))
    moves = (
        fuzzers[n % len(setups)].replay(1 + n // len(setups), lambda position: check_position(position, chance, report))
        for n in again
    )
    twice = sum(with_progress(moves, len(again), "Games on both engines"))
    seconds = perf_counter() - begun
    output.row(
        "games",
        {
            "game": setups[0].game.key,
            "games": games,
            "seed": seed,
            "choices": len(setups),
            "moves": sum(fuzzer.moves for fuzzer in fuzzers),
            "seconds": round(played, 3),
            "on_both_engines": {"games": len(again), "moves": twice, "seconds": round(seconds, 3)},
            "positions_looked_at": report.samples,
            # How often there was something to hide: a game that hides nothing shows no leaks either.
            "imagined": {"positions": report.imagined.total(), "differing": report.differing_samples.total()},
        },
        "{title}: {games:,} games, seed {seed}, {choices} choices of seats and options, {moves:,} moves, "
        "{seconds:.1f} s.\n"
        "{on_both_engines[games]:,} games, {on_both_engines[moves]:,} moves, on both engines alike; "
        "{positions_looked_at:,} positions looked at; "
        "{imagined[differing]:,} of {imagined[positions]:,} imagined positions differed from the real one; "
        "{on_both_engines[seconds]:.1f} s. Nothing found.",
        title=setups[0].game.title,
    )


def _keep(record: Record, folder: Path) -> Path:
    """Write the record of a game in which something was found, and say how to see it."""
    path = folder / f"fuzz-{record.game}-{record.seats}-{record.seed}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        record.write(path)
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from error
    write(f"The game up to there; see it by: spieltisch replay {path}", to_stderr=True)
    return path
