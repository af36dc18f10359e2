"""From events to a table: one short function for each kind of event."""

from __future__ import annotations

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
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import BotFailure, ConsentRequest, PlayedMove, Seat

SNAPSHOT_EVERY: Final = 16
"""A copy of every 16th position is kept, and of the last few: so any earlier one is at most 15 moves away."""
LAST_SNAPSHOTS: Final = 4

MIN_REPORTED_PAUSE: Final = 60.0
"""Seconds for which a clock stood still: less is nothing that people would miss."""

APPLIED_WHEN_FROZEN: Final = (e.Seated, e.BotSeated, e.Replaced, e.Left, e.Revealed, e.EventsLost, e.Frozen)
"""What a frozen table still takes up: who sat there and what is lost, so that it can be read and found."""

_logger = structlog.get_logger()


def fold(table_id: str, secret: bytes, events: Iterable[e.RecordedEvent], setup: Callable[[e.Opened], Setup]) -> Table:
    """The table that has had these events; the first is `Opened`. `setup` finds what it is played with.

    Every move is played again and compared with what its event says. From the first that comes out differently, and
    when `setup` raises ValueError, the table is frozen, and `differs` is the event that says so, unless it is among the
    events already. What `setup` cannot find leaves a table that can be read, moves as they were written. Raises
    ValueError for events that are those of no table.
    """
    first, *others = events
    opened = first.event
    if not isinstance(opened, e.Opened):
        raise ValueError(f"the events of table {table_id} do not begin with its opening")
    found, problem = _setup(table_id, opened, setup)
    table = Table(
        id=table_id,
        opened=opened,
        setup=found,
        created=first.at,
        changed_at=first.at,
        events=(first,),
        status="open",
        seats=tuple(Seat(n, place.kind, place.person, place.name) for n, place in enumerate(opened.seat_offers)),
        host=opened.host,
        withheld=opened.duplicate is not None,
        _secret=secret,
    )
    if opened.imported:
        table = _with_log_entry(
            table, first, message("This game was played elsewhere; it was read in from its record.")
        )
    if opened.what_if is not None:
        table = _with_log_entry(table, first, what_if.opening_log(opened.what_if))
    if problem is not None:
        table = _freeze(table, first.version, problem)
    return apply(table, others)


def _setup(table_id: str, opened: e.Opened, setup: Callable[[e.Opened], Setup]) -> tuple[Setup | None, Message | None]:
    try:
        return setup(opened), None
    except ValueError as problem:
        _logger.warning("table cannot be set up", table=table_id, game=opened.game, problem=str(problem))
        first, _, more = str(problem).partition("\n")  # a component file may have many faults
        words = message(
            "The game, its options or its components are not what they were: {problem}",
            problem=f"{first} …" if more else first,
        )
        return None, words


def apply(table: Table, events: Iterable[e.RecordedEvent]) -> Table:
    """The table after these events too. Raises ValueError when they do not follow its own."""
    for written in events:
        table = _next_table(table, written)
    return table


def _next_table(table: Table, written: e.RecordedEvent) -> Table:
    if written.version != table.version + 1:
        raise ValueError(f"event {written.version} cannot follow event {table.version} of table {table.id}")
    grown = replace(table, events=(*table.events, written), changed_at=written.at)
    if table.status == "frozen" and not isinstance(written.event, APPLIED_WHEN_FROZEN):
        return _without_game(grown, written) if table.setup is None else grown
    after = _apply_event(written.event, grown, written)
    return (
        replace(after, clock=game_clock.advance_clock(table, after, written)) if table.opened.settings.clock else after
    )


def _without_game(table: Table, written: e.RecordedEvent) -> Table:
    """A table without its game: of what follows, the moves that stand are kept as they are written."""
    event = written.event
    if isinstance(event, e.Moved):
        number = len(table.moves)
        play = _play(event, number, written, event.move, passed=True)
        entry = log.LogEntry(written.version, written.at, event.seat, play, table.names)
        return replace(table, moves=(*table.moves, play), log_entries=(*table.log_entries, entry))
    if isinstance(event, e.Undone):
        entries = log.entries_after_undo(
            table.log_entries, event, written, table.moves[event.move_count :], table.names
        )
        return replace(table, moves=table.moves[: event.move_count], log_entries=entries)
    return table


@singledispatch
def _apply_event(event: Any, table: Table, written: e.RecordedEvent) -> Table:
    raise ValueError(f"event {written.version} of table {table.id} cannot stand there: {event!r}")


@_apply_event.register(e.Seated)
def _seated(event: e.Seated, table: Table, written: e.RecordedEvent) -> Table:
    before = table.seats[event.seat]
    if before.kind != "left":
        words = message("{name} sits down.", name=event.name)
    elif event.name == before.name:  # the same person, or by another way in
        words = message("{name} is back.", name=event.name)
    else:
        words = message("{name} takes the seat that {other} left.", name=event.name, other=before.name)
    return _with_log_entry(
        _with_seat(table, event.seat, kind="person", person=event.person, name=event.name, bot=""), written, words
    )


@_apply_event.register(e.BotSeated)
def _bot_seated(event: e.BotSeated, table: Table, written: e.RecordedEvent) -> Table:
    words = message("{name}, played by the computer, sits down.", name=event.name)
    return _with_log_entry(
        _with_seat(table, event.seat, kind="bot", person="", name=event.name, bot=event.bot), written, words
    )


@_apply_event.register(e.Replaced)
def _replaced(event: e.Replaced, table: Table, written: e.RecordedEvent) -> Table:
    other = table.seats[event.seat].name
    words = message("{name}, played by the computer, goes on for {other}.", name=event.name, other=other)
    sat = _with_seat(table, event.seat, kind="bot", person="", name=event.name, bot=event.bot)
    return _with_log_entry(replace(sat, bot_trouble=None), written, words)


@_apply_event.register(e.Left)
def _left(event: e.Left, table: Table, written: e.RecordedEvent) -> Table:
    seat = table.seats[event.seat]
    if event.reclaimed:
        words = message("The seat of {name} is handed out again.", name=seat.name)
    else:
        words = message("{name} has left the table.", name=seat.name)
    if table.status == "open":
        place = table.opened.seat_offers[event.seat]
        after = _with_seat(
            table,
            event.seat,
            kind=place.kind,
            person=place.person,
            name=place.name,
            bot="",
            reclaim_requested=False,
            entropy="",
        )
    else:
        after = _with_seat(
            table, event.seat, kind="left", person=seat.person, name=seat.name, bot="", reclaim_requested=False
        )
    gone = after.host == seat.person or (after.host == device_owner(seat.person) and _sat(after, after.host))
    if gone and not event.reclaimed and not after.seats_on_device(after.host):
        after = replace(after, host=next((device_owner(other.person) for other in after.people), ""))
    after = replace(
        after,
        undo_asked=None if table.undo_asked and table.undo_asked.seat == event.seat else table.undo_asked,
        abort_asked=None if table.abort_asked and table.abort_asked.seat == event.seat else table.abort_asked,
    )
    return _with_log_entry(after, written, words)


@_apply_event.register(e.ReclaimRequested)
def _hand_out_asked(event: e.ReclaimRequested, table: Table, written: e.RecordedEvent) -> Table:
    words = message("{player} is asked whether this seat may be handed out again.", player=SeatName(event.seat))
    return _with_log_entry(_with_seat(table, event.seat, reclaim_requested=True), written, words)


@_apply_event.register(e.ReclaimRefused)
def _hand_out_refused(event: e.ReclaimRefused, table: Table, written: e.RecordedEvent) -> Table:
    if event.withdrawn:
        words = message("{player} is no longer asked for this seat.", player=SeatName(event.seat))
    else:
        words = message("{player} keeps this seat.", player=SeatName(event.seat))
    return _with_log_entry(_with_seat(table, event.seat, reclaim_requested=False), written, words)


def _sat(table: Table, person: str) -> bool:
    """Whether this person ever sat at the table, and did not only watch who plays on their device."""
    return any(isinstance(one.event, e.Seated) and one.event.person == person for one in table.events)


@_apply_event.register(e.EntropyAdded)
def _stirred(event: e.EntropyAdded, table: Table, written: e.RecordedEvent) -> Table:
    if table.status != "open":
        raise ValueError(f"event {written.version} of table {table.id} adds to chance when the game has begun")
    words = message("{player} adds to chance: “{text}”", player=SeatName(event.seat), text=event.text)
    return _with_log_entry(_with_seat(table, event.seat, entropy=event.text), written, words)


@_apply_event.register(e.SeatLinksRenewed)
def _links_renewed(event: e.SeatLinksRenewed, table: Table, written: e.RecordedEvent) -> Table:
    return _with_seat(table, event.seat, link_version=table.seats[event.seat].link_version + 1)


@_apply_event.register(e.SpectatorLinksRenewed)
def _watch_links_renewed(event: e.SpectatorLinksRenewed, table: Table, written: e.RecordedEvent) -> Table:
    return replace(table, spectator_link_version=table.spectator_link_version + 1)


@_apply_event.register(e.Started)
def _started(event: e.Started, table: Table, written: e.RecordedEvent) -> Table:
    assert table.setup is not None  # noqa: S101  # else the table is frozen and no event comes here
    try:
        if table.draws_from_record:
            position = Position.start(table.setup, seed=0, drew=event.setup_draws or None)
        else:
            position = table.deal()
    except Exception as problem:
        return _frozen_by_error(table, written, problem)
    if position.setup_draws != event.setup_draws:
        return _freeze(table, written.version, message("The deal comes out differently."))
    table = replace(
        table, status="running", position=position, snapshots=(position,), position_version=written.version, moves=()
    )
    return _with_log_entry(table, written, message("The game begins."))


@_apply_event.register(e.Moved)
def _moved(event: e.Moved, table: Table, written: e.RecordedEvent) -> Table:
    before = table.position
    if before is None:
        raise ValueError(f"event {written.version} of table {table.id} is a move before the game began")
    position = before.copy()
    try:
        played = position.play(event.move, (event.drew or None) if table.draws_from_record else None, seat=event.seat)
        points = tuple(position.observe(None).scores)
    except Exception as problem:
        return _frozen_by_error(table, written, problem)
    if difference := _difference(event, played.drew, position.seat, points):
        return _freeze(table, written.version, difference)
    number = before.number
    play = _play(event, number, written, str(played.move), passed=played.ended_decision)
    last = position.number - LAST_SNAPSHOTS
    also = (log.question_dropped_text(event.seat, table.undo_asked),) if table.undo_asked is not None else ()
    return replace(
        table,
        position=position,
        moves=(*table.moves, play),
        snapshots=(
            *(one for one in table.snapshots if one.number % SNAPSHOT_EVERY == 0 or one.number > last),
            position,
        ),
        status="finished" if position.over else "running",
        position_version=written.version,
        undo_asked=None,
        abort_asked=None if position.over else table.abort_asked,
        bot_trouble=None,
        log_entries=(
            *table.log_entries,
            log.LogEntry(written.version, written.at, event.seat, play, table.names, followups=also),
        ),
    )


def _play(event: e.Moved, number: int, written: e.RecordedEvent, move: str, *, passed: bool) -> PlayedMove:
    return PlayedMove(
        number, written.version, written.at, event.seat, move, event.drew, event.revealed, passed, event.secret
    )


def _difference(
    event: e.Moved, drew: tuple[str, ...], then: int | None, points: tuple[int | None, ...]
) -> Message | None:
    move = HIDDEN if event.secret else event.move  # everybody at the table is told
    if drew != event.drew:
        return message("The move “{move}” draws differently.", move=move)
    if then != event.next_seat:
        return message("After the move “{move}” somebody else has to decide.", move=move)
    if points != event.points:
        return message("The move “{move}” scores differently.", move=move)
    return None


@_apply_event.register(e.Undone)
def _undone(event: e.Undone, table: Table, written: e.RecordedEvent) -> Table:
    return replace(
        table,
        position=table.position_at(event.move_count),
        moves=table.moves[: event.move_count],
        snapshots=tuple(one for one in table.snapshots if one.number <= event.move_count),
        position_version=written.version,
        undo_asked=None,
        bot_trouble=None,
        log_entries=log.entries_after_undo(
            table.log_entries, event, written, table.moves[event.move_count :], table.names
        ),
    )


@_apply_event.register(e.UndoRequested)
def _undo_asked(event: e.UndoRequested, table: Table, written: e.RecordedEvent) -> Table:
    words = log.undo_request_text(event.seat, table.moves[event.to :])
    return _with_log_entry(replace(table, undo_asked=ConsentRequest(event.seat, undo_to=event.to)), written, words)


@_apply_event.register(e.UndoAgreed)
def _undo_agreed(event: e.UndoAgreed, table: Table, written: e.RecordedEvent) -> Table:
    asked = table.undo_asked
    agreed = ConsentRequest(asked.seat, asked.agreed | {event.seat}, asked.undo_to) if asked else None
    return _with_log_entry(replace(table, undo_asked=agreed), written, log.agreement_text(event.seat))


@_apply_event.register(e.UndoRefused)
def _undo_refused(event: e.UndoRefused, table: Table, written: e.RecordedEvent) -> Table:
    return _with_log_entry(replace(table, undo_asked=None), written, log.refusal_text(event.seat, table.undo_asked))


@_apply_event.register(e.AbortRequested)
def _abort_asked(event: e.AbortRequested, table: Table, written: e.RecordedEvent) -> Table:
    words = message("{player} proposes to end the game without a result.", player=SeatName(event.seat))
    return _with_log_entry(replace(table, abort_asked=ConsentRequest(event.seat)), written, words)


@_apply_event.register(e.AbortAgreed)
def _abort_agreed(event: e.AbortAgreed, table: Table, written: e.RecordedEvent) -> Table:
    asked = table.abort_asked
    agreed = ConsentRequest(asked.seat, asked.agreed | {event.seat}) if asked else None
    return _with_log_entry(replace(table, abort_asked=agreed), written, log.agreement_text(event.seat))


@_apply_event.register(e.AbortRefused)
def _abort_refused(event: e.AbortRefused, table: Table, written: e.RecordedEvent) -> Table:
    return _with_log_entry(replace(table, abort_asked=None), written, log.refusal_text(event.seat, table.abort_asked))


@_apply_event.register(e.Revealed)
def _laid_open(event: e.Revealed, table: Table, written: e.RecordedEvent) -> Table:
    words = message("The other tables of this deal are over, too: everything lies open now.")
    return _with_log_entry(replace(table, withheld=False), written, words)


@_apply_event.register(e.Aborted)
def _aborted(event: e.Aborted, table: Table, written: e.RecordedEvent) -> Table:
    table = replace(table, status="aborted", undo_asked=None, abort_asked=None, bot_trouble=None)
    words = message("The table was closed without a result.")
    if event.waited:
        words = messages(
            "The table was closed: for {count} day nothing had happened here, and the game had not begun.",
            "The table was closed: for {count} days nothing had happened here, and the game had not begun.",
            event.waited,
        )
    return _with_log_entry(table, written, words)


@_apply_event.register(e.RematchOpened)
def _rematch_opened(event: e.RematchOpened, table: Table, written: e.RecordedEvent) -> Table:
    return _with_log_entry(replace(table, rematch=event.table), written, message("There is a table for a rematch."))


@_apply_event.register(e.ClockPaused)
def _clock_stood(event: e.ClockPaused, table: Table, written: e.RecordedEvent) -> Table:
    if written.at - event.since < MIN_REPORTED_PAUSE:
        return table
    return _with_log_entry(table, written, message("The server was away; meanwhile nobody's time ran."))


@_apply_event.register(e.TimeUp)
def _time_up(event: e.TimeUp, table: Table, written: e.RecordedEvent) -> Table:
    player = SeatName(event.seat)
    words = message("The time of {player} is up.", player=player)
    if event.bot and event.until_return:
        words = message("The time of {player} is up; a bot plays until {player} is back.", player=player)
    elif event.bot:
        words = message("The time of {player} is up; a bot plays this turn.", player=player)
    return _with_log_entry(replace(table, bot_trouble=None), written, words)


@_apply_event.register(e.PlayerReturned)
def _came_back(event: e.PlayerReturned, table: Table, written: e.RecordedEvent) -> Table:
    words = message("{player} is here again; the bot stops playing.", player=SeatName(event.seat))
    return _with_log_entry(replace(table, bot_trouble=None), written, words)


@_apply_event.register(e.HolidayTaken)
def _holiday_taken(event: e.HolidayTaken, table: Table, written: e.RecordedEvent) -> Table:
    first, last = game_clock.days_of(table.opened.settings, event.since, event.until)
    player = SeatName(event.seat)
    words = message("{player} is away from {first} to {last}.", player=player, first=f"{first}", last=f"{last}")
    return _with_log_entry(table, written, words)


@_apply_event.register(e.HintTaken)
def _hint_taken(event: e.HintTaken, table: Table, written: e.RecordedEvent) -> Table:
    player = SeatName(event.seat)
    if event.so_far:
        return _with_log_entry(table, written, message("{player} has the game so far analysed.", player=player))
    return _with_log_entry(table, written, message("{player} has asked for a hint.", player=player))


@_apply_event.register(e.BotFailed)
def _bot_failed(event: e.BotFailed, table: Table, written: e.RecordedEvent) -> Table:
    words = message("{player} could not move and will try again.", player=SeatName(event.seat))
    trouble = BotFailure(event.seat, event.bot, event.reason, event.attempt, written.at)
    said = table.bot_trouble is not None and table.bot_trouble.seat == event.seat
    table = replace(table, bot_trouble=trouble)
    return table if said else _with_log_entry(table, written, words)


@_apply_event.register(e.EventsLost)
def _steps_lost(event: e.EventsLost, table: Table, written: e.RecordedEvent) -> Table:
    after = replace(table, position_version=written.version, events_lost_version=written.version)
    if not event.count:
        return after
    words = messages(
        "The server has lost the last step at this table ({count}): its file came back older than it was.",
        "The server has lost the last {count} steps at this table: its file came back older than it was.",
        event.count,
    )
    return _with_log_entry(replace(after, events_lost=event.count), written, words)


@_apply_event.register(e.Frozen)
def _frozen(event: e.Frozen, table: Table, written: e.RecordedEvent) -> Table:
    return _with_log_entry(
        replace(table, status="frozen", frozen=event.message, replay_difference=None), written, event.message
    )


def _with_seat(table: Table, number: int, **changes: Any) -> Table:
    seat: Seat = msgspec.structs.replace(table.seats[number], **changes)
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _with_log_entry(table: Table, written: e.RecordedEvent, words: Message) -> Table:
    seat = getattr(written.event, "seat", None)
    return replace(
        table, log_entries=(*table.log_entries, log.LogEntry(written.version, written.at, seat, words, table.names))
    )


def _frozen_by_error(table: Table, written: e.RecordedEvent, problem: Exception) -> Table:
    # Whatever the rules raise on their own old move, only this table is stopped by it; what nobody foresaw is logged
    # whole.
    foreseen = isinstance(problem, ValueError)
    _logger.warning(
        "replay differs",
        table=table.id,
        version=written.version,
        problem=str(problem),
        exc_info=None if foreseen else problem,
    )
    secret = isinstance(written.event, e.Moved) and written.event.secret
    words = message(
        "Event {version} cannot be played any more: {problem}",
        version=written.version,
        problem=HIDDEN if secret else str(problem),
    )
    return _freeze(table, written.version, words)


def _freeze(table: Table, version: int, words: Message) -> Table:
    return replace(table, status="frozen", frozen=words, replay_difference=e.Frozen(version=version, message=words))
