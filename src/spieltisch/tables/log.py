"""The log of a table in words, as each perspective may read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from spieltisch.core.events import GameEvent as GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.words import Message, SeatName, message, messages
from spieltisch.tables import unplayable
from spieltisch.tables.events import RecordedEvent, Undone

if TYPE_CHECKING:
    from spieltisch.tables.table import Table
    from spieltisch.tables.table_state import ConsentRequest, PlayedMove


class LogLine(msgspec.Struct, frozen=True):
    """One thing that happened: the event's version and time (UTC seconds), the seat it is about, and what to say.

    `number` is the number of moves before it, for a move (its address in the replay), else None. `names` are what the
    seats were called then: a seat may have changed hands since. `move` is the move, and `events` what it did, as far as
    who reads this may know; None and empty where they are not to know the move.
    """

    version: int
    at: float
    seat: int | None
    number: int | None
    messages: tuple[Message, ...]
    names: tuple[str, ...]
    move: Move | None = None
    events: tuple[GameEvent, ...] = ()


class MoveLog(msgspec.Struct, frozen=True):
    """What somebody is told of a move: sentences; and the move and its events, as far as they may know them."""

    messages: tuple[Message, ...]
    move: Move | None = None
    events: tuple[GameEvent, ...] = ()


class LogEntry(msgspec.Struct, frozen=True):
    """A line before it is put into words: a move, told to each perspective in its own way, or a sentence for all.

    `taken_back`: how many of its own moves the seat has taken back in a row; `also`: what a move led to, for all.
    """

    version: int
    at: float
    seat: int | None
    content: PlayedMove | Message
    names: tuple[str, ...]
    taken_back: int = 0
    followups: tuple[Message, ...] = ()


def log_lines(table: Table, perspective: int | None) -> tuple[LogLine, ...]:
    """See `Table.log`. While the game runs, a game may withhold moves that its players are to remember themselves."""
    told = []
    for entry in table.log_entries:
        if isinstance(entry.content, Message):
            told.append(LogLine(entry.version, entry.at, entry.seat, None, (entry.content,), entry.names))
        elif not table.hides_move(entry.content.number):
            one = _tell(table, entry.content, perspective)
            number, said = entry.content.number, (*one.messages, *entry.followups)
            line = LogLine(entry.version, entry.at, entry.seat, number, said, entry.names, one.move, one.events)
            told.append(line)
    return tuple(told)


def _tell(table: Table, play: PlayedMove, perspective: int | None) -> MoveLog:
    """What the game says of a move, as far as it may be known by now; kept, since the same lines are read again after
    every event.
    """
    if table.setup is None:
        return MoveLog((unplayable.move_text(table, play),))
    instead = table.hidden_move_text(play.number, perspective)
    if instead is not None:
        return MoveLog((instead,))
    key = (play.version, perspective)
    known = table._tellings.get(key)
    if known is None:
        setup, events = table.setup, _move_events(table, play)
        said, seen = (
            setup.game.log(setup, events, perspective),
            setup.game.events.visible_events(setup, events, perspective),
        )
        known = table._tellings[key] = MoveLog(tuple(said), setup.move(play.move), seen)
    return known


def _move_events(table: Table, play: PlayedMove) -> tuple[GameEvent, ...]:
    """Return what a move did. The moves between two snapshots are played together, once for all perspectives."""
    events = table._move_events
    if play.version not in events:
        position = table.last_snapshot(play.number).copy()
        end = min((one.number for one in table.snapshots if one.number > play.number), default=len(table.moves))
        for one in table.moves[position.number : end]:
            events[one.version] = position.play(one.move, one.drew, collect_events=True).events
    return events[play.version]


def entries_after_undo(
    entries: tuple[LogEntry, ...],
    event: Undone,
    written: RecordedEvent,
    gone: Sequence[PlayedMove],
    names: tuple[str, ...],
) -> tuple[LogEntry, ...]:
    """The lines after moves were taken back: those that are gone, one line says how many of its own a seat has taken
    back in a row, and another how many went with them when others had moved since.
    """
    left = tuple(
        entry for entry in entries if isinstance(entry.content, Message) or entry.content.number < event.move_count
    )
    count = len(gone)
    if any(play.seat != event.seat for play in gone):
        words = messages(
            "{player} takes a turn back, and all that followed: {count} move.",
            "{player} takes a turn back, and all that followed: {count} moves.",
            count,
            player=SeatName(event.seat),
        )
        return (*left, LogEntry(written.version, written.at, event.seat, words, names))
    if left and left[-1].taken_back and left[-1].seat == event.seat:
        count += left[-1].taken_back
        left = left[:-1]
    words = messages(
        "{player} takes {count} move back.", "{player} takes {count} moves back.", count, player=SeatName(event.seat)
    )
    return (*left, LogEntry(written.version, written.at, event.seat, words, names, count))


def undo_request_text(seat: int, going: Sequence[PlayedMove]) -> Message:
    """A seat asks to have its last turn back, and with it all these moves."""
    if any(play.seat != seat for play in going):
        return messages(
            "{player} asks to take a turn back, and all that followed: {count} move.",
            "{player} asks to take a turn back, and all that followed: {count} moves.",
            len(going),
            player=SeatName(seat),
        )
    return messages(
        "{player} asks to take the last turn back: {count} move.",
        "{player} asks to take the last turn back: {count} moves.",
        len(going),
        player=SeatName(seat),
    )


def moves_by_player(plays: Sequence[PlayedMove]) -> tuple[Message, ...]:
    """How many of these moves are whose, by the order in which they first moved."""
    many = Counter(play.seat for play in plays)
    return tuple(
        messages("{count} move of {player}", "{count} moves of {player}", count, player=SeatName(seat))
        for seat, count in many.items()
    )


def agreement_text(seat: int) -> Message:
    """A seat says yes to what was asked."""
    return message("{player} agrees.", player=SeatName(seat))


def question_dropped_text(seat: int, asked: ConsentRequest) -> Message:
    """A seat has moved while a turn was asked back: that settles the question."""
    if asked.seat == seat:
        return message("{player} no longer asks for this.", player=SeatName(seat))
    return message("{player} plays on; the turn is not taken back.", player=SeatName(seat))


def refusal_text(seat: int, asked: ConsentRequest | None) -> Message:
    """A seat says no to what was asked, or takes its own question back."""
    if asked is not None and asked.seat == seat:
        return message("{player} no longer asks for this.", player=SeatName(seat))
    return message("{player} does not agree.", player=SeatName(seat))
