"""`spieltisch bench`: measure the speed of the rules on this machine."""

from typing import Annotated

import typer

from spieltisch.commands import find_setup, say_if_compiling
from spieltisch.commands.output import JsonOption, command_output


def bench(
    game: Annotated[str, typer.Argument(help="The game's name, e.g. paris-connection.")],
    seats: Annotated[int | None, typer.Option(help="Play with this many players. Default: four.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600, help="Play for about this many seconds.")] = 5.0,
    as_json: JsonOption = False,
) -> None:
    """Play random games on one thread and show their speed."""
    from msgspec.structs import asdict

    from spieltisch.lab.bench import bench as measure

    with command_output(as_json) as output:
        setup = find_setup(game, seats, None, ())
        say_if_compiling(setup)
        output.show(
            asdict(measure(setup, seconds)),
            "{title}, {seats} seats, {games:,} random games in {rounds} rounds, one thread\n"
            "{games_per_second:>14,.0f}  games a second (median)\n"
            "{moves_per_second:>14,.0f}  moves a second "
            "(median; {slowest_moves_per_second:,.0f} to {fastest_moves_per_second:,.0f})\n"
            "{ns_per_move:>14,.0f}  ns a move, with listing the legal moves and choosing one\n"
            "{moves_per_game:>14,.1f}  moves a game\n"
            "{state_bytes:>14,}  bytes a state, copied in {copy_ns:,.1f} ns",
            title=setup.game.title,
        )
