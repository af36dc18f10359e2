"""`spieltisch puzzles`: positions of bots' games in which one move is clearly best."""

from __future__ import annotations

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


@puzzles.callback()
def _group() -> None:
    """Keeps `make` a word of its own."""


@puzzles.command()
def make(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    count: Annotated[int, typer.Option(min=1, help="How many puzzles there shall be, at least.")] = 500,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal puzzles.")] = 1,
    jobs: Jobs = 1,
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--output", dir_okay=False, help="The file; one that is there is gone on with. Default: the game's."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play and keep the positions in which the search finds one move clearly best."""
    from spieltisch.bots.search.native_library import NotBuilt
    from spieltisch.lab.parallel import Parallel
    from spieltisch.puzzles.puzzle_set import file_of

    with command_output(as_json) as output:
        rules = find_game(game)
        file = output_file or file_of(rules)
        try:
            build_search(rules)
            stock = _begun(rules, file, seed)
            if len(stock) < count:
                more = _more(stock, file, count, seed, Parallel(jobs))
                for _ in with_progress(more, count - len(stock), "Puzzles", int):
                    pass
            stock = _begun(rules, file, seed)
        except (ValueError, OSError, RuntimeError, NotBuilt) as problem:
            raise fail(f"{problem}") from problem
        output.show(
            {"game": rules.key, "file": str(file), "games": len(stock.games), "puzzles": len(stock)},
            "{file}: {puzzles} puzzles",
        )


def _begun(rules: Rules, file: Path, seed: int) -> PuzzleSet:
    """The stock so far; a new file begins with its head. Raises PuzzleError, OSError."""
    from spieltisch.core.replaced_files import is_regular_or_new, open_replaced
    from spieltisch.puzzles import PuzzleError, read
    from spieltisch.puzzles.puzzle_set import FORMAT_VERSION, Header

    made = f"spieltisch puzzles make {rules.key} --seed {seed}"
    head = msgspec.json.encode(Header(FORMAT_VERSION, rules.key, rules.components.digest, made)) + b"\n"
    if not is_regular_or_new(file):
        raise PuzzleError(f"{file}: not a regular file, which could be gone on with")
    if not file.exists():
        file.write_bytes(head)
    elif (known := file.read_bytes()).startswith(head) and not known.endswith(b"\n"):
        with open_replaced(file) as writing:
            writing.write(known[: known.rindex(b"\n") + 1])  # without the line that a killed process left
    stock = read(rules, file)
    if stock.head.made != made:
        raise PuzzleError(f"{file}: was made by `{stock.head.made}`")
    return stock


def _more(stock: PuzzleSet, file: Path, number: int, seed: int, cores: Parallel) -> Iterator[int]:
    """Look for more and write them down, a line each game; yields how many were found."""
    from spieltisch.lab.puzzle_maker import make_all

    many, first = len(stock), stock.games[-1].number + 1 if stock.games else 1
    with file.open("ab") as writing:
        for found in make_all(stock.rules, seed, first, cores):
            if found is not None:
                writing.write(msgspec.json.encode(found) + b"\n")
                writing.flush()
                many += len(found.puzzles)
                yield len(found.puzzles)
            if many >= number:
                return
