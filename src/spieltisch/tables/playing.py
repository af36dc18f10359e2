"""Moves at a table: playing, asking why not, previews, taking back.

Only who holds the deciding seat may ask about moves; everybody else is told that it is not their turn, whatever they
ask, for a reason can tell a secret.
"""

from __future__ import annotations

from spieltisch.core.errors import IllegalMove, Refusal, UnknownMove
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.previews import Preview
from spieltisch.tables import preconditions, refusals
from spieltisch.tables.events import (
    Event,
    HintTaken,
    Moved,
    PlayerReturned,
    UndoAgreed,
    Undone,
    UndoRefused,
    UndoRequested,
)
from spieltisch.tables.seating import after_events
from spieltisch.tables.table import Table

LONGEST_MOVE = 400
"""No move of any game is a longer text; a longer one is not even looked up."""


def play(table: Table, person: str, move: str, seen: int) -> tuple[Event, ...]:
    """A move by who holds the deciding seat. `seen` is the version of the table they saw when they decided.

    Refused: not-your-seat, turn, stale (the game has moved on since `seen`), not-running, over, frozen,
    unknown-move, illegal (with the rule).
    """
    seat = _require_turn(table, person, seen)
    played = move_event(table, seat, move)
    return (PlayerReturned(seat=seat), played) if table.acting_bot(seat) else (played,)


def move_event(table: Table, seat: int, move: str) -> Moved:
    """The event of a move by this seat, person or bot, checked. Refused as `play` does."""
    position = preconditions.require_running(table).copy()
    try:
        played = position.play(_text(move), seat=seat, detect_reveal=True)
    except UnknownMove as problem:
        raise refusals.unknown_move(move) from problem
    except IllegalMove as problem:
        raise refusals.illegal(problem.refusal) from problem
    return Moved(
        seat=seat,
        move=played.move.text,
        drew=played.drew,
        revealed=bool(played.revealed),
        next_seat=position.seat,
        points=tuple(position.observe(None).scores),
        secret=table.is_secret(seat, played.move),
    )


def position_for_advice(table: Table, person: str, seen: int) -> Position:
    """The position in which this person asks for advice. Refused: as `play`, no-advice."""
    _require_turn(table, person, seen)
    if not table.allows_advice(person):
        raise refusals.no_advice(table.opened.settings.hints != "off")
    return preconditions.require_running(table)


def hint_taken(table: Table, person: str, *, so_far: bool = False) -> tuple[Event, ...]:
    """Who plays with others has been given advice, or is to have the game `so_far` analysed: everybody is told.
    Refused: not-your-seat, not-running.
    """
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    others = [one for one in table.people if one.number != seat]
    return (HintTaken(seat=seat, so_far=so_far),) if others else ()


def request_analysis(table: Table, person: str) -> tuple[Event, ...]:
    """Have the game so far analysed, from what one's own seat knew, where hints are given. Refused: as `hint_taken`,
    no-advice, forgotten (pages no longer show all of its moves).
    """
    events = hint_taken(table, person, so_far=True)
    if not table.allows_hints(person):
        raise refusals.no_advice(table.opened.settings.hints != "off")
    if table.hides_any_move():
        raise refusals.memory_game()
    return events


def why_not(table: Table, person: str | None, move: str) -> Refusal | None:
    """Why this person cannot play this move now; None when they can. Refused: as `play`, unknown-move."""
    position = preconditions.require_running(table)
    seat = table.seat_of(person)
    if seat is None or seat != position.seat:
        return refusals.NOT_YOUR_TURN
    try:
        return position.why_not(_text(move), seat)
    except UnknownMove as problem:
        raise refusals.unknown_move(move) from problem


def preview(table: Table, person: str | None, move: str, seen: int | None = None) -> Preview:
    """What the move would do, as far as this person can know, and what the turn would come to with it. Refused as
    `play`; nothing is played. `seen` may be left out by who does not decide on a page.
    """
    position = preconditions.require_running(table)
    seat = table.seat_of(person)
    if seat is None or seat != position.seat:
        raise refusals.illegal(refusals.NOT_YOUR_TURN)
    if seen is not None:
        _require_version(table, seen)
    try:
        return position.preview(_text(move), seat=seat, since=table.turn_start(), events=table.turn_events())
    except UnknownMove as problem:
        raise refusals.unknown_move(move) from problem
    except IllegalMove as problem:
        raise refusals.illegal(problem.refusal) from problem


def observation_after(table: Table, seat: int | None, move: str) -> Observation | None:
    """What the seat that decides would see after a move, as it can imagine it now. None where there is nothing to see:
    for another seat, for a move that is not legal (any more: it may be the one that has just ended the game), and
    where it is not to be known beforehand, because the move draws by chance, or ends the game, which would show what
    is hidden. Refused: not-running before the game, unknown-move.
    """
    if table.over:
        return None
    position = preconditions.require_running(table)
    if seat is None or seat != position.seat:
        return None
    then = position.observe(seat).imagine(0)
    try:
        played = then.play(_text(move), seat=seat)
    except UnknownMove as problem:
        raise refusals.unknown_move(move) from problem
    except IllegalMove:
        return None
    return None if played.drew or then.over else then.observe(seat)


def undo(table: Table, person: str, seen: int) -> tuple[Event, ...]:
    """Take back the last move of the deciding seat, unless it is final. Refused as `play`, nothing-to-undo,
    final-move.
    """
    return _undo(table, person, seen, 1)


def undo_turn(table: Table, person: str, seen: int) -> tuple[Event, ...]:
    """Take back all moves of the turn under way, up to the last final one. Refused as `undo`."""
    return _undo(table, person, seen, table.undoable)


def _undo(table: Table, person: str, seen: int, many: int) -> tuple[Event, ...]:
    seat = _require_turn(table, person, seen)
    if not table.moves:
        raise refusals.nothing_to_undo()
    if not table.undoable:
        raise refusals.final_move() if table.moves[-1].seat == seat else refusals.nothing_to_undo()
    return (Undone(seat=seat, move_count=len(table.moves) - many),)


def ask_undo(table: Table, person: str, seen: int | None = None) -> tuple[Event, ...]:
    """Ask the other people for one's last turn back. With nobody to ask, it is given back at once.

    `seen` is the version at which the person saw what would go back; it may be left out. Refused: not-your-seat,
    not-running, stale, already-asked, final-move (it drew or told something since).
    """
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    if seen is not None:
        _require_version(table, seen)
    if table.undo_asked is not None:
        raise refusals.already_asked()
    to = table.undo_target(seat)
    if to is None:
        raise refusals.final_move() if any(one.seat == seat for one in table.moves) else refusals.nothing_to_undo()
    return _settled(table, UndoRequested(seat=seat, to=to))


def agree_undo(table: Table, person: str) -> tuple[Event, ...]:
    """Let the asking seat have its turn back, when the last person agrees. Refused: not-your-seat, nothing-asked."""
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    if table.undo_asked is None or seat not in table.awaiting_consent(table.undo_asked):
        raise refusals.nothing_asked()
    return _settled(table, UndoAgreed(seat=seat))


def refuse_undo(table: Table, person: str) -> tuple[Event, ...]:
    """Say no, or take one's own question back. Refused: not-your-seat, nothing-asked."""
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    if table.undo_asked is None:
        raise refusals.nothing_asked()
    return (UndoRefused(seat=seat),)


def _settled(table: Table, event: UndoRequested | UndoAgreed) -> tuple[Event, ...]:
    asked = after_events(table, event).undo_asked
    if asked is not None and not after_events(table, event).awaiting_consent(asked):
        return event, Undone(seat=asked.seat, move_count=asked.undo_to)
    return (event,)


def _require_version(table: Table, seen: int) -> None:
    if not table.position_version <= seen <= table.version:
        raise refusals.stale()


def _require_turn(table: Table, person: str, seen: int) -> int:
    """The seat of a person who decides on what they saw at version `seen`."""
    position = preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    _require_version(table, seen)
    if seat != position.seat:
        raise refusals.illegal(refusals.NOT_YOUR_TURN)
    return seat


def _text(move: str) -> str:
    if len(move) > LONGEST_MOVE:
        raise refusals.unknown_move(move)
    return move
