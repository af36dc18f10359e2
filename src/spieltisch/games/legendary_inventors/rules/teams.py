"""Teams: by chance or chosen (L1, L2, S7)."""

from typing import Any

from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.core.events import emit
from spieltisch.games.legendary_inventors import log, moves, refusals
from spieltisch.games.legendary_inventors.rules.ages import begin
from spieltisch.games.legendary_inventors.state import FIELDS, TEAM_SIZE, TEAMS, Phase


@rule
def check_team_free(s: Any, team: int) -> int:
    """L1: nobody else has the team."""
    for p in range(s.seats):
        if s.players[p].team == team:
            return refusals.TEAM_TAKEN
    return 0


@rule
def refusal_to_choose(s: Any, team: int) -> int:
    """What forbids choosing the team: that is done at the beginning (S7), and nobody else has it (L1)."""
    return check_team_free(s, team) if s.phase == Phase.TEAMS else refusals.NOT_THE_BEGINNING


@rule
def join_team(s: Any, c: Any, p: int, team: int) -> None:
    """L1, L2: a player takes a team with its start values, none of which reach a goal."""
    s.players[p].team = team
    for i in range(TEAM_SIZE):
        for f in range(FIELDS):
            s.players[p].knowledge[i][f] = c.begins[c.members[team][i]][f]


@rule
def draw_teams(s: Any, c: Any, w: Any) -> None:
    """S7: teams by chance, seat by seat."""
    for team in range(TEAMS):
        w.pile[team] = 1
    for p in range(c.seats):
        join_team(s, c, p, draw(s, w.draws, w.pile, TEAMS, moves.DRAWN_TEAM))


@rule
def choose_team(s: Any, c: Any, w: Any, team: int) -> None:
    """S7: the seat takes the team; after the last one the game is set up."""
    emit(w, log.TAKES_TEAM, s.seat, team)
    join_team(s, c, s.seat, team)
    s.seat += 1
    if s.seat == s.seats:
        begin(s, c, w)
