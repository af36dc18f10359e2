"""The legal moves, and the reasons that forbid the others; both call the same functions."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors import moves
from spieltisch.games.legendary_inventors.moves import kind_of, mode_of, number, part
from spieltisch.games.legendary_inventors.rules.rewards import refusal_to_take_patent, refusal_to_take_token
from spieltisch.games.legendary_inventors.rules.send_inventor import (
    can_work,
    cubes_of,
    refusal_to_place,
    refusal_to_send,
)
from spieltisch.games.legendary_inventors.rules.teams import check_team_free, refusal_to_choose
from spieltisch.games.legendary_inventors.rules.tokens import (
    refusal_to_refresh,
    refusal_to_turn_over,
    refusal_to_upgrade,
)
from spieltisch.games.legendary_inventors.rules.turns import refusal_to_be_done, refusal_to_make_ready, refusal_to_pass
from spieltisch.games.legendary_inventors.state import FIELDS, IS_UPGRADE, MOST_OPEN, NOBODY, TEAM_SIZE, TEAMS, Phase


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """Return the code of the reason that forbids the move for the seat that decides, or 0.

    The game must not be over, and all that the move names must be in the box.
    """
    kind = kind_of(move)
    mode = mode_of(kind)
    if mode != NOBODY:
        return refusal_to_send(s, c, mode, part(move, 0), part(move, 1))
    if kind == moves.UPGRADE:
        return refusal_to_upgrade(s, c, part(move, 0), part(move, 1))
    if kind == moves.TURN_OVER:
        return refusal_to_turn_over(s, c, part(move, 0), part(move, 1), part(move, 2))
    if kind == moves.READY:
        return refusal_to_make_ready(s)
    if kind == moves.REFRESH:
        return refusal_to_refresh(s, c)
    if kind == moves.PASS:
        return refusal_to_pass(s, c)
    if kind == moves.DONE:
        return refusal_to_be_done(s)
    if kind == moves.TAKE_PATENT:
        return refusal_to_take_patent(s)
    if kind == moves.TAKE_TOKEN:
        return refusal_to_take_token(s, part(move, 0))
    if kind == moves.CHOOSE_TEAM:
        return refusal_to_choose(s, part(move, 0))
    cubes_of(w, move)
    return refusal_to_place(s, c, w.cubes)


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write the numbers of the legal moves into `out`, ascending, and return their count."""
    return list_moves(s, c, w, out, len(out))


@rule
def list_moves(s: Any, c: Any, w: Any, out: Any, most: int) -> int:
    """Write the numbers of the legal moves into `out`, ascending, at most `most` of them, and return their count."""
    if s.phase == Phase.TURN:
        return list_turn(s, c, out, most)
    if s.phase == Phase.PLACING:
        return list_placings(s, c, w, out, most)
    if s.phase == Phase.REWARDS:
        return list_rewards(s, c, out, most)
    if s.phase == Phase.LAST_UPGRADES:
        n = list_upgrades(s, c, out, 0, most)
        if n < most:
            out[n] = number(moves.DONE)
            n += 1
        return n
    return list_teams(s, out, most) if s.phase == Phase.TEAMS else 0


@rule
def list_turn(s: Any, c: Any, out: Any, most: int) -> int:
    """Write the moves of a turn; stop when there are `most`."""
    n = list_sendings(s, c, moves.SEND, out, 0, most)
    if n < most:
        n = list_sendings(s, c, moves.SEND_FEWER, out, n, most)
    if n < most and c.genius != NOBODY and s.players[s.seat].tokens[c.genius] > 0:
        n = list_sendings(s, c, moves.SEND_GENIUS, out, n, most)
    if n < most:
        n = list_upgrades(s, c, out, n, most)
    if n < most and refusal_to_make_ready(s) == 0:
        out[n] = number(moves.READY)
        n += 1
    if n < most and refusal_to_refresh(s, c) == 0:
        out[n] = number(moves.REFRESH)
        n += 1
    if n < most and refusal_to_pass(s, c) == 0:
        out[n] = number(moves.PASS)
        n += 1
    return n


@rule
def list_sendings(s: Any, c: Any, kind: int, out: Any, n: int, most: int) -> int:
    """Write the moves of this kind, which send an inventor; stop when there are `most` moves."""
    me, mode = s.players[s.seat], mode_of(kind)
    if me.cubes == 0:
        return n
    for i in range(TEAM_SIZE):
        if me.exhausted[i] == 1:
            continue
        for k in range(MOST_OPEN):
            if s.slots[k].card != NOBODY and can_work(s, c, mode, i, k):
                out[n] = number(kind, c.members[me.team][i], s.slots[k].card)
                n += 1
                if n == most:
                    return n
    return n


@rule
def list_upgrades(s: Any, c: Any, out: Any, n: int, most: int) -> int:
    """Write the moves that upgrade an inventor; stop when there are `most` moves."""
    me = s.players[s.seat]
    upgrades = 0
    for kind in range(c.kinds):
        if c.front[kind] == IS_UPGRADE:
            upgrades += me.tokens[kind]
    for i in range(TEAM_SIZE):
        if upgrades == 0:
            break
        inventor = c.members[me.team][i]
        for f in range(FIELDS):
            if refusal_to_upgrade(s, c, inventor, f) == 0:
                out[n] = number(moves.UPGRADE, inventor, f)
                n += 1
                if n == most:
                    return n
    for kind in range(c.kinds):
        if me.tokens[kind] == 0 or kind == c.upgrade[1]:
            continue  # an upgrade token of value 1 is a 1 without being turned over
        for i in range(TEAM_SIZE):
            inventor = c.members[me.team][i]
            for f in range(FIELDS):
                if refusal_to_turn_over(s, c, kind, inventor, f) == 0:
                    out[n] = number(moves.TURN_OVER, kind, inventor, f)
                    n += 1
                    if n == most:
                        return n
    return n


@rule
def list_placings(s: Any, c: Any, w: Any, out: Any, most: int) -> int:
    """Write the moves that place the cubes of the inventor who is sent; stop when there are `most`."""
    n = 0
    free, cubes = s.slots[s.slot].free, w.cubes
    for a in range(free[0] + 1):
        for b in range(free[1] + 1):
            for d in range(free[2] + 1):
                for e in range(free[3] + 1):
                    cubes[0], cubes[1], cubes[2], cubes[3] = a, b, d, e
                    if refusal_to_place(s, c, cubes) == 0:
                        out[n] = number(moves.PLACE, a, b, d, e)
                        n += 1
                        if n == most:
                            return n
    return n


@rule
def list_rewards(s: Any, c: Any, out: Any, most: int) -> int:
    """Write the moves that take a remaining reward; stop when there are `most`."""
    n = 0
    if refusal_to_take_patent(s) == 0:
        out[n] = number(moves.TAKE_PATENT)
        n += 1
    for kind in range(c.kinds):
        if n < most and refusal_to_take_token(s, kind) == 0:
            out[n] = number(moves.TAKE_TOKEN, kind)
            n += 1
    return n


@rule
def list_teams(s: Any, out: Any, most: int) -> int:
    """Write the moves that choose a free team; stop when there are `most`."""
    n = 0
    for team in range(TEAMS):
        if n < most and check_team_free(s, team) == 0:
            out[n] = number(moves.CHOOSE_TEAM, team)
            n += 1
    return n
