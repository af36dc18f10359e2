"""Commands of more than a few lines, one file each, and what they share. `spieltisch.cli` registers them.

Belongs here: the options of a command, and the lines or the JSON that it prints. Does not belong here: the work itself:
other packages do it, so that tests and the server can use it, too.

A command imports what it needs when it runs, so that `spieltisch --help` stays fast.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from spieltisch.commands.output import Failed, fail, write

if TYPE_CHECKING:
    import asyncio

    from spieltisch.core.components import Components
    from spieltisch.core.game import Game
    from spieltisch.core.setup import Setup

T = TypeVar("T")
LEVELS_HELP = "From weak to strong: random, beginner, easy, medium, hard, expert."
"""The help text about the built-in bots."""
PROGRESS_DELAY_SECONDS = 1.0
"""The time after which a progress bar appears."""

ComponentsOption = Annotated[
    Path | None, typer.Option(dir_okay=False, help="Read the components from this file, if they are not the game's.")
]
"""The option `components` of the commands that read one record."""

PlayedComponents = Annotated[
    Path | None, typer.Option(dir_okay=False, help="Play with the components in this file, not with the game's own.")
]
"""The option `components` of the commands that play games."""

GameOptions = Annotated[list[str] | None, typer.Option(help="Set an option of the game: name=value. May be repeated.")]
"""The option `option` of the same commands."""

Data = Annotated[
    Path | None,
    typer.Option(
        file_okay=False,
        envvar="SPIELTISCH_DATA",
        help="Use the tables in this folder. Default: your application data.",
    ),
]
"""The option `data` of the commands that use a server's database."""


KeepDays = Annotated[
    list[str] | None,
    typer.Option(
        envvar="SPIELTISCH_KEEP_DAYS",
        help="Keep this for so many days, such as finished_tables=730; 0 is for ever. May be repeated.",
    ),
]
"""The option `keep-days` of the commands that remove what is old, or show it."""


def check_url(context: typer.Context, option: typer.CallbackParam, url: str) -> str:
    """Return the URL of a database, or end the command.

    A URL in the arguments must not have a password, because other users of the machine see the arguments.
    """
    from spieltisch.store.errors import StoreUnsupported
    from spieltisch.store.postgres_database import is_postgres, parse_url

    source = context.get_parameter_source(option.name or "")
    try:
        is_url = option.name == "database" or is_postgres(url) or "://" in url
        parts = parse_url(url) if url and is_url else None
    except StoreUnsupported as error:
        raise fail(f"{error}") from None
    has_password = parts is not None and (
        parts.password is not None or not parts.query.keys().isdisjoint({"password", "sslpassword"})
    )
    if has_password and source is not None and source.name == "COMMANDLINE":
        raise fail(
            "others can see a password of the arguments in the list of processes: choose another one, "
            "and set the environment variable SPIELTISCH_DATABASE to the URL instead"
        )
    return url


Database = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="SPIELTISCH_DATABASE",
        callback=check_url,
        help="Use this PostgreSQL database instead: postgresql://user@host/name. "
        "With a password only in the environment or in a file.",
    ),
]
"""The option `database` of the same commands."""

Jobs = Annotated[int, typer.Option(min=0, help="Play in this many processes; 0 makes one for each core.")]
"""The option `jobs` of the commands that play many games."""

Dask = Annotated[
    str, typer.Option(help="Play on the Dask cluster with this scheduler address; local makes one of --jobs processes.")
]
"""The option `dask` of the same commands."""

MaxMoves = Annotated[
    int, typer.Option(min=1, help="Stop a game after this many moves, and share its win among all seats.")
]
"""The option `max-moves` of the same commands."""

RowsFile = Annotated[
    Path | None,
    typer.Option(
        dir_okay=False,
        help="Write a row for each seat and game: Parquet if the name of the file ends in .parquet, else CSV.",
    ),
]
"""The option `rows` of the same commands."""


def data_folder(chosen: Path | None) -> Path:
    """Return the folder of the tables: the one chosen by `--data`, or the system's folder for application data."""
    if chosen is not None:
        return chosen
    try:
        home = Path.home()
    except RuntimeError as error:
        raise fail("You have no home folder: name a folder for the tables with --data") from error
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "spieltisch"


def database_place(data: Path | None, database: str) -> Path | str:
    """Return the file of the tables, or the URL of their PostgreSQL database; end the command if both are named."""
    from spieltisch.store.schema import DATABASE

    if data is not None and database:
        raise fail("--data and --database exclude each other, also in the environment; leave one of them out")
    return database or data_folder(data) / DATABASE


def find_game(key: str, *, compiled: bool = False) -> Game:
    """Return the game of that name, or end the command, also if its rules are to be compiled and cannot be."""
    from spieltisch.core.errors import UnknownGame
    from spieltisch.games import game

    try:
        rules = game(key)
    except UnknownGame as error:
        raise fail(f"{error}") from error
    if not compiled:
        return rules
    from spieltisch.bots.search import native_library

    if reason := native_library.problem():
        raise fail(f"the rules have to be compiled: {reason}")
    return game(key, compiled=True)


@contextmanager
def fail_on_bad_file(file: Path) -> Iterator[None]:
    """End the command with the file's name if it cannot be read or its content is invalid (ValueError)."""
    try:
        yield
    except ValueError as error:
        raise fail(f"{file}: {error}") from error
    except OSError as error:
        raise fail(f"{file}: {error.strerror}") from error


@contextmanager
def fail_on_bad_bot() -> Iterator[None]:
    """End the command if a bot is unknown or fails, or if games cannot be played as requested."""
    from spieltisch.bots.external import UnknownBot, traceback_of

    try:
        yield
    except UnknownBot as error:
        raise fail(f"{error}\n{traceback_of(error.__cause__)}".rstrip()) from error
    except (ValueError, OSError, RuntimeError) as error:
        raise fail(f"{error}") from error


def read_components(game: Game, file: Path | None) -> Components[Any] | None:
    """Return the components in a file, or None for no file.

    Otherwise end the command with every finding and its location.
    """
    from spieltisch.core.components import ComponentsError

    if file is None:
        return None
    with fail_on_bad_file(file):
        try:
            return game.read_components(file)
        except ComponentsError as error:
            faults = [f"{file}: {finding}" for finding in error.findings]
            write("\n".join(faults), to_stderr=True)
            raise Failed(*faults) from error


def read_options(game: Game, texts: Iterable[str]) -> dict[str, str | bool | int]:
    """Return the options that were typed as `name=value`, or end the command."""
    chosen: dict[str, str | bool | int] = {}
    for text in texts:
        name, _, typed = text.partition("=")
        option = next((option for option in game.options if option.name == name), None)
        if option is None:
            names = ", ".join(option.name for option in game.options) or "no options"
            raise fail(f"--option {text}: {game.key} has {names}")
        values = {str(value).lower(): value for value, _ in option.choices}
        if typed.lower() not in values:
            raise fail(f"--option {text}: {name} is one of {', '.join(values)}")
        chosen[name] = values[typed.lower()]
    return chosen


def find_setup(
    key: str, seats: int | None, components: Path | None, options: Iterable[str], *, compiled: bool = True
) -> Setup:
    """Return the setup to play with, or end the command.

    Without a number of seats it has four, if the game allows four, otherwise the fewest.
    """
    game = find_game(key, compiled=compiled)
    if seats is None:
        seats = 4 if 4 in game.seats else game.seats.start
    try:
        return game.setup(seats, read_components(game, components), **read_options(game, options))
    except ValueError as error:
        raise fail(f"{error}") from error


def say_if_compiling(setup: Setup, entry: str = "play_games") -> None:
    """Announce on stderr that the first run takes longer, if the rules are not compiled yet."""
    from spieltisch.lab.engines import is_compiled

    if not is_compiled(setup.game, entry):
        announce_compiling(setup)


def announce_compiling(setup: Setup) -> None:
    """Announce on stderr that the rules are being compiled."""
    write(f"Compiling the rules of {setup.game.key}, once for this machine: up to a minute or two ...", to_stderr=True)


def build_search(game: Game) -> None:
    """Build the library that bots search with if it does not exist, and announce it. Raise NotBuilt."""
    from spieltisch.bots.search import native_library

    if native_library.find(game) is None:
        write(f"Compiling the search of {game.key}, once for this machine: half a minute ...", to_stderr=True)
        native_library.build(game.key)


def prepare_bots(game: Game, bots: Iterable[str]) -> None:
    """Build what the searching bots need before they play, so that they have their full strength.

    If it cannot be built, a message says that they play weaker.
    """
    from spieltisch.bots import baselines, levels, parse_bot_name
    from spieltisch.bots.search.native_library import NotBuilt

    kinds = [parse_bot_name(name).kind for name in bots]
    if any(kind in levels.LEVELS or baselines.is_searching(kind) for kind in kinds):
        try:
            build_search(game)
        except NotBuilt as error:
            write(f"Bots that search play weaker than they could, and baselines slowly: {error}.", to_stderr=True)


def run_iterator(runner: asyncio.Runner, steps: AsyncIterator[T]) -> Iterator[T]:
    """Yield the items of an asynchronous iterator, one after the other."""

    async def following() -> T:
        return await anext(steps)

    while True:
        try:
            step = runner.run(following())
        except StopAsyncIteration:
            return
        yield step


def with_progress(steps: Iterable[T], total: int, what: str, size: Callable[[T], int] = lambda step: 1) -> Iterator[T]:
    """Yield the steps, each `size` of the total.

    A progress bar appears when they take long, and only on a terminal.
    """
    started = monotonic()
    done = 0
    with ExitStack() as stack:
        bar: Any = None
        task: Any = None
        for step in steps:
            done += size(step)
            if (
                bar is None
                and sys.stderr is not None
                and sys.stderr.isatty()
                and monotonic() - started > PROGRESS_DELAY_SECONDS
            ):
                from rich.console import Console
                from rich.progress import MofNCompleteColumn, Progress

                columns = (*Progress.get_default_columns(), MofNCompleteColumn())
                bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
                task = bar.add_task(what, total=total)
            if bar is not None:
                bar.update(task, completed=done)
            yield step
