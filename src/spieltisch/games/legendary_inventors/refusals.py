"""What forbids a move of Legendary Inventors: one function a rule, each answering with its number, or 0.
 `refusal` asks them for any move of the move space. The legal moves (`rules.list_moves`) ask the same functions, about
the inventors and inventions at hand by place and slot.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.space import (
    CHOOSE_TEAM,
    DONE,
    PASS,
    PLACE,
    READY,
    REFRESH,
    SENDINGS,
    TAKE_TOKEN,
    TURN_OVER,
    UPGRADE,
    digit,
)
from spieltisch.games.legendary_inventors.state import (
    ALL,
    FEWER,
    FIELDS,
    FINAL,
    GENIUS,
    INVENTIONS,
    INVENTORS,
    MOST_KNOWLEDGE,
    MOST_OPEN,
    NOBODY,
    OPEN,
    PLACING,
    REWARD,
    TEAM,
    TEAM_SIZE,
    TOKENS,
)

L1, L6, L7, L8, L9, L10, L11, L13, L17, L19, L20, L21, L22 = 1, 6, 7, 8, 9, 10, 11, 13, 17, 19, 20, 21, 22
S1, S2, S6, S7, S9, S11 = 101, 102, 106, 107, 109, 111
RULES = {n: f"L{n}" for n in range(1, 30)} | {100 + n: f"S{n}" for n in range(1, 15)}
"""The name of each rule number that a function here answers with."""


# --- What the rules count. ---


@rule
def fit(know: Any, free: Any) -> int:
    """How many cubes find a matching free space: in each field at most the knowledge (L6, L8)."""
    n = 0
    for f in range(FIELDS):
        n += min(know[f], free[f])
    return n


@rule
def slot_of(s: Any, card: int) -> int:
    """The slot of an open invention, or -1."""
    for k in range(MOST_OPEN):
        if s.slots[k].card == card:
            return k
    return NOBODY


@rule
def held(me: Any, kind: int) -> int:
    """How many tokens of a kind (-1: of none) a player holds."""
    return 0 if kind == NOBODY else me.tokens[kind]


@rule
def exhausted(me: Any) -> int:
    """How many inventors of a player are exhausted."""
    n = 0
    for i in range(TEAM_SIZE):
        n += me.exhausted[i]
    return n


# --- What is going on. ---


@rule
def teams_first(s: Any) -> int:
    """S7: while teams are chosen nothing else is done."""
    return S7 if s.phase == TEAM else 0


@rule
def cubes_first(s: Any) -> int:
    """L6: an inventor who is sent puts his cubes first."""
    return L6 if s.phase == PLACING else 0


@rule
def rewards_first(s: Any) -> int:
    """L11: the rewards of a complete invention are chosen first."""
    return L11 if s.phase == REWARD else 0


@rule
def last_upgrades(s: Any) -> int:
    """L17: when the last age is over nobody takes a turn."""
    return L17 if s.phase == FINAL else 0


@rule
def settled(s: Any) -> int:
    """What must be done before a token may be used, or 0. S7, L6, L11."""
    no = teams_first(s)
    if no == 0:
        no = cubes_first(s)
    if no == 0:
        no = rewards_first(s)
    return no


@rule
def own_turn(s: Any) -> int:
    """What is going on that is no turn, or 0. S7, L6, L11, L17."""
    no = settled(s)
    if no == 0:
        no = last_upgrades(s)
    return no


# --- Teams. ---


@rule
def choosing_teams(s: Any) -> int:
    """S7: teams are chosen at the beginning."""
    return 0 if s.phase == TEAM else S7


@rule
def free_team(s: Any, team: int) -> int:
    """L1: nobody else has the team."""
    for p in range(s.seats):
        if s.players[p].team == team:
            return L1
    return 0


# --- Sending an inventor. ---


@rule
def own_inventor(s: Any, c: Any, inventor: int) -> int:
    """L6: an inventor of the own team."""
    return 0 if c.team_of[inventor] == s.players[s.seat].team else L6


@rule
def face_up(s: Any, card: int) -> int:
    """L6: an invention that lies face up."""
    return 0 if slot_of(s, card) != NOBODY else L6


@rule
def active(me: Any, i: int) -> int:
    """L6: an active inventor."""
    return L6 if me.exhausted[i] == 1 else 0


@rule
def cube_left(me: Any) -> int:
    """S6: without a cube in the supply no inventor can work."""
    return S6 if me.cubes == 0 else 0


@rule
def one_fits(me: Any, i: int, slot: Any) -> int:
    """L7: at least one cube finds its space."""
    return L7 if fit(me.knowledge[i], slot.free) == 0 else 0


@rule
def fewer_fit(me: Any, i: int, slot: Any) -> int:
    """S9: fewer cubes than possible are still at least one (L7)."""
    return S9 if min(fit(me.knowledge[i], slot.free), me.cubes) < 2 else 0


@rule
def genius_held(me: Any, c: Any) -> int:
    """L22: a stroke of genius is a token."""
    return L22 if held(me, c.genius) == 0 else 0


@rule
def genius_fits(me: Any, i: int, slot: Any) -> int:
    """S11: an additional cube finds a space: no free space, no cube."""
    for f in range(FIELDS):
        if slot.free[f] > me.knowledge[i][f] and me.cubes > me.knowledge[i][f]:
            return 0
    return S11


@rule
def refusal_to_work(s: Any, c: Any, mode: int, i: int, k: int) -> int:
    """The rule that keeps the inventor in place i from the invention in slot k, or 0. L6, L7, L22, S6, S9, S11."""
    me, slot = s.players[s.seat], s.slots[k]
    no = active(me, i)
    if no == 0:
        no = cube_left(me)
    if no == 0 and mode == ALL:
        no = one_fits(me, i, slot)
    if no == 0 and mode == FEWER:
        no = fewer_fit(me, i, slot)
    if no == 0 and mode == GENIUS:
        no = genius_held(me, c)
        if no == 0:
            no = genius_fits(me, i, slot)
    return no


@rule
def refusal_to_send(s: Any, c: Any, mode: int, inventor: int, card: int) -> int:
    """The rule that forbids sending the inventor to the invention, or 0."""
    no = own_turn(s)
    if no == 0:
        no = own_inventor(s, c, inventor)
    if no == 0:
        no = face_up(s, card)
    if no == 0:
        no = refusal_to_work(s, c, mode, c.place_of[inventor], slot_of(s, card))
    return no


# --- Placing cubes. ---


@rule
def sending(s: Any) -> int:
    """L6: cubes are placed by an inventor who is sent."""
    return 0 if s.phase == PLACING else L6


@rule
def free_spaces(slot: Any, cubes: Any) -> int:
    """L8: each cube goes to a free space of its field."""
    for f in range(FIELDS):
        if cubes[f] > slot.free[f]:
            return L8
    return 0


@rule
def total(cubes: Any) -> int:
    """How many cubes there are in all fields."""
    n = 0
    for f in range(FIELDS):
        n += cubes[f]
    return n


@rule
def extra(me: Any, i: int, cubes: Any) -> int:
    """How many of the cubes are beyond the inventor's knowledge."""
    n = 0
    for f in range(FIELDS):
        n += max(0, cubes[f] - me.knowledge[i][f])
    return n


@rule
def strokes(c: Any, additional: int) -> int:
    """How many strokes of genius so many additional cubes take (L22)."""
    return (additional + c.genius_cubes - 1) // c.genius_cubes  # type: ignore[no-any-return]  # a field of a record


@rule
def at_least_one(cubes: Any) -> int:
    """L7: at least one cube."""
    return L7 if total(cubes) == 0 else 0


@rule
def in_supply(me: Any, cubes: Any) -> int:
    """S6: no more cubes than are left in the supply."""
    return S6 if total(cubes) > me.cubes else 0


@rule
def known(me: Any, mode: int, i: int, cubes: Any) -> int:
    """L6: in each field at most the inventor's value, but for strokes of genius."""
    return L6 if mode != GENIUS and extra(me, i, cubes) > 0 else 0


@rule
def all_left(me: Any, mode: int, cubes: Any) -> int:
    """S6: with fewer cubes left than fit, all that are left are placed; only the fields are chosen."""
    return S6 if mode == ALL and total(cubes) < me.cubes else 0


@rule
def fewer(me: Any, mode: int, i: int, slot: Any, cubes: Any) -> int:
    """S9: fewer cubes than possible, as said."""
    return S9 if mode == FEWER and total(cubes) >= min(fit(me.knowledge[i], slot.free), me.cubes) else 0


@rule
def with_genius(me: Any, c: Any, mode: int, i: int, cubes: Any) -> int:
    """L22: a stroke of genius, as said, is for additional cubes, and each has its token."""
    if mode != GENIUS:
        return 0
    additional = extra(me, i, cubes)
    return L22 if additional == 0 or strokes(c, additional) > held(me, c.genius) else 0


@rule
def refusal_to_place(s: Any, c: Any, cubes: Any) -> int:
    """The rule that forbids placing so many cubes in each field, or 0. L6, L7, L8, L22, S6, S9."""
    no = sending(s)
    if no != 0:
        return no
    me, slot = s.players[s.seat], s.slots[s.slot]
    no = free_spaces(slot, cubes)
    if no == 0:
        no = at_least_one(cubes)
    if no == 0:
        no = known(me, s.mode, s.inventor, cubes)
    if no == 0:
        no = in_supply(me, cubes)
    if no == 0:
        no = all_left(me, s.mode, cubes)
    if no == 0:
        no = fewer(me, s.mode, s.inventor, slot, cubes)
    if no == 0:
        no = with_genius(me, c, s.mode, s.inventor, cubes)
    return no


# --- Tokens. ---


@rule
def own_to_upgrade(s: Any, c: Any, inventor: int) -> int:
    """L19: one of the own inventors."""
    return 0 if c.team_of[inventor] == s.players[s.seat].team else L19


@rule
def one_higher(me: Any, c: Any, i: int, f: int) -> int:
    """L19: a token whose value is exactly one higher; none is above 4."""
    value = me.knowledge[i][f] + 1
    return L19 if value > MOST_KNOWLEDGE or held(me, c.upgrade[value]) == 0 else 0


@rule
def token_held(me: Any, kind: int) -> int:
    """L20: an own token."""
    return L20 if held(me, kind) == 0 else 0


@rule
def empty_field(me: Any, i: int, f: int) -> int:
    """L20: a back is a 1, and goes on an empty field."""
    return L20 if me.knowledge[i][f] != 0 else 0


@rule
def refusal_to_upgrade(s: Any, c: Any, inventor: int, f: int) -> int:
    """The rule that forbids upgrading the field with an upgrade token, or 0. L19."""
    no = settled(s)
    if no == 0:
        no = own_to_upgrade(s, c, inventor)
    if no == 0:
        no = one_higher(s.players[s.seat], c, c.place_of[inventor], f)
    return no


@rule
def refusal_to_turn_over(s: Any, c: Any, kind: int, inventor: int, f: int) -> int:
    """The rule that forbids turning the token over for the field, or 0. L19, L20."""
    no = settled(s)
    if no == 0:
        no = own_to_upgrade(s, c, inventor)
    if no == 0:
        no = token_held(s.players[s.seat], kind)
    if no == 0:
        no = empty_field(s.players[s.seat], c.place_of[inventor], f)
    return no


@rule
def refresh_held(me: Any, c: Any) -> int:
    """L21: refreshing takes its token."""
    return L21 if held(me, c.refresh) == 0 else 0


@rule
def someone_to_refresh(me: Any) -> int:
    """L21: at least one own inventor is exhausted."""
    return L21 if exhausted(me) == 0 else 0


@rule
def refusal_to_refresh(s: Any, c: Any) -> int:
    """The rule that forbids using a refresh token, or 0. L21."""
    no = own_turn(s)
    if no == 0:
        no = refresh_held(s.players[s.seat], c)
    if no == 0:
        no = someone_to_refresh(s.players[s.seat])
    return no


# --- Ready, pass, done. ---


@rule
def someone_exhausted(me: Any) -> int:
    """L9: at least one own inventor is exhausted."""
    return L9 if exhausted(me) == 0 else 0


@rule
def nobody_exhausted(me: Any) -> int:
    """S2: who has an exhausted inventor makes ready instead of passing."""
    return S2 if exhausted(me) > 0 else 0


@rule
def nobody_can_work(s: Any, c: Any) -> int:
    """S2: passing is for who cannot place a cube with any inventor without tokens."""
    for i in range(TEAM_SIZE):
        for k in range(MOST_OPEN):
            if s.slots[k].card != NOBODY and refusal_to_work(s, c, ALL, i, k) == 0:
                return S2
    return 0


@rule
def refusal_to_make_ready(s: Any) -> int:
    """The rule that forbids making ready, or 0. L9."""
    no = own_turn(s)
    if no == 0:
        no = someone_exhausted(s.players[s.seat])
    return no


@rule
def refusal_to_pass(s: Any, c: Any) -> int:
    """The rule that forbids passing, or 0. S2."""
    no = own_turn(s)
    if no == 0:
        no = nobody_exhausted(s.players[s.seat])
    if no == 0:
        no = nobody_can_work(s, c)
    return no


@rule
def before_scoring(s: Any) -> int:
    """S1: only the upgrades before the scoring are closed with a word."""
    return 0 if s.phase == FINAL else S1


# --- Rewards. ---


@rule
def complete(s: Any) -> int:
    """L10: rewards are chosen when an invention is complete."""
    return 0 if s.phase == REWARD else L10


@rule
def patent_left(s: Any) -> int:
    """L13: the patent is still there."""
    return 0 if s.whereabouts[s.slots[s.slot].card] == OPEN else L13


@rule
def token_left(s: Any, kind: int) -> int:
    """L13: a token of the kind is still there."""
    for t in range(TOKENS):
        if s.slots[s.slot].tokens[t] == kind:
            return 0
    return L13


@rule
def refusal_to_take(s: Any, kind: int) -> int:
    """The rule that forbids taking the token, or (-1) the patent, or 0. L10, L13."""
    no = complete(s)
    if no == 0:
        no = patent_left(s) if kind == NOBODY else token_left(s, kind)
    return no


@rule
def cubes_of(w: Any, move: int) -> None:
    """Write the cubes that a move of placing puts into each field to `w.cubes`."""
    for f in range(FIELDS):
        w.cubes[f] = digit(move, f)


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """The number of the rule that forbids the move for the seat that decides, or 0. The game is not over; all that the
    move names is in the box.
    """
    if move < UPGRADE:
        n = move % SENDINGS
        return refusal_to_send(s, c, move // SENDINGS, n // INVENTIONS, n % INVENTIONS)
    if move < TURN_OVER:
        n = move - UPGRADE
        return refusal_to_upgrade(s, c, n // FIELDS, n % FIELDS)
    if move < READY:
        n = move - TURN_OVER
        return refusal_to_turn_over(s, c, n // (INVENTORS * FIELDS), n // FIELDS % INVENTORS, n % FIELDS)
    if move == READY:
        return refusal_to_make_ready(s)
    if move == REFRESH:
        return refusal_to_refresh(s, c)
    if move == PASS:
        return refusal_to_pass(s, c)
    if move == DONE:
        return before_scoring(s)
    if move < CHOOSE_TEAM:
        return refusal_to_take(s, move - TAKE_TOKEN if move >= TAKE_TOKEN else NOBODY)
    if move < PLACE:
        no = choosing_teams(s)
        return free_team(s, move - CHOOSE_TEAM) if no == 0 else no
    cubes_of(w, move)
    return refusal_to_place(s, c, w.cubes)
