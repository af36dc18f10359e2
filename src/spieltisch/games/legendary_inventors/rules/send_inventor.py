"""The rules for sending an inventor to an invention (L6 to L8, L22, S6, S9, S11): refusals and effects.

The seat's inventors and the open inventions are identified by place and slot.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.legendary_inventors import log, pieces, refusals
from spieltisch.games.legendary_inventors.moves import part
from spieltisch.games.legendary_inventors.rules.phases import check_own_turn, next_turn
from spieltisch.games.legendary_inventors.rules.queries import exhausted, fit, held, slot_of, total
from spieltisch.games.legendary_inventors.rules.rewards import complete_invention
from spieltisch.games.legendary_inventors.state import ALL, FEWER, FIELDS, GENIUS, MAX_OPEN, NOBODY, TEAM_SIZE, Phase

# --- Sending an inventor. ---


@rule
def can_work(s: Any, c: Any, mode: int, i: int, k: int) -> bool:
    """Return True if the inventor in place i can be sent to the invention in slot k.

    The inventor must be active (L6), with a cube left (S6). With all cubes at least one must fit (L7), fewer must still
    be at least one (S9), and by a stroke of genius (L22) an additional cube must find a space (S11).
    """
    me, slot = s.players[s.seat], s.slots[k]
    if me.exhausted[i] == 1 or me.cubes == 0:
        return False
    if mode == ALL:
        return fit(me.knowledge[i], slot.free) > 0
    if mode == FEWER:
        return fit(me.knowledge[i], slot.free) >= 2 and me.cubes >= 2
    if held(me, c.genius) == 0:
        return False
    for f in range(FIELDS):
        if slot.free[f] > me.knowledge[i][f] and me.cubes > me.knowledge[i][f]:
            return True
    return False


@rule
def works(s: Any, c: Any, mode: int, i: int) -> bool:
    """Return True if the inventor in place i can work on any open invention."""
    for k in range(MAX_OPEN):
        if s.slots[k].card != NOBODY and can_work(s, c, mode, i, k):
            return True
    return False


@rule
def worked_on(s: Any, c: Any, mode: int, k: int) -> bool:
    """Return True if any inventor of the seat can work on the invention in slot k."""
    for i in range(TEAM_SIZE):
        if can_work(s, c, mode, i, k):
            return True
    return False


@rule
def someone_works(s: Any, c: Any, mode: int) -> bool:
    """Return True if any inventor of the seat can work on any open invention."""
    for i in range(TEAM_SIZE):
        if works(s, c, mode, i):
            return True
    return False


@rule
def refusal_to_send(s: Any, c: Any, mode: int, inventor: int, card: int) -> int:
    """Return the reason that forbids sending the inventor to the invention, or 0.

    Reasons for all inventors come first, then those for the inventor or the invention, then those for both.
    """
    no = check_own_turn(s)
    if no != 0:
        return no
    me = s.players[s.seat]
    if me.cubes == 0:
        return refusals.NO_CUBE_LEFT
    if mode == GENIUS and held(me, c.genius) == 0:
        return refusals.NO_GENIUS
    if exhausted(me) == TEAM_SIZE:
        return refusals.ALL_EXHAUSTED
    if not someone_works(s, c, mode):
        return refusals.NOBODY_WORKS[mode]
    i, k = c.place_of[inventor], slot_of(s, card)
    if c.team_of[inventor] != me.team:
        return refusals.NOT_IN_TEAM if k == NOBODY or worked_on(s, c, mode, k) else refusals.NOBODY_WORKS_ON[mode]
    if me.exhausted[i] == 1:
        return refusals.IS_EXHAUSTED
    if not works(s, c, mode, i):
        return refusals.WORKS_ON_NOTHING[mode]
    if k == NOBODY:
        return refusals.NOT_FACE_UP
    if can_work(s, c, mode, i, k):
        return 0
    return refusals.DOES_NOT_FIT[mode] if worked_on(s, c, mode, k) else refusals.NOBODY_WORKS_ON[mode]


@rule
def send(s: Any, c: Any, w: Any, mode: int, i: int, k: int) -> None:
    """Send the inventor in place i to the invention in slot k (L6).

    All cubes that fit are placed immediately; if there is a choice of cubes, it is the next move.
    """
    me, slot = s.players[s.seat], s.slots[k]
    if mode == ALL and fit(me.knowledge[i], slot.free) <= me.cubes:
        for f in range(FIELDS):
            w.cubes[f] = min(me.knowledge[i][f], slot.free[f])
        work(s, c, w, i, k, 0)
    else:
        s.phase = Phase.PLACING
        s.mode = mode
        s.inventor = i
        s.slot = k


# --- Placing cubes. ---


@rule
def extra(me: Any, i: int, cubes: Any) -> int:
    """Return the number of cubes beyond the inventor's knowledge."""
    n = 0
    for f in range(FIELDS):
        n += max(0, cubes[f] - me.knowledge[i][f])
    return n


@rule
def strokes(c: Any, additional: int) -> int:
    """Return the number of strokes of genius for this number of additional cubes (L22)."""
    return (additional + c.genius_cubes - 1) // c.genius_cubes


@rule
def most_placed(s: Any, f: int) -> int:
    """Return the most cubes that the inventor who is sent may place in a field (L6, L8, L22)."""
    free = s.slots[s.slot].free[f]
    return free if s.mode == GENIUS else min(free, s.players[s.seat].knowledge[s.inventor][f])


@rule
def refusal_to_place(s: Any, c: Any, cubes: Any) -> int:
    """Return the reason that forbids placing these numbers of cubes in the fields, or 0.

    Each cube needs a free space (L8), and there must be at least one (L7); in each field at most the inventor's value
    (L6) and in all no more than are left (S6). With all cubes, all that are left are placed, and only the fields are
    chosen (S6); fewer must be fewer than possible (S9); a stroke of genius is for additional cubes, and each needs its
    token (L22).
    """
    if s.phase != Phase.PLACING:
        return refusals.NOBODY_IS_SENT
    me, slot, i = s.players[s.seat], s.slots[s.slot], s.inventor
    for f in range(FIELDS):
        if cubes[f] > slot.free[f]:
            return refusals.NO_SPACE
    placed, additional = total(cubes), extra(me, i, cubes)
    if placed == 0:
        return refusals.NO_CUBE_PLACED
    if s.mode != GENIUS and additional > 0:
        return refusals.NOT_KNOWN
    if placed > me.cubes:
        return refusals.TOO_MANY
    if s.mode == ALL and placed < me.cubes:
        return refusals.CUBES_KEPT
    if s.mode == FEWER and placed >= min(fit(me.knowledge[i], slot.free), me.cubes):
        return refusals.NOT_FEWER
    if s.mode == GENIUS and (additional == 0 or strokes(c, additional) > held(me, c.genius)):
        return refusals.NOT_BY_GENIUS
    return 0


@rule
def cubes_of(w: Any, move: int) -> None:
    """Write the cubes that a placing move puts into each field to `w.cubes`."""
    for f in range(FIELDS):
        w.cubes[f] = part(move, f)


@rule
def place(s: Any, c: Any, w: Any, move: int) -> None:
    """Place these cubes with the inventor who is sent (L6)."""
    cubes_of(w, move)
    work(s, c, w, s.inventor, s.slot, strokes(c, extra(s.players[s.seat], s.inventor, w.cubes)))


@rule
def work(s: Any, c: Any, w: Any, i: int, k: int, genius: int) -> None:
    """Place the cubes in `w.cubes`, exhaust the inventor, and use up `genius` strokes of genius (L6, L10)."""
    p = s.seat
    me, slot = s.players[p], s.slots[k]
    if w.events.listening != 0:
        tell_work(c, w, p, c.members[me.team][i], slot.card, genius)
    left = 0
    for f in range(FIELDS):
        me.cubes -= w.cubes[f]
        slot.cubes[p][f] += w.cubes[f]
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
def tell_work(c: Any, w: Any, p: int, inventor: int, card: int, genius: int) -> None:
    """Emit the events of an inventor's work, and of the cubes and tokens that it moves."""
    if genius > 0:
        emit(w, log.WORKS_BY_GENIUS, p, inventor, card, total(w.cubes), genius)
        emit(w, MOVED, p, pieces.TOKEN + c.genius, genius, pieces.PLAYER + p, pieces.BOX)
    else:
        emit(w, log.WORKS, p, inventor, card, total(w.cubes), 0)
    for f in range(FIELDS):
        if w.cubes[f] > 0:
            emit(w, MOVED, p, pieces.CUBE + p, w.cubes[f], pieces.PLAYER + p, pieces.FIELD + card * FIELDS + f)
