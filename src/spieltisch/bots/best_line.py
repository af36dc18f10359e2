"""The best line after a move: how the search thinks that it goes on until the seat decides again in another turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from spieltisch.bots.search.searcher import Searcher
from spieltisch.core.events import GameEvent
from spieltisch.core.observation import Observation

LEAST: Final = 5
"""How often the search must have tried a move that is told of: after fewer trials it is hardly chosen."""


class Line(msgspec.Struct, frozen=True, rename={"same_turn": "on", "own_events": "own", "reply_events": "then"}):
    """What comes of a move: the texts of all moves from it on; of those with which its seat goes on in the same turn;
    what these do, and what the others do then. Events are those that the seat may know; it ends where chance decides.
    """

    moves: tuple[str, ...]
    same_turn: tuple[str, ...]
    own_events: tuple[GameEvent, ...]
    reply_events: tuple[GameEvent, ...]


def read_line(searcher: Searcher, seen: Observation, move: int, seed: int) -> Line:
    """The line after a legal move in the tree of the searcher's last search, which was for this observation; played in
    a world that fits it.
    """

    def tried_most(path: Sequence[int], legal: Sequence[int]) -> int | None:
        tried = {one: often for one, often in searcher.visits_after(path).items() if one in legal and often >= LEAST}
        return max(tried, key=lambda one: tried[one], default=None)

    return _played(seen, move, seed, tried_most)


def replay_line(seen: Observation, moves: Sequence[int], seed: int) -> Line:
    """The line of these moves, in the world that `read` played it in. Raises
    ValueError where one of them cannot be played.
    """

    def known(path: Sequence[int], legal: Sequence[int]) -> int | None:
        return moves[len(path)] if len(path) < len(moves) else None

    return _played(seen, moves[0], seed, known)


def _played(
    seen: Observation, first: int, seed: int, choose: Callable[[Sequence[int], Sequence[int]], int | None]
) -> Line:
    """The line that begins with a move and goes on as is chosen by the moves so far and those that are legal."""
    world, setup = seen.imagine(seed), seen.setup
    path, on = [first], []
    own, then = list[GameEvent](), list[GameEvent]()
    turn = True
    while True:
        played = world.play(path[-1], collect_events=True)
        known = setup.game.events.visible_events(setup, [one for one in played.events if not one.drawn], seen.seat)
        (own if turn else then).extend(known)
        turn = turn and not played.ended_decision
        if played.drew or world.over or (world.seat == seen.seat and not turn):
            break
        chosen = choose(path, world.legal_moves.numbers)
        if chosen is None:
            break
        path.append(chosen)
        if turn:
            on.append(setup.move(chosen).text)
    return Line(tuple(setup.move(one).text for one in path), tuple(on), tuple(own), tuple(then))
