"""The points (L25 to L28), at any time of the game."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import POINTS, emit
from spieltisch.games.legendary_inventors import log
from spieltisch.games.legendary_inventors.rules.queries import tokens_held
from spieltisch.games.legendary_inventors.rules.runs import best_runs
from spieltisch.games.legendary_inventors.state import FIELDS, IS_POINTS, NOBODY, TEAM_SIZE


@rule
def reaches_goal(s: Any, c: Any, p: int, i: int) -> bool:
    """Return True if the inventor in place i of player p has at least the goal's value in every field (L28)."""
    inventor = c.members[s.players[p].team][i]
    for field in range(FIELDS):
        if s.players[p].knowledge[i][field] < c.goal[inventor][field]:
            return False
    return True


@rule
def points(s: Any, c: Any, p: int) -> int:
    """Return the current points of player p: patents, runs, victory point tokens and goals (L25 to L28)."""
    player = s.players[p]
    if player.team == NOBODY:
        return 0
    n = player.printed + player.runs
    for kind in range(c.kinds):
        if c.front[kind] == IS_POINTS:
            n += player.tokens[kind] * c.value[kind]
    for i in range(TEAM_SIZE):
        if reaches_goal(s, c, p, i):
            n += c.goal_points[c.members[player.team][i]]
    return n


@rule
def count_runs(s: Any, c: Any, w: Any) -> None:
    """Update the seat's best runs after its patents or number tokens have changed (L26)."""
    player = s.players[s.seat]
    runs_before = player.runs
    player.runs = best_runs(player.numbers, tokens_held(player, c.number), c.patents_in_run, w.best)
    if player.runs != runs_before:
        emit(w, POINTS, s.seat, player.runs - runs_before, log.FROM_RUNS)
