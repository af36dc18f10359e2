"""What a seat may see of Legendary Inventors: all but the generator (S12); and the state that fits a view."""

from typing import Any

from spieltisch.core import twin
from spieltisch.core.compiled import rule
from spieltisch.core.observation import Observation
from spieltisch.games.legendary_inventors.state import (
    FIELDS,
    INVENTIONS,
    KINDS,
    MOST_OPEN,
    MOST_SEATS,
    NUMBERS,
    REWARDED,
    TEAM_SIZE,
    TOKENS,
    State,
    View,
)


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    """Fill a view with what the seat (or -1, a spectator) may know: all but the generator (S12)."""
    o.viewer = viewer
    o.seats, o.seat, o.phase, o.age, o.leonardo = s.seats, s.seat, s.phase, s.age, s.leonardo
    o.passes, o.ended_by, o.mode, o.inventor = s.passes, s.ended_by, s.mode, s.inventor
    o.slot, o.given = s.slot, s.given
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


def imagine(observation: Observation) -> Any:
    """The state that the view shows; only the generator is hidden, and the kernel sets a new one."""
    s, view = twin.new(State), twin.clone(observation.view)
    for name in View.names or ():
        if name != "viewer":
            setattr(s, name, getattr(view, name))
    return s
