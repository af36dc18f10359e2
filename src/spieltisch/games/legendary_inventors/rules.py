"""The rules of Legendary Inventors, L1 to L29 with the rulings S1 to S14, as functions over records.
 `s` is the state, `c` components and options, `w` working memory (`state.py`). What forbids a move stands in
`refusals.py` and `sending.py`, the course of the ages in `ages.py`. A seat with nothing to decide is not asked: after
each move, moves that are the only one are played by the rules.
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
from spieltisch.games.legendary_inventors.going_on import S2, fit, slot_of
from spieltisch.games.legendary_inventors.listing import list_moves
from spieltisch.games.legendary_inventors.runs import best_runs
from spieltisch.games.legendary_inventors.sending import cubes_of, extra, strokes
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
)
from spieltisch.games.legendary_inventors.state import (
    ALL,
    FIELDS,
    FINAL,
    INVENTIONS,
    INVENTORS,
    NOBODY,
    PLACING,
    TEAM,
    TEAM_SIZE,
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
    me = s.players[s.seat]  # the last token placed before the scoring passes the decision on
    place_knowledge(s, c, kind, c.place_of[inventor], f, 1)
    if kind == c.number:
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
