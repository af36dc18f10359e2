"""A table: one game with its seats, folded from its events.

A `Table` is a value (`fold.py`), never changed in place: pages can render it while the next move is written to disk.
"""

import hmac
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import msgspec

from spieltisch.core.chance import commitment
from spieltisch.core.events import GameEvent as GameEvent
from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Words
from spieltisch.tables import game_clock, log, refusals, unplayable
from spieltisch.tables.events import Frozen, Opened, RecordedEvent, WhatIf
from spieltisch.tables.game_clock import ClockState
from spieltisch.tables.names import device_owner
from spieltisch.tables.score_history import ScoreHistory, score_history_of
from spieltisch.tables.summary import FormerPlayer, SeatSummary, Status, TableSummary
from spieltisch.tables.table_settings import Hints
from spieltisch.tables.table_state import BotFailure, BotTurn, ConsentRequest, PlayedMove, Seat, is_public

TABLE_BYTES: Final = 16_000
EVENT_BYTES: Final = 1_000
SNAPSHOT_BYTES: Final = 4_000
LOGGED_MOVE_BYTES: Final = 900
"""The bytes of a table, of each event, snapshot and log line of a move in memory; a test measures them."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A table after its first `version` events. Times are UTC seconds."""

    id: str
    opened: Opened
    setup: Setup | None
    """The setup of the game; None if it can no longer be loaded (then the table is frozen)."""
    created: float
    changed_at: float
    events: tuple[RecordedEvent, ...]
    status: Status
    seats: tuple[Seat, ...]
    host: str
    """The person who may replace players, invite and close; "" if no such person is left."""
    position: Position | None = None
    """The game, from its start on. Copy it before you play on it."""
    moves: tuple[PlayedMove, ...] = ()
    position_version: int = 0
    """The version of the last event that changed the position. A decision made on an older page is stale."""
    undo_asked: ConsentRequest | None = None
    abort_asked: ConsentRequest | None = None
    hints_asked: ConsentRequest | None = None  # stays when all have agreed: a new player is asked, too
    bot_trouble: BotFailure | None = None
    events_lost: int = 0
    """The number of newest events that were lost when the file was last replaced by an older copy."""
    events_lost_version: int = 0
    """The version after the events that report this loss; 0 if there was none."""
    clock: ClockState | None = None
    """The state of the clock, if the settings have a clock and the game has begun."""
    rematch: str = ""
    is_withheld: bool = False
    """True while the same deal is being played at other tables.

    Until all of them are over, there are no spectators here, and the players see only what they saw while they played,
    and the result.
    """
    table_link_version: int = 0
    """The number of times the links to any open seat were renewed."""
    spectator_link_version: int = 0
    """The number of times the links for spectators were renewed."""
    frozen: Message | None = None
    """The reason for which the table is frozen, if its replay differs."""
    is_suspended: bool = False
    """True while the table is frozen because the operator of the server wants it so."""
    replay_difference: Frozen | None = None
    """The event to store because a replay differs from the stored events; see `fold`."""
    log_entries: tuple[log.LogEntry, ...] = ()
    snapshots: tuple[Position, ...] = ()
    _secret: bytes = b""
    _log_cache: dict[tuple[int, int | None], log.MoveLog] = field(default_factory=dict)
    _move_events: dict[int, tuple[GameEvent, ...]] = field(default_factory=dict)
    _between: dict[int, bool] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Table {self.id} {self.opened.game} {self.status} version {self.version}>"

    @property
    def version(self) -> int:
        """The number of events."""
        return self.events[-1].version

    @property
    def estimated_bytes(self) -> int:
        """An estimate of the memory that the table takes, with the log lines that were read so far."""
        return (
            TABLE_BYTES
            + EVENT_BYTES * len(self.events)
            + SNAPSHOT_BYTES * len(self.snapshots)
            + LOGGED_MOVE_BYTES * len(self._log_cache)
        )

    @property
    def game(self) -> Game:
        """The game that is played.

        Raise `TableRefusal` (frozen) if it can no longer be loaded.
        """
        if self.setup is None:
            raise refusals.frozen()
        return self.setup.game

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats, for `Words.say`; "" for an empty seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def names_in_record(self) -> tuple[str, ...]:
        """The names of the seats as written in records, which are in English."""
        return tuple(Words("en").say(name) for name in self.names)

    @property
    def commitment(self) -> str:
        """The SHA-256, in hex, of the secret of the shuffle; fixed before the first move."""
        return self.opened.commitment

    def deal(self) -> Position:
        """Return the game at its start, dealt from the secret.

        Raise `TableRefusal` (frozen) if the game cannot be loaded, and ValueError if it cannot be dealt.
        """
        if self.setup is None:
            raise refusals.frozen()
        state = None if self.what_if is None else self.what_if.state
        return Position.start(self.setup, secret=self._secret, state=state)

    @property
    def what_if(self) -> WhatIf | None:
        """The position that a what-if table starts from, else None. A what-if game is unrated."""
        return self.opened.what_if

    @property
    def draws_from_record(self) -> bool:
        """True if the draws come from an uploaded record without a secret to verify them by."""
        return self.opened.imported and not self._secret

    @property
    def is_over(self) -> bool:
        """True if the game has ended or was aborted. A frozen game is not over: it may become playable again."""
        return self.status in ("finished", "aborted")

    @property
    def is_revealed(self) -> bool:
        """True if all who may see the table may see everything: its game is over, and so are those of its deal."""
        return self.is_over and not self.is_withheld

    @property
    def secret(self) -> str | None:
        """The secret of the shuffle in hex, once everything is revealed, so that all can verify the deal.

        None before that, and where there is no secret (`draws_from_record`).
        """
        return self._secret.hex() or None if self.is_revealed else None

    def bot_seed(self, turn: BotTurn) -> int | None:
        """Return the seed of a bot's turn if the deal is also played at other tables, else None.

        The seed is the same at all of these tables after the same number of moves. It reveals nothing of the secret and
        cannot be computed without it.
        """
        if self.opened.duplicate is None or self.position is None:
            return None
        text = f"bot {turn.seat} {self.position.number} {turn.failures}"
        return int.from_bytes(hmac.digest(self._secret, text.encode(), "sha256")[:8], "big") >> 1

    @property
    def matches_commitment(self) -> bool:
        """True if the secret is the one committed to, or if there was no commitment."""
        return self.opened.commitment == ("" if self.draws_from_record else commitment(self._secret))

    @property
    def to_decide(self) -> int | None:
        """The seat to decide; None unless the game is running."""
        return self.position.seat if self.position is not None and self.status == "running" else None

    def seat_of(self, person: str | None) -> int | None:
        """Return the first seat that this person holds."""
        return next((seat.number for seat in self.seats if seat.kind == "person" and seat.person == person), None)

    def seats_on_device(self, person: str | None) -> tuple[Seat, ...]:
        """Return the seats played on this person's device: their own and those of their hot-seat players."""
        return tuple(seat for seat in self.people if person is not None and device_owner(seat.person) == person)

    def seats_reserved_for(self, person: str | None) -> tuple[Seat, ...]:
        """Return the empty seats of this person and their hot-seat players, each with the player who may take it.

        They are reserved for that player, who may have left them or lost them without consent.
        """
        return tuple(
            msgspec.structs.replace(seat, person=player.person, name=player.name)
            for seat in self.seats
            if seat.kind in ("reserved", "left")
            for player in dict.fromkeys((FormerPlayer(seat.person, seat.name), *seat.given_away_from))
            if person is not None and device_owner(player.person) == person
        )

    def claims_of(self, person: str) -> tuple[tuple[int, str], ...]:
        """Return the seats to which this person's device has a claim that it never asked for, each with the player.

        The seats are reserved for that player, or the host has given them away.
        """
        claims = (
            (seat.number, player)
            for seat in self.seats
            for player in (
                *((seat.person,) if seat.kind == "reserved" else ()),
                *(former.person for former in seat.given_away_from),
            )
        )
        return tuple((number, player) for number, player in claims if device_owner(player) == person)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats held by people."""
        return tuple(seat for seat in self.seats if seat.kind == "person")

    def awaiting_consent(self, request: ConsentRequest) -> tuple[int, ...]:
        """Return the seats of the people who have not yet responded to a request."""
        absent = self.excused if request is self.abort_asked else ()
        answered = {device_owner(self.seats[number].person) for number in (request.seat, *request.agreed, *absent)}
        return tuple(seat.number for seat in self.people if device_owner(seat.person) not in answered)

    @property
    def hints(self) -> Hints:
        """The settings for hints; to "all", if all people have agreed to it."""
        is_agreed = self.hints_asked is not None and not self.awaiting_consent(self.hints_asked)
        return "all" if is_agreed else self.opened.settings.hints

    @property
    def excused(self) -> tuple[int, ...]:
        """The seat whose time is up, if the settings let the others end the game without it; else empty."""
        timed_out = self.clock is not None and self.clock.has_timed_out and self.opened.settings.on_timeout == "end"
        return (self.to_decide,) if timed_out and self.to_decide is not None else ()

    def position_at(self, number: int) -> Position:
        """Return a copy of the game after its first `number` moves; 0 is the deal.

        Raise ValueError beyond the last move.
        """
        if not 0 <= number <= len(self.moves) or not self.snapshots:
            raise ValueError(f"table {self.id} has no position {number}: it has {len(self.moves)} moves")
        position = self.last_snapshot(number).copy()
        for play in self.moves[position.number : number]:
            position.play(play.move, play.drew)
        return position

    def last_snapshot(self, number: int) -> Position:
        """Return the last snapshot within the first `number` moves. Copy it before you play on it."""
        return max(
            (snapshot for snapshot in self.snapshots if snapshot.number <= number), key=lambda snapshot: snapshot.number
        )

    def hidden_move_text(self, number: int, perspective: int | None) -> Message | None:
        """Return the text that a seat (None: a spectator) reads instead of the move after the first `number`.

        Return None if it may know that move, as all may once everything is revealed.
        """
        if self.setup is None or self.is_revealed:
            return None
        visibility = self.setup.game.move_visibility(self.setup, self._moves, number, perspective)
        return None if visibility is True else visibility

    def is_secret(self, seat: int, move: Move) -> bool:
        """Return True if this move, played now by this seat, is one that not all viewers may know."""
        if self.setup is None:
            return False
        moves = (*self._moves, (seat, move))
        others = (viewer for viewer in (None, *range(len(self.seats))) if viewer != seat)
        visibility = self.setup.game.move_visibility
        return any(visibility(self.setup, moves, len(self.moves), viewer) is not True for viewer in others)

    def hides_move(self, number: int) -> bool:
        """Return True if pages no longer show the move after the first `number`.

        This is an option of some games; it ends when everything is revealed.
        """
        if self.setup is None or self.is_revealed:
            return False
        return self.setup.game.hides_move(self.setup, self._moves, number)

    @cached_property
    def _moves(self) -> tuple[tuple[int, Move], ...]:
        assert self.setup is not None  # noqa: S101  # without a setup there are no moves
        return tuple((play.seat, self.setup.move(play.move)) for play in self.moves)

    @property
    def undoable(self) -> int:
        """The number of latest moves that the deciding seat may undo without asking."""
        if self.status != "running":
            return 0
        return next((n for n, play in enumerate(reversed(self.moves)) if play.final), len(self.moves))

    @property
    def current_turn(self) -> tuple[PlayedMove, ...]:
        """The moves of the current turn: those that the deciding seat may undo without asking."""
        return self.moves[len(self.moves) - self.undoable :]

    def shows_loss_notice(self, seat: int | None) -> bool:
        """Return True if this seat (None: a spectator) must still be shown that events were lost.

        The notice ends when that seat has moved since (for a spectator: any seat), or the game is over.
        """
        since = (play.seat for play in self.moves if play.version > self.events_lost_version)
        return bool(self.events_lost) and not self.is_over and not any(seat in (None, mover) for mover in since)

    def hides_any_move(self) -> bool:
        """Return True if pages no longer show some move of the game so far; see `hides_move`."""
        return any(self.hides_move(number) for number in range(len(self.moves)))

    def bot_to_move(self) -> BotTurn | None:
        """Return the bot that has to decide, if it is a bot's turn.

        While a request for a takeback is open, bots wait: their moves would settle it.
        """
        seat = self.to_decide
        bot = self.acting_bot(seat) if seat is not None else ""
        if seat is None or not bot or self.undo_asked is not None:
            return None
        failure = self.bot_trouble
        failures = failure.attempt if failure is not None and failure.seat == seat else 0
        return BotTurn(seat, bot, self.position_version, failures)

    def acting_bot(self, seat: int) -> str:
        """Return the bot that decides in this seat, its own or one for a person whose time is up; "" for a person."""
        return self.seats[seat].bot if self.seats[seat].kind == "bot" else game_clock.substitute(self, seat)

    def log(self, perspective: int | None) -> tuple[log.LogLine, ...]:
        """Return the log, oldest entry first, as a seat (None: a spectator) may read it."""
        return log.log_lines(self, perspective)

    @cached_property
    def score_history(self) -> ScoreHistory | None:
        """The points over time, public once the game is over; None until then, and for a game without a result."""
        return score_history_of(self)

    def record(self, perspective: int | None) -> Record:
        """Return the record of the game so far.

        While the game runs, the record holds what a seat (None: a spectator) may know, and no secret. An aborted game
        ends where it was aborted, with everything revealed. Raise `TableRefusal` `not-running` before the game;
        `memory-game` while it runs and pages no longer show all of its moves; `withheld` if it is over, but its deal is
        not.
        """
        has_ended = self.is_over or (self.position is not None and self.position.outcome is not None)
        if has_ended and self.is_withheld:  # a frozen table may have ended, too
            raise refusals.withheld()
        if self.setup is None:
            return unplayable.unplayable_record(self)
        if self.position is None:
            raise refusals.not_running()
        if self.hides_any_move():
            raise refusals.memory_game()
        moves = [RecordedMove(play.seat, play.move, play.drew) for play in self.moves]
        return Record.of(
            self.position,
            moves,
            players=self.names_in_record,
            secret=self._secret or None,
            viewer="all" if self.is_over else perspective,
            study=None if self.what_if is None else self.what_if.origin,
            state=None if self.what_if is None else self.what_if.state,
        )

    def summary(self) -> TableSummary:
        """Return the table as the lobby shows it."""
        outcome = self.position.outcome if self.position is not None and self.status == "finished" else None
        return TableSummary(
            status=self.status,
            seats=tuple(SeatSummary(seat.kind, seat.person, seat.name, seat.given_away_from) for seat in self.seats),
            to_decide=self.to_decide,
            winners=() if outcome is None else outcome.winners,
            host=self.host,
            watch=self.opened.spectators,
            deadline=due.until if (due := game_clock.deadline(self)) is not None else None,
            has_substitute=self.to_decide is not None and bool(game_clock.substitute(self, self.to_decide)),
            duplicate="" if self.opened.duplicate is None else self.opened.duplicate.id,
            is_withheld=self.is_withheld,
            is_suspended=self.is_suspended,
            is_public=is_public(self.opened, self.seats),
            watch_delay=self.opened.settings.watch_delay,
            what_if_at=None if self.what_if is None else self.what_if.at,
            turns=sum(play.ended_decision for play in self.moves),
        )
