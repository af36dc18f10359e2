"""`spieltisch components`: an owner's own values: export the file, edit it, check it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from spieltisch.commands import fail, find_game

components = typer.Typer(help="Component files: the numbers, names and places of a game.", no_args_is_help=True)


@components.command()
def export(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    file: Annotated[Path | None, typer.Argument(dir_okay=False, help="Where to write. Default: print it.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write the components that come with a game, to be edited."""
    text = find_game(game).components.text
    if file is None:
        typer.echo(text, nl=False)
        return
    try:
        with file.open("w" if force else "x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except FileExistsError as problem:
        raise fail(f"{file} is there already; --force writes over it") from problem
    except OSError as problem:
        raise fail(f"{file}: {problem.strerror}") from problem


@components.command()
def check(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A component file.")],
    language: Annotated[str, typer.Option(help="Language of the findings: en, de, fr or nl.")] = "en",
) -> None:
    """Say with its line everything that keeps a component file from being played with."""
    from spieltisch.core.components import ComponentsError
    from spieltisch.core.words import Words, WordsError

    try:
        game = find_game(_game_of(file))
        words = Words(language, game.folder / "locale")
        read = game.read_components(file)
    except ComponentsError as problem:
        for finding in problem.findings:
            typer.echo(f"{file}:{finding.line}: {words.say(finding.message)}")
        raise typer.Exit(1) from problem
    except WordsError as problem:
        raise fail(f"--language: {problem}") from problem
    except OSError as problem:
        raise fail(f"{file}: {problem.strerror}") from problem
    typer.echo(f"{file}: {read.name}, components of {game.title}; nothing wrong found.")


def _game_of(file: Path) -> str:
    """The game a file is for. Where the file does not say, its form is checked as that of the first game there is."""
    from spieltisch.games import modules

    with file.open("rb") as opened:
        try:
            key = tomllib.load(opened).get("game")
        except (ValueError, RecursionError):
            key = None
    return key if isinstance(key, str) and key in modules() else next(iter(modules()))
