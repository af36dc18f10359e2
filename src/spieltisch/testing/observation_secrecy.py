"""Checks that no observation reveals a secret."""

import random
from typing import Any

from spieltisch.core.errors import IllegalMove
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.testing.contract import ContractBroken, Report, require, viewer_name


def check_secrets(position: Position, chance: random.Random, report: Report, where: str) -> None:
    """Check that a seat is shown the same bytes in the real position and in one imagined from its observation.

    Raise ContractBroken.
    """
    for seat in (*range(position.seats), None):
        observation = position.observe(seat)
        require(
            Observation.read(observation.bytes).data == observation.data,
            f"{where}: the observation's bytes do not read back",
        )
        imagined = observation.imagine(chance.getrandbits(30))
        require(
            imagined.observe(seat).data == observation.data,
            f"{where}: the imagined position does not fit what seat {seat} knows",
        )
        if not position.setup.game.has_hidden_information:
            require(imagined.digest() == position.digest(), f"{where}: the game has secrets, from seat {seat}")
        require(imagined.state.rng != position.state.rng, f"{where}: the generator is shown to seat {seat}")
        report.imagined[position.seats, seat] += 1
        report.differing_samples[position.seats, seat] += imagined.digest() != position.digest()
        move = chance.choice(position.legal_moves)
        shown, other = _visible_values(position, seat, move), _visible_values(imagined, seat, move)
        if "log" in shown and "log" in other and shown["log"][0] != other["log"][0]:
            del shown["log"]  # the move itself may reveal something to the seat, and then its log may too
        for name in shown:
            require(
                name not in other or shown[name] == other[name],
                f"{where}: {viewer_name(seat)} learns a secret from {name}",
            )


def _visible_values(position: Position, seat: int | None, move: Move) -> dict[str, Any]:
    """Return everything that a viewer is shown, by name. `move` is played if it is legal."""
    game = position.setup.game
    observation = position.observe(seat)
    shown: dict[str, Any] = {
        "observation": observation.bytes,
        "points": observation.scores,
        "prompt": game.prompt(observation),
    }
    shown["stage"], shown["turns"] = game.stage(observation), game.between_turns(position.observe(None))
    shown["status"] = position.seat, position.number, position.is_over
    if seat is not None and seat == position.seat:
        moves = position.legal_moves
        shown["reasons"] = [position.why_not(m, seat) for m in position.setup.moves]
        shown["moves"] = [(m, position.words(m)) for m in moves]
        shown["notes"] = [(position.hint(m), game.needs_confirmation(observation, m)) for m in moves]
        shown["previews"] = [position.preview(m) for m in moves[:: 1 + len(moves) // 8]]
        shown["errors"] = [_error_text(position, m) for m in position.setup.moves[::29] if m not in moves]
    elif seat is not None:
        shown["reasons"] = [position.why_not(m, seat) for m in position.setup.moves[::29]]
    if move in position.legal_moves and position.seat is not None:
        after = position.copy()
        played = after.play(move, collect_events=True)
        if not played.drew:
            seen_after = after.observe(seat)
            shown["log"] = seen_after.data, game.log(position.setup, played.events, seat)
    return shown


def _error_text(position: Position, move: Move) -> str:
    try:
        position.copy().play(move)
    except IllegalMove as error:
        return str(error)
    raise ContractBroken(f"{move} is illegal and was played")
