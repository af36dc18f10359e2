"""The best line after a move: how the search expects the game to continue until the seat's next turn."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from spieltisch.bots.search.searcher import Searcher
from spieltisch.core.events import GameEvent
from spieltisch.core.observation import Observation

MIN_VISITS: Final = 5
"""The visits that a move of a line needs: after fewer trials its choice means little."""


class Line(msgspec.Struct, frozen=True):
    """The continuation after a move.

    - `moves`: the texts of all moves, from this one on
    - `same_turn`: the further moves of the same seat in the same turn
    - `own_events`, `reply_events`: the events of that turn, and of the other seats' moves after it, as far as the seat
      may know them

    A line ends where chance decides.
    """

    moves: tuple[str, ...]
    same_turn: tuple[str, ...]
    own_events: tuple[GameEvent, ...]
    reply_events: tuple[GameEvent, ...]


def read_line(searcher: Searcher, seen: Observation, move: int, seed: int) -> Line:
    """Return the line after a legal move, from the tree of the searcher's last search for this observation.

    It is played in a sampled world that fits the observation.
    """

    def most_visited(path: Sequence[int], legal: Sequence[int]) -> int | None:
        visits = {m: n for m, n in searcher.visits_after(path).items() if m in legal and n >= MIN_VISITS}
        return max(visits, key=lambda move: visits[move], default=None)

    return _play_line(seen, move, seed, most_visited)


def replay_line(seen: Observation, moves: Sequence[int], seed: int) -> Line:
    """Return the line of these moves, in the sampled world in which `read_line` played it.

    Raise ValueError if one of the moves cannot be played.
    """

    def next_move(path: Sequence[int], legal: Sequence[int]) -> int | None:
        return moves[len(path)] if len(path) < len(moves) else None

    return _play_line(seen, moves[0], seed, next_move)


def _play_line(
    seen: Observation, first: int, seed: int, choose: Callable[[Sequence[int], Sequence[int]], int | None]
) -> Line:
    """Play a line that begins with `first`; `choose` gets the moves so far and the legal ones."""
    world, setup = seen.imagine(seed), seen.setup
    path, same_turn = [first], []
    own_events, reply_events = list[GameEvent](), list[GameEvent]()
    own_turn = True
    while True:
        played = world.play(path[-1], collect_events=True)
        events = [event for event in played.events if not event.drawn]
        (own_events if own_turn else reply_events).extend(setup.game.events.visible_events(setup, events, seen.seat))
        own_turn = own_turn and not played.ended_decision
        if played.drew or world.is_over or (world.seat == seen.seat and not own_turn):
            break
        chosen = choose(path, world.legal_moves.numbers)
        if chosen is None:
            break
        path.append(chosen)
        if own_turn:
            same_turn.append(setup.move(chosen).text)
    moves = tuple(setup.move(number).text for number in path)
    return Line(moves, tuple(same_turn), tuple(own_events), tuple(reply_events))
