"""`spieltisch replay`: show the game in a record move by move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spieltisch.commands import ComponentsOption, fail_on_bad_file, find_game, read_components
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail

if TYPE_CHECKING:
    from spieltisch.core.components import Components
    from spieltisch.core.record import Record
    from spieltisch.core.words import Words


def replay(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A record.")],
    at: Annotated[int | None, typer.Option(min=0, help="Stop after this move and show who decides.")] = None,
    language: Annotated[str, typer.Option(help="Show the game in this language: en, de, fr or nl.")] = "en",
    components: ComponentsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the game in a record, move by move, to its end."""
    from spieltisch.core.record import Record
    from spieltisch.core.words import Words, WordsError

    with command_output(as_json) as output, fail_on_bad_file(file):
        try:
            record = Record.read(file)
            game = find_game(record.game)
            if at is not None and at > len(record.moves):
                raise fail(f"--at: {file} has {len(record.moves)} moves")
            words = Words(language, game.folder / "locale")
            _print_game(output, record, words, read_components(game, components), at)
        except WordsError as error:
            raise fail(f"--language: {error}") from error


def _print_game(
    output: CommandOutput, record: Record, words: Words, components: Components[Any] | None, at: int | None
) -> None:
    """Print each move as a spectator may see it, then the result and the points, or whose decision it is."""
    from spieltisch.core.words import SeatName

    names = record.players
    positions = record.positions(components)
    position = next(positions)
    game = position.setup.game
    last = None
    output.show({"game": game.key, "players": names}, "{title}", title=words.say(game.title))
    output.rows("moves", ())
    output.show({"over": False})
    for number, play in enumerate(record.moves if at is None else record.moves[:at], 1):
        played = position.copy().play(play.move, play.drew, collect_events=True)
        position = next(positions)
        sentences = game.log(position.setup, played.events, None)
        last = sentences[-1] if sentences else last
        log = [words.say(sentence, names) for sentence in sentences]
        output.row(
            "moves",
            {"number": number, "seat": play.seat + 1, "move": play.move, "drew": play.drew, "log": log},
            lambda move: "\n".join(f"{move['number']:>4}  {sentence}" for sentence in move["log"]) or None,
        )
    outcome = position.outcome
    output.print()
    if outcome is None:
        output.show({"prompt": words.say(game.prompt(position.observe(None)), names)}, "{prompt}")
        return
    output.show(
        {
            "over": True,
            "ended_by": outcome.ended_by,
            "ending": words.say(outcome.message, names),
            "winners": [seat + 1 for seat in outcome.winners],
            "scores": position.scores,
        },
        "{ending}" if last != outcome.message else None,
    )
    for seat, points in sorted(enumerate(position.scores), key=lambda item: -item[1]):
        mark = "*" if seat in outcome.winners else " "
        output.print(f"{mark} {words.say(SeatName(seat), names)}  {points}")
