"""`spieltisch arena`: bots against each other in pairs, until it is certain which is better."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spieltisch.commands import AsJson, fail, find_setup, result, watched


def arena(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    bots: Annotated[
        str, typer.Option(help="The bots, with commas: master@0.5,engineer,greedy; NAME@SECONDS is a budget.")
    ],
    seats: Annotated[int, typer.Option(help="Number of players.")] = 4,
    games: Annotated[int, typer.Option(min=1, help="How many games a duel has at most.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal games.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes play.")] = 1,
    rows: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, help="A CSV file with a row for each seat and game; what is in it is gone on with."
        ),
    ] = None,
    components: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Components other than the game's own.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game: name=value. Repeat for more.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let bots duel in pairs of seats and say which is better, and how certain that is."""
    from spieltisch.lab.arena import Arena, read, write

    with result(as_json) as end:
        setup = find_setup(game, seats, components, option or (), compiled=False)
        try:
            meeting = Arena(setup, bots.split(","), seed)
            for played in read(rows) if rows is not None and rows.exists() else ():
                meeting.add(played)
            for _ in watched(meeting.play(games, jobs), games * len(meeting.scores()), "Games", int):
                if rows is not None:
                    write(rows, meeting.rows)
        except (ValueError, OSError, RuntimeError) as problem:
            raise fail(f"{problem}") from problem
        end.found = {
            "game": setup.game.key,
            "seats": setup.seats,
            "options": setup.options,
            "seed": seed,
            "order": [{"bot": name, "share": share} for name, share in meeting.order()],
            "duels": [
                {
                    "one": score.one,
                    "other": score.other,
                    "games": score.games,
                    "share": score.share,
                    "from": score.low,
                    "to": score.high,
                    "clear": score.clear,
                }
                for score in meeting.scores()
            ],
        }
        end.say(
            "\n".join(
                [f"{setup.game.title}, {setup.seats} seats, seed {seed}", ""]
                + [f"{place + 1}. {name:<16}{share:>7.1%}" for place, (name, share) in enumerate(meeting.order())]
                + [""]
                + [
                    f"{score.one} against {score.other}: {score.share:.1%} of {score.games} games, "
                    f"{score.low:.1%} to {score.high:.1%}{'' if score.clear else ', not clear'}"
                    for score in meeting.scores()
                ]
            )
        )
