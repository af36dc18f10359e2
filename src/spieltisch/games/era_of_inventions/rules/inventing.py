"""Action F: developing inventions (E34 to E37), or registering patents (E38 to E41)."""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, emit
from spieltisch.games.era_of_inventions import log, moves, refusals
from spieltisch.games.era_of_inventions.moves import number
from spieltisch.games.era_of_inventions.pieces import ASIDE, CARD, FIELD, FRESH, MARKER, PLAYER
from spieltisch.games.era_of_inventions.rules.goods import advance, receive, steps_done
from spieltisch.games.era_of_inventions.state import (
    CARDS,
    COIN,
    GOLD,
    INVENTED,
    INVENTIONS,
    NOBODY,
    PATENTED,
    SILVER,
    STONE,
    Action,
    Phase,
    Way,
)


@rule
def check_not_patenting(s: Any) -> int:
    """Check that the action has registered no patents, so that it may develop (E34)."""
    return refusals.PATENTING_NOW if s.way == Way.PATENTING else 0


@rule
def check_field_free(s: Any, invention: int, grade: int) -> int:
    """Check that no player holds the field (E36)."""
    return 0 if s.holder[invention][grade] == NOBODY else refusals.FIELD_TAKEN


@rule
def check_gold_first(s: Any, invention: int, grade: int) -> int:
    """Check that the gold field is taken before the silver one, even in the same action (E35, R28)."""
    return refusals.GOLD_FIRST if grade == SILVER and s.holder[invention][GOLD] == NOBODY else 0


@rule
def check_stone_limit(s: Any, c: Any, invention: int, grade: int) -> int:
    """Check the limit of 7 development stones for one action (E34)."""
    return refusals.MANY_STONES if s.spent + c.price[invention][grade] > c.most_stones else 0


@rule
def check_stone_payment(s: Any, c: Any, invention: int, grade: int) -> int:
    """Check that the seat can pay the development stones (E36)."""
    return refusals.FIELD_UNPAID if s.players[s.seat].goods[STONE] < c.price[invention][grade] else 0


@rule
def check_marker_left(s: Any) -> int:
    """Check that the seat has an invention marker, to take or patent a field (R8)."""
    return refusals.SUPPLY_EMPTY if s.players[s.seat].markers == 0 else 0


@rule
def refusal_to_develop(s: Any, c: Any, invention: int, grade: int) -> int:
    """Return the reason that forbids taking the gold (0) or silver (1) field, or 0."""
    return (
        check_not_patenting(s)
        or check_field_free(s, invention, grade)
        or check_gold_first(s, invention, grade)
        or check_marker_left(s)
        or check_stone_payment(s, c, invention, grade)
        or check_stone_limit(s, c, invention, grade)
    )


@rule
def develop(s: Any, c: Any, w: Any, invention: int, grade: int) -> None:
    """Place a marker, pay stones and gain influence (E36, E37).

    A gold field also puts its three cards next to the draw pile.
    """
    emit(w, log.DEVELOPS, s.seat, invention, grade)
    s.holder[invention][grade] = s.seat
    use_marker(s, w, invention, grade)
    receive(s, w, s.seat, STONE, -c.price[invention][grade])
    s.spent += c.price[invention][grade]
    s.way = Way.DEVELOPING
    if grade == GOLD:
        s.new_original = 1
        for card in range(CARDS):
            if c.invention[card] == invention:
                s.aside[card] = 0
                s.fresh[card] = 1
                emit(w, MOVED, NOBODY, CARD + card, 1, ASIDE, FRESH)
    advance(s, c, w, s.seat, c.field_influence[invention][grade], INVENTED)


@rule
def use_marker(s: Any, w: Any, invention: int, grade: int) -> None:
    """Move an invention marker of the seat to a field (E36, E39)."""
    s.players[s.seat].markers -= 1
    emit(w, MOVED, s.seat, MARKER + s.seat, 1, PLAYER + s.seat, FIELD + 2 * invention + grade)


@rule
def check_not_developing(s: Any) -> int:
    """Check that the action has developed nothing, so that it may register patents (E38)."""
    return refusals.DEVELOPING_NOW if s.way == Way.DEVELOPING else 0


@rule
def check_patent_limit(s: Any, c: Any) -> int:
    """Check the limit of 2 steps for one action (E38), or for one turn with its bonus disc (R24)."""
    if steps_done(s, Action.DEVELOP) < c.most_patents:
        return 0
    return refusals.PATENTS_IN_TURN if s.phase == Phase.BONUS else refusals.MANY_PATENTS


@rule
def check_step_left(s: Any, c: Any) -> int:
    """Check that the seat is below the last of the 6 steps of the patent track (E38)."""
    return refusals.TOP_OF_THE_TRACK if s.players[s.seat].steps >= c.patent_steps else 0


@rule
def check_step_payment(s: Any, c: Any) -> int:
    """Check that the seat can pay the coins on the next step (E38)."""
    player = s.players[s.seat]
    return refusals.STEP_UNPAID if player.goods[COIN] < c.step_price[player.steps] else 0


@rule
def check_own_unpatented(s: Any, invention: int, grade: int) -> int:
    """Check that the seat holds the field and that it has no patent yet (E39)."""
    return 0 if s.holder[invention][grade] == s.seat and s.patented[invention][grade] == 0 else refusals.NOT_TO_PATENT


@rule
def can_patent_anything(s: Any) -> bool:
    """Return True if the seat has a marker and an unpatented field to place it on."""
    if check_marker_left(s) != 0:
        return False
    for invention in range(INVENTIONS):
        for grade in range(2):
            if check_own_unpatented(s, invention, grade) == 0:
                return True
    return False


@rule
def check_marker_placed(s: Any) -> int:
    """Check that the seat cannot place the marker, which it must do if it can (R14).

    If it cannot, the right to place it is lost (E40).
    """
    return refusals.MARKER_MUST_GO if can_patent_anything(s) else 0


@rule
def refusal_to_step(s: Any, c: Any) -> int:
    """Return the reason that forbids a step up the patent track, or 0."""
    return check_not_developing(s) or check_patent_limit(s, c) or check_step_left(s, c) or check_step_payment(s, c)


@rule
def refusal_to_patent(s: Any, c: Any, invention: int, grade: int) -> int:
    """Return the reason that forbids a patent on the gold (0) or silver (1) field, or 0."""
    return refusal_to_step(s, c) or check_own_unpatented(s, invention, grade) or check_marker_left(s)


@rule
def refusal_to_patent_nothing(s: Any, c: Any) -> int:
    """Return the reason that forbids a step without a marker, or 0."""
    return refusal_to_step(s, c) or check_marker_placed(s)


@rule
def step_up(s: Any, c: Any, w: Any) -> None:
    """Pay, move up the patent track, and gain the influence of the step with its symbol (E38)."""
    player = s.players[s.seat]
    receive(s, w, s.seat, COIN, -c.step_price[player.steps])
    player.steps += 1
    s.way = Way.PATENTING
    advance(s, c, w, s.seat, c.step_influence[player.steps - 1], PATENTED)


@rule
def patent(s: Any, c: Any, w: Any, invention: int, grade: int) -> None:
    """Take a step, then place the marker (E38, E39, R22)."""
    emit(w, log.PATENTS, s.seat, s.players[s.seat].steps, invention, grade)
    step_up(s, c, w)
    s.patented[invention][grade] = 1
    use_marker(s, w, invention, grade)


@rule
def patent_nothing(s: Any, c: Any, w: Any) -> None:
    """Take a step without placing a marker (E40)."""
    emit(w, log.PATENTS_NOTHING, s.seat, s.players[s.seat].steps)
    step_up(s, c, w)


@rule
def can_develop(s: Any, c: Any) -> bool:
    """Return True if the seat may develop a field."""
    for invention in range(INVENTIONS):
        for grade in range(2):
            if refusal_to_develop(s, c, invention, grade) == 0:
                return True
    return False


@rule
def list_developments(s: Any, c: Any, out: Any, n: int) -> int:
    """Append the fields that the seat may develop and patent to `out` and return the new count."""
    for invention in range(INVENTIONS):
        for grade in range(2):
            if refusal_to_develop(s, c, invention, grade) == 0:
                out[n] = number(moves.DEVELOP_FIELD, invention, grade)
                n += 1
    if refusal_to_step(s, c) != 0:
        return n
    for invention in range(INVENTIONS):
        for grade in range(2):
            if refusal_to_patent(s, c, invention, grade) == 0:
                out[n] = number(moves.PATENT_FIELD, invention, grade)
                n += 1
    if refusal_to_patent_nothing(s, c) == 0:
        out[n] = number(moves.PATENT_NOTHING)
        n += 1
    return n
