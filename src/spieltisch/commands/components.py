"""`spieltisch components`: export a game's component file, and check an edited one."""

from pathlib import Path
from typing import Annotated

import typer

from spieltisch.commands import find_game
from spieltisch.commands.output import JsonOption, command_output, fail

components = typer.Typer(help="Component files: the numbers, names and places of a game.", no_args_is_help=True)
"""The commands of `spieltisch components`."""


@components.command()
def export(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    file: Annotated[
        Path | None, typer.Argument(dir_okay=False, help="Where to write. Default: standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the components that come with a game, to be edited."""
    from spieltisch.core.replaced_files import replace_text

    with command_output(as_json) as output:
        text = find_game(game).components.text
        if file is None:
            output.show({"game": game, "text": text}, "{printed}", printed=text.removesuffix("\n"))
            return
        try:
            if force:
                replace_text(file, text)
            else:
                with file.open("x", encoding="utf-8", newline="\n") as opened:
                    opened.write(text)
        except FileExistsError as problem:
            raise fail(f"{file} already exists; --force overwrites it") from problem
        except OSError as problem:
            raise fail(f"{file}: {problem.strerror}") from problem
        output.show({"game": game, "file": str(file)})


@components.command()
def check(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A component file.")],
    language: Annotated[str, typer.Option(help="Report errors in this language: en, de, fr or nl.")] = "en",
    as_json: JsonOption = False,
) -> None:
    """Check a component file, and show every error with its location."""
    from spieltisch.core.components import ComponentsError
    from spieltisch.core.words import Words, WordsError

    with command_output(as_json) as output:
        try:
            game = find_game(_game_of(file))
            words = Words(language, game.folder / "locale")
            output.show({"file": str(file), "game": game.key})
            checked = game.read_components(file)
        except ComponentsError as error:
            for finding in error.findings:
                output.faults.append(f"{file}: {finding.text(words)}")
                output.print(output.faults[-1])
            return
        except WordsError as error:
            raise fail(f"--language: {error}") from error
        except OSError as error:
            raise fail(f"{file}: {error.strerror}") from error
        line = "{file}: {components}, components of {title}; nothing wrong found."
        output.show({"components": checked.name, "digest": checked.digest}, line, file=file, title=game.title)


def _game_of(file: Path) -> str:
    """Return the game of a file, or the first game if the file names none."""
    from spieltisch.core.components import ComponentsError, parse_toml
    from spieltisch.games import game_modules

    try:
        key = parse_toml(file)[1].get("game")
    except ComponentsError:
        key = None
    return key if isinstance(key, str) and key in game_modules() else next(iter(game_modules()))
