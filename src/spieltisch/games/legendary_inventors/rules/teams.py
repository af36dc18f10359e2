"""The rules for teams: drawn or chosen (L1, L2, S7)."""

from typing import Any

from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.core.events import emit
from spieltisch.games.legendary_inventors import log, moves, refusals
from spieltisch.games.legendary_inventors.rules.ages import begin
from spieltisch.games.legendary_inventors.state import FIELDS, TEAM_SIZE, TEAMS, Phase


@rule
def check_team_free(s: Any, team: int) -> int:
    """Check that no other seat has the team (L1)."""
    for p in range(s.seats):
        if s.players[p].team == team:
            return refusals.TEAM_TAKEN
    return 0


@rule
def refusal_to_choose(s: Any, team: int) -> int:
    """Return the reason that forbids choosing the team, or 0.

    Teams are chosen at the beginning only (S7), and each belongs to one seat (L1).
    """
    return check_team_free(s, team) if s.phase == Phase.TEAMS else refusals.NOT_THE_BEGINNING


@rule
def join_team(s: Any, c: Any, p: int, team: int) -> None:
    """Give a team with its start values to a player; none of them reach a goal (L1, L2)."""
    s.players[p].team = team
    for i in range(TEAM_SIZE):
        for field in range(FIELDS):
            s.players[p].knowledge[i][field] = c.begins[c.members[team][i]][field]


@rule
def draw_teams(s: Any, c: Any, w: Any) -> None:
    """Draw the teams, seat by seat (S7)."""
    for team in range(TEAMS):
        w.pile[team] = 1
    for p in range(c.seats):
        join_team(s, c, p, draw(s, w.draws, w.pile, TEAMS, moves.DRAWN_TEAM))


@rule
def choose_team(s: Any, c: Any, w: Any, team: int) -> None:
    """Give the team to the seat; after the last seat, begin the game (S7)."""
    emit(w, log.TAKES_TEAM, s.seat, team)
    join_team(s, c, s.seat, team)
    s.seat += 1
    if s.seat == s.seats:
        begin(s, c, w)
