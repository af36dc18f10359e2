"""`spieltisch rate`: place a bot among the baselines."""

from typing import Annotated

import typer

from spieltisch.commands import Dask, Jobs, RowsFile, fail_on_bad_bot, find_game
from spieltisch.commands.arena import play_duels
from spieltisch.commands.output import JsonOption, command_output


def rate(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    bot: Annotated[
        str, typer.Argument(help="Place this bot, such as mine.py:Bot. Without it, only list the baselines.")
    ] = "",
    baselines: Annotated[
        str, typer.Option("--against", help="Play against these baselines, separated by commas. Default: all.")
    ] = "",
    games: Annotated[int, typer.Option(min=1, help="Play this many games against each of them.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Start from this seed; equal seeds give equal games.")] = 1,
    jobs: Jobs = 1,
    dask: Dask = "",
    rows: RowsFile = None,
    as_json: JsonOption = False,
) -> None:
    """Place a bot among the baselines of a game, on Elo's scale with 95 % intervals."""
    from spieltisch.bots.baselines import BASELINES
    from spieltisch.lab.arena import Arena
    from spieltisch.lab.parallel import Parallel
    from spieltisch.lab.ratings import fit_ratings, rated_setup, stored_duels

    opponents = baselines.split(",") if baselines else list(BASELINES)
    with command_output(as_json) as output:
        with fail_on_bad_bot():
            if unknown := [name for name in opponents if name not in BASELINES]:
                raise ValueError(f"--against {unknown[0]}: the baselines are {', '.join(BASELINES)}")
            if bot in BASELINES:
                raise ValueError(f"{bot} is a baseline, and has its rating")
            setup = rated_setup(find_game(game))
            duels, width = stored_duels(game), max(16, len(bot))
            if bot:
                contest = Arena(setup, [bot, *opponents], seed, pairs=[(bot, name) for name in opponents])
                play_duels(contest, games, Parallel(jobs, dask), rows)
                duels += contest.scores()
        output.show(
            {"game": game, "bot": bot, "seats": setup.seats, "options": setup.options, "seed": seed},
            "{title}, {seats} seats; rating and 95 % interval\n",
            title=setup.game.title,
        )
        output.rows(
            "ratings",
            (
                {"bot": row.bot, "rating": row.rating, "from": row.low, "to": row.high, "games": row.games}
                for row in fit_ratings(duels)
            ),
            f"{{row}}. {{bot:<{width}}}{{rating:>7.0f}}, {{from:.0f}} to {{to:.0f}}; {{games}} {{games:game|games}}",
        )
