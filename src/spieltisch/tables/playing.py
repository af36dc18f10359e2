"""Commands to play, preview and undo moves, and to ask why a move is illegal.

Only the player of the deciding seat may ask about moves. All others learn that it is not their turn, whatever they ask:
a reason can reveal a secret.
"""

from collections.abc import Sequence

from spieltisch.bots.turns import TurnMove, digest
from spieltisch.core.errors import IllegalMove, Refusal, UnknownMove
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.previews import Preview
from spieltisch.tables import events, permissions, preconditions, refusals, turns
from spieltisch.tables.seating import after_events
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import BotTurn

MAX_REASON_LENGTH = 300
"""The maximum length of the stored reason of a bot's failure."""

MAX_MOVE_LENGTH = 400
"""The maximum length of a move's text. No game has longer ones; a longer text is not even looked up."""


def play(table: Table, person: str, move: str, seen_version: int) -> tuple[events.Event, ...]:
    """Play a move in the deciding seat. `seen_version` is the version on which the person decided.

    Refusals: not-your-seat, turn, stale (the position has changed since `seen_version`), not-running, over, frozen,
    unknown-move, illegal (with the rule).
    """
    seat = _require_turn(table, person, seen_version)
    moved = move_event(table, seat, move)
    return (events.PlayerReturned(seat=seat), moved) if table.acting_bot(seat) else (moved,)


def move_event(table: Table, seat: int, move: str) -> events.Moved:
    """Return the checked event of a move by this seat, a person's or a bot's. Refusals: as `play`."""
    position = preconditions.require_running(table).copy()
    try:
        result = position.play(_checked_text(move), seat=seat, detect_reveal=True)
    except UnknownMove as error:
        raise refusals.unknown_move(move) from error
    except IllegalMove as error:
        raise refusals.illegal(error.refusal) from error
    return events.Moved(
        seat=seat,
        move=result.move.text,
        drew=result.drew,
        revealed=bool(result.revealed),
        next_seat=position.seat,
        points=tuple(position.observe(None).scores),
        secret=table.is_secret(seat, result.move),
    )


def position_for_advice(table: Table, person: str, seen_version: int) -> Position:
    """Return the position in which this person asks for advice. Refusals: as `play`, no-advice."""
    _require_turn(table, person, seen_version)
    if not permissions.allows_advice(table, person):
        raise refusals.no_advice(table.hints != "off")
    return preconditions.require_running(table)


def hint_taken(table: Table, person: str, *, so_far: bool = False) -> tuple[events.Event, ...]:
    """Record that a person was given advice, or has the game `so_far` analysed, so that all see it.

    Return no event if no other people play. Refusals: not-your-seat, not-running.
    """
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    others = [other for other in table.people if other.number != seat]
    return (events.HintTaken(seat=seat, so_far=so_far),) if others else ()


def request_analysis(table: Table, person: str) -> tuple[events.Event, ...]:
    """Request an analysis of the game so far, from what the person's seat knew, if the settings allow hints.

    Refusals: as `hint_taken`, no-advice, forgotten (pages no longer show all of its moves).
    """
    taken = hint_taken(table, person, so_far=True)
    if not permissions.allows_hints(table, person):
        raise refusals.no_advice(table.hints != "off")
    if table.hides_any_move():
        raise refusals.memory_game()
    return taken


def why_not(table: Table, person: str | None, move: str) -> Refusal | None:
    """Return the reason why this person cannot play this move now; None if they can.

    Refusals: as `play`, unknown-move.
    """
    position = preconditions.require_running(table)
    seat = table.seat_of(person)
    if seat is None or seat != position.seat:
        return refusals.NOT_YOUR_TURN
    try:
        return position.why_not(_checked_text(move), seat)
    except UnknownMove as error:
        raise refusals.unknown_move(move) from error


def preview(table: Table, person: str | None, move: str, seen_version: int | None = None) -> Preview:
    """Return the effects of a move and of the turn with it, as far as this person can know; nothing is played.

    Callers that do not decide on a page may omit `seen_version`. Refusals: as `play`.
    """
    position = preconditions.require_running(table)
    seat = table.seat_of(person)
    if seat is None or seat != position.seat:
        raise refusals.illegal(refusals.NOT_YOUR_TURN)
    if seen_version is not None:
        _require_version(table, seen_version)
    try:
        return position.preview(
            _checked_text(move), seat=seat, since=turns.turn_start(table), events=turns.turn_events(table)
        )
    except UnknownMove as error:
        raise refusals.unknown_move(move) from error
    except IllegalMove as error:
        raise refusals.illegal(error.refusal) from error


def observation_after(table: Table, seat: int | None, move: str) -> Observation | None:
    """Return what the deciding seat would see after a move, as it can imagine it now; None if it sees nothing.

    That is so for another seat, and for a move that is not or no longer legal: it may be the one that has just ended
    the game. It is also so if the result cannot be known beforehand: if the move draws, or ends the game, which would
    reveal what is hidden. Refusals: not-running before the game, unknown-move.
    """
    if table.is_over:
        return None
    position = preconditions.require_running(table)
    if seat is None or seat != position.seat:
        return None
    imagined = position.observe(seat).imagine(0)
    try:
        result = imagined.play(_checked_text(move), seat=seat)
    except UnknownMove as error:
        raise refusals.unknown_move(move) from error
    except IllegalMove:
        return None
    return None if result.drew or imagined.is_over else imagined.observe(seat)


def undo(table: Table, person: str, seen_version: int) -> tuple[events.Event, ...]:
    """Undo the last move of the deciding seat, unless it is final.

    Refusals: as `play`, nothing-to-undo, final-move.
    """
    return _undo(table, person, seen_version, 1)


def undo_turn(table: Table, person: str, seen_version: int) -> tuple[events.Event, ...]:
    """Undo all moves of the current turn, back to the last final one. Refusals: as `undo`."""
    return _undo(table, person, seen_version, table.undoable)


def _undo(table: Table, person: str, seen_version: int, count: int) -> tuple[events.Event, ...]:
    seat = _require_turn(table, person, seen_version)
    if not table.moves:
        raise refusals.nothing_to_undo()
    if not table.undoable:
        raise refusals.final_move() if table.moves[-1].seat == seat else refusals.nothing_to_undo()
    return (events.Undone(seat=seat, move_count=len(table.moves) - count),)


def ask_undo(table: Table, person: str, seen_version: int | None = None) -> tuple[events.Event, ...]:
    """Ask the other people for a takeback of one's last turn. If there are none to ask, it is granted immediately.

    `seen_version` is the version at which the person saw which moves would be undone; it may be omitted. Refusals:
    not-your-seat, not-running, stale, already-asked, final-move (it drew, or revealed something since).
    """
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    if seen_version is not None:
        _require_version(table, seen_version)
    if table.undo_asked is not None:
        raise refusals.already_asked()
    move_count = permissions.undo_target(table, seat)
    if move_count is None:
        raise refusals.final_move() if any(play.seat == seat for play in table.moves) else refusals.nothing_to_undo()
    return _settle_undo(table, events.UndoRequested(seat=seat, to=move_count))


def agree_undo(table: Table, person: str) -> tuple[events.Event, ...]:
    """Agree to a takeback; it happens when the last person agrees. Refusals: not-your-seat, nothing-asked."""
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    if table.undo_asked is None or seat not in table.awaiting_consent(table.undo_asked):
        raise refusals.nothing_asked()
    return _settle_undo(table, events.UndoAgreed(seat=seat))


def refuse_undo(table: Table, person: str) -> tuple[events.Event, ...]:
    """Refuse a takeback, or withdraw one's own request. Refusals: not-your-seat, nothing-asked."""
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    if table.undo_asked is None:
        raise refusals.nothing_asked()
    return (events.UndoRefused(seat=seat),)


def _settle_undo(table: Table, event: events.UndoRequested | events.UndoAgreed) -> tuple[events.Event, ...]:
    request = after_events(table, event).undo_asked
    if request is not None and not after_events(table, event).awaiting_consent(request):
        return event, events.Undone(seat=request.seat, move_count=request.undo_to)
    return (event,)


def _require_version(table: Table, seen_version: int) -> None:
    if not table.position_version <= seen_version <= table.version:
        raise refusals.stale()


def _require_turn(table: Table, person: str, seen_version: int) -> int:
    """Return the seat of a person who decides on the table at version `seen_version`."""
    position = preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    _require_version(table, seen_version)
    if seat != position.seat:
        raise refusals.illegal(refusals.NOT_YOUR_TURN)
    return seat


def _checked_text(move: str) -> str:
    if len(move) > MAX_MOVE_LENGTH:
        raise refusals.unknown_move(move)
    return move


def play_bot_move(
    table: Table, turn: BotTurn, move: str, following: Sequence[TurnMove] = ()
) -> tuple[events.Event, ...]:
    """Return the events of a bot's move and of the `following` moves of its turn, checked like a person's.

    A following move is played only if the seat sees what it was meant for; otherwise the bot is asked again. Refusals:
    stale, unknown-move, illegal.
    """
    _require_current(table, turn)
    moved = [move_event(table, turn.seat, move)]
    for planned in following:
        table = after_events(table, moved[-1])
        current = table.bot_to_move()
        if current is None or (current.seat, current.bot) != (turn.seat, turn.bot):
            break
        if planned.expected != digest(preconditions.require_running(table).observe(turn.seat)):
            break
        moved.append(move_event(table, turn.seat, planned.move))
    return tuple(moved)


def report_bot_failure(table: Table, turn: BotTurn, reason: str) -> tuple[events.Event, ...]:
    """Return the event of a bot that could not move, with the reason. Refusals: stale."""
    _require_current(table, turn)
    attempt = turn.failures + 1
    return (events.BotFailed(seat=turn.seat, bot=turn.bot, reason=reason[:MAX_REASON_LENGTH], attempt=attempt),)


def _require_current(table: Table, turn: BotTurn) -> None:
    if table.bot_to_move() != turn:
        raise refusals.stale()
