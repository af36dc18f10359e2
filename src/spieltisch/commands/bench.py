"""`spieltisch bench`: how fast the rules run here."""

from __future__ import annotations

from typing import Annotated

import typer

from spieltisch.commands import find_setup, say_if_compiling


def bench(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    seats: Annotated[int | None, typer.Option(help="Number of players. Default: four.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600, help="About how long to play.")] = 5.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play random games on one thread and say how fast that goes."""
    import msgspec

    from spieltisch.lab.bench import bench

    setup = find_setup(game, seats, None, ())
    say_if_compiling(setup)
    found = bench(setup, seconds)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
        return
    rates = f"{found.slowest_moves_per_second:,.0f} to {found.fastest_moves_per_second:,.0f}"
    typer.echo(
        f"{setup.game.title}, {found.seats} seats, {found.games:,} random games in {found.rounds} rounds, one thread"
    )
    typer.echo(f"{found.games_per_second:>14,.0f}  games a second (median)")
    typer.echo(f"{found.moves_per_second:>14,.0f}  moves a second (median; {rates})")
    typer.echo(f"{found.ns_per_move:>14,.0f}  ns a move, with listing the legal moves and choosing one")
    typer.echo(f"{found.moves_per_game:>14,.1f}  moves a game")
    typer.echo(f"{found.state_bytes:>14,}  bytes a state, copied in {found.copy_ns:,.1f} ns")
