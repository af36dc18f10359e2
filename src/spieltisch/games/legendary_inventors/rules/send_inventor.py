"""The rules for sending an inventor to an invention (L6 to L8, L22, S6, S9, S11): refusals and effects.

The seat's inventors and the open inventions are identified by place and slot.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.legendary_inventors import log, pieces, refusals
from spieltisch.games.legendary_inventors.moves import part
from spieltisch.games.legendary_inventors.rules.phases import check_own_turn, next_turn
from spieltisch.games.legendary_inventors.rules.queries import exhausted, fitting, slot_of, tokens_held, total
from spieltisch.games.legendary_inventors.rules.rewards import complete_invention
from spieltisch.games.legendary_inventors.state import ALL, FEWER, FIELDS, GENIUS, MAX_OPEN, NOBODY, TEAM_SIZE, Phase

# --- Sending an inventor. ---


@rule
def can_work(s: Any, c: Any, mode: int, i: int, slot_number: int) -> bool:
    """Return True if the inventor in this place can be sent to the invention in the slot.

    The inventor must be active (L6), with a cube left (S6). With all cubes at least one must fit (L7), fewer must still
    be at least one (S9), and by a stroke of genius (L22) an additional cube must find a space (S11).
    """
    player, slot = s.players[s.seat], s.slots[slot_number]
    if player.exhausted[i] == 1 or player.cubes == 0:
        return False
    if mode == ALL:
        return fitting(player.knowledge[i], slot.free) > 0
    if mode == FEWER:
        return fitting(player.knowledge[i], slot.free) >= 2 and player.cubes >= 2
    if tokens_held(player, c.genius) == 0:
        return False
    for field in range(FIELDS):
        if slot.free[field] > player.knowledge[i][field] and player.cubes > player.knowledge[i][field]:
            return True
    return False


@rule
def can_work_anywhere(s: Any, c: Any, mode: int, i: int) -> bool:
    """Return True if the inventor in this place can work on any open invention."""
    for slot_number in range(MAX_OPEN):
        if s.slots[slot_number].card != NOBODY and can_work(s, c, mode, i, slot_number):
            return True
    return False


@rule
def is_workable(s: Any, c: Any, mode: int, slot_number: int) -> bool:
    """Return True if any inventor of the seat can work on the invention in the slot."""
    for i in range(TEAM_SIZE):
        if can_work(s, c, mode, i, slot_number):
            return True
    return False


@rule
def can_any_inventor_work(s: Any, c: Any, mode: int) -> bool:
    """Return True if any inventor of the seat can work on any open invention."""
    for i in range(TEAM_SIZE):
        if can_work_anywhere(s, c, mode, i):
            return True
    return False


@rule
def refusal_to_send(s: Any, c: Any, mode: int, inventor: int, card: int) -> int:
    """Return the reason that forbids sending the inventor to the invention, or 0.

    Reasons for all inventors come first, then those for the inventor or the invention, then those for both.
    """
    reason = check_own_turn(s)
    if reason != 0:
        return reason
    player = s.players[s.seat]
    if player.cubes == 0:
        return refusals.NO_CUBE_LEFT
    if mode == GENIUS and tokens_held(player, c.genius) == 0:
        return refusals.NO_GENIUS
    if exhausted(player) == TEAM_SIZE:
        return refusals.ALL_EXHAUSTED
    if not can_any_inventor_work(s, c, mode):
        return refusals.NOBODY_WORKS[mode]
    i, slot = c.place_of[inventor], slot_of(s, card)
    if c.team_of[inventor] != player.team:
        return (
            refusals.NOT_IN_TEAM if slot == NOBODY or is_workable(s, c, mode, slot) else refusals.NOBODY_WORKS_ON[mode]
        )
    if player.exhausted[i] == 1:
        return refusals.IS_EXHAUSTED
    if not can_work_anywhere(s, c, mode, i):
        return refusals.WORKS_ON_NOTHING[mode]
    if slot == NOBODY:
        return refusals.NOT_FACE_UP
    if can_work(s, c, mode, i, slot):
        return 0
    return refusals.DOES_NOT_FIT[mode] if is_workable(s, c, mode, slot) else refusals.NOBODY_WORKS_ON[mode]


@rule
def send(s: Any, c: Any, w: Any, mode: int, i: int, slot_number: int) -> None:
    """Send the inventor in this place to the invention in the slot (L6).

    All cubes that fit are placed immediately; if there is a choice of cubes, it is the next move.
    """
    player, slot = s.players[s.seat], s.slots[slot_number]
    if mode == ALL and fitting(player.knowledge[i], slot.free) <= player.cubes:
        for field in range(FIELDS):
            w.cubes[field] = min(player.knowledge[i][field], slot.free[field])
        place_cubes(s, c, w, i, slot_number, 0)
    else:
        s.phase = Phase.PLACING
        s.mode = mode
        s.inventor = i
        s.slot = slot_number


# --- Placing cubes. ---


@rule
def extra_cubes(player: Any, i: int, cubes: Any) -> int:
    """Return the number of cubes beyond the inventor's knowledge."""
    n = 0
    for field in range(FIELDS):
        n += max(0, cubes[field] - player.knowledge[i][field])
    return n


@rule
def strokes_for(c: Any, additional_cubes: int) -> int:
    """Return the number of strokes of genius for this number of additional cubes (L22)."""
    return (additional_cubes + c.genius_cubes - 1) // c.genius_cubes


@rule
def most_placed(s: Any, field: int) -> int:
    """Return the most cubes that the inventor who is sent may place in a field (L6, L8, L22)."""
    free_spaces = s.slots[s.slot].free[field]
    return free_spaces if s.mode == GENIUS else min(free_spaces, s.players[s.seat].knowledge[s.inventor][field])


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
    player, slot, i = s.players[s.seat], s.slots[s.slot], s.inventor
    for field in range(FIELDS):
        if cubes[field] > slot.free[field]:
            return refusals.NO_SPACE
    placed_cubes, additional_cubes = total(cubes), extra_cubes(player, i, cubes)
    if placed_cubes == 0:
        return refusals.NO_CUBE_PLACED
    if s.mode != GENIUS and additional_cubes > 0:
        return refusals.NOT_KNOWN
    if placed_cubes > player.cubes:
        return refusals.TOO_MANY
    if s.mode == ALL and placed_cubes < player.cubes:
        return refusals.CUBES_KEPT
    if s.mode == FEWER and placed_cubes >= min(fitting(player.knowledge[i], slot.free), player.cubes):
        return refusals.NOT_FEWER
    if s.mode == GENIUS and (additional_cubes == 0 or strokes_for(c, additional_cubes) > tokens_held(player, c.genius)):
        return refusals.NOT_BY_GENIUS
    return 0


@rule
def cubes_of(w: Any, move: int) -> None:
    """Write the cubes that a placing move puts into each field to `w.cubes`."""
    for field in range(FIELDS):
        w.cubes[field] = part(move, field)


@rule
def place(s: Any, c: Any, w: Any, move: int) -> None:
    """Place these cubes with the inventor who is sent (L6)."""
    cubes_of(w, move)
    place_cubes(s, c, w, s.inventor, s.slot, strokes_for(c, extra_cubes(s.players[s.seat], s.inventor, w.cubes)))


@rule
def place_cubes(s: Any, c: Any, w: Any, i: int, slot_number: int, strokes_used: int) -> None:
    """Place the cubes in `w.cubes`, exhaust the inventor, and use up `strokes_used` strokes of genius (L6, L10)."""
    p = s.seat
    player, slot = s.players[p], s.slots[slot_number]
    if w.events.listening != 0:
        tell_work(c, w, p, c.members[player.team][i], slot.card, strokes_used)
    spaces_left = 0
    for field in range(FIELDS):
        player.cubes -= w.cubes[field]
        slot.cubes[p][field] += w.cubes[field]
        slot.free[field] -= w.cubes[field]
        spaces_left += slot.free[field]
    if strokes_used > 0:
        player.tokens[c.genius] -= strokes_used
        s.gone[c.genius] += strokes_used
    player.exhausted[i] = 1
    s.mode = ALL
    s.inventor = NOBODY
    s.slot = NOBODY
    s.passes = 0
    if spaces_left == 0:
        complete_invention(s, w, slot_number)
    else:
        next_turn(s)


@rule
def tell_work(c: Any, w: Any, p: int, inventor: int, card: int, strokes_used: int) -> None:
    """Emit the events of an inventor's work, and of the cubes and tokens that it moves."""
    if strokes_used > 0:
        emit(w, log.WORKS_BY_GENIUS, p, inventor, card, total(w.cubes), strokes_used)
        emit(w, MOVED, p, pieces.TOKEN + c.genius, strokes_used, pieces.PLAYER + p, pieces.BOX)
    else:
        emit(w, log.WORKS, p, inventor, card, total(w.cubes), 0)
    for field in range(FIELDS):
        if w.cubes[field] > 0:
            emit(w, MOVED, p, pieces.CUBE + p, w.cubes[field], pieces.PLAYER + p, pieces.FIELD + card * FIELDS + field)
