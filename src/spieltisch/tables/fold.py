"""Folding events into a table: one short function for each kind of event."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import singledispatch
from typing import Any, Final

import msgspec
import structlog

from spieltisch.core.position import Position
from spieltisch.core.record import HIDDEN
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, SeatName, message, messages
from spieltisch.tables import events as e
from spieltisch.tables import game_clock, log, what_if
from spieltisch.tables.names import device_owner
from spieltisch.tables.summary import FormerPlayer
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import BotFailure, ConsentRequest, PlayedMove, Seat

SNAPSHOT_EVERY: Final = 16
"""A copy of every 16th position is stored, so any earlier position is at most 15 moves away."""
LAST_SNAPSHOTS: Final = 4
"""The number of latest positions of which copies are stored as well."""

MIN_REPORTED_PAUSE: Final = 60.0
"""Seconds of a pause of the clock below which the log does not mention it."""

APPLIED_WHEN_FROZEN: Final = (
    *(e.Seated, e.BotSeated, e.Replaced, e.Left, e.Declined, e.Revealed, e.EventsLost, e.Frozen),
)
"""Events that a frozen table still applies: its seats and its losses, so that it can be found and read."""

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
        table = _with_log_entry(table, first_event, message("Played elsewhere and imported from a game record."))
    if opened.what_if is not None:
        table = _with_log_entry(table, first_event, what_if.opening_log(opened.what_if))
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
    changed = _apply_event(recorded.event, extended, recorded)
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


@singledispatch
def _apply_event(event: Any, table: Table, recorded: e.RecordedEvent) -> Table:
    raise ValueError(f"event {recorded.version} of table {table.id} cannot stand there: {event!r}")


@_apply_event.register(e.Seated)
def _seated(event: e.Seated, table: Table, recorded: e.RecordedEvent) -> Table:
    before = table.seats[event.seat]
    if before.kind != "left":
        words = message("{name} joins the table.", name=event.name)
    elif (event.person, event.name) == (before.person, before.name):  # a name alone is anyone's
        words = message("{name} is back.", name=event.name)
    else:
        words = message("{name} takes over {other}’s seat.", name=event.name, other=before.name)
    seated = _with_seat(
        _without_claim(table, event.person),
        event.seat,
        kind="person",
        person=event.person,
        name=event.name,
        bot="",
        times_taken=before.times_taken + 1,
    )
    return _with_log_entry(seated, recorded, words)


@_apply_event.register(e.BotSeated)
def _bot_seated(event: e.BotSeated, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{name} (bot) joins the table.", name=event.name)
    return _with_log_entry(
        _with_seat(table, event.seat, kind="bot", person="", name=event.name, bot=event.bot), recorded, words
    )


@_apply_event.register(e.Replaced)
def _replaced(event: e.Replaced, table: Table, recorded: e.RecordedEvent) -> Table:
    other = table.seats[event.seat].name
    words = message("{name} (bot) takes over for {other}.", name=event.name, other=other)
    seated = _with_seat(table, event.seat, kind="bot", person="", name=event.name, bot=event.bot)
    return _with_log_entry(replace(seated, bot_trouble=None), recorded, words)


@_apply_event.register(e.Left)
def _left(event: e.Left, table: Table, recorded: e.RecordedEvent) -> Table:
    seat = table.seats[event.seat]
    host = table.seat_of(table.host)
    if event.agreed:
        words = message("{name} has given up their seat.", name=seat.name)
    elif event.reclaimed and host is not None:
        words = message("{player} has given {name}’s seat away.", player=SeatName(host), name=seat.name)
    elif event.reclaimed:
        words = message("The host has given {name}’s seat away.", name=seat.name)
    else:
        words = message("{name} has left the table.", name=seat.name)
    if table.status == "open":
        is_declined = any(isinstance(r.event, e.Declined) and r.event.seat == event.seat for r in table.events)
        offer = e.SeatOffer("link") if is_declined else table.opened.seat_offers[event.seat]
        after = _with_seat(
            table,
            event.seat,
            kind=offer.kind,
            person=offer.person,
            name=offer.name,
            bot="",
            reclaim_requested=False,
        )
    else:
        is_taken = event.reclaimed and not event.agreed and device_owner(seat.person) != table.host
        former_player = (FormerPlayer(seat.person, seat.name),) if is_taken else ()
        after = _with_seat(
            table,
            event.seat,
            kind="left",
            bot="",
            reclaim_requested=False,
            given_away_from=(*seat.given_away_from, *former_player),
        )
    host_left = after.host == seat.person or (
        after.host == device_owner(seat.person) and _has_ever_sat(after, after.host)
    )
    if host_left and not event.reclaimed and not after.seats_on_device(after.host):
        after = replace(after, host=next((device_owner(other.person) for other in after.people), ""))
    after = replace(
        after,
        undo_asked=None if table.undo_asked and table.undo_asked.seat == event.seat else table.undo_asked,
        abort_asked=None if table.abort_asked and table.abort_asked.seat == event.seat else table.abort_asked,
    )
    return _with_log_entry(after, recorded, words)


@_apply_event.register(e.Declined)
def _declined(event: e.Declined, table: Table, recorded: e.RecordedEvent) -> Table:
    seat = table.seats[event.seat]
    if seat.kind != "reserved":
        return _without_claim(table, event.person)
    words = message("{name} doesn’t take the seat.", name=seat.name)
    return _with_log_entry(_with_seat(table, event.seat, kind="link", person="", name=""), recorded, words)


@_apply_event.register(e.ReclaimRequested)
def _reclaim_requested(event: e.ReclaimRequested, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{player} has been asked to give up their seat.", player=SeatName(event.seat))
    return _with_log_entry(_with_seat(table, event.seat, reclaim_requested=True), recorded, words)


@_apply_event.register(e.ReclaimRefused)
def _reclaim_refused(event: e.ReclaimRefused, table: Table, recorded: e.RecordedEvent) -> Table:
    if event.withdrawn:
        words = message("The host has withdrawn the request for {player}’s seat.", player=SeatName(event.seat))
    else:
        words = message("{player} keeps their seat.", player=SeatName(event.seat))
    return _with_log_entry(_with_seat(table, event.seat, reclaim_requested=False), recorded, words)


def _has_ever_sat(table: Table, person: str) -> bool:
    """Return True if this person ever sat at the table, rather than only hosting players on their device."""
    return any(isinstance(entry.event, e.Seated) and entry.event.person == person for entry in table.events)


@_apply_event.register(e.SeatLinksRenewed)
def _seat_links_renewed(event: e.SeatLinksRenewed, table: Table, recorded: e.RecordedEvent) -> Table:
    return _with_seat(table, event.seat, link_version=table.seats[event.seat].link_version + 1)


@_apply_event.register(e.TableLinksRenewed)
def _table_links_renewed(event: e.TableLinksRenewed, table: Table, recorded: e.RecordedEvent) -> Table:
    return replace(table, table_link_version=table.table_link_version + 1)


@_apply_event.register(e.SpectatorLinksRenewed)
def _spectator_links_renewed(event: e.SpectatorLinksRenewed, table: Table, recorded: e.RecordedEvent) -> Table:
    return replace(table, spectator_link_version=table.spectator_link_version + 1)


@_apply_event.register(e.Started)
def _started(event: e.Started, table: Table, recorded: e.RecordedEvent) -> Table:
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
    table = replace(
        table, status="running", position=position, snapshots=(position,), position_version=recorded.version, moves=()
    )
    return _with_log_entry(table, recorded, message("The game begins."))


@_apply_event.register(e.Moved)
def _moved(event: e.Moved, table: Table, recorded: e.RecordedEvent) -> Table:
    before = table.position
    if before is None:
        raise ValueError(f"event {recorded.version} of table {table.id} is a move before the game began")
    position = before.copy()
    try:
        result = position.play(event.move, (event.drew or None) if table.draws_from_record else None, seat=event.seat)
        points = tuple(position.observe(None).scores)
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
            log.LogEntry(recorded.version, recorded.at, event.seat, move, table.names, followups=followups),
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


@_apply_event.register(e.Undone)
def _undone(event: e.Undone, table: Table, recorded: e.RecordedEvent) -> Table:
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


@_apply_event.register(e.UndoRequested)
def _undo_requested(event: e.UndoRequested, table: Table, recorded: e.RecordedEvent) -> Table:
    words = log.undo_request_text(event.seat, table.moves[event.to :])
    return _with_log_entry(replace(table, undo_asked=ConsentRequest(event.seat, undo_to=event.to)), recorded, words)


@_apply_event.register(e.UndoAgreed)
def _undo_agreed(event: e.UndoAgreed, table: Table, recorded: e.RecordedEvent) -> Table:
    request = table.undo_asked
    answered = ConsentRequest(request.seat, request.agreed | {event.seat}, request.undo_to) if request else None
    return _with_log_entry(replace(table, undo_asked=answered), recorded, log.agreement_text(event.seat))


@_apply_event.register(e.UndoRefused)
def _undo_refused(event: e.UndoRefused, table: Table, recorded: e.RecordedEvent) -> Table:
    return _with_log_entry(replace(table, undo_asked=None), recorded, log.refusal_text(event.seat, table.undo_asked))


@_apply_event.register(e.AbortRequested)
def _abort_requested(event: e.AbortRequested, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{player} proposes ending the game without a result.", player=SeatName(event.seat))
    return _with_log_entry(replace(table, abort_asked=ConsentRequest(event.seat)), recorded, words)


@_apply_event.register(e.AbortAgreed)
def _abort_agreed(event: e.AbortAgreed, table: Table, recorded: e.RecordedEvent) -> Table:
    request = table.abort_asked
    answered = ConsentRequest(request.seat, request.agreed | {event.seat}) if request else None
    return _with_log_entry(replace(table, abort_asked=answered), recorded, log.agreement_text(event.seat))


@_apply_event.register(e.AbortRefused)
def _abort_refused(event: e.AbortRefused, table: Table, recorded: e.RecordedEvent) -> Table:
    return _with_log_entry(replace(table, abort_asked=None), recorded, log.refusal_text(event.seat, table.abort_asked))


@_apply_event.register(e.Revealed)
def _revealed(event: e.Revealed, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("All games of this deal are over. Everything is visible now.")
    return _with_log_entry(replace(table, is_withheld=False), recorded, words)


@_apply_event.register(e.Aborted)
def _aborted(event: e.Aborted, table: Table, recorded: e.RecordedEvent) -> Table:
    table = replace(table, status="aborted", undo_asked=None, abort_asked=None, bot_trouble=None)
    words = message("The table was closed without a result.")
    if event.waited:
        words = messages(
            "The table was closed: no activity for {count} day before the game began.",
            "The table was closed: no activity for {count} days before the game began.",
            event.waited,
        )
    return _with_log_entry(table, recorded, words)


@_apply_event.register(e.RematchOpened)
def _rematch_opened(event: e.RematchOpened, table: Table, recorded: e.RecordedEvent) -> Table:
    return _with_log_entry(replace(table, rematch=event.table), recorded, message("The rematch table is ready."))


@_apply_event.register(e.ClockPaused)
def _clock_paused(event: e.ClockPaused, table: Table, recorded: e.RecordedEvent) -> Table:
    if recorded.at - event.since < MIN_REPORTED_PAUSE:
        return table
    return _with_log_entry(table, recorded, message("The server was down; all clocks were stopped."))


@_apply_event.register(e.TimeUp)
def _time_up(event: e.TimeUp, table: Table, recorded: e.RecordedEvent) -> Table:
    player = SeatName(event.seat)
    words = message("{player} ran out of time.", player=player)
    if event.bot and event.until_return:
        words = message("{player} ran out of time; a bot plays until they’re back.", player=player)
    elif event.bot:
        words = message("{player} ran out of time; a bot plays this turn.", player=player)
    return _with_log_entry(replace(table, bot_trouble=None), recorded, words)


@_apply_event.register(e.PlayerReturned)
def _player_returned(event: e.PlayerReturned, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{player} is back; the bot stops playing.", player=SeatName(event.seat))
    return _with_log_entry(replace(table, bot_trouble=None), recorded, words)


@_apply_event.register(e.HolidayTaken)
def _holiday_taken(event: e.HolidayTaken, table: Table, recorded: e.RecordedEvent) -> Table:
    first, last = game_clock.days_of(table.opened.settings, event.since, event.until)
    player = SeatName(event.seat)
    words = message("{player} is on holiday from {first} to {last}.", player=player, first=f"{first}", last=f"{last}")
    return _with_log_entry(table, recorded, words)


@_apply_event.register(e.HintTaken)
def _hint_taken(event: e.HintTaken, table: Table, recorded: e.RecordedEvent) -> Table:
    player = SeatName(event.seat)
    if event.so_far:
        return _with_log_entry(
            table, recorded, message("{player} asked for an analysis of the game so far.", player=player)
        )
    return _with_log_entry(table, recorded, message("{player} asked for a hint.", player=player))


@_apply_event.register(e.BotFailed)
def _bot_failed(event: e.BotFailed, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{player} could not move and will try again.", player=SeatName(event.seat))
    failure = BotFailure(event.seat, event.bot, event.reason, event.attempt, recorded.at)
    already_logged = table.bot_trouble is not None and table.bot_trouble.seat == event.seat
    table = replace(table, bot_trouble=failure)
    return table if already_logged else _with_log_entry(table, recorded, words)


@_apply_event.register(e.EventsLost)
def _events_lost(event: e.EventsLost, table: Table, recorded: e.RecordedEvent) -> Table:
    after = replace(table, position_version=recorded.version, events_lost_version=recorded.version)
    if not event.count:
        return after
    words = messages(
        "The server lost the last move at this table ({count}): an older copy of its file was restored.",
        "The server lost the last {count} moves at this table: an older copy of its file was restored.",
        event.count,
    )
    return _with_log_entry(replace(after, events_lost=event.count), recorded, words)


@_apply_event.register(e.Frozen)
def _frozen(event: e.Frozen, table: Table, recorded: e.RecordedEvent) -> Table:
    return _with_log_entry(
        replace(table, status="frozen", frozen=event.message, replay_difference=None), recorded, event.message
    )


def _without_claim(table: Table, person: str) -> Table:
    """Return the table without this person's claims to seats that the host has given away."""
    for seat in table.seats:
        others = tuple(former for former in seat.given_away_from if former.person != person)
        if others != seat.given_away_from:
            table = _with_seat(table, seat.number, given_away_from=others)
    return table


def _with_seat(table: Table, number: int, **changes: Any) -> Table:
    seat: Seat = msgspec.structs.replace(table.seats[number], **changes)
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _with_log_entry(table: Table, recorded: e.RecordedEvent, words: Message) -> Table:
    seat = getattr(recorded.event, "seat", None)
    return replace(
        table, log_entries=(*table.log_entries, log.LogEntry(recorded.version, recorded.at, seat, words, table.names))
    )


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
    secret = isinstance(recorded.event, e.Moved) and recorded.event.secret
    words = message(
        "Event {version} can no longer be replayed: {problem}",
        version=recorded.version,
        problem=HIDDEN if secret else str(error),
    )
    return _freeze(table, recorded.version, words)


def _freeze(table: Table, version: int, words: Message) -> Table:
    return replace(table, status="frozen", frozen=words, replay_difference=e.Frozen(version=version, message=words))
