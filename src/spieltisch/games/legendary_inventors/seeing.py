"""The points of Legendary Inventors, and what a seat may see."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.state import (
    FIELDS,
    INVENTIONS,
    IS_POINTS,
    KINDS,
    MOST_OPEN,
    MOST_SEATS,
    NOBODY,
    NUMBERS,
    REWARDED,
    TEAM_SIZE,
    TOKENS,
)


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
