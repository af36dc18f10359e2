"""The legal moves, and the reasons that forbid the others; both call the same functions."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors import moves
from spieltisch.games.legendary_inventors.moves import kind_of, mode_of, number, part
from spieltisch.games.legendary_inventors.rules.queries import fitting
from spieltisch.games.legendary_inventors.rules.rewards import refusal_to_take_patent, refusal_to_take_token
from spieltisch.games.legendary_inventors.rules.send_inventor import (
    can_work,
    cubes_of,
    most_placed,
    refusal_to_place,
    refusal_to_send,
)
from spieltisch.games.legendary_inventors.rules.teams import check_team_free, refusal_to_choose
from spieltisch.games.legendary_inventors.rules.tokens import (
    check_empty,
    check_one_higher,
    check_upgrade_held,
    refusal_to_refresh,
    refusal_to_turn_over,
    refusal_to_upgrade,
)
from spieltisch.games.legendary_inventors.rules.turns import (
    refusal_to_end_upgrades,
    refusal_to_make_ready,
    refusal_to_pass,
)
from spieltisch.games.legendary_inventors.state import (
    ALL,
    FEWER,
    FIELDS,
    GENIUS,
    MAX_OPEN,
    NOBODY,
    TEAM_SIZE,
    TEAMS,
    Phase,
)


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
        return refusal_to_end_upgrades(s)
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
def list_moves(s: Any, c: Any, w: Any, out: Any, maximum: int) -> int:
    """Write the numbers of the legal moves into `out`, ascending, at most `maximum` of them, and return their count."""
    if s.phase == Phase.TURN:
        return list_turn(s, c, out, maximum)
    if s.phase == Phase.PLACING:
        return list_placings(s, c, w, out, maximum)
    if s.phase == Phase.REWARDS:
        return list_rewards(s, c, out, maximum)
    if s.phase == Phase.LAST_UPGRADES:
        n = list_upgrades(s, c, out, 0, maximum)
        if n < maximum:
            out[n] = number(moves.DONE)
            n += 1
        return n
    return list_teams(s, out, maximum) if s.phase == Phase.TEAMS else 0


@rule
def list_turn(s: Any, c: Any, out: Any, maximum: int) -> int:
    """Write the moves of a turn; stop when there are `maximum`."""
    n = list_sendings(s, c, out, maximum)
    if n < maximum and c.genius != NOBODY and s.players[s.seat].tokens[c.genius] > 0:
        n = list_strokes_of_genius(s, c, out, n, maximum)
    if n < maximum:
        n = list_upgrades(s, c, out, n, maximum)
    if n < maximum and refusal_to_make_ready(s) == 0:
        out[n] = number(moves.READY)
        n += 1
    if n < maximum and refusal_to_refresh(s, c) == 0:
        out[n] = number(moves.REFRESH)
        n += 1
    if n < maximum and refusal_to_pass(s, c) == 0:
        out[n] = number(moves.PASS)
        n += 1
    return n


@rule
def list_sendings(s: Any, c: Any, out: Any, maximum: int) -> int:
    """Write the moves that send an inventor with all cubes, then with fewer; stop when there are `maximum`.

    They are those of `can_work`, but what fits is counted once for both.
    """
    player, n, fewer_sendings = s.players[s.seat], 0, 0
    if player.cubes == 0:
        return n
    for i in range(TEAM_SIZE):
        if player.exhausted[i] == 1:
            continue
        for slot_number in range(MAX_OPEN):
            if s.slots[slot_number].card == NOBODY:
                continue
            cubes = fitting(player.knowledge[i], s.slots[slot_number].free)
            if cubes > 0:
                fewer_sendings |= (1 if cubes > 1 else 0) << n
                out[n] = number(moves.SEND, c.members[player.team][i], s.slots[slot_number].card)
                n += 1
                if n == maximum:
                    return n
    if player.cubes == 1:
        return n
    for sending in range(n):
        if fewer_sendings >> sending & 1 == 1:
            out[n] = number(moves.SEND_FEWER, part(out[sending], 0), part(out[sending], 1))
            n += 1
            if n == maximum:
                return n
    return n


@rule
def list_strokes_of_genius(s: Any, c: Any, out: Any, n: int, maximum: int) -> int:
    """Write the moves that send an inventor with a stroke of genius; stop when there are `maximum` moves."""
    for i in range(TEAM_SIZE):
        for slot_number in range(MAX_OPEN):
            if s.slots[slot_number].card != NOBODY and can_work(s, c, GENIUS, i, slot_number):
                out[n] = number(moves.SEND_GENIUS, c.members[s.players[s.seat].team][i], s.slots[slot_number].card)
                n += 1
                if n == maximum:
                    return n
    return n


@rule
def list_upgrades(s: Any, c: Any, out: Any, n: int, maximum: int) -> int:
    """Write the moves that upgrade an inventor; stop when there are `maximum` moves."""
    player = s.players[s.seat]
    if check_upgrade_held(player, c) == 0:
        for i in range(TEAM_SIZE):
            for field in range(FIELDS):
                if check_one_higher(player, c, i, field) == 0:
                    out[n] = number(moves.UPGRADE, c.members[player.team][i], field)
                    n += 1
                    if n == maximum:
                        return n
    for kind in range(c.kinds):
        if player.tokens[kind] == 0 or kind == c.upgrade[1]:
            continue  # an upgrade token of value 1 is a 1 without being turned over
        for i in range(TEAM_SIZE):
            for field in range(FIELDS):
                if check_empty(player, i, field) == 0:
                    out[n] = number(moves.TURN_OVER, kind, c.members[player.team][i], field)
                    n += 1
                    if n == maximum:
                        return n
    return n


@rule
def list_placings(s: Any, c: Any, w: Any, out: Any, maximum: int) -> int:
    """Write the moves that place the cubes of the inventor who is sent; stop when there are `maximum`.

    Only numbers of cubes up to `most_placed` and in all from `min_cubes` to `max_cubes` are tried; without a stroke of
    genius, all of them are legal.
    """
    n, cubes, cubes_left = 0, w.cubes, s.players[s.seat].cubes
    most_a, most_b, most_d, most_e = most_placed(s, 0), most_placed(s, 1), most_placed(s, 2), most_placed(s, 3)
    min_cubes, max_cubes = (cubes_left if s.mode == ALL else 1), cubes_left
    if s.mode == FEWER:
        max_cubes = min(cubes_left, most_a + most_b + most_d + most_e) - 1
    for a in range(min(most_a, max_cubes) + 1):
        for b in range(min(most_b, max_cubes - a) + 1):
            for d in range(min(most_d, max_cubes - a - b) + 1):
                placed_cubes = a + b + d
                for e in range(max(0, min_cubes - placed_cubes), min(most_e, max_cubes - placed_cubes) + 1):
                    cubes[0], cubes[1], cubes[2], cubes[3] = a, b, d, e
                    if s.mode != GENIUS or refusal_to_place(s, c, cubes) == 0:
                        out[n] = number(moves.PLACE, a, b, d, e)
                        n += 1
                        if n == maximum:
                            return n
    return n


@rule
def list_rewards(s: Any, c: Any, out: Any, maximum: int) -> int:
    """Write the moves that take a remaining reward; stop when there are `maximum`."""
    n = 0
    if refusal_to_take_patent(s) == 0:
        out[n] = number(moves.TAKE_PATENT)
        n += 1
    for kind in range(c.kinds):
        if n < maximum and refusal_to_take_token(s, kind) == 0:
            out[n] = number(moves.TAKE_TOKEN, kind)
            n += 1
    return n


@rule
def list_teams(s: Any, out: Any, maximum: int) -> int:
    """Write the moves that choose a free team; stop when there are `maximum`."""
    n = 0
    for team in range(TEAMS):
        if n < maximum and check_team_free(s, team) == 0:
            out[n] = number(moves.CHOOSE_TEAM, team)
            n += 1
    return n
