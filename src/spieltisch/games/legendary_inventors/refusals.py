"""What forbids a move of Legendary Inventors: one function a rule, each answering with its number, or 0.
 `refusal` asks them for any move of the move space. What forbids
sending an inventor stands in `sending.py`. The legal moves (`listing.py`) ask the same functions.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.going_on import (
    L1,
    L9,
    L10,
    L13,
    L19,
    L20,
    L21,
    S1,
    S2,
    S7,
    exhausted,
    held,
    own_turn,
    settled,
)
from spieltisch.games.legendary_inventors.sending import cubes_of, refusal_to_place, refusal_to_send, someone_works
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
)
from spieltisch.games.legendary_inventors.state import (
    ALL,
    FIELDS,
    FINAL,
    INVENTIONS,
    INVENTORS,
    IS_UPGRADE,
    MOST_KNOWLEDGE,
    NOBODY,
    OPEN,
    REWARD,
    TEAM,
    TEAM_SIZE,
    TOKENS,
)

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


# --- Tokens. ---


@rule
def upgrade_held(me: Any, c: Any) -> int:
    """L19: an upgrade token, of whichever value."""
    for kind in range(c.kinds):
        if c.front[kind] == IS_UPGRADE and me.tokens[kind] > 0:
            return 0
    return L19


@rule
def upgrade_fits(me: Any, c: Any) -> int:
    """L19: a value of an own inventor that is exactly one lower than that of an own upgrade token."""
    for i in range(TEAM_SIZE):
        for f in range(FIELDS):
            if one_higher(me, c, i, f) == 0:
                return 0
    return L19


@rule
def token_to_turn_over(me: Any, c: Any) -> int:
    """L20: a token, of whichever kind; an upgrade token of value 1 is a 1 as it lies."""
    for kind in range(c.kinds):
        if kind != c.upgrade[1] and me.tokens[kind] > 0:
            return 0
    return L20


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
        no = upgrade_held(s.players[s.seat], c)
    if no == 0:
        no = upgrade_fits(s.players[s.seat], c)
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
        no = token_to_turn_over(s.players[s.seat], c)
    if no == 0:
        no = token_held(s.players[s.seat], kind)
    if no == 0:
        no = own_to_upgrade(s, c, inventor)
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
    return S2 if someone_works(s, c, ALL) else 0


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
