"""`spieltisch replay`: a record, told move by move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spieltisch.commands import AsJson, PlayedWith, Result, fail, find_game, read_components, reading, result

if TYPE_CHECKING:
    from spieltisch.core.components import Components
    from spieltisch.core.record import Record
    from spieltisch.core.words import Words


def replay(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A record.")],
    at: Annotated[int | None, typer.Option(min=0, help="Stop after this move and say who decides.")] = None,
    language: Annotated[str, typer.Option(help="Language: en, de, fr or nl.")] = "en",
    components: PlayedWith = None,
    as_json: AsJson = False,
) -> None:
    """Tell the game in a record, move by move, to its end."""
    from spieltisch.core.record import Record
    from spieltisch.core.words import Words, WordsError

    with result(as_json) as end, reading(file):
        try:
            record = Record.read(file)
            game = find_game(record.game)
            if at is not None and at > len(record.plays):
                raise fail(f"--at: {file} has {len(record.plays)} moves")
            words = Words(language, game.folder / "locale")
            _tell(end, record, words, read_components(game, components), at)
        except WordsError as problem:
            raise fail(f"--language: {problem}") from problem


def _tell(end: Result, record: Record, words: Words, components: Components[Any] | None, at: int | None) -> None:
    """Each move as a spectator may read it, then the ending and the points, or whose decision it is."""
    from spieltisch.core.words import SeatName

    names = record.players
    positions = record.positions(components)
    position = next(positions)
    game = position.setup.game
    last = None
    moves: list[dict[str, Any]] = []
    end.found = {"game": game.key, "players": names, "moves": moves, "over": False}
    end.say(words.say(game.title))
    for number, play in enumerate(record.plays if at is None else record.plays[:at], 1):
        played = position.copy().play(play.move, play.drew, listen=True)
        position = next(positions)
        log: list[str] = []
        moves.append({"number": number, "seat": play.seat + 1, "move": play.move, "drew": play.drew, "log": log})
        for sentence in game.log(position.setup, played.events, None):
            log.append(words.say(sentence, names))
            end.say(f"{number:>4}  {log[-1]}")
            last = sentence
    outcome = position.outcome
    end.say()
    if outcome is None:
        end.found["prompt"] = words.say(game.prompt(position.observe(None)), names)
        end.say(end.found["prompt"])
        return
    end.found |= {
        "over": True,
        "ended_by": outcome.ended_by,
        "ending": words.say(outcome.message, names),
        "winners": [seat + 1 for seat in outcome.winners],
        "scores": position.scores,
    }
    if last != outcome.message:
        end.say(end.found["ending"])
    for seat, points in sorted(enumerate(position.scores), key=lambda each: -each[1]):
        mark = "*" if seat in outcome.winners else " "
        end.say(f"{mark} {words.say(SeatName(seat), names)}  {points}")
