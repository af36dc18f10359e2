"""`spieltisch bench`: how fast the rules run here, and how fast the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from spieltisch.commands import AsJson, Result, fail, find_setup, result, say_if_compiling, watched

TABLE = "table"


def bench(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection; or `table`.")],
    seats: Annotated[int | None, typer.Option(help="Number of players. Default: four.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600, help="About how long to play.")] = 5.0,
    clicks: Annotated[int, typer.Option(min=1, help="For `table`: how many clicks are timed.")] = 200,
    browsers: Annotated[
        bool, typer.Option("--browsers/--no-browsers", help="For `table`: real browsers, or HTTP clients.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Play random games on one thread and say how fast that goes; or `table`: time clicks at a table on the web."""
    with result(as_json) as end:
        if game == TABLE:
            _table(clicks, browsers, end)
        else:
            _rules(game, seats, seconds, end)


def _rules(game: str, seats: int | None, seconds: float, end: Result) -> None:
    from msgspec.structs import asdict

    from spieltisch.lab.bench import bench

    setup = find_setup(game, seats, None, ())
    say_if_compiling(setup)
    found = bench(setup, seconds)
    end.found = asdict(found)
    rates = f"{found.slowest_moves_per_second:,.0f} to {found.fastest_moves_per_second:,.0f}"
    title = f"{setup.game.title}, {found.seats} seats, {found.games:,} random games in {found.rounds} rounds"
    end.say(f"{title}, one thread")
    end.say(f"{found.games_per_second:>14,.0f}  games a second (median)")
    end.say(f"{found.moves_per_second:>14,.0f}  moves a second (median; {rates})")
    end.say(f"{found.ns_per_move:>14,.0f}  ns a move, with listing the legal moves and choosing one")
    end.say(f"{found.moves_per_game:>14,.1f}  moves a game")
    end.say(f"{found.state_bytes:>14,}  bytes a state, copied in {found.copy_ns:,.1f} ns")


def _table(clicks: int, browsers: bool, end: Result) -> None:
    from msgspec.structs import asdict

    from spieltisch.lab.clicks import measure
    from spieltisch.lab.served import ClickError

    def watch(times: Iterator[float]) -> Iterator[float]:
        return watched(times, clicks, "Clicks")

    try:
        found = measure(clicks, browsers=browsers, watch=watch)
    except ImportError as problem:
        raise fail("Playwright is not installed; --no-browsers measures without") from problem
    except ClickError as problem:
        raise fail(f"{problem}") from problem
    end.found = asdict(found)
    end.say(f"{found.clicks} clicks, {found.between}:")
    end.say(f"median {found.median_ms:.1f} ms, p99 {found.p99_ms:.1f} ms, at most {found.most_ms:.1f} ms")
