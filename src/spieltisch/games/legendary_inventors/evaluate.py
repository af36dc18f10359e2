"""The evaluation of a position of Legendary Inventors for one seat; the easy bot and the playouts use it.

All information is public, so it returns the same number for a state and for a view of it. Values are in hundredths of a
point: the current points; the potential of knowledge, of goals half reached, of tokens and of numbers for runs; and on
open inventions the reward that the seat's cubes stand for.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.rules.queries import fitting, total
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
def knowledge(s: Any, player: Any, c: Any) -> Any:
    """Return the potential of knowledge, and the worth of an upgrade token by its value from 1 to 4.

    The potential covers work, and goals that are not reached yet. A token is counted at its best place, now or after
    one more upgrade there. Both are computed together, because no other part of the evaluation takes as long.
    """
    worth, use_of_1, use_of_2, use_of_3, use_of_4 = 0, 0, 0, 0, 0
    work = 14 * ages_left(s)
    for i in range(TEAM_SIZE):
        inventor, known_total, done, upgrades_missing = c.members[player.team][i], 0, 0, 0
        for field in range(FIELDS):
            value, goal = player.knowledge[i][field], c.goal[inventor][field]
            known_total += value
            done += max(0, min(value, goal) - c.begins[inventor][field])
            upgrades_missing += max(0, goal - value)
        goal_gain = 0
        if upgrades_missing > 0:
            goal_gain = POINT * c.goal_points[inventor] * (6 + ages_left(s)) // (14 * (done + upgrades_missing))
            worth += goal_gain * done
        if upgrades_missing == 1:
            goal_gain += POINT * c.goal_points[inventor] // 3
        worth += known_total * work
        if player.exhausted[i] == 0 and ages_left(s) > 0:
            worth += known_total * READY
        for field in range(FIELDS):
            value, goal = player.knowledge[i][field], c.goal[inventor][field]
            gain_now = work + goal_gain if value + 1 <= goal else work
            gain_later = (work + goal_gain if value + 2 <= goal else work) // 2
            if value == 0:
                use_of_1, use_of_2 = max(use_of_1, gain_now), max(use_of_2, gain_later)
            elif value == 1:
                use_of_2, use_of_3 = max(use_of_2, gain_now), max(use_of_3, gain_later)
            elif value == 2:
                use_of_3, use_of_4 = max(use_of_3, gain_now), max(use_of_4, gain_later)
            elif value == 3:
                use_of_4 = max(use_of_4, gain_now)
    return worth, use_of_1, use_of_2, use_of_3, use_of_4


@rule
def token_worth(s: Any, c: Any, token_use_value: Any, kind: int) -> int:
    """Return the worth of a token in the hand of a player with this `knowledge`, without its victory points."""
    front, worth = c.front[kind], 0
    if front == IS_UPGRADE:
        worth = token_use_value[c.value[kind]] * 8 // 10
    elif front == IS_REFRESH:
        worth = 30 * ages_left(s)
    elif front == IS_GENIUS:
        worth = 35 * ages_left(s)
    elif front == IS_NUMBER:
        worth = 25 * ages_left(s)
    if front != IS_POINTS:
        worth = max(worth, token_use_value[1] * 8 // 10)
    return worth


@rule
def patent_worth(player: Any, c: Any, card: int) -> int:
    """Return the worth of a patent to a player: its points, and the effect of its number on runs."""
    number = c.number_of[card]
    n = POINT * c.points_of[card]
    if player.numbers[number] > 0:
        return n + 15
    for i in range(number):
        if player.numbers[i] == 0:
            return n + 45
    return n + (110 if number > 0 else 60)


@rule
def reward_worth(s: Any, c: Any, token_use_value: Any, p: int, slot_number: int, rank: int) -> int:
    """Return the worth to player p of the reward with this rank in the slot; 0 if there are fewer rewards.

    Rank 0 is the best reward.
    """
    player, slot = s.players[p], s.slots[slot_number]
    card, first, second = 0, 0, 0
    if s.whereabouts[slot.card] == OPEN:
        card = patent_worth(player, c, slot.card)
    if slot.tokens[0] != NOBODY:
        first = token_worth(s, c, token_use_value, slot.tokens[0])
        if c.front[slot.tokens[0]] == IS_POINTS:
            first = POINT * c.value[slot.tokens[0]]
    if slot.tokens[1] != NOBODY:
        second = token_worth(s, c, token_use_value, slot.tokens[1])
        if c.front[slot.tokens[1]] == IS_POINTS:
            second = POINT * c.value[slot.tokens[1]]
    highest, lowest = max(card, max(first, second)), min(card, min(first, second))
    if rank == 0:
        return highest
    return card + first + second - highest - lowest if rank == 1 else lowest


@rule
def work_worth(s: Any, c: Any, token_use_value: Any, p: int, slot_number: int, more_cubes: int) -> int:
    """Return the worth of the cubes of player p on the invention in the slot, plus `more_cubes`.

    It is the reward of the player's rank, the more certain the fewer spaces are free.
    """
    own_cubes = total(s.slots[slot_number].cubes[p]) + more_cubes
    if own_cubes == 0:
        return 0
    seats_ahead, tied_seats, free_spaces = 0, 0, -more_cubes
    for field in range(FIELDS):
        free_spaces += s.slots[slot_number].free[field]
    filled = own_cubes
    for other_seat in range(s.seats):
        if other_seat != p:
            other_cubes = total(s.slots[slot_number].cubes[other_seat])
            filled += other_cubes
            if other_cubes > own_cubes:
                seats_ahead += 1
            elif other_cubes == own_cubes:
                tied_seats += 1
    worth = reward_worth(s, c, token_use_value, p, slot_number, seats_ahead) if seats_ahead <= TOKENS else 0
    if tied_seats > 0 and seats_ahead < TOKENS:
        worth = (worth + reward_worth(s, c, token_use_value, p, slot_number, seats_ahead + 1)) // 2
    # The share of the spaces certainly counts; the rank is uncertain until the last space is filled.
    certainty = 100 * (filled + own_cubes) // (2 * (filled + free_spaces) + 1)
    return worth * min(95, 20 + certainty) // 100 + 4 * own_cubes


@rule
def expected_points(s: Any, c: Any, p: int) -> int:
    """Return the points of player p and the potential of the position, in hundredths of a point."""
    player = s.players[p]
    if player.team == NOBODY:
        return 0
    token_use_value = knowledge(s, player, c)
    n = POINT * points(s, c, p) + token_use_value[0]
    for kind in range(c.kinds):
        if player.tokens[kind] > 0:
            n += player.tokens[kind] * token_worth(s, c, token_use_value, kind)
    if ages_left(s) > 0:
        is_joined = True
        for number in range(NUMBERS):
            if player.numbers[number] == 0:
                is_joined = False
            elif number == 0 or not is_joined:
                n += 40
    for slot_number in range(MAX_OPEN):
        if s.slots[slot_number].card != NOBODY and not (s.phase == Phase.REWARDS and slot_number == s.slot):
            more_cubes = 0
            if s.phase == Phase.PLACING and slot_number == s.slot and p == s.seat:
                more_cubes = about_to_place(s, c, p)
            n += work_worth(s, c, token_use_value, p, slot_number, more_cubes)
    if s.phase == Phase.REWARDS:
        for r in range(s.given, TOKENS + 1):
            if s.queue[r] == p:
                n += reward_worth(s, c, token_use_value, p, s.slot, r - s.given)
    return n


@rule
def about_to_place(s: Any, c: Any, p: int) -> int:
    """Return the number of cubes that the inventor who is being sent will place."""
    player, slot = s.players[p], s.slots[s.slot]
    n = min(player.cubes, fitting(player.knowledge[s.inventor], slot.free))
    if s.mode == FEWER:
        return n - 1
    if s.mode == GENIUS:
        free_spaces = 0
        for field in range(FIELDS):
            free_spaces += slot.free[field]
        return min(player.cubes, min(free_spaces, n + c.genius_cubes))
    return n


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    """Return the lead of the seat's prospects over those of the other players.

    There is no bonus for a win: with one, a seat that is behind would waste points to delay the end.
    """
    own_points, other_points = expected_points(s, c, p), 0
    for other_seat in range(s.seats):
        if other_seat != p:
            other_points += expected_points(s, c, other_seat)
    if s.phase == Phase.PLACING and p == s.seat:
        player = s.players[p]
        for field in range(FIELDS):
            own_points -= READY * player.knowledge[s.inventor][field]
        if s.mode == GENIUS:
            own_points -= token_worth(s, c, knowledge(s, player, c), c.genius)
    if s.phase == Phase.TURN and s.seat == p:
        own_points += TEMPO
    return own_points - OTHERS * other_points // (100 * (s.seats - 1))
