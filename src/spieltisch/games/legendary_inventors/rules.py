"""The rules of Legendary Inventors, L1 to L29 with the rulings S1 to S14, as functions over records.
 `s` is the state, `c` components and options, `w` working memory (`state.py`). What forbids a move stands in
`refusals.py`, the course of the ages in `ages.py`. A seat with nothing to decide is not asked: after each move, moves
that are the only one are played by the rules.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.ages import (
    LOG_PASSED,
    LOG_READY,
    LOG_REFRESHED,
    LOG_SENT,
    LOG_TEAM,
    LOG_TURNED,
    LOG_UPGRADED,
    ask_next,
    begin,
    can_upgrade,
    complete_invention,
    draw_teams,
    end_age,
    join_team,
    lay_empty,
    next_turn,
    note,
    note_more,
    take_patent,
    take_token,
)
from spieltisch.games.legendary_inventors.refusals import (
    S2,
    before_scoring,
    cubes_of,
    extra,
    fit,
    free_team,
    refusal_to_make_ready,
    refusal_to_pass,
    refusal_to_place,
    refusal_to_refresh,
    refusal_to_take,
    refusal_to_turn_over,
    refusal_to_upgrade,
    refusal_to_work,
    slot_of,
    strokes,
)
from spieltisch.games.legendary_inventors.runs import best_runs
from spieltisch.games.legendary_inventors.space import (
    CHOOSE_TEAM,
    DONE,
    PASS,
    PLACE,
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
    IS_POINTS,
    IS_UPGRADE,
    KINDS,
    MOST_OPEN,
    MOST_SEATS,
    NOBODY,
    NUMBERS,
    PLACING,
    REWARD,
    REWARDED,
    TEAM,
    TEAM_SIZE,
    TEAMS,
    TOKENS,
    TURN,
)


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """Set up: teams (L1, S7), then all the rest (L2 to L5)."""
    w.notes = 0
    lay_empty(s, c)
    if c.choosing == 1:
        s.phase = TEAM
        s.seat = 0
    else:
        draw_teams(s, c, w)
        begin(s, c, w)
    settle(s, c, w)


# --- Legal moves. ---


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


# --- Moves. ---


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    """Play a legal move, and all that follow of themselves."""
    w.notes = 0
    act(s, c, w, move)
    settle(s, c, w)


@rule
def settle(s: Any, c: Any, w: Any) -> None:
    """Play moves as long as they are the only ones."""
    while s.seat != NOBODY and list_moves(s, c, w, w.two, 2) == 1:
        act(s, c, w, w.two[0])


@rule
def act(s: Any, c: Any, w: Any, move: int) -> None:
    """Play one legal move."""
    if move < UPGRADE:
        n = move % SENDINGS
        send(s, c, w, move // SENDINGS, c.place_of[n // INVENTIONS], slot_of(s, n % INVENTIONS))
    elif move < TURN_OVER:
        n = move - UPGRADE
        upgrade(s, c, w, n // FIELDS, n % FIELDS)
    elif move < READY:
        n = move - TURN_OVER
        turn_over(s, c, w, n // (INVENTORS * FIELDS), n // FIELDS % INVENTORS, n % FIELDS)
    elif move == READY:
        make_ready(s, w)
        next_turn(s)
    elif move == REFRESH:
        refresh(s, c, w)
    elif move == PASS:
        pass_turn(s, c, w)
    elif move == DONE:
        s.given += 1
        ask_next(s, c)
    elif move == TAKE_PATENT:
        take_patent(s, c, w)
    elif move < CHOOSE_TEAM:
        take_token(s, c, w, move - TAKE_TOKEN)
    elif move < PLACE:
        choose_team(s, c, w, move - CHOOSE_TEAM)
    else:
        cubes_of(w, move)
        work(s, c, w, s.inventor, s.slot, strokes(c, extra(s.players[s.seat], s.inventor, w.cubes)))


@rule
def choose_team(s: Any, c: Any, w: Any, team: int) -> None:
    """S7: the seat takes the team; after the last one the game is set up."""
    note(w, LOG_TEAM, s.seat, team, 0)
    join_team(s, c, s.seat, team)
    s.seat += 1
    if s.seat == s.seats:
        begin(s, c, w)


@rule
def send(s: Any, c: Any, w: Any, mode: int, i: int, k: int) -> None:
    """L6: send the inventor in place i to the invention in slot k. All cubes that fit are placed at once; when there
    is a choice of cubes it comes next.
    """
    me, slot = s.players[s.seat], s.slots[k]
    if mode == ALL and fit(me.knowledge[i], slot.free) <= me.cubes:
        for f in range(FIELDS):
            w.cubes[f] = min(me.knowledge[i][f], slot.free[f])
        work(s, c, w, i, k, 0)
    else:
        s.phase = PLACING
        s.mode = mode
        s.inventor = i
        s.slot = k


@rule
def work(s: Any, c: Any, w: Any, i: int, k: int, genius: int) -> None:
    """L6, L10: the inventor places the cubes in `w.cubes` and is exhausted; so many strokes of genius are used up."""
    me, slot = s.players[s.seat], s.slots[k]
    note(w, LOG_SENT, s.seat, c.members[me.team][i], slot.card)
    note_more(w, w.cubes[0], w.cubes[1], w.cubes[2], w.cubes[3], genius)
    left = 0
    for f in range(FIELDS):
        me.cubes -= w.cubes[f]
        slot.cubes[s.seat][f] += w.cubes[f]
        slot.free[f] -= w.cubes[f]
        left += slot.free[f]
    if genius > 0:
        me.tokens[c.genius] -= genius
        s.gone[c.genius] += genius
    me.exhausted[i] = 1
    s.mode = ALL
    s.inventor = NOBODY
    s.slot = NOBODY
    s.passes = 0
    if left == 0:
        complete_invention(s, w, k)
    else:
        next_turn(s)


@rule
def make_ready(s: Any, w: Any) -> None:
    """L9: all own exhausted inventors become active."""
    note(w, LOG_READY, s.seat, 0, 0)
    for i in range(TEAM_SIZE):
        s.players[s.seat].exhausted[i] = 0
    s.passes = 0


@rule
def refresh(s: Any, c: Any, w: Any) -> None:
    """L21: the same by a token, which is discarded; the turn goes on."""
    note(w, LOG_REFRESHED, s.seat, 0, 0)
    for i in range(TEAM_SIZE):
        s.players[s.seat].exhausted[i] = 0
    s.players[s.seat].tokens[c.refresh] -= 1
    s.gone[c.refresh] += 1


@rule
def upgrade(s: Any, c: Any, w: Any, inventor: int, f: int) -> None:
    """L19: an upgrade token replaces a value one lower."""
    me = s.players[s.seat]
    value = me.knowledge[c.place_of[inventor]][f] + 1
    note(w, LOG_UPGRADED, s.seat, inventor, f)
    note_more(w, value, 0, 0, 0, 0)
    place_knowledge(s, c, c.upgrade[value], c.place_of[inventor], f, value)


@rule
def turn_over(s: Any, c: Any, w: Any, kind: int, inventor: int, f: int) -> None:
    """L20, S4: a token becomes an upgrade of value 1 and loses its front."""
    note(w, LOG_TURNED, s.seat, inventor, f)
    note_more(w, kind, 0, 0, 0, 0)
    place_knowledge(s, c, kind, c.place_of[inventor], f, 1)
    if kind == c.number:
        me = s.players[s.seat]
        me.runs = best_runs(me.numbers, me.tokens[kind], w.best)


@rule
def place_knowledge(s: Any, c: Any, kind: int, i: int, f: int, value: int) -> None:
    """A token leaves the player for an inventor's field; before the scoring, who can upgrade no more is done (S1)."""
    me = s.players[s.seat]
    me.tokens[kind] -= 1
    s.gone[kind] += 1
    me.knowledge[i][f] = value
    if s.phase == FINAL and not can_upgrade(s, c):
        s.given += 1
        ask_next(s, c)


@rule
def pass_turn(s: Any, c: Any, w: Any) -> None:
    """S2: the turn is passed; when all have passed in a row the age ends."""
    note(w, LOG_PASSED, s.seat, 0, 0)
    s.passes += 1
    if s.passes == s.seats:
        end_age(s, c, w, S2)
    else:
        next_turn(s)


# --- Points and views. ---


@rule
def reached(s: Any, c: Any, p: int, i: int) -> bool:
    """Whether the inventor in place i of player p has reached or exceeded his goal in every field (L28)."""
    inventor = c.members[s.players[p].team][i]
    for f in range(FIELDS):  # noqa: SIM110 - compiled code knows no generators
        if s.players[p].knowledge[i][f] < c.goal[inventor][f]:
            return False
    return True


@rule
def points(s: Any, c: Any, p: int) -> int:
    """L25 to L28: patents, runs, victory point tokens and goals of player p, as they stand."""
    me = s.players[p]
    if me.team == NOBODY:
        return 0
    n = me.printed + me.runs
    for kind in range(c.kinds):
        if c.front[kind] == IS_POINTS:
            n += me.tokens[kind] * c.value[kind]
    for i in range(TEAM_SIZE):
        if reached(s, c, p, i):
            n += c.goal_points[c.members[me.team][i]]
    return n  # type: ignore[no-any-return]  # fields of a record


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    """Fill a view with what the seat (or -1, a spectator) may know: all but the generator (S12)."""
    o.viewer = viewer
    o.seats, o.seat, o.phase, o.age, o.leonardo = s.seats, s.seat, s.phase, s.age, s.leonardo
    o.passes, o.ended_by, o.mode, o.inventor, o.slot, o.given = (
        s.passes,
        s.ended_by,
        s.mode,
        s.inventor,
        s.slot,
        s.given,
    )
    for r in range(REWARDED):
        o.queue[r] = s.queue[r]
    for kind in range(KINDS):
        o.drawn[kind], o.gone[kind] = s.drawn[kind], s.gone[kind]
    for card in range(INVENTIONS):
        o.whereabouts[card] = s.whereabouts[card]
    for k in range(MOST_OPEN):
        seen, slot = o.slots[k], s.slots[k]
        seen.card = slot.card
        for t in range(TOKENS):
            seen.tokens[t] = slot.tokens[t]
        for f in range(FIELDS):
            seen.free[f] = slot.free[f]
            for p in range(MOST_SEATS):
                seen.cubes[p][f] = slot.cubes[p][f]
    for p in range(MOST_SEATS):
        shown, one = o.players[p], s.players[p]
        shown.team, shown.cubes, shown.printed, shown.runs = one.team, one.cubes, one.printed, one.runs
        for i in range(TEAM_SIZE):
            shown.exhausted[i] = one.exhausted[i]
            for f in range(FIELDS):
                shown.knowledge[i][f] = one.knowledge[i][f]
        for kind in range(KINDS):
            shown.tokens[kind] = one.tokens[kind]
        for n in range(NUMBERS):
            shown.numbers[n] = one.numbers[n]
