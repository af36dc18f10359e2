"""A table: a sitting of one game, as it stands after its events.

A `Table` is a value. It is folded from events (`fold.py`), and nothing changes it in place; so a page can be drawn
from it while the next move is on its way to the disk.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from functools import cached_property

from spieltisch.core.chance import commitment
from spieltisch.core.events import GameEvent as GameEvent
from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Words
from spieltisch.tables import game_clock, log, refusals, unplayable
from spieltisch.tables.events import Frozen, Opened, RecordedEvent, WhatIf
from spieltisch.tables.game_clock import ClockState
from spieltisch.tables.names import device_owner
from spieltisch.tables.score_history import ScoreHistory, score_history_of
from spieltisch.tables.summary import SeatSummary, Status, TableSummary
from spieltisch.tables.table_state import BotFailure, BotTurn, ConsentRequest, PlayedMove, Seat


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A table after its first `version` events. Times are UTC seconds."""

    id: str
    opened: Opened
    setup: Setup | None
    """What is played with; None where that cannot be had any more (then the table is frozen)."""
    created: float
    changed_at: float
    events: tuple[RecordedEvent, ...]
    status: Status
    seats: tuple[Seat, ...]
    host: str
    """The person who may replace, invite and close; "" when nobody of that kind is left."""
    position: Position | None = None
    """The game, from the moment it starts. Copy it before you play on it."""
    moves: tuple[PlayedMove, ...] = ()
    position_version: int = 0
    """The version of the last event that changed the position; a decision made on an older page is stale."""
    undo_asked: ConsentRequest | None = None
    abort_asked: ConsentRequest | None = None
    bot_trouble: BotFailure | None = None
    events_lost: int = 0
    """How many of its newest events the file came back without, the last time it did; none of them stands."""
    events_lost_version: int = 0
    clock: ClockState | None = None
    """How the time stands, where the charter has a clock and the game has begun."""
    rematch: str = ""
    withheld: bool = False
    """Whether the same deal is being played at other tables: until all are over, nobody looks on here, and who plays
    here sees no more than while they played, and how it ended.
    """
    spectator_link_version: int = 0
    """How often the links for spectators were renewed."""
    frozen: Message | None = None
    replay_difference: Frozen | None = None
    """What has to be written down because a replay came out differently; see `fold`."""
    log_entries: tuple[log.LogEntry, ...] = ()
    snapshots: tuple[Position, ...] = ()
    _secret: bytes = b""
    _tellings: dict[tuple[int, int | None], log.MoveLog] = field(default_factory=dict)
    _move_events: dict[int, tuple[GameEvent, ...]] = field(default_factory=dict)
    _between: dict[int, bool] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Table {self.id} {self.opened.game} {self.status} version {self.version}>"

    @property
    def version(self) -> int:
        """The number of events."""
        return self.events[-1].version

    @property
    def game(self) -> Game:
        """The game that is played. Raises `TableRefusal` (frozen) where it cannot be had any more."""
        if self.setup is None:
            raise refusals.frozen()
        return self.setup.game

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called, for `Words.say`; "" for an empty one."""
        return tuple(seat.name for seat in self.seats)

    @property
    def names_in_record(self) -> tuple[str, ...]:
        """The same as they stand in records, which are in English."""
        return tuple(Words("en").say(name) for name in self.names)

    @property
    def commitment(self) -> str:
        """SHA-256, in hex, of the secret of chance; fixed before the first move."""
        return self.opened.commitment

    @property
    def entropy_texts(self) -> tuple[str, ...]:
        """What players added to chance in earlier versions, by seat; "" where nothing was."""
        return tuple(seat.entropy for seat in self.seats)

    def deal(self) -> Position:
        """The game at its start, from the secret and the texts. Raises `TableRefusal` (frozen), ValueError."""
        if self.setup is None:
            raise refusals.frozen()
        state = None if self.what_if is None else self.what_if.state
        return Position.start(
            self.setup, secret=self._secret, texts=self.entropy_texts, scheme=self.opened.chance_scheme, state=state
        )

    @property
    def what_if(self) -> WhatIf | None:
        """What this table goes on from, where it is a study: it counts for nothing, and nobody is ranked by it."""
        return self.opened.what_if

    @property
    def draws_from_record(self) -> bool:
        """Whether chance comes from a record that was read in, without a secret to verify it by."""
        return self.opened.imported and not self._secret

    @property
    def over(self) -> bool:
        """Whether the game has ended, or was broken off. A frozen game is not over: it may be played on one day."""
        return self.status in ("finished", "aborted")

    @property
    def is_revealed(self) -> bool:
        """Whether everything may be seen by all who may see the table: once it is over, and so is its deal."""
        return self.over and not self.withheld

    @property
    def secret(self) -> str | None:
        """The secret of chance in hex, when the game lies open: now everybody can verify the deal. None where there
        is none (`by_record`).
        """
        return self._secret.hex() or None if self.is_revealed else None

    def bot_seed(self, turn: BotTurn) -> int | None:
        """What a bot draws by in its turn where the deal is played at other tables, too: the same at all of them after
        as many moves. It tells nothing of the secret, and without that nobody knows it. None at any other table.
        """
        if self.opened.duplicate is None or self.position is None:
            return None
        said = f"bot {turn.seat} {self.position.number} {turn.failures}"
        return int.from_bytes(hmac.digest(self._secret, said.encode(), "sha256")[:8], "big") >> 1

    @property
    def matches_commitment(self) -> bool:
        """Whether the secret is the one that was committed to; so it is where none was promised."""
        return self.opened.commitment == ("" if self.draws_from_record else commitment(self._secret))

    @property
    def to_decide(self) -> int | None:
        """The seat whose decision it is."""
        return self.position.seat if self.position is not None and self.status == "running" else None

    def seat_of(self, person: str | None) -> int | None:
        """The first seat that this person holds."""
        return next((seat.number for seat in self.seats if seat.kind == "person" and seat.person == person), None)

    def seats_on_device(self, person: str | None) -> tuple[Seat, ...]:
        """The seats that are played on this person's device: their own, and those of who sits beside them."""
        return tuple(seat for seat in self.people if person is not None and device_owner(seat.person) == person)

    def seats_kept_for(self, person: str | None) -> tuple[Seat, ...]:
        """The empty seats that are kept for this person, or were left by them, or by who sits beside them."""
        empty = (seat for seat in self.seats if seat.kind in ("kept", "left"))
        return tuple(seat for seat in empty if person is not None and device_owner(seat.person) == person)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats with people in them."""
        return tuple(seat for seat in self.seats if seat.kind == "person")

    def awaiting_consent(self, asking: ConsentRequest) -> tuple[int, ...]:
        """The seats of the people whose answer to a question is missing."""
        absent = self.excused if asking is self.abort_asked else ()
        answered = {device_owner(self.seats[number].person) for number in (asking.seat, *asking.agreed, *absent)}
        return tuple(seat.number for seat in self.people if device_owner(seat.person) not in answered)

    @property
    def excused(self) -> tuple[int, ...]:
        """The seat whose time is up, where the charter says that the others may end the game without it."""
        up = self.clock is not None and self.clock.timed_out and self.opened.settings.on_timeout == "end"
        return (self.to_decide,) if up and self.to_decide is not None else ()

    def position_at(self, number: int) -> Position:
        """A copy of the game after its first `number` moves; 0 is the deal. Raises ValueError beyond the last move."""
        if not 0 <= number <= len(self.moves) or not self.snapshots:
            raise ValueError(f"table {self.id} has no position {number}: it has {len(self.moves)} moves")
        position = self.last_snapshot(number).copy()
        for play in self.moves[position.number : number]:
            position.play(play.move, play.drew)
        return position

    def last_snapshot(self, number: int) -> Position:
        """Return the last snapshot that is not after the first `number` moves. Copy it before you play on it."""
        return max((one for one in self.snapshots if one.number <= number), key=lambda one: one.number)

    def moves_since_turn(self, seat: int | None) -> tuple[PlayedMove, ...]:
        """The moves since this seat's last whole turn, or since the deal before its first one. For a spectator, and
        when there are none, the last turn of all. A decision between turns is no turn.
        """
        if seat is not None:
            own = (play.number + 1 for play in reversed(self.moves) if play.seat == seat and self._is_turn_end(play))
            if since := self.moves[next(own, 0) :]:
                return since
        first = len(self.moves)
        while first and self.moves[first - 1].seat == self.moves[-1].seat:
            first -= 1
            if first and self.moves[first - 1].ended_decision:
                break
        return self.moves[first:]

    def _is_turn_end(self, play: PlayedMove) -> bool:
        """Whether this move ended a turn of its seat."""
        return (play.ended_decision or self.between_turns(play.number + 1)) and not self.between_turns(play.number)

    def between_turns(self, number: int) -> bool:
        """Whether the decision after so many moves belonged to nobody's turn."""
        if number == len(self.moves):
            return self.position is not None and self.game.between_turns(self.position.observe(None))
        version = self.moves[number].version
        if version not in self._between:
            self._between[version] = self.game.between_turns(self.position_at(number).observe(None))
        return self._between[version]

    def last_moves(self, seat: int | None) -> tuple[Move, ...]:
        """The moves of `since` that this seat may know, for drawing."""
        if self.setup is None:
            return ()
        shown = (play for play in self.moves_since_turn(seat) if self.hidden_move_text(play.number, seat) is None)
        return tuple(self.setup.move(play.move) for play in shown)

    def hidden_move_text(self, number: int, perspective: int | None) -> Message | None:
        """What a seat (None: a spectator) is told instead of the move after the first `number`; None where it may know
        that move, as everybody may when the game lies open.
        """
        if self.setup is None or self.is_revealed:
            return None
        seen = self.setup.game.move_visibility(self.setup, self._moves, number, perspective)
        return None if seen is True else seen

    def is_secret(self, seat: int, move: Move) -> bool:
        """Whether this move, played now by this seat, is one that not everybody may know."""
        if self.setup is None:
            return False
        plays = (*self._moves, (seat, move))
        others = (viewer for viewer in (None, *range(len(self.seats))) if viewer != seat)
        sees = self.setup.game.move_visibility
        return any(sees(self.setup, plays, len(self.moves), viewer) is not True for viewer in others)

    def hides_move(self, number: int) -> bool:
        """Whether, until the game lies open, pages no longer show the move after the first `number` (an option)."""
        if self.setup is None or self.is_revealed:
            return False
        return self.setup.game.hides_move(self.setup, self._moves, number)

    @cached_property
    def _moves(self) -> tuple[tuple[int, Move], ...]:
        assert self.setup is not None  # noqa: S101  # there are moves only where there is a setup
        return tuple((play.seat, self.setup.move(play.move)) for play in self.moves)

    @property
    def undoable(self) -> int:
        """How many of the last moves the deciding seat may take back without asking."""
        if self.status != "running":
            return 0
        return next((n for n, play in enumerate(reversed(self.moves)) if play.final), len(self.moves))

    @property
    def current_turn(self) -> tuple[PlayedMove, ...]:
        """The moves of the turn under way: those that the deciding seat may take back without asking."""
        return self.moves[len(self.moves) - self.undoable :]

    def turn_start(self) -> Observation | None:
        """What the deciding seat saw before the first move of `turn`; None when there is none."""
        return self.position_at(self.current_turn[0].number).observe(self.to_decide) if self.current_turn else None

    def turn_events(self) -> tuple[GameEvent, ...]:
        """What the moves of `turn` did, as far as the deciding seat may know."""
        if not self.current_turn or self.setup is None:
            return ()
        position = self.position_at(self.current_turn[0].number).copy()
        done = [
            event
            for play in self.current_turn
            for event in position.play(play.move, play.drew, collect_events=True).events
        ]
        return self.setup.game.events.visible_events(self.setup, done, self.to_decide)

    def undo_target(self, seat: int) -> int | None:
        """To how many moves the game would go back if this seat had its last turn back; None when it cannot be given
        back.

        That can only be done by consent, and only while nothing was drawn and nobody learnt anything from that turn on.
        """
        if self.status != "running":
            return None
        to = next((play.number for play in reversed(self.moves) if play.seat == seat and play.ended_decision), None)
        if to is None or any(play.drew or play.revealed for play in self.moves[to:]):
            return None
        return to

    def needs_no_consent(self, person: str | None) -> bool:
        """Whether nobody else has to agree to what this person asks for: against bots, and where all others play on
        their device.
        """
        seat = self.seat_of(person)
        return seat is not None and not self.awaiting_consent(ConsentRequest(seat))

    def can_abort_alone(self, person: str | None) -> bool:
        """Whether the game ends at once when this person asks for it: nobody else has to agree who is there."""
        seat = self.seat_of(person)
        return seat is not None and set(self.awaiting_consent(ConsentRequest(seat))) <= set(self.excused)

    def shows_loss_notice(self, seat: int | None) -> bool:
        """Whether who sits there (None: a spectator) is still to be told that steps were lost: until they have moved
        since, or anybody has, or the game is over.
        """
        since = (play.seat for play in self.moves if play.version > self.events_lost_version)
        return bool(self.events_lost) and not self.over and not any(seat in (None, mover) for mover in since)

    def allows_advice(self, person: str | None) -> bool:
        """Whether it is this person's decision, and they may have advice."""
        return self.allows_hints(person) and self.seat_of(person) == self.to_decide

    def allows_hints(self, person: str | None) -> bool:
        """Whether this person plays, and the charter gives hints: to who plays against bots alone, to all, or to
        nobody.
        """
        seat, hints = self.seat_of(person), self.opened.settings.hints
        alone = all(one.kind == "bot" for one in self.seats if one.number != seat)
        return self.status == "running" and seat is not None and (hints == "all" or (alone and hints == "bots"))

    def hides_any_move(self) -> bool:
        """Whether pages no longer show some move of the game so far; see `forgets`."""
        return any(self.hides_move(number) for number in range(len(self.moves)))

    def can_ask_undo(self, person: str | None) -> bool:
        """Whether this person may ask the others for their last turn back."""
        seat = self.seat_of(person)
        return seat is not None and self.undo_asked is None and self.undo_target(seat) is not None

    def bot_to_move(self) -> BotTurn | None:
        """The bot that has to decide, if it is a bot's turn.

        While somebody asks for a turn back, bots wait: their moves would settle the question.
        """
        seat = self.to_decide
        bot = self.acting_bot(seat) if seat is not None else ""
        if seat is None or not bot or self.undo_asked is not None:
            return None
        trouble = self.bot_trouble
        failures = trouble.attempt if trouble is not None and trouble.seat == seat else 0
        return BotTurn(seat, bot, self.position_version, failures)

    def acting_bot(self, seat: int) -> str:
        """The bot that decides in this seat: its own, or one for a person whose time was up; "" where a person does."""
        return self.seats[seat].bot if self.seats[seat].kind == "bot" else game_clock.substitute(self, seat)

    def log(self, perspective: int | None) -> tuple[log.LogLine, ...]:
        """What happened, oldest first, in the words that a seat (None: a spectator) may read."""
        return log.log_lines(self, perspective)

    @cached_property
    def score_history(self) -> ScoreHistory | None:
        """How the points went, for all to see once the game is over; until then, and without an end, None."""
        return score_history_of(self)

    def record(self, perspective: int | None) -> Record:
        """The game so far, as a record. While it runs it holds what a seat (None: a spectator) may know, and no secret.

        An aborted game ends where it was, open to all. Raises `TableRefusal` not-running before the game,
        forgotten while it runs and pages no longer show all of its moves, kept-back when it is over, but its deal is
        not.
        """
        if self.over and self.withheld:
            raise refusals.withheld()
        if self.setup is None:
            return unplayable.unplayable_record(self)
        if self.position is None:
            raise refusals.not_running()
        if self.hides_any_move():
            raise refusals.memory_game()
        plays = [RecordedMove(play.seat, play.move, play.drew) for play in self.moves]
        return Record.of(
            self.position,
            plays,
            players=self.names_in_record,
            secret=self._secret or None,
            texts=self.entropy_texts,
            scheme=self.opened.chance_scheme,
            viewer="all" if self.over else perspective,
            study=None if self.what_if is None else self.what_if.origin,
            state=None if self.what_if is None else self.what_if.state,
        )

    def summary(self) -> TableSummary:
        """The table as the lobby shows it."""
        over = self.status == "finished" and self.position is not None
        outcome = self.position.outcome if self.position is not None and over else None
        due = game_clock.deadline(self)
        return TableSummary(
            status=self.status,
            seats=tuple(SeatSummary(seat.kind, seat.person, seat.name) for seat in self.seats),
            to_decide=self.to_decide,
            winners=() if outcome is None else outcome.winners,
            host=self.host,
            watch=self.opened.spectators,
            deadline=due.until if due is not None else None,
            has_substitute=self.to_decide is not None and bool(game_clock.substitute(self, self.to_decide)),
            deal="" if self.opened.duplicate is None else self.opened.duplicate.id,
            withheld=self.withheld,
        )
