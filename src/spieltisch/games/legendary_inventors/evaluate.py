"""The evaluation of a position of Legendary Inventors for one seat; the easy bot and the playouts use it.

All information is public, so it returns the same number for a state and for a view of it. Values are in hundredths of a
point: the current points; the potential of knowledge, of goals half reached, of tokens and of numbers for runs; and on
open inventions the reward that the seat's cubes stand for.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.rules.queries import fit, total
from spieltisch.games.legendary_inventors.rules.scoring import points
from spieltisch.games.legendary_inventors.state import (
    FEWER,
    FIELDS,
    GENIUS,
    IS_GENIUS,
    IS_NUMBER,
    IS_POINTS,
    IS_REFRESH,
    IS_UPGRADE,
    MAX_OPEN,
    NOBODY,
    NUMBERS,
    OPEN,
    TEAM_SIZE,
    TOKENS,
    Phase,
)

POINT = 100
READY = 16
"""The additional worth of a value of an active inventor, compared with that of an exhausted one."""
TEMPO = 90
"""The worth of being on turn: an upgrade followed by the action beats the action alone."""
OTHERS = 40
"""The weight of the other players' gain against the seat's own gain, in hundredths."""


@rule
def ages_left(s: Any) -> int:
    """Return the number of ages that lie ahead: 3 in the first age to 1 in the last, 0 after it."""
    return 0 if s.phase == Phase.LAST_UPGRADES or s.phase == Phase.OVER else 4 - s.age


@rule
def knowledge(s: Any, me: Any, c: Any) -> Any:
    """Return the potential of knowledge, and the worth of an upgrade token by its value from 1 to 4.

    The potential covers work, and goals that are not reached yet. A token is counted at its best place, now or after
    one more upgrade there. Both are computed together, because no other part of the evaluation takes as long.
    """
    worth, one, two, three, four = 0, 0, 0, 0, 0
    work = 14 * ages_left(s)
    for i in range(TEAM_SIZE):
        inventor, known, done, upgrades_missing = c.members[me.team][i], 0, 0, 0
        for f in range(FIELDS):
            know, goal = me.knowledge[i][f], c.goal[inventor][f]
            known += know
            done += max(0, min(know, goal) - c.begins[inventor][f])
            upgrades_missing += max(0, goal - know)
        towards = 0
        if upgrades_missing > 0:
            towards = POINT * c.goal_points[inventor] * (6 + ages_left(s)) // (14 * (done + upgrades_missing))
            worth += towards * done
        if upgrades_missing == 1:
            towards += POINT * c.goal_points[inventor] // 3
        worth += known * work
        if me.exhausted[i] == 0 and ages_left(s) > 0:
            worth += known * READY
        for f in range(FIELDS):
            know, goal = me.knowledge[i][f], c.goal[inventor][f]
            now = work + towards if know + 1 <= goal else work
            later = (work + towards if know + 2 <= goal else work) // 2
            if know == 0:
                one, two = max(one, now), max(two, later)
            elif know == 1:
                two, three = max(two, now), max(three, later)
            elif know == 2:
                three, four = max(three, now), max(four, later)
            elif know == 3:
                four = max(four, now)
    return worth, one, two, three, four


@rule
def token_worth(s: Any, c: Any, token_use_value: Any, kind: int) -> int:
    """Return the worth of a token in the hand of a player with this `knowledge`, without its victory points."""
    front, best = c.front[kind], 0
    if front == IS_UPGRADE:
        best = token_use_value[c.value[kind]] * 8 // 10
    elif front == IS_REFRESH:
        best = 30 * ages_left(s)
    elif front == IS_GENIUS:
        best = 35 * ages_left(s)
    elif front == IS_NUMBER:
        best = 25 * ages_left(s)
    if front != IS_POINTS:
        best = max(best, token_use_value[1] * 8 // 10)
    return best


@rule
def patent_worth(me: Any, c: Any, card: int) -> int:
    """Return the worth of a patent to a player: its points, and the effect of its number on runs."""
    number = c.number_of[card]
    n = POINT * c.points_of[card]
    if me.numbers[number] > 0:
        return n + 15
    for i in range(number):
        if me.numbers[i] == 0:
            return n + 45
    return n + (110 if number > 0 else 60)


@rule
def reward_worth(s: Any, c: Any, token_use_value: Any, p: int, k: int, rank: int) -> int:
    """Return the worth to player p of the reward with this rank on slot k; 0 if there are fewer rewards.

    Rank 0 is the best reward.
    """
    me, slot = s.players[p], s.slots[k]
    a, b, d = 0, 0, 0
    if s.whereabouts[slot.card] == OPEN:
        a = patent_worth(me, c, slot.card)
    if slot.tokens[0] != NOBODY:
        b = token_worth(s, c, token_use_value, slot.tokens[0])
        if c.front[slot.tokens[0]] == IS_POINTS:
            b = POINT * c.value[slot.tokens[0]]
    if slot.tokens[1] != NOBODY:
        d = token_worth(s, c, token_use_value, slot.tokens[1])
        if c.front[slot.tokens[1]] == IS_POINTS:
            d = POINT * c.value[slot.tokens[1]]
    highest, lowest = max(a, max(b, d)), min(a, min(b, d))
    if rank == 0:
        return highest
    return a + b + d - highest - lowest if rank == 1 else lowest


@rule
def work_worth(s: Any, c: Any, token_use_value: Any, p: int, k: int, more: int) -> int:
    """Return the worth of the cubes of player p on the invention in slot k, plus `more` cubes.

    It is the reward of the player's rank, the more certain the fewer spaces are free.
    """
    own = total(s.slots[k].cubes[p]) + more
    if own == 0:
        return 0
    before, equal, free = 0, 0, -more
    for f in range(FIELDS):
        free += s.slots[k].free[f]
    filled = own
    for q in range(s.seats):
        if q != p:
            other = total(s.slots[k].cubes[q])
            filled += other
            if other > own:
                before += 1
            elif other == own:
                equal += 1
    worth = reward_worth(s, c, token_use_value, p, k, before) if before <= TOKENS else 0
    if equal > 0 and before < TOKENS:
        worth = (worth + reward_worth(s, c, token_use_value, p, k, before + 1)) // 2
    # The share of the spaces certainly counts; the rank is uncertain until the last space is filled.
    sure = 100 * (filled + own) // (2 * (filled + free) + 1)
    return worth * min(95, 20 + sure) // 100 + 4 * own


@rule
def expected_points(s: Any, c: Any, p: int) -> int:
    """Return the points of player p and the potential of the position, in hundredths of a point."""
    me = s.players[p]
    if me.team == NOBODY:
        return 0
    token_use_value = knowledge(s, me, c)
    n = POINT * points(s, c, p) + token_use_value[0]
    for kind in range(c.kinds):
        if me.tokens[kind] > 0:
            n += me.tokens[kind] * token_worth(s, c, token_use_value, kind)
    if ages_left(s) > 0:
        joined = True
        for number in range(NUMBERS):
            if me.numbers[number] == 0:
                joined = False
            elif number == 0 or not joined:
                n += 40
    for k in range(MAX_OPEN):
        if s.slots[k].card != NOBODY and not (s.phase == Phase.REWARDS and k == s.slot):
            more = 0
            if s.phase == Phase.PLACING and k == s.slot and p == s.seat:
                more = about_to_place(s, c, p)
            n += work_worth(s, c, token_use_value, p, k, more)
    if s.phase == Phase.REWARDS:
        for r in range(s.given, TOKENS + 1):
            if s.queue[r] == p:
                n += reward_worth(s, c, token_use_value, p, s.slot, r - s.given)
    return n


@rule
def about_to_place(s: Any, c: Any, p: int) -> int:
    """Return the number of cubes that the inventor who is being sent will place."""
    me, slot = s.players[p], s.slots[s.slot]
    n = min(me.cubes, fit(me.knowledge[s.inventor], slot.free))
    if s.mode == FEWER:
        return n - 1
    if s.mode == GENIUS:
        free = 0
        for f in range(FIELDS):
            free += slot.free[f]
        return min(me.cubes, min(free, n + c.genius_cubes))
    return n


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    """Return the lead of the seat's prospects over those of the other players.

    There is no bonus for a win: with one, a seat that is behind would waste points to delay the end.
    """
    own, others = expected_points(s, c, p), 0
    for q in range(s.seats):
        if q != p:
            others += expected_points(s, c, q)
    if s.phase == Phase.PLACING and p == s.seat:
        me = s.players[p]
        for f in range(FIELDS):
            own -= READY * me.knowledge[s.inventor][f]
        if s.mode == GENIUS:
            own -= token_worth(s, c, knowledge(s, me, c), c.genius)
    if s.phase == Phase.TURN and s.seat == p:
        own += TEMPO
    return own - OTHERS * others // (100 * (s.seats - 1))
