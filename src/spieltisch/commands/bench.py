"""`spieltisch bench`: how fast the rules run here."""

from __future__ import annotations

from typing import Annotated

import typer

from spieltisch.commands import AsJson, find_setup, result, say_if_compiling


def bench(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    seats: Annotated[int | None, typer.Option(help="Number of players. Default: four.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600, help="About how long to play.")] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Play random games on one thread and say how fast that goes."""
    from msgspec.structs import asdict

    from spieltisch.lab.bench import bench as measure

    with result(as_json) as end:
        setup = find_setup(game, seats, None, ())
        say_if_compiling(setup)
        found = measure(setup, seconds)
        end.found = asdict(found)
        rates = f"{found.slowest_moves_per_second:,.0f} to {found.fastest_moves_per_second:,.0f}"
        title = f"{setup.game.title}, {found.seats} seats, {found.games:,} random games in {found.rounds} rounds"
        end.say(f"{title}, one thread")
        end.say(f"{found.games_per_second:>14,.0f}  games a second (median)")
        end.say(f"{found.moves_per_second:>14,.0f}  moves a second (median; {rates})")
        end.say(f"{found.ns_per_move:>14,.0f}  ns a move, with listing the legal moves and choosing one")
        end.say(f"{found.moves_per_game:>14,.1f}  moves a game")
        end.say(f"{found.state_bytes:>14,}  bytes a state, copied in {found.copy_ns:,.1f} ns")
