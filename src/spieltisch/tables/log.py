"""The log of a table, as each perspective may read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from spieltisch.core.events import GameEvent as GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.words import Message, SeatName, message, messages
from spieltisch.tables import unplayable
from spieltisch.tables.bot_lines import BotLine
from spieltisch.tables.events import RecordedEvent, Undone

if TYPE_CHECKING:
    from spieltisch.tables.table import Table
    from spieltisch.tables.table_state import ConsentRequest, PlayedMove


class LogLine(msgspec.Struct, frozen=True):
    """An entry of the log as shown to one perspective.

    `version` and `at` (UTC seconds) are those of the event, `seat` is the seat it is about, `messages` its sentences.
    For a move, `number` is the number of moves before it (its position in the replay), else None. `names` are the names
    of the seats at that time: a seat may have changed hands since. `move` is the move and `events` its effects, as far
    as the reader may know them; None and empty if they may not know the move. `line` is what a bot said after it.
    """

    version: int
    at: float
    seat: int | None
    number: int | None
    messages: tuple[Message, ...]
    names: tuple[str, ...]
    move: Move | None = None
    events: tuple[GameEvent, ...] = ()
    line: BotLine | None = None


class MoveLog(msgspec.Struct, frozen=True):
    """The log of a move for one perspective: its sentences, the move and its events, as far as they may be known."""

    messages: tuple[Message, ...]
    move: Move | None = None
    events: tuple[GameEvent, ...] = ()


class LogEntry(msgspec.Struct, frozen=True):
    """An entry before it is rendered as text: a move, described differently to each perspective, or a sentence for all.

    `taken_back` is the number of its moves that the seat has undone in a row; `followups` are the consequences of a
    move, for all, and `line` is what a bot said after it.
    """

    version: int
    at: float
    seat: int | None
    content: PlayedMove | Message
    names: tuple[str, ...]
    taken_back: int = 0
    followups: tuple[Message, ...] = ()
    line: BotLine | None = None


def log_lines(table: Table, perspective: int | None) -> tuple[LogLine, ...]:
    """Return the log for one perspective; see `Table.log`.

    While the game runs, a game may withhold moves that its players must remember.
    """
    lines = []
    for entry in table.log_entries:
        if isinstance(entry.content, Message):
            lines.append(LogLine(entry.version, entry.at, entry.seat, None, (entry.content,), entry.names))
        elif not table.hides_move(entry.content.number):
            move_log = _move_log(table, entry.content, perspective)
            number, messages = entry.content.number, (*move_log.messages, *entry.followups)
            known = (move_log.move, move_log.events, entry.line)
            lines.append(LogLine(entry.version, entry.at, entry.seat, number, messages, entry.names, *known))
    return tuple(lines)


def _move_log(table: Table, move: PlayedMove, perspective: int | None) -> MoveLog:
    """Return the sentences of a move, as far as it may be known by now.

    They are cached, since the same lines are read again after every event.
    """
    if table.setup is None:
        return MoveLog((unplayable.move_text(table, move),))
    hidden_text = table.hidden_move_text(move.number, perspective)
    if hidden_text is not None:
        return MoveLog((hidden_text,))
    key = (move.version, perspective)
    cached = table._log_cache.get(key)
    if cached is None:
        setup, events = table.setup, _move_events(table, move)
        sentences, visible_events = (
            setup.game.log(setup, events, perspective),
            setup.game.events.visible_events(setup, events, perspective),
        )
        cached = table._log_cache[key] = MoveLog(tuple(sentences), setup.move(move.move), visible_events)
    return cached


def _move_events(table: Table, play: PlayedMove) -> tuple[GameEvent, ...]:
    """Return the game events of a move.

    The moves between two snapshots are replayed together, once for all perspectives.
    """
    events = table._move_events
    if play.version not in events:
        position = table.last_snapshot(play.number).copy()
        end = min(
            (snapshot.number for snapshot in table.snapshots if snapshot.number > play.number), default=len(table.moves)
        )
        for move in table.moves[position.number : end]:
            events[move.version] = position.play(move.move, move.drew, collect_events=True).events
    return events[play.version]


def points_by_source(table: Table) -> Counter[tuple[int, int]]:
    """Return the points that moves have brought, by source and seat, as for the log of a game that is over."""
    brought: Counter[tuple[int, int]] = Counter()
    for move in table.moves:
        for event in _move_events(table, move):
            if event.kind == "points" and event.seat is not None:
                amount, source, *_ = event.numbers
                brought[source, event.seat] += amount
    return brought


def entries_after_undo(
    entries: tuple[LogEntry, ...],
    event: Undone,
    recorded: RecordedEvent,
    undone: Sequence[PlayedMove],
    names: tuple[str, ...],
) -> tuple[LogEntry, ...]:
    """Return the entries after moves were undone: without those moves, with one line about the undo.

    The line gives the number of its own moves that the seat has undone in a row, or the number of all moves undone if
    others had moved since.
    """
    remaining = tuple(
        entry for entry in entries if isinstance(entry.content, Message) or entry.content.number < event.move_count
    )
    count = len(undone)
    if any(play.seat != event.seat for play in undone):
        words = messages(
            "{player} takes back a turn and everything after it: {count} move.",
            "{player} takes back a turn and everything after it: {count} moves.",
            count,
            player=SeatName(event.seat),
        )
        return (*remaining, LogEntry(recorded.version, recorded.at, event.seat, words, names))
    if remaining and remaining[-1].taken_back and remaining[-1].seat == event.seat:
        count += remaining[-1].taken_back
        remaining = remaining[:-1]
    words = messages(
        "{player} undoes {count} move.", "{player} undoes {count} moves.", count, player=SeatName(event.seat)
    )
    return (*remaining, LogEntry(recorded.version, recorded.at, event.seat, words, names, count))


def undo_request_text(seat: int, undone: Sequence[PlayedMove]) -> Message:
    """Return the sentence for a request to take back a seat's last turn, and with it all these moves."""
    if any(play.seat != seat for play in undone):
        return messages(
            "{player} requests a takeback of a turn and everything after it: {count} move.",
            "{player} requests a takeback of a turn and everything after it: {count} moves.",
            len(undone),
            player=SeatName(seat),
        )
    return messages(
        "{player} requests a takeback of the last turn: {count} move.",
        "{player} requests a takeback of the last turn: {count} moves.",
        len(undone),
        player=SeatName(seat),
    )


def moves_by_player(plays: Sequence[PlayedMove]) -> tuple[Message, ...]:
    """Return the number of these moves by each player, in the order in which they first moved."""
    counts = Counter(play.seat for play in plays)
    return tuple(
        messages("{count} move by {player}", "{count} moves by {player}", count, player=SeatName(seat))
        for seat, count in counts.items()
    )


def agreement_text(seat: int) -> Message:
    """Return the sentence for a seat that agrees to a request."""
    return message("{player} agrees.", player=SeatName(seat))


def question_dropped_text(seat: int, request: ConsentRequest) -> Message:
    """Return the sentence for a seat that moved while a takeback was requested, which settles the request."""
    if request.seat == seat:
        return refusal_text(seat, request)
    return message("{player} plays on; the takeback is cancelled.", player=SeatName(seat))


def refusal_text(seat: int, request: ConsentRequest | None) -> Message:
    """Return the sentence for a seat that refuses a request, or withdraws its own."""
    if request is not None and request.seat == seat:
        return message("{player} withdraws the request.", player=SeatName(seat))
    return message("{player} declines.", player=SeatName(seat))
