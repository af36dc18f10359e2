"""A bot's answer: one move, or several moves of its own turn, each with the observation for which it is meant.

An answer reaches as far as the bot can foresee: up to the next draw or the decision of another seat. A move is played
only while the seat sees what was foreseen; otherwise the bot is asked again.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Final, TypeAlias

import msgspec

from spieltisch.core.observation import Observation
from spieltisch.core.position import Position

DIGEST_SIZE: Final = 16
"""The number of bytes that identify an observation."""

NextMove: TypeAlias = Callable[[Position, Sequence[int]], int | None]
"""A function from a foreseen position, and the moves played up to it, to the number of the next move; None: no more."""


class TurnMove(msgspec.Struct, frozen=True):
    """The text of a move and the digest of the observation for which it is meant (`digest`)."""

    move: str
    expected: bytes


Answer: TypeAlias = tuple[TurnMove, ...]
"""The moves of an answer, at least one, in the order of play."""


def digest(seen: Observation) -> bytes:
    """Return the digest of an observation."""
    return blake2b(seen.bytes, digest_size=DIGEST_SIZE).digest()


def single(seen: Observation, number: int) -> Answer:
    """Return the answer with this move alone."""
    return (TurnMove(seen.setup.move(number).text, digest(seen)),)


def play_ahead(seen: Observation, seed: int, next_move: NextMove) -> Answer:
    """Return the moves that `next_move` chooses one after the other in a sampled world.

    The answer ends before `next_move` returns None, and after a move that draws, passes the decision or is illegal: the
    game refuses the last one when it is played.
    """
    world, played, answer = seen.imagine(seed), list[int](), list[TurnMove]()
    while (number := next_move(world, played)) is not None:
        answer.append(TurnMove(seen.setup.move(number).text, digest(world.observe(seen.seat))))
        if world.why_not(number) is not None:
            break
        result = world.play(number)
        played.append(number)
        if result.drew or result.ended_decision:
            break
    return tuple(answer)
