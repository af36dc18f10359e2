"""`spieltisch fuzz`: play hundreds of thousands of games to find what must never happen."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch import commands
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail, write

if TYPE_CHECKING:
    from spieltisch.core.record import Record
    from spieltisch.core.setup import Setup


def fuzz(
    game: Annotated[
        str | None, typer.Argument(help="The game's name. Default: every game, one after the other.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Play this many games of each title.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Start from this seed; equal seeds give equal games.")] = 1,
    seats: Annotated[
        int | None, typer.Option(help="Play with this many players. Default: every number in turn.")
    ] = None,
    deep_checks: Annotated[
        int, typer.Option(min=0, help="Play this many of the games on plain Python, too, and inspect them.")
    ] = 100,
    components: commands.PlayedComponents = None,
    option: Annotated[
        list[str] | None, typer.Option(help="Set an option of the game: name=value. Default: every choice in turn.")
    ] = None,
    records: Annotated[
        Path, typer.Option(file_okay=False, help="Write the record of a game with an error into this folder.")
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
                _fuzz(output, setups, games, seed, deep_checks)
            except FuzzFailure as failure:
                output.faults += fail(failure.what).faults
                output.show({"record": f"{_save_record(failure.record, records)}"})
                return
            except ValueError as error:
                raise fail(f"{error}") from error


def _setups(key: str, seats: int | None, components: Path | None, options: list[str]) -> list[Setup]:
    """Return every number of players with every choice of the other options, shuffled.

    If there are more of them than games, the games still cover every value.
    """
    game = commands.find_game(key, compiled=True)
    own, chosen = commands.read_components(game, components), commands.read_options(game, options)
    seat_counts = [seats] if seats is not None else list(game.seats)
    free = [option for option in game.options if option.name not in chosen]
    try:
        setups = [
            game.setup(
                number, own, **chosen, **{option.name: value for option, value in zip(free, values, strict=True)}
            )
            for number in seat_counts
            for values in product(*([value for value, _ in option.choices] for option in free))
        ]
    except ValueError as error:
        raise fail(f"{error}") from error
    random.Random(0).shuffle(setups)  # noqa: S311  # only an order
    return setups


def _fuzz(output: CommandOutput, setups: list[Setup], games: int, seed: int, deep_checks: int) -> None:
    """Play all games of one game title. Raise FuzzFailure, or ValueError for an invalid seed."""
    from spieltisch.lab.fuzz import Fuzzer
    from spieltisch.testing import Report, check_position

    commands.say_if_compiling(setups[0], "fuzz_games")
    fuzzers = [Fuzzer(setup, seed) for setup in setups[:games]]
    shares = [len(range(n, games, len(setups))) for n in range(len(fuzzers))]
    start = perf_counter()
    steps = (step for fuzzer, share in zip(fuzzers, shares, strict=True) for step in fuzzer.run(share))
    for _ in commands.with_progress(steps, games, "Games", int):
        pass
    played, start = perf_counter() - start, perf_counter()
    report, rng = Report(), random.Random(seed)  # noqa: S311  # only the moves to try
    replayed = range(min(deep_checks, games))
    moves = (
        fuzzers[n % len(setups)].replay(1 + n // len(setups), lambda position: check_position(position, rng, report))
        for n in replayed
    )
    replayed_moves = sum(commands.with_progress(moves, len(replayed), "Games on both engines"))
    seconds = perf_counter() - start
    output.row(
        "games",
        {
            "game": setups[0].game.key,
            "games": games,
            "seed": seed,
            "choices": len(setups),
            "moves": sum(fuzzer.moves for fuzzer in fuzzers),
            "seconds": round(played, 3),
            "on_both_engines": {"games": len(replayed), "moves": replayed_moves, "seconds": round(seconds, 3)},
            "positions_looked_at": report.samples,
            # Shows whether there was anything to hide: a game that hides nothing has no leaks either.
            "imagined": {"positions": report.imagined.total(), "differing": report.differing_samples.total()},
        },
        "{title}: {games:,} {games:game|games}, seed {seed}, {choices} choices of seats and options, {moves:,} moves, "
        "{seconds:.1f} s.\n"
        "{on_both_engines[games]:,} games, {on_both_engines[moves]:,} moves, on both engines alike; "
        "{positions_looked_at:,} positions looked at; "
        "{imagined[differing]:,} of {imagined[positions]:,} imagined positions differed from the real one; "
        "{on_both_engines[seconds]:.1f} s. Nothing found.",
        title=setups[0].game.title,
    )


def _save_record(record: Record, folder: Path) -> Path:
    """Write the record of a game with a finding, and print how to view it."""
    path = folder / f"fuzz-{record.game}-{record.seats}-{record.seed}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        record.write(path)
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from error
    write(f"The game up to there; see it by: spieltisch replay {path}", to_stderr=True)
    return path
