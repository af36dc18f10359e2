"""The legal moves of Legendary Inventors, found by asking what forbids them."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.refusals import (
    before_scoring,
    free_team,
    refusal_to_make_ready,
    refusal_to_pass,
    refusal_to_refresh,
    refusal_to_take,
    refusal_to_turn_over,
    refusal_to_upgrade,
)
from spieltisch.games.legendary_inventors.sending import refusal_to_place, refusal_to_work
from spieltisch.games.legendary_inventors.space import (
    CHOOSE_TEAM,
    DONE,
    PASS,
    READY,
    REFRESH,
    SENDINGS,
    TAKE_PATENT,
    TAKE_TOKEN,
    TURN_OVER,
    UPGRADE,
    place_move,
)
from spieltisch.games.legendary_inventors.state import (
    ALL,
    FEWER,
    FIELDS,
    FINAL,
    GENIUS,
    INVENTIONS,
    INVENTORS,
    IS_UPGRADE,
    MOST_OPEN,
    NOBODY,
    PLACING,
    REWARD,
    TEAM,
    TEAM_SIZE,
    TEAMS,
    TURN,
)


@rule
def list_sendings(s: Any, c: Any, mode: int, out: Any, n: int, most: int) -> int:
    """Write the moves that send an inventor in this mode; stop when there are `most` moves."""
    me = s.players[s.seat]
    if me.cubes == 0:
        return n
    for i in range(TEAM_SIZE):
        if me.exhausted[i] == 1:
            continue
        first = mode * SENDINGS + c.members[me.team][i] * INVENTIONS
        for k in range(MOST_OPEN):
            if s.slots[k].card != NOBODY and refusal_to_work(s, c, mode, i, k) == 0:
                out[n] = first + s.slots[k].card
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
                out[n] = UPGRADE + inventor * FIELDS + f
                n += 1
                if n == most:
                    return n
    for kind in range(c.kinds):
        if me.tokens[kind] == 0 or kind == c.upgrade[1]:
            continue  # one of value 1 is a 1 as it lies
        for i in range(TEAM_SIZE):
            inventor = c.members[me.team][i]
            for f in range(FIELDS):
                if refusal_to_turn_over(s, c, kind, inventor, f) == 0:
                    out[n] = TURN_OVER + (kind * INVENTORS + inventor) * FIELDS + f
                    n += 1
                    if n == most:
                        return n
    return n


@rule
def list_turn(s: Any, c: Any, out: Any, most: int) -> int:
    """Write the moves of a turn; stop when there are `most`."""
    me = s.players[s.seat]
    n = list_sendings(s, c, ALL, out, 0, most)
    if n < most:
        n = list_sendings(s, c, FEWER, out, n, most)
    if n < most and c.genius != NOBODY and me.tokens[c.genius] > 0:
        n = list_sendings(s, c, GENIUS, out, n, most)
    if n < most:
        n = list_upgrades(s, c, out, n, most)
    if n < most and refusal_to_make_ready(s) == 0:
        out[n] = READY
        n += 1
    if n < most and refusal_to_refresh(s, c) == 0:
        out[n] = REFRESH
        n += 1
    if n < most and refusal_to_pass(s, c) == 0:
        out[n] = PASS
        n += 1
    return n


@rule
def list_placings(s: Any, c: Any, w: Any, out: Any, most: int) -> int:
    """Write the ways to place the cubes of the inventor who is sent; stop when there are `most`."""
    n = 0
    free, cubes = s.slots[s.slot].free, w.cubes
    for a in range(free[0] + 1):
        for b in range(free[1] + 1):
            for d in range(free[2] + 1):
                for e in range(free[3] + 1):
                    cubes[0], cubes[1], cubes[2], cubes[3] = a, b, d, e
                    if refusal_to_place(s, c, cubes) == 0:
                        out[n] = place_move(a, b, d, e)
                        n += 1
                        if n == most:
                            return n
    return n


@rule
def list_rewards(s: Any, c: Any, out: Any, most: int) -> int:
    """Write the rewards that are left; stop when there are `most`."""
    n = 0
    if refusal_to_take(s, NOBODY) == 0:
        out[n] = TAKE_PATENT
        n += 1
    for kind in range(c.kinds):
        if n < most and refusal_to_take(s, kind) == 0:
            out[n] = TAKE_TOKEN + kind
            n += 1
    return n


@rule
def list_teams(s: Any, out: Any, most: int) -> int:
    """Write the teams that nobody has; stop when there are `most`."""
    n = 0
    for team in range(TEAMS):
        if n < most and free_team(s, team) == 0:
            out[n] = CHOOSE_TEAM + team
            n += 1
    return n


@rule
def list_moves(s: Any, c: Any, w: Any, out: Any, most: int) -> int:
    """Write the legal moves' numbers into `out`, ascending, at most `most` of them, and answer how many."""
    if s.phase == TURN:
        return list_turn(s, c, out, most)
    if s.phase == PLACING:
        return list_placings(s, c, w, out, most)
    if s.phase == REWARD:
        return list_rewards(s, c, out, most)
    if s.phase == FINAL:
        n = list_upgrades(s, c, out, 0, most)
        if n < most and before_scoring(s) == 0:
            out[n] = DONE
            n += 1
        return n
    return list_teams(s, out, most) if s.phase == TEAM else 0


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """Write the legal moves' numbers into `out`, ascending, and answer how many."""
    return list_moves(s, c, w, out, len(out))
