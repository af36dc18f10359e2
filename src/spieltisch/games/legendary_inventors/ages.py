"""The course of a game of Legendary Inventors: set-up, ages, complete inventions and their rewards, the end.
 What is drawn, in this order: at the set-up the teams by seat (unless they are chosen, S7), the start player (L5), then
for each age its inventions (L3, L16), and for these, by rising number, two tokens each (L4).
"""

from typing import Any

from spieltisch.core.chance import draw
from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.going_on import L17, S2
from spieltisch.games.legendary_inventors.refusals import refusal_to_turn_over, refusal_to_upgrade
from spieltisch.games.legendary_inventors.runs import best_runs
from spieltisch.games.legendary_inventors.space import DRAWN_INVENTION, DRAWN_SEAT, DRAWN_TEAM, DRAWN_TOKEN
from spieltisch.games.legendary_inventors.state import (
    AGES,
    FIELDS,
    FINAL,
    GONE,
    INVENTIONS,
    KINDS,
    MOST_NOTES,
    MOST_OPEN,
    MOST_SEATS,
    NOBODY,
    OPEN,
    OVER,
    PATENT,
    REWARD,
    REWARDED,
    TEAM_SIZE,
    TEAMS,
    TOKENS,
    TURN,
)

# What a note of working memory tells, for the log; its other numbers are said where it is written.
LOG_TEAM, LOG_SENT, LOG_READY, LOG_REFRESHED, LOG_UPGRADED, LOG_TURNED, LOG_PASSED = 1, 2, 3, 4, 5, 6, 7
LOG_COMPLETE, LOG_PATENT, LOG_TOKEN, LOG_AGE_ENDS, LOG_AGE = 8, 9, 10, 11, 12


@rule
def note(w: Any, what: int, a: int, b: int, d: int) -> None:
    """Note for the log what happened."""
    if w.notes < MOST_NOTES:
        row = w.note[w.notes]
        row[0], row[1], row[2], row[3] = what, a, b, d
        w.notes += 1


@rule
def note_more(w: Any, a: int, b: int, d: int, e: int, f: int) -> None:
    """Five more numbers for the latest note."""
    row = w.note[w.notes - 1]
    row[4], row[5], row[6], row[7], row[8] = a, b, d, e, f


# --- Set-up. ---


@rule
def lay_empty(s: Any, c: Any) -> None:
    """Nobody has a team, nothing is laid out."""
    s.seats = c.seats
    s.inventor = NOBODY
    s.slot = NOBODY
    s.leonardo = NOBODY
    for r in range(REWARDED):
        s.queue[r] = NOBODY
    for k in range(MOST_OPEN):
        s.slots[k].card = NOBODY
        for t in range(TOKENS):
            s.slots[k].tokens[t] = NOBODY
    for p in range(MOST_SEATS):
        s.players[p].team = NOBODY
        if p < c.seats:
            s.players[p].cubes = c.cubes


@rule
def join_team(s: Any, c: Any, p: int, team: int) -> None:
    """L1, L2: a player takes a team with its start values."""
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
        join_team(s, c, p, draw(s, w.draws, w.pile, TEAMS, DRAWN_TEAM))


@rule
def begin(s: Any, c: Any, w: Any) -> None:
    """L5: the start player by chance, with the figure; then the first age."""
    for p in range(c.seats):
        w.pile[p] = 1
    s.leonardo = draw(s, w.draws, w.pile, c.seats, DRAWN_SEAT)
    s.seat = s.leonardo
    lay_out(s, c, w)


@rule
def lay_out(s: Any, c: Any, w: Any) -> None:
    """L3, L4, L16: the next age: inventions from its pile, two tokens from the bag on each."""
    s.age += 1
    s.phase = TURN
    for card in range(INVENTIONS):
        w.pile[card] = 1 if card < c.inventions and c.age_of[card] == s.age else 0
    for _ in range(c.laid_out):
        s.whereabouts[draw(s, w.draws, w.pile, c.inventions, DRAWN_INVENTION)] = OPEN
    for kind in range(KINDS):
        w.bag[kind] = c.box[kind] - s.drawn[kind]
    k = 0
    for card in range(c.inventions):
        if s.whereabouts[card] == OPEN:
            slot = s.slots[k]
            slot.card = card
            for f in range(FIELDS):
                slot.free[f] = c.spaces[card][f]
            for t in range(TOKENS):
                slot.tokens[t] = draw(s, w.draws, w.bag, c.kinds, DRAWN_TOKEN)
                s.drawn[slot.tokens[t]] += 1
            k += 1
    note(w, LOG_AGE, s.age, s.seat, 0)


@rule
def next_turn(s: Any) -> None:
    """Play goes clockwise (L5)."""
    s.seat = (s.seat + 1) % s.seats
    s.phase = TURN


# --- Rewards. ---


@rule
def contribution(s: Any, k: int, p: int) -> int:
    """How many cubes player p has on the invention in slot k."""
    n = 0
    for f in range(FIELDS):
        n += s.slots[k].cubes[p][f]
    return n


@rule
def complete_invention(s: Any, w: Any, k: int) -> None:
    """L10 to L13: Leonardo to the seat that filled the last space; the rewards go by cubes, ties from Leonardo on."""
    s.leonardo = s.seat
    s.phase = REWARD
    s.slot = k
    s.given = 0
    for r in range(REWARDED):
        best, chosen = 0, NOBODY
        for n in range(s.seats):
            p = (s.leonardo + n) % s.seats
            queued = False
            for q in range(r):
                if s.queue[q] == p:
                    queued = True
            if not queued and contribution(s, k, p) > best:
                best, chosen = contribution(s, k, p), p
        s.queue[r] = chosen
    note(w, LOG_COMPLETE, s.slots[k].card, s.seat, 0)
    note_more(w, s.queue[0], s.queue[1], s.queue[2], 0, 0)
    s.seat = s.queue[0]


@rule
def take_patent(s: Any, c: Any, w: Any) -> None:
    """L13, L25: the seat takes the card."""
    slot, me = s.slots[s.slot], s.players[s.seat]
    note(w, LOG_PATENT, s.seat, slot.card, 0)
    s.whereabouts[slot.card] = PATENT + s.seat
    me.printed += c.points_of[slot.card]
    me.numbers[c.number_of[slot.card]] += 1
    me.runs = best_runs(me.numbers, me.tokens[c.number] if c.number != NOBODY else 0, w.best)
    next_reward(s, c, w)


@rule
def take_token(s: Any, c: Any, w: Any, kind: int) -> None:
    """L13: the seat takes one of the tokens."""
    slot, me = s.slots[s.slot], s.players[s.seat]
    note(w, LOG_TOKEN, s.seat, kind, 0)
    if slot.tokens[0] == kind:
        slot.tokens[0] = NOBODY
    else:
        slot.tokens[1] = NOBODY
    me.tokens[kind] += 1
    if kind == c.number:
        me.runs = best_runs(me.numbers, me.tokens[kind], w.best)
    next_reward(s, c, w)


@rule
def next_reward(s: Any, c: Any, w: Any) -> None:
    """L11, L13: the next to choose, or all have chosen (L14): cubes go back, what is left leaves the game."""
    s.given += 1
    if s.given < REWARDED and s.queue[s.given] != NOBODY:
        s.seat = s.queue[s.given]
        return
    clear(s, s.slot)
    s.slot = NOBODY
    s.given = 0
    for r in range(REWARDED):
        s.queue[r] = NOBODY
    s.seat = s.leonardo
    next_turn(s)
    still = 0
    for k in range(MOST_OPEN):
        if s.slots[k].card != NOBODY:
            still += 1
    if still <= 1:
        end_age(s, c, w, L17)


@rule
def clear(s: Any, k: int) -> None:
    """The cubes on an invention go back, the card and its tokens, if they are still there, leave the game."""
    slot = s.slots[k]
    for p in range(s.seats):
        for f in range(FIELDS):
            s.players[p].cubes += slot.cubes[p][f]
            slot.cubes[p][f] = 0
    for f in range(FIELDS):
        slot.free[f] = 0
    for t in range(TOKENS):
        if slot.tokens[t] != NOBODY:
            s.gone[slot.tokens[t]] += 1
            slot.tokens[t] = NOBODY
    if s.whereabouts[slot.card] == OPEN:
        s.whereabouts[slot.card] = GONE
    slot.card = NOBODY


# --- The end of an age and of the game. ---


@rule
def end_age(s: Any, c: Any, w: Any, why: int) -> None:
    """L15, L17, S2: open inventions leave the game. The next age is laid out, or the last upgrades are asked for (S1).
    The seat left of Leonardo begins either (L16).
    """
    note(w, LOG_AGE_ENDS, s.age, 1 if why == S2 else 0, 0)
    for k in range(MOST_OPEN):
        if s.slots[k].card != NOBODY:
            clear(s, k)
    s.passes = 0
    if s.age < AGES:
        s.seat = (s.leonardo + 1) % s.seats
        lay_out(s, c, w)
    else:
        s.ended_by = why
        s.phase = FINAL
        ask_next(s, c)


@rule
def can_upgrade(s: Any, c: Any) -> bool:
    """Whether the seat that decides can upgrade an inventor with one of its tokens."""
    me = s.players[s.seat]
    for i in range(TEAM_SIZE):
        inventor = c.members[me.team][i]
        for f in range(FIELDS):
            if refusal_to_upgrade(s, c, inventor, f) == 0:
                return True
            for kind in range(c.kinds):
                if me.tokens[kind] > 0 and refusal_to_turn_over(s, c, kind, inventor, f) == 0:
                    return True
    return False


@rule
def ask_next(s: Any, c: Any) -> None:
    """S1: the next seat, from the left of Leonardo on, that can upgrade before the scoring; after the last the game is
    over.
    """
    while s.given < s.seats:
        s.seat = (s.leonardo + 1 + s.given) % s.seats
        if can_upgrade(s, c):
            return
        s.given += 1
    s.seat = NOBODY
    s.phase = OVER
    s.given = 0
