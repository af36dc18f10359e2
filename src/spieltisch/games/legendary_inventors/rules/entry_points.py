"""The course of a game: the setup, moves, and the moves played automatically because they are the only ones."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import emit
from spieltisch.games.legendary_inventors import log, moves
from spieltisch.games.legendary_inventors.moves import kind_of, mode_of, part
from spieltisch.games.legendary_inventors.rules.ages import begin, lay_empty
from spieltisch.games.legendary_inventors.rules.legal import list_moves
from spieltisch.games.legendary_inventors.rules.queries import slot_of
from spieltisch.games.legendary_inventors.rules.rewards import take_patent, take_token
from spieltisch.games.legendary_inventors.rules.send_inventor import place, send
from spieltisch.games.legendary_inventors.rules.teams import choose_team, draw_teams
from spieltisch.games.legendary_inventors.rules.tokens import refresh, turn_over, upgrade
from spieltisch.games.legendary_inventors.rules.turns import end_upgrades, go_on_upgrading, make_ready, pass_turn
from spieltisch.games.legendary_inventors.state import NOBODY, Phase


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """Set up: teams (L1, S7), then everything else (L2 to L5)."""
    lay_empty(s, c)
    if c.choosing == 1:
        s.phase = Phase.TEAMS
        s.seat = 0
    else:
        draw_teams(s, c, w)
        begin(s, c, w)
    play_only_moves(s, c, w)


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    """Play a legal move, and all moves that follow automatically."""
    play_one(s, c, w, move)
    play_only_moves(s, c, w)


@rule
def play_only_moves(s: Any, c: Any, w: Any) -> None:
    """Play moves as long as each is the only legal one."""
    while s.seat != NOBODY and list_moves(s, c, w, w.two, 2) == 1:
        play_one(s, c, w, w.two[0])
    if s.phase == Phase.PLACING:  # a choice of cubes is certain only now
        emit(w, log.SENDS, s.seat, c.members[s.players[s.seat].team][s.inventor], s.slots[s.slot].card)


@rule
def play_one(s: Any, c: Any, w: Any, move: int) -> None:
    """Play one legal move."""
    kind = kind_of(move)
    mode = mode_of(kind)
    if mode != NOBODY:
        send(s, c, w, mode, c.place_of[part(move, 0)], slot_of(s, part(move, 1)))
    elif kind == moves.UPGRADE:
        upgrade(s, c, w, part(move, 0), part(move, 1))
        go_on_upgrading(s, c, w)
    elif kind == moves.TURN_OVER:
        turn_over(s, c, w, part(move, 0), part(move, 1), part(move, 2))
        go_on_upgrading(s, c, w)
    elif kind == moves.READY:
        make_ready(s, w)
    elif kind == moves.REFRESH:
        refresh(s, c, w)
    elif kind == moves.PASS:
        pass_turn(s, c, w)
    elif kind == moves.DONE:
        end_upgrades(s, c, w)
    elif kind == moves.TAKE_PATENT:
        take_patent(s, c, w)
    elif kind == moves.TAKE_TOKEN:
        take_token(s, c, w, part(move, 0))
    elif kind == moves.CHOOSE_TEAM:
        choose_team(s, c, w, part(move, 0))
    else:
        place(s, c, w, move)
