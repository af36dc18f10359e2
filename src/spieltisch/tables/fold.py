"""Folding events into a table: one short function for each kind of event.

Those of seats and of the clock are in `fold_seats` and `fold_clock`.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

import msgspec
import structlog

from spieltisch.core.position import Position
from spieltisch.core.record import HIDDEN
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, SeatName, message, messages
from spieltisch.tables import events as e
from spieltisch.tables import fold_clock as fold_clock  # registers its events, as the next one does
from spieltisch.tables import fold_seats as fold_seats
from spieltisch.tables import game_clock, log, what_if
from spieltisch.tables.bot_lines import line_after
from spieltisch.tables.fold_steps import apply_event, with_log_entry
from spieltisch.tables.names import device_owner
from spieltisch.tables.summary import Status
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import BotFailure, ConsentRequest, PlayedMove, Seat

SNAPSHOT_EVERY: Final = 16
"""A copy of every 16th position is stored, so any earlier position is at most 15 moves away."""
LAST_SNAPSHOTS: Final = 4
"""The number of latest positions of which copies are stored as well."""

APPLIED_WHEN_FROZEN: Final = (
    *(e.Seated, e.BotSeated, e.Replaced, e.Left, e.Declined, e.Revealed, e.EventsLost, e.Frozen, e.Resumed),
)
"""Events that a frozen table still applies: its seats and losses, so that it can be found and read, and its thaw."""

_logger = structlog.get_logger()


def fold(table_id: str, secret: bytes, events: Iterable[e.RecordedEvent], setup: Callable[[e.Opened], Setup]) -> Table:
    """Return the table that results from these events; the first is `Opened`. `setup` loads the game.

    Every move is replayed and compared with its event. At the first difference, and if `setup` raises ValueError, the
    table is frozen, and `replay_difference` is the event to store, unless it is among the events already. A table whose
    setup cannot be loaded stays readable, with its moves as they were written. Raise ValueError if the events are not
    those of a table.
    """
    first_event, *later_events = events
    opened = first_event.event
    if not isinstance(opened, e.Opened):
        raise ValueError(f"the events of table {table_id} do not begin with its opening")
    game_setup, error = _setup(table_id, opened, setup)
    table = Table(
        id=table_id,
        opened=opened,
        setup=game_setup,
        created=first_event.at,
        changed_at=first_event.at,
        events=(first_event,),
        status="open",
        seats=tuple(Seat(n, offer.kind, offer.person, offer.name) for n, offer in enumerate(opened.seat_offers)),
        host=opened.host,
        is_withheld=opened.duplicate is not None,
        _secret=secret,
    )
    if opened.imported:
        table = with_log_entry(table, first_event, message("Played elsewhere and imported from a game record."))
    if opened.what_if is not None:
        table = with_log_entry(table, first_event, what_if.opening_log(opened.what_if))
    if error is not None:
        table = _freeze(table, first_event.version, error)
    return apply(table, later_events)


def _setup(table_id: str, opened: e.Opened, setup: Callable[[e.Opened], Setup]) -> tuple[Setup | None, Message | None]:
    try:
        return setup(opened), None
    except ValueError as error:
        _logger.warning("table cannot be set up", table=table_id, game=opened.game, problem=str(error))
        first, _, more = str(error).partition("\n")  # a component file may contain many errors
        words = message(
            "The game, its options or its components have changed: {problem}", problem=f"{first} …" if more else first
        )
        return None, words


def apply(table: Table, events: Iterable[e.RecordedEvent]) -> Table:
    """Apply further events to a table. Raise ValueError if their versions do not continue the table's."""
    for recorded in events:
        table = _next_table(table, recorded)
    return table


def _next_table(table: Table, recorded: e.RecordedEvent) -> Table:
    if recorded.version != table.version + 1:
        raise ValueError(f"event {recorded.version} cannot follow event {table.version} of table {table.id}")
    extended = replace(table, events=(*table.events, recorded), changed_at=recorded.at)
    if table.status == "frozen" and not isinstance(recorded.event, APPLIED_WHEN_FROZEN):
        return _without_game(extended, recorded) if table.setup is None else extended
    changed = apply_event(recorded.event, extended, recorded)
    return (
        replace(changed, clock=game_clock.advance_clock(table, changed, recorded))
        if table.opened.settings.clock
        else changed
    )


def _without_game(table: Table, recorded: e.RecordedEvent) -> Table:
    """Apply an event to a table without its game: moves that are not undone are stored as they were written."""
    event = recorded.event
    if isinstance(event, e.Moved):
        number = len(table.moves)
        move = _played_move(event, number, recorded, event.move, passed=True)
        entry = log.LogEntry(recorded.version, recorded.at, event.seat, move, table.names)
        return replace(table, moves=(*table.moves, move), log_entries=(*table.log_entries, entry))
    if isinstance(event, e.Undone):
        entries = log.entries_after_undo(
            table.log_entries, event, recorded, table.moves[event.move_count :], table.names
        )
        return replace(table, moves=table.moves[: event.move_count], log_entries=entries)
    return table


@apply_event.register(e.Started)
def _apply_started(event: e.Started, table: Table, recorded: e.RecordedEvent) -> Table:
    assert table.setup is not None  # noqa: S101  # without a setup the table is frozen and does not start
    try:
        if table.draws_from_record:
            position = Position.start(table.setup, seed=0, drew=event.setup_draws or None)
        else:
            position = table.deal()
    except Exception as error:
        return _frozen_by_error(table, recorded, error)
    if position.setup_draws != event.setup_draws:
        return _freeze(table, recorded.version, message("The deal comes out differently."))
    if table.opened.keeps_seats and not table.seats_on_device(table.host):  # who did not come, and a bot plays for them
        table = replace(table, host=next((device_owner(seat.person) for seat in table.people), table.host))
    table = replace(
        table, status="running", position=position, snapshots=(position,), position_version=recorded.version, moves=()
    )
    return with_log_entry(table, recorded, message("The game begins."))


@apply_event.register(e.Moved)
def _apply_moved(event: e.Moved, table: Table, recorded: e.RecordedEvent) -> Table:
    before = table.position
    if before is None:
        raise ValueError(f"event {recorded.version} of table {table.id} is a move before the game began")
    position = before.copy()
    try:
        result = position.play(event.move, (event.drew or None) if table.draws_from_record else None, seat=event.seat)
        seen = position.observe(None)
        points = tuple(seen.scores)
        line = line_after(table, seen, event.seat, None if event.secret else result.move)
    except Exception as error:
        return _frozen_by_error(table, recorded, error)
    if difference := _difference(event, result.drew, position.seat, points):
        return _freeze(table, recorded.version, difference)
    number = before.number
    move = _played_move(event, number, recorded, str(result.move), passed=result.ended_decision)
    last = position.number - LAST_SNAPSHOTS
    followups = (log.question_dropped_text(event.seat, table.undo_asked),) if table.undo_asked is not None else ()
    return replace(
        table,
        position=position,
        moves=(*table.moves, move),
        snapshots=(
            *(
                snapshot
                for snapshot in table.snapshots
                if snapshot.number % SNAPSHOT_EVERY == 0 or snapshot.number > last
            ),
            position,
        ),
        status="finished" if position.is_over else "running",
        position_version=recorded.version,
        undo_asked=None,
        abort_asked=None if position.is_over else table.abort_asked,
        bot_trouble=None,
        log_entries=(
            *table.log_entries,
            log.LogEntry(recorded.version, recorded.at, event.seat, move, table.names, 0, followups, line),
        ),
    )


def _played_move(event: e.Moved, number: int, recorded: e.RecordedEvent, move: str, *, passed: bool) -> PlayedMove:
    return PlayedMove(
        number, recorded.version, recorded.at, event.seat, move, event.drew, event.revealed, passed, event.secret
    )


def _difference(
    event: e.Moved, drew: tuple[str, ...], next_seat: int | None, points: tuple[int | None, ...]
) -> Message | None:
    move = HIDDEN if event.secret else event.move  # all at the table read the message
    if drew != event.drew:
        return message("The move “{move}” results in a different draw.", move=move)
    if next_seat != event.next_seat:
        return message("After “{move}”, a different player is to move.", move=move)
    if points != event.points:
        return message("The move “{move}” scores differently.", move=move)
    return None


@apply_event.register(e.Undone)
def _apply_undone(event: e.Undone, table: Table, recorded: e.RecordedEvent) -> Table:
    return replace(
        table,
        position=table.position_at(event.move_count),
        moves=table.moves[: event.move_count],
        snapshots=tuple(snapshot for snapshot in table.snapshots if snapshot.number <= event.move_count),
        position_version=recorded.version,
        undo_asked=None,
        bot_trouble=None,
        log_entries=log.entries_after_undo(
            table.log_entries, event, recorded, table.moves[event.move_count :], table.names
        ),
    )


@apply_event.register(e.UndoRequested)
def _apply_undo_requested(event: e.UndoRequested, table: Table, recorded: e.RecordedEvent) -> Table:
    words = log.undo_request_text(event.seat, table.moves[event.to :])
    return with_log_entry(replace(table, undo_asked=ConsentRequest(event.seat, undo_to=event.to)), recorded, words)


def _with_consent(request: ConsentRequest | None, seat: int) -> ConsentRequest | None:
    return None if request is None else msgspec.structs.replace(request, agreed=request.agreed | {seat})


@apply_event.register(e.UndoAgreed)
def _apply_undo_agreed(event: e.UndoAgreed, table: Table, recorded: e.RecordedEvent) -> Table:
    answered = _with_consent(table.undo_asked, event.seat)
    return with_log_entry(replace(table, undo_asked=answered), recorded, log.agreement_text(event.seat))


@apply_event.register(e.UndoRefused)
def _apply_undo_refused(event: e.UndoRefused, table: Table, recorded: e.RecordedEvent) -> Table:
    return with_log_entry(replace(table, undo_asked=None), recorded, log.refusal_text(event.seat, table.undo_asked))


@apply_event.register(e.AbortRequested)
def _apply_abort_requested(event: e.AbortRequested, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{player} proposes ending the game without a result.", player=SeatName(event.seat))
    return with_log_entry(replace(table, abort_asked=ConsentRequest(event.seat)), recorded, words)


@apply_event.register(e.AbortAgreed)
def _apply_abort_agreed(event: e.AbortAgreed, table: Table, recorded: e.RecordedEvent) -> Table:
    answered = _with_consent(table.abort_asked, event.seat)
    return with_log_entry(replace(table, abort_asked=answered), recorded, log.agreement_text(event.seat))


@apply_event.register(e.AbortRefused)
def _apply_abort_refused(event: e.AbortRefused, table: Table, recorded: e.RecordedEvent) -> Table:
    return with_log_entry(replace(table, abort_asked=None), recorded, log.refusal_text(event.seat, table.abort_asked))


@apply_event.register(e.HintsRequested)
def _apply_hints_requested(event: e.HintsRequested, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{player} proposes hints for everyone.", player=SeatName(event.seat))
    return with_log_entry(replace(table, hints_asked=ConsentRequest(event.seat)), recorded, words)


@apply_event.register(e.HintsAgreed)
def _apply_hints_agreed(event: e.HintsAgreed, table: Table, recorded: e.RecordedEvent) -> Table:
    answered = _with_consent(table.hints_asked, event.seat)
    return with_log_entry(replace(table, hints_asked=answered), recorded, log.agreement_text(event.seat))


@apply_event.register(e.HintsRefused)
def _apply_hints_refused(event: e.HintsRefused, table: Table, recorded: e.RecordedEvent) -> Table:
    words = log.refusal_text(event.seat, table.hints_asked)
    if table.hints == "all":
        words = message("{player} turns hints off.", player=SeatName(event.seat))
    return with_log_entry(replace(table, hints_asked=None), recorded, words)


@apply_event.register(e.Revealed)
def _apply_revealed(event: e.Revealed, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("All games of this deal are over. Everything is visible now.")
    return with_log_entry(replace(table, is_withheld=False), recorded, words)


@apply_event.register(e.Aborted)
def _apply_aborted(event: e.Aborted, table: Table, recorded: e.RecordedEvent) -> Table:
    table = replace(table, status="aborted", undo_asked=None, abort_asked=None, bot_trouble=None)
    words = message("The table was closed without a result.")
    if event.waited:
        words = messages(
            "The table was closed: no activity for {count} day before the game began.",
            "The table was closed: no activity for {count} days before the game began.",
            event.waited,
        )
    elif event.by_operator:
        words = message("The operator of the server closed the table without a result.")
    elif event.full:
        words = message("The table was closed without a result: its log is full.")
    return with_log_entry(table, recorded, words)


@apply_event.register(e.RematchOpened)
def _apply_rematch_opened(event: e.RematchOpened, table: Table, recorded: e.RecordedEvent) -> Table:
    return with_log_entry(replace(table, rematch=event.table), recorded, message("The rematch table is ready."))


@apply_event.register(e.HintTaken)
def _apply_hint_taken(event: e.HintTaken, table: Table, recorded: e.RecordedEvent) -> Table:
    player = SeatName(event.seat)
    if event.so_far:
        return with_log_entry(
            table, recorded, message("{player} asked for an analysis of the game so far.", player=player)
        )
    return with_log_entry(table, recorded, message("{player} asked for a hint.", player=player))


@apply_event.register(e.BotFailed)
def _apply_bot_failed(event: e.BotFailed, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{player} could not move and will try again.", player=SeatName(event.seat))
    failure = BotFailure(event.seat, event.bot, event.reason, event.attempt, recorded.at)
    already_logged = table.bot_trouble is not None and table.bot_trouble.seat == event.seat
    table = replace(table, bot_trouble=failure)
    return table if already_logged else with_log_entry(table, recorded, words)


@apply_event.register(e.EventsLost)
def _apply_events_lost(event: e.EventsLost, table: Table, recorded: e.RecordedEvent) -> Table:
    after = replace(table, position_version=recorded.version, events_lost_version=recorded.version)
    if not event.count:
        return after
    words = messages(
        "The server lost the last move at this table ({count}): an older copy of its file was restored.",
        "The server lost the last {count} moves at this table: an older copy of its file was restored.",
        event.count,
    )
    return with_log_entry(replace(after, events_lost=event.count), recorded, words)


@apply_event.register(e.Frozen)
def _apply_frozen(event: e.Frozen, table: Table, recorded: e.RecordedEvent) -> Table:
    return with_log_entry(
        replace(table, status="frozen", frozen=event.message, replay_difference=None), recorded, event.message
    )


@apply_event.register(e.Suspended)
def _apply_suspended(event: e.Suspended, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("The operator of the server has frozen this table.")
    return with_log_entry(replace(table, status="frozen", is_suspended=True), recorded, words)


@apply_event.register(e.Resumed)
def _apply_resumed(event: e.Resumed, table: Table, recorded: e.RecordedEvent) -> Table:
    if not table.is_suspended:  # a replay that differs has frozen it before
        return table
    status: Status = "open" if table.position is None else "running"
    words = message("The operator of the server has thawed this table.")
    return with_log_entry(replace(table, status=status, is_suspended=False), recorded, words)


def _frozen_by_error(table: Table, recorded: e.RecordedEvent, error: Exception) -> Table:
    # Any exception of the rules on a stored move stops only this table; an unexpected one is logged with its traceback.
    expected = isinstance(error, ValueError)
    _logger.warning(
        "replay differs",
        table=table.id,
        version=recorded.version,
        problem=str(error),
        exc_info=None if expected else error,
    )
    words = message(
        "Event {version} can no longer be replayed: {problem}",
        version=recorded.version,
        problem=HIDDEN if table.game.has_hidden_information else str(error),  # a reason may reveal a hand
    )
    return _freeze(table, recorded.version, words)


def _freeze(table: Table, version: int, words: Message) -> Table:
    return replace(table, status="frozen", frozen=words, replay_difference=e.Frozen(version=version, message=words))
