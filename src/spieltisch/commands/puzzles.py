"""`spieltisch puzzles`: find positions of bots' games in which one move is clearly best."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from spieltisch.commands import Jobs, build_search, find_game, with_progress
from spieltisch.commands.output import JsonOption, command_output, fail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spieltisch.core.game import Game as Rules
    from spieltisch.lab.parallel import Parallel
    from spieltisch.puzzles import PuzzleSet

puzzles = typer.Typer(help="Puzzles: the best move from here.", no_args_is_help=True)
"""The commands of `spieltisch puzzles`."""


@puzzles.command()
def make(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    count: Annotated[int, typer.Option(min=1, help="Stop when the file has this many puzzles.")] = 500,
    seed: Annotated[int, typer.Option(min=0, help="Start from this seed; equal seeds give equal puzzles.")] = 1,
    jobs: Jobs = 1,
    output_file: Annotated[
        Path | None,
        typer.Option("--output", dir_okay=False, help="Write to this file, or continue it. Default: the game's."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play, and collect the positions in which the search finds one move clearly best."""
    from spieltisch.bots.search.native_library import NotBuilt
    from spieltisch.lab.parallel import Parallel
    from spieltisch.puzzles.puzzle_set import file_of

    with command_output(as_json) as output:
        rules = find_game(game)
        file = output_file or file_of(rules)
        try:
            build_search(rules)
            puzzle_set = _read_or_create(rules, file, seed)
            if len(puzzle_set) < count:
                more = _make_more(puzzle_set, file, count, seed, Parallel(jobs))
                for _ in with_progress(more, count - len(puzzle_set), "Puzzles", int):
                    pass
            puzzle_set = _read_or_create(rules, file, seed)
        except (ValueError, OSError, RuntimeError, NotBuilt) as error:
            raise fail(f"{error}") from error
        output.show(
            {"game": rules.key, "file": str(file), "games": len(puzzle_set.games), "puzzles": len(puzzle_set)},
            "{file}: {puzzles} puzzles",
        )


@puzzles.command("grade")
def add_grades(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    file: Annotated[
        Path | None,
        typer.Option("--output", dir_okay=False, help="Grade the puzzles in this file. Default: the game's."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Grade puzzles that have no grade, and compare the best move with the best wrong one where that is missing."""
    from spieltisch.bots.search.native_library import NotBuilt
    from spieltisch.puzzles import read
    from spieltisch.puzzles.puzzle_set import file_of

    with command_output(as_json) as output:
        rules = find_game(game)
        path = file or file_of(rules)
        try:
            build_search(rules)
            puzzle_set = read(rules, path)
            for _ in with_progress(_grade(puzzle_set, path), len(puzzle_set.games), "Games", int):
                pass
            counts = Counter(puzzle.difficulty for bot_game in read(rules, path).games for puzzle in bot_game.puzzles)
        except (ValueError, OSError, RuntimeError, NotBuilt) as error:
            raise fail(f"{error}") from error
        output.show(
            {"game": rules.key, "file": str(path), **{name: counts[name] for name in ("easy", "medium", "hard")}},
            "{file}: {easy} easy, {medium} medium, {hard} hard puzzles",
        )


def _grade(puzzle_set: PuzzleSet, file: Path) -> Iterator[int]:
    """Grade the puzzles game by game and write the file after each that changed; yield 1 for each game."""
    from spieltisch.core.replaced_files import open_replaced
    from spieltisch.lab.puzzle_maker import grade_all

    games = list(puzzle_set.games)
    for index, game in enumerate(grade_all(puzzle_set)):
        if game != games[index]:
            games[index] = game
            with open_replaced(file) as writing:
                writing.write(b"".join(msgspec.json.encode(line) + b"\n" for line in (puzzle_set.head, *games)))
        yield 1


def _read_or_create(rules: Rules, file: Path, seed: int) -> PuzzleSet:
    """Return the puzzles so far; a new file gets its header. Raise PuzzleError, OSError."""
    from spieltisch.core.replaced_files import is_regular_or_new, open_replaced
    from spieltisch.puzzles import PuzzleError, read
    from spieltisch.puzzles.puzzle_set import FORMAT_VERSION, Header

    made = f"spieltisch puzzles make {rules.key} --seed {seed}"
    if not is_regular_or_new(file):
        raise PuzzleError(f"{file}: not a regular file, so it cannot be continued")
    if not file.exists():
        options = rules.setup(rules.seats.start).options
        head = Header(FORMAT_VERSION, rules.key, rules.components.digest, made, options)
        file.write_bytes(msgspec.json.encode(head) + b"\n")
    elif _is_header(rules, (known := file.read_bytes()).partition(b"\n")[0], made) and not known.endswith(b"\n"):
        with open_replaced(file) as writing:
            writing.write(known[: known.rindex(b"\n") + 1])  # without the line that a killed process left
    stock = read(rules, file)
    if stock.head.made != made:
        raise PuzzleError(f"{file}: was made by `{stock.head.made}`")
    return stock


def _is_header(rules: Rules, line: bytes, made: str) -> bool:
    """Return True if the line heads puzzles that this command made with the components of today."""
    from spieltisch.puzzles.puzzle_set import HEAD

    try:
        head = HEAD.decode(line)
    except msgspec.MsgspecError:
        return False
    return (head.game, head.components, head.made) == (rules.key, rules.components.digest, made)


def _make_more(puzzle_set: PuzzleSet, file: Path, number: int, seed: int, cores: Parallel) -> Iterator[int]:
    """Look for more puzzles and write them, one line for each game; yield the number of new ones."""
    from spieltisch.lab.puzzle_maker import make_all

    count, first = len(puzzle_set), puzzle_set.games[-1].number + 1 if puzzle_set.games else 1
    options = puzzle_set.setup(puzzle_set.rules.seats.start).options
    with file.open("ab") as target:
        for game in make_all(puzzle_set.rules, options, seed, first, cores):
            if game is not None:
                target.write(msgspec.json.encode(game) + b"\n")
                target.flush()
                count += len(game.puzzles)
                yield len(game.puzzles)
            if count >= number:
                return
