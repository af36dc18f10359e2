"""`spieltisch arena`: pairwise duels of bots until it is certain which is better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch import commands
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, format_line

if TYPE_CHECKING:
    from spieltisch.lab.arena import Arena
    from spieltisch.lab.parallel import Parallel

SAVE_INTERVAL_SECONDS = 5.0
"""The time between two writes of the played games."""


def arena(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    bots: Annotated[
        str,
        typer.Option(
            help="Compare these bots: expert@0.5,medium,easy; NAME@SECONDS sets a budget, easy+all all styles. "
            + commands.LEVELS_HELP
        ),
    ],
    seats: Annotated[int, typer.Option(help="Play with this many players.")] = 4,
    games: Annotated[int, typer.Option(min=1, help="End a duel after this many games at most.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Start from this seed; equal seeds give equal games.")] = 1,
    max_moves: commands.MaxMoves = 5000,
    jobs: commands.Jobs = 1,
    dask: commands.Dask = "",
    rows: commands.RowsFile = None,
    components: commands.PlayedComponents = None,
    option: commands.GameOptions = None,
    as_json: JsonOption = False,
) -> None:
    """Let every pair of bots duel, each with half of the seats, and say which is better, and how certain that is."""
    from spieltisch.lab.arena import Arena
    from spieltisch.lab.parallel import Parallel

    with command_output(as_json) as output:
        setup = commands.find_setup(game, seats, components, option or (), compiled=False)
        with commands.fail_on_bad_bot():
            contest = Arena(setup, with_styles(bots.split(",")), seed, max_moves=max_moves)
            play_duels(contest, games, Parallel(jobs, dask), rows)
        _print_ranking(output, contest)


def with_styles(bots: Iterable[str]) -> list[str]:
    """Return the names of the bots, with those of all styles for "easy+all".

    >>> with_styles(["medium", "easy+all"])[:3]
    ['medium', 'easy+builder', 'easy+trader']
    """
    from spieltisch.bots.styles import STYLES

    styled = (
        [name.removesuffix("all") + style for style in STYLES] if name.endswith("+all") else [name] for name in bots
    )
    return list(chain.from_iterable(styled))


def characters(bot: str) -> list[str]:
    """Return the names of the characters that play like a bot with a style.

    >>> characters("easy+blocker"), characters("easy")
    (['Isambard'], [])
    """
    from spieltisch.bots import parse_bot_name
    from spieltisch.tables.bot_characters import BOT_CHARACTERS

    kind, style, _ = parse_bot_name(bot)
    return [character.name for character in BOT_CHARACTERS.get(kind, ()) if style and character.style == style]


def play_duels(contest: Arena, games: int, cores: Parallel, rows: Path | None) -> None:
    """Play up to `games` games of each duel, counting those in the file `rows`, if there is one, and add to it.

    Raise OSError, ValueError, RuntimeError, UnknownBot.
    """
    from spieltisch.core.replaced_files import is_regular_or_new
    from spieltisch.lab.result_rows import read

    if rows is not None and rows.exists() and is_regular_or_new(rows):
        contest.resume(read(rows))
    commands.prepare_bots(contest.setup.game, contest.bots)
    steps = _save_rows(contest, contest.play(games, cores), rows)
    for _ in commands.with_progress(steps, games * len(contest.scores()), "Games", int):
        pass


def _save_rows(contest: Arena, steps: Iterator[int], rows: Path | None) -> Iterator[int]:
    """Yield the steps, and write the played games at intervals and at the end, even after an error."""
    from spieltisch.core.replaced_files import is_regular_or_new
    from spieltisch.lab.result_rows import row_writer, write

    if rows is None:
        yield from steps
        return
    if not is_regular_or_new(rows):  # a pipe or a device takes the rows once
        with row_writer(rows, contest.setup) as add:
            yield from steps
            for game in contest.games():
                add(game)
        return
    write(rows, contest.setup, contest.games())  # where nothing can be written, nothing is played
    saved = monotonic()
    try:
        for step in steps:
            yield step
            if monotonic() - saved > SAVE_INTERVAL_SECONDS:
                write(rows, contest.setup, contest.games())
                saved = monotonic()
    finally:
        write(rows, contest.setup, contest.games())


def _print_ranking(output: CommandOutput, contest: Arena) -> None:
    setup, width = contest.setup, max(16, *map(len, contest.bots))
    output.show(
        {
            "game": setup.game.key,
            "seats": setup.seats,
            "options": setup.options,
            "seed": contest.seed,
            "max_moves": contest.max_moves,
        },
        "{title}, {seats} seats, seed {seed}\n",
        title=setup.game.title,
    )
    output.rows(
        "order",
        (
            {
                "bot": row.bot,
                "share": row.share,
                "from": row.low,
                "to": row.high,
                "rating": row.rating,
                "doubt": row.doubt,
                "characters": characters(row.bot),
            }
            for row in contest.ranking()
        ),
        lambda row: format_line(
            f"{{row}}. {{bot:<{width}}}"
            "{share:>7.1%} won, {from:.1%} to {to:.1%}; rating {rating:.1f} ± {doubt:.1f}{names}",
            **row,
            names="".join(f", {name}" for name in row["characters"]),
        ),
    )
    output.print()
    form = "{one} against {other}: {share:.1%} of {games} {games:game|games}, {from:.1%} to {to:.1%}"
    ends = "; {stopped} stopped after {max_moves:,} {max_moves:move|moves}, won by all seats alike"
    output.rows(
        "duels",
        (
            {
                "one": score.bot,
                "other": score.opponent,
                "games": score.games,
                "share": score.share,
                "from": score.low,
                "to": score.high,
                "clear": score.is_decided,
                "stopped": score.stopped,
            }
            for score in contest.scores()
        ),
        lambda row: format_line(
            form + (not row["clear"]) * ", not clear" + (row["stopped"] > 0) * ends, **row, max_moves=contest.max_moves
        ),
    )
