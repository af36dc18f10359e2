"""`spieltisch bench`: how fast the rules run here, and how fast the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from spieltisch.commands import fail, find_setup, say_if_compiling, watched

TABLE = "table"


def bench(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection; or `table`.")],
    seats: Annotated[int | None, typer.Option(help="Number of players. Default: four.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600, help="About how long to play.")] = 5.0,
    clicks: Annotated[int, typer.Option(min=1, help="For `table`: how many clicks are timed.")] = 200,
    browsers: Annotated[
        bool, typer.Option("--browsers/--no-browsers", help="For `table`: real browsers, or HTTP clients.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play random games on one thread and say how fast that goes; or `table`: time clicks at a table on the web."""
    if game == TABLE:
        _table(clicks, browsers, as_json)
    else:
        _rules(game, seats, seconds, as_json)


def _rules(game: str, seats: int | None, seconds: float, as_json: bool) -> None:
    import msgspec

    from spieltisch.lab.bench import bench

    setup = find_setup(game, seats, None, ())
    say_if_compiling(setup)
    found = bench(setup, seconds)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
        return
    rates = f"{found.slowest_moves_per_second:,.0f} to {found.fastest_moves_per_second:,.0f}"
    title = f"{setup.game.title}, {found.seats} seats, {found.games:,} random games in {found.rounds} rounds"
    typer.echo(f"{title}, one thread")
    typer.echo(f"{found.games_per_second:>14,.0f}  games a second (median)")
    typer.echo(f"{found.moves_per_second:>14,.0f}  moves a second (median; {rates})")
    typer.echo(f"{found.ns_per_move:>14,.0f}  ns a move, with listing the legal moves and choosing one")
    typer.echo(f"{found.moves_per_game:>14,.1f}  moves a game")
    typer.echo(f"{found.state_bytes:>14,}  bytes a state, copied in {found.copy_ns:,.1f} ns")


def _table(clicks: int, browsers: bool, as_json: bool) -> None:
    import msgspec

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
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
        return
    typer.echo(f"{found.clicks} clicks, {found.between}:")
    typer.echo(f"median {found.median_ms:.1f} ms, p99 {found.p99_ms:.1f} ms, at most {found.most_ms:.1f} ms")
