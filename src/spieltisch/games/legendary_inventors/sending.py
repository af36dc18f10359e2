"""What forbids sending an inventor of Legendary Inventors, and placing cubes: one function a rule, each answering with
its number, or 0. Inventors and inventions at hand go by place and slot.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.going_on import (
    L6,
    L7,
    L8,
    L22,
    S6,
    S9,
    S11,
    exhausted,
    fit,
    held,
    own_turn,
    slot_of,
)
from spieltisch.games.legendary_inventors.space import digit
from spieltisch.games.legendary_inventors.state import (
    ALL,
    FEWER,
    FIELDS,
    GENIUS,
    MOST_OPEN,
    NOBODY,
    PLACING,
    TEAM_SIZE,
)

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
def someone_active(me: Any) -> int:
    """L6: an active inventor, whoever it is."""
    return L6 if exhausted(me) == TEAM_SIZE else 0


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
def works(s: Any, c: Any, mode: int, i: int) -> bool:
    """Whether the inventor in place i can work on any open invention."""
    for k in range(MOST_OPEN):  # noqa: SIM110 - compiled code knows no generators
        if s.slots[k].card != NOBODY and refusal_to_work(s, c, mode, i, k) == 0:
            return True
    return False


@rule
def worked_on(s: Any, c: Any, mode: int, card: int) -> bool:
    """Whether any own inventor can work on an open invention."""
    for i in range(TEAM_SIZE):  # noqa: SIM110 - compiled code knows no generators
        if refusal_to_work(s, c, mode, i, slot_of(s, card)) == 0:
            return True
    return False


@rule
def someone_works(s: Any, c: Any, mode: int) -> bool:
    """Whether any own inventor can work on any open invention."""
    for i in range(TEAM_SIZE):  # noqa: SIM110 - compiled code knows no generators
        if works(s, c, mode, i):
            return True
    return False


@rule
def no_work(mode: int) -> int:
    """The rule that keeps cubes from being placed in this mode. L7, S9, S11."""
    if mode == FEWER:
        return S9
    return S11 if mode == GENIUS else L7


@rule
def refusal_to_send_any(s: Any, c: Any, mode: int) -> int:
    """The rule that forbids sending whomever to whatever in this mode, or 0. L6, L7, L22, S6, S9, S11."""
    me = s.players[s.seat]
    no = cube_left(me)
    if no == 0 and mode == GENIUS:
        no = genius_held(me, c)
    if no == 0:
        no = someone_active(me)
    if no == 0 and not someone_works(s, c, mode):
        no = no_work(mode)
    return no


@rule
def refusal_to_send_one(s: Any, c: Any, mode: int, inventor: int, card: int) -> int:
    """The rule that forbids sending the inventor to the invention while others can be sent elsewhere, or 0."""
    slot = slot_of(s, card)
    if own_inventor(s, c, inventor) != 0:
        return L6 if slot == NOBODY or worked_on(s, c, mode, card) else no_work(mode)
    i = c.place_of[inventor]
    no = active(s.players[s.seat], i)
    if no == 0 and not works(s, c, mode, i):
        no = no_work(mode)
    if no == 0:
        no = face_up(s, card)
    if no == 0:
        no = refusal_to_work(s, c, mode, i, slot)
    return no


@rule
def refusal_to_send(s: Any, c: Any, mode: int, inventor: int, card: int) -> int:
    """The rule that forbids sending the inventor to the invention, or 0: first what holds for all of them, then what
    holds for the inventor or the invention, then what holds for both.
    """
    no = own_turn(s)
    if no == 0:
        no = refusal_to_send_any(s, c, mode)
    if no == 0:
        no = refusal_to_send_one(s, c, mode, inventor, card)
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


@rule
def cubes_of(w: Any, move: int) -> None:
    """Write the cubes that a move of placing puts into each field to `w.cubes`."""
    for f in range(FIELDS):
        w.cubes[f] = digit(move, f)
