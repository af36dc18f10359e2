"""The rules for tokens: upgrades (L19), backs (L20, S4), refreshing (L21); refusals and effects."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, POINTS, emit
from spieltisch.games.legendary_inventors import log, pieces, refusals
from spieltisch.games.legendary_inventors.rules.phases import check_own_turn, check_settled
from spieltisch.games.legendary_inventors.rules.queries import exhausted, tokens_held
from spieltisch.games.legendary_inventors.rules.scoring import count_runs, reaches_goal
from spieltisch.games.legendary_inventors.state import FIELDS, IS_POINTS, IS_UPGRADE, MAX_KNOWLEDGE, TEAM_SIZE


@rule
def check_upgrade_held(player: Any, c: Any) -> int:
    """Check that the player has an upgrade token of any value (L19)."""
    for kind in range(c.kinds):
        if c.front[kind] == IS_UPGRADE and player.tokens[kind] > 0:
            return 0
    return refusals.NO_UPGRADE_TOKEN


@rule
def check_one_higher(player: Any, c: Any, i: int, field: int) -> int:
    """Check that the player has a token whose value is exactly one higher; none is above 4 (L19)."""
    value = player.knowledge[i][field] + 1
    if value > MAX_KNOWLEDGE:
        return refusals.HIGHEST_VALUE
    return refusals.NO_SUCH_UPGRADE if tokens_held(player, c.upgrade[value]) == 0 else 0


@rule
def check_upgrade_fits(player: Any, c: Any) -> int:
    """Check that one of the player's values is exactly one lower than one of the player's upgrade tokens (L19)."""
    for i in range(TEAM_SIZE):
        for field in range(FIELDS):
            if check_one_higher(player, c, i, field) == 0:
                return 0
    return refusals.NO_UPGRADE_FITS


@rule
def check_token(player: Any, c: Any) -> int:
    """Check that the player has a token to turn over, of any kind (L20).

    An upgrade token of value 1 does not count: it is a 1 without being turned over.
    """
    for kind in range(c.kinds):
        if kind != c.upgrade[1] and player.tokens[kind] > 0:
            return 0
    return refusals.NOTHING_TO_TURN_OVER


@rule
def check_empty(player: Any, i: int, field: int) -> int:
    """Check that the field of an inventor is empty (L20)."""
    return 0 if player.knowledge[i][field] == 0 else refusals.FIELD_NOT_EMPTY


@rule
def check_own_inventor(player: Any, c: Any, inventor: int) -> int:
    """Check that the inventor is in the player's team (L19)."""
    return 0 if c.team_of[inventor] == player.team else refusals.NOT_YOURS_TO_UPGRADE


@rule
def refusal_to_upgrade(s: Any, c: Any, inventor: int, field: int) -> int:
    """Return the reason that forbids upgrading the field with an upgrade token, or 0 (L19)."""
    reason = check_settled(s)
    if reason != 0:
        return reason
    player = s.players[s.seat]
    return (
        check_upgrade_held(player, c)
        or check_upgrade_fits(player, c)
        or check_own_inventor(player, c, inventor)
        or check_one_higher(player, c, c.place_of[inventor], field)
    )


@rule
def refusal_to_turn_over(s: Any, c: Any, kind: int, inventor: int, field: int) -> int:
    """Return the reason that forbids turning the token over for the field, or 0 (L20).

    The back of a token is a 1, and goes on an empty field.
    """
    reason = check_settled(s)
    if reason != 0:
        return reason
    player = s.players[s.seat]
    return (
        check_token(player, c)
        or (refusals.NO_SUCH_TOKEN if player.tokens[kind] == 0 else 0)
        or check_own_inventor(player, c, inventor)
        or check_empty(player, c.place_of[inventor], field)
    )


@rule
def refusal_to_refresh(s: Any, c: Any) -> int:
    """Return the reason that forbids using a refresh token, or 0: it needs one, and an exhausted inventor (L21)."""
    reason = check_own_turn(s)
    if reason != 0:
        return reason
    player = s.players[s.seat]
    if tokens_held(player, c.refresh) == 0:
        return refusals.NO_REFRESH_TOKEN
    return refusals.NOBODY_TO_REFRESH if exhausted(player) == 0 else 0


@rule
def can_upgrade(s: Any, c: Any) -> bool:
    """Return True if the seat that decides can upgrade an inventor with one of its tokens."""
    player = s.players[s.seat]
    if check_upgrade_fits(player, c) == 0:
        return True
    if check_token(player, c) != 0:
        return False
    for i in range(TEAM_SIZE):
        for field in range(FIELDS):
            if check_empty(player, i, field) == 0:
                return True
    return False


@rule
def upgrade(s: Any, c: Any, w: Any, inventor: int, field: int) -> None:
    """Replace a value by an upgrade token that is one higher (L19)."""
    value = s.players[s.seat].knowledge[c.place_of[inventor]][field] + 1
    emit(w, log.UPGRADES, s.seat, inventor, field, value)
    discard(s, w, c.upgrade[value])
    raise_knowledge(s, c, w, inventor, field, value)


@rule
def turn_over(s: Any, c: Any, w: Any, kind: int, inventor: int, field: int) -> None:
    """Turn a token over: it becomes an upgrade of value 1 and loses its front (L20, S4)."""
    emit(w, log.TURNS_OVER, s.seat, inventor, field, kind)
    discard(s, w, kind)
    if c.front[kind] == IS_POINTS:
        emit(w, POINTS, s.seat, -c.value[kind], log.FROM_TOKENS)
    if kind == c.number:
        count_runs(s, c, w)
    raise_knowledge(s, c, w, inventor, field, 1)


@rule
def discard(s: Any, w: Any, kind: int) -> None:
    """Take a token away from the player."""
    emit(w, MOVED, s.seat, pieces.TOKEN + kind, 1, pieces.PLAYER + s.seat, pieces.BOX)
    s.players[s.seat].tokens[kind] -= 1
    s.gone[kind] += 1


@rule
def raise_knowledge(s: Any, c: Any, w: Any, inventor: int, field: int, value: int) -> None:
    """Set an inventor's value in the field, one more than before, which may reach the goal (L28)."""
    i = c.place_of[inventor]
    s.players[s.seat].knowledge[i][field] = value
    if w.events.listening != 0 and value == c.goal[inventor][field] and reaches_goal(s, c, s.seat, i):
        emit(w, POINTS, s.seat, c.goal_points[inventor], log.FROM_GOALS)


@rule
def refresh(s: Any, c: Any, w: Any) -> None:
    """Make all inventors of the seat active with a token, which is discarded; the turn continues (L21)."""
    emit(w, log.REFRESHES, s.seat)
    discard(s, w, c.refresh)
    for i in range(TEAM_SIZE):
        s.players[s.seat].exhausted[i] = 0
