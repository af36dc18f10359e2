"""The orders of a turn: which of its moves may come first and still lead to the same position."""

from collections.abc import Sequence

from spieltisch.core.position import Position
from spieltisch.core.results import MoveResult


def first_moves(position: Position, line: Sequence[int]) -> tuple[int, ...]:
    """Return the moves of a line's first turn that may begin it: in some order, the same position follows.

    A turn ends at a draw, where chance decides.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> line = [position.move(text).number for text in ("build brown Troyes", "build brown Orléans")]
    >>> first_moves(position, line) == tuple(line)
    True
    """
    turn, end = list[int](), position.copy()
    for move in line:
        turn.append(move)
        if _ends_turn(end.play(move), end):
            break
    goal = end.digest()

    def leads(world: Position, move: int, rest: Sequence[int]) -> bool:
        """Return True if the goal is reached by `move` and then the rest in some order."""
        if world.why_not(move) is not None:
            return False
        after = world.copy()
        played = after.play(move)
        if not rest:
            return after.digest() == goal
        return not _ends_turn(played, after) and any(leads(after, *split) for split in _splits(rest))

    return tuple(move for move, rest in _splits(turn) if leads(position, move, rest))


def _splits(moves: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Return each different move with the others."""
    return [(move, [*moves[:at], *moves[at + 1 :]]) for at, move in enumerate(moves) if move not in moves[:at]]


def _ends_turn(played: MoveResult, after: Position) -> bool:
    return bool(played.drew) or played.ended_decision or after.is_over
