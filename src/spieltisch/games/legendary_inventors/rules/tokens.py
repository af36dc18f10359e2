"""The rules for tokens: upgrades (L19), backs (L20, S4), refreshing (L21); refusals and effects."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, POINTS, emit
from spieltisch.games.legendary_inventors import log, pieces, refusals
from spieltisch.games.legendary_inventors.rules.phases import check_own_turn, check_settled
from spieltisch.games.legendary_inventors.rules.queries import exhausted, held
from spieltisch.games.legendary_inventors.rules.scoring import count_runs, reached
from spieltisch.games.legendary_inventors.state import FIELDS, IS_POINTS, IS_UPGRADE, MAX_KNOWLEDGE, TEAM_SIZE


@rule
def check_upgrade_held(me: Any, c: Any) -> int:
    """Check that the player has an upgrade token of any value (L19)."""
    for kind in range(c.kinds):
        if c.front[kind] == IS_UPGRADE and me.tokens[kind] > 0:
            return 0
    return refusals.NO_UPGRADE_TOKEN


@rule
def check_one_higher(me: Any, c: Any, i: int, f: int) -> int:
    """Check that the player has a token whose value is exactly one higher; none is above 4 (L19)."""
    value = me.knowledge[i][f] + 1
    if value > MAX_KNOWLEDGE:
        return refusals.HIGHEST_VALUE
    return refusals.NO_SUCH_UPGRADE if held(me, c.upgrade[value]) == 0 else 0


@rule
def check_upgrade_fits(me: Any, c: Any) -> int:
    """Check that one of the player's values is exactly one lower than one of the player's upgrade tokens (L19)."""
    for i in range(TEAM_SIZE):
        for f in range(FIELDS):
            if check_one_higher(me, c, i, f) == 0:
                return 0
    return refusals.NO_UPGRADE_FITS


@rule
def check_token(me: Any, c: Any) -> int:
    """Check that the player has a token to turn over, of any kind (L20).

    An upgrade token of value 1 does not count: it is a 1 without being turned over.
    """
    for kind in range(c.kinds):
        if kind != c.upgrade[1] and me.tokens[kind] > 0:
            return 0
    return refusals.NOTHING_TO_TURN_OVER


@rule
def check_empty(me: Any, i: int, f: int) -> int:
    """Check that the field of an inventor is empty (L20)."""
    return 0 if me.knowledge[i][f] == 0 else refusals.FIELD_NOT_EMPTY


@rule
def check_own_inventor(me: Any, c: Any, inventor: int) -> int:
    """Check that the inventor is in the player's team (L19)."""
    return 0 if c.team_of[inventor] == me.team else refusals.NOT_YOURS_TO_UPGRADE


@rule
def refusal_to_upgrade(s: Any, c: Any, inventor: int, f: int) -> int:
    """Return the reason that forbids upgrading the field with an upgrade token, or 0 (L19)."""
    no = check_settled(s)
    if no != 0:
        return no
    me = s.players[s.seat]
    return (
        check_upgrade_held(me, c)
        or check_upgrade_fits(me, c)
        or check_own_inventor(me, c, inventor)
        or check_one_higher(me, c, c.place_of[inventor], f)
    )


@rule
def refusal_to_turn_over(s: Any, c: Any, kind: int, inventor: int, f: int) -> int:
    """Return the reason that forbids turning the token over for the field, or 0 (L20).

    The back of a token is a 1, and goes on an empty field.
    """
    no = check_settled(s)
    if no != 0:
        return no
    me = s.players[s.seat]
    return (
        check_token(me, c)
        or (refusals.NO_SUCH_TOKEN if me.tokens[kind] == 0 else 0)
        or check_own_inventor(me, c, inventor)
        or check_empty(me, c.place_of[inventor], f)
    )


@rule
def refusal_to_refresh(s: Any, c: Any) -> int:
    """Return the reason that forbids using a refresh token, or 0: it needs one, and an exhausted inventor (L21)."""
    no = check_own_turn(s)
    if no != 0:
        return no
    me = s.players[s.seat]
    if held(me, c.refresh) == 0:
        return refusals.NO_REFRESH_TOKEN
    return refusals.NOBODY_TO_REFRESH if exhausted(me) == 0 else 0


@rule
def can_upgrade(s: Any, c: Any) -> bool:
    """Return True if the seat that decides can upgrade an inventor with one of its tokens."""
    me = s.players[s.seat]
    if check_upgrade_fits(me, c) == 0:
        return True
    if check_token(me, c) != 0:
        return False
    for i in range(TEAM_SIZE):
        for f in range(FIELDS):
            if check_empty(me, i, f) == 0:
                return True
    return False


@rule
def upgrade(s: Any, c: Any, w: Any, inventor: int, f: int) -> None:
    """Replace a value by an upgrade token that is one higher (L19)."""
    value = s.players[s.seat].knowledge[c.place_of[inventor]][f] + 1
    emit(w, log.UPGRADES, s.seat, inventor, f, value)
    discard(s, w, c.upgrade[value])
    learn(s, c, w, inventor, f, value)


@rule
def turn_over(s: Any, c: Any, w: Any, kind: int, inventor: int, f: int) -> None:
    """Turn a token over: it becomes an upgrade of value 1 and loses its front (L20, S4)."""
    emit(w, log.TURNS_OVER, s.seat, inventor, f, kind)
    discard(s, w, kind)
    if c.front[kind] == IS_POINTS:
        emit(w, POINTS, s.seat, -c.value[kind], log.FROM_TOKENS)
    if kind == c.number:
        count_runs(s, c, w)
    learn(s, c, w, inventor, f, 1)


@rule
def discard(s: Any, w: Any, kind: int) -> None:
    """Take a token away from the player."""
    emit(w, MOVED, s.seat, pieces.TOKEN + kind, 1, pieces.PLAYER + s.seat, pieces.BOX)
    s.players[s.seat].tokens[kind] -= 1
    s.gone[kind] += 1


@rule
def learn(s: Any, c: Any, w: Any, inventor: int, f: int, value: int) -> None:
    """Set an inventor's value in the field, one more than before, which may reach the goal (L28)."""
    i = c.place_of[inventor]
    s.players[s.seat].knowledge[i][f] = value
    if w.events.listening != 0 and value == c.goal[inventor][f] and reached(s, c, s.seat, i):
        emit(w, POINTS, s.seat, c.goal_points[inventor], log.FROM_GOALS)


@rule
def refresh(s: Any, c: Any, w: Any) -> None:
    """Make all inventors of the seat active with a token, which is discarded; the turn continues (L21)."""
    emit(w, log.REFRESHES, s.seat)
    discard(s, w, c.refresh)
    for i in range(TEAM_SIZE):
        s.players[s.seat].exhausted[i] = 0
