"""The turns with which a played turn is compared: the best ones that a search finds."""

from math import sqrt
from typing import Final, NamedTuple

from spieltisch.bots import best_line, levels
from spieltisch.bots.analysis import SIGNIFICANCE
from spieltisch.bots.search.searcher import Budget, Candidate
from spieltisch.core.observation import Observation

CANDIDATE_TURNS: Final = 3
"""The number of turns that a search proposes at most."""
MAX_TURN: Final = 12
"""The number of moves after which the search for the best turn ends."""
SENSIBLE: Final = 20
"""A turn has one sensible move if the search tried it this many times as often as all others together."""
HOLDS: Final = 0.08
"""The loss of the second best move from which the best is the only one that holds."""
HOLDS_VISITS: Final = 60
"""The number of simulated games from which that is concluded."""
SHORT_SECONDS: Final = 0.2
"""A turn with less time than this gets no further simulated games for such a conclusion."""


class CandidateTurn(NamedTuple):
    """A turn: its moves, the observation before the last one, and how the game may continue after its first move.

    The last moves of a turn may be missing: a simulated game plays them.
    """

    moves: tuple[str, ...]
    before_last: Observation
    line: tuple[str, ...]


class SearchedTurns(NamedTuple):
    """The turns that a search proposes, the best first.

    `has_one_sensible` is true if the search hardly tried another first move; `is_only` if all others are clearly worse.
    """

    turns: tuple[CandidateTurn, ...]
    has_one_sensible: bool
    is_only: bool


def search_turns(seen: Observation, seed: int, simulations: int, seconds: float | None) -> SearchedTurns:
    """Search the best turns, in half of `seconds` of processor time at most.

    The best one is searched to its end, the others as far as the first search looked.
    """
    setup = seen.setup
    is_short = seconds is not None and seconds < SHORT_SECONDS
    second_moves, min_visits = (0, 0) if is_short else (2, min(HOLDS_VISITS, simulations // 4))
    effort = Budget(simulations, None if seconds is None else seconds / 2, second_moves, min_visits)
    result = levels.search(seen, seed, effort, levels.search_params_of(setup.game))
    lines = [
        best_line.read_line(levels.searcher(setup), seen, candidate.move, seed)
        for candidate in result.candidates[:CANDIDATE_TURNS]
        if candidate.visits >= best_line.MIN_VISITS or candidate.move == result.move
    ]
    turns = [_play_turn(seen, seed, line) for line in lines]
    turns[0] = _continue_turn(seen, seed, turns[0], max(1, simulations // 2), None if seconds is None else seconds / 8)
    others = [candidate for candidate in result.candidates[1:] if candidate.visits]
    best, seat = result.candidates[0], seen.seat or 0
    return SearchedTurns(
        tuple(turns),
        best.visits > SENSIBLE * sum(candidate.visits for candidate in others),
        _is_only(best, max(others, key=lambda candidate: candidate.results[seat], default=None), seat),
    )


def observation_after(seen: Observation, move: str) -> bytes | None:
    """Return what the seat sees after a move, as far as it is foreseen; None if it draws."""
    world = seen.imagine(0)
    return None if world.play(move).drew else world.observe(seen.seat).data


def _play_turn(seen: Observation, seed: int, line: best_line.Line) -> CandidateTurn:
    """Return the turn at the beginning of a line, up to a draw or a reveal."""
    world, moves, before_last = seen.imagine(seed), list[str](), seen
    for move in (line.moves[0], *line.same_turn):
        if world.why_not(move) is not None:
            break
        before_last = world.observe(seen.seat)
        moves.append(move)
        if world.play(move, detect_reveal=True).final:
            break
    return CandidateTurn(tuple(moves), before_last, line.moves if len(line.moves) >= len(moves) else tuple(moves))


def _continue_turn(
    seen: Observation, seed: int, turn: CandidateTurn, simulations: int, seconds: float | None
) -> CandidateTurn:
    """Search the rest of a turn."""
    setup, style, effort = seen.setup, levels.search_params_of(seen.setup.game), Budget(simulations, seconds)
    while len(turn.moves) < MAX_TURN:
        world = seen.imagine(seed)
        is_final = [world.play(move, detect_reveal=True).final for move in turn.moves][-1]
        if is_final or world.is_over:
            break
        at = world.observe(seen.seat)
        found = levels.search(at, seed + len(turn.moves), effort, style)
        rest = _play_turn(at, seed, best_line.read_line(levels.searcher(setup), at, found.move, seed))
        moves = (*turn.moves, *rest.moves)
        turn = CandidateTurn(moves, rest.before_last, turn.line if len(turn.line) >= len(moves) else moves)
    return turn


def _is_only(best: Candidate, second: Candidate | None, seat: int) -> bool:
    """Return True if every other first move of the turn is clearly worse, with enough simulated games to say so."""
    if second is None or min(second.visits, best.visits) < HOLDS_VISITS:
        return False
    gap = best.won(seat) - second.won(seat)
    return gap > HOLDS and gap > SIGNIFICANCE * sqrt(best.doubt(seat) ** 2 + second.doubt(seat) ** 2)
