"""A table: a sitting of one game, as it stands after its events.

A `Table` is a value. It is folded from events (`fold.py`), and nothing changes it in place; so a page can be drawn
from it while the next move is on its way to the disk.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from functools import cached_property

from spieltisch.core.chance import commitment
from spieltisch.core.events import Event as GameEvent
from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.record import Play, Record
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Words
from spieltisch.tables import log, refusals, timing, unplayable
from spieltisch.tables.events import Frozen, Opened, Study, Written
from spieltisch.tables.names import device_of
from spieltisch.tables.parts import Asking, BotTrouble, BotTurn, PlayedMove, Seat
from spieltisch.tables.score_history import ScoreHistory, score_history_of
from spieltisch.tables.summary import SeatSummary, Status, Summary
from spieltisch.tables.timing import Timing


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A table after its first `version` events. Times are UTC seconds."""

    id: str
    opened: Opened
    setup: Setup | None
    """What is played with; None where that cannot be had any more (then the table is frozen)."""
    created: float
    changed_at: float
    events: tuple[Written, ...]
    status: Status
    seats: tuple[Seat, ...]
    host: str
    """The person who may replace, invite and close; "" when nobody of that kind is left."""
    position: Position | None = None
    """The game, from the moment it starts. Copy it before you play on it."""
    plays: tuple[PlayedMove, ...] = ()
    position_version: int = 0
    """The version of the last event that changed the position; a decision made on an older page is stale."""
    undo_asked: Asking | None = None
    abort_asked: Asking | None = None
    bot_trouble: BotTrouble | None = None
    lost: int = 0
    """How many of its newest events the file came back without, the last time it did; none of them stands."""
    lost_at: int = 0
    timing: Timing | None = None
    """How the time stands, where the charter has a clock and the game has begun."""
    rematch: str = ""
    kept_back: bool = False
    """Whether the same deal is being played at other tables: until all are over, nobody looks on here, and who plays
    here sees no more than while they played, and how it ended.
    """
    watch_links: int = 0
    """How often the links for spectators were renewed."""
    frozen: Message | None = None
    differs: Frozen | None = None
    """What has to be written down because a replay came out differently; see `fold`."""
    entries: tuple[log.Entry, ...] = ()
    snapshots: tuple[Position, ...] = ()
    _secret: bytes = b""
    _tellings: dict[tuple[int, int | None], log.Told] = field(default_factory=dict)
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
    def texts(self) -> tuple[str, ...]:
        """What players added to chance in earlier versions, by seat; "" where nothing was."""
        return tuple(seat.text for seat in self.seats)

    def deal(self) -> Position:
        """The game at its start, from the secret and the texts. Raises `TableRefusal` (frozen), ValueError."""
        if self.setup is None:
            raise refusals.frozen()
        state = None if self.study is None else self.study.state
        return Position.start(self.setup, secret=self._secret, texts=self.texts, scheme=self.opened.scheme, state=state)

    @property
    def study(self) -> Study | None:
        """What this table goes on from, where it is a study: it counts for nothing, and nobody is ranked by it."""
        return self.opened.study

    @property
    def by_record(self) -> bool:
        """Whether chance comes from a record that was read in, without a secret to verify it by."""
        return self.opened.imported and not self._secret

    @property
    def over(self) -> bool:
        """Whether the game has ended, or was broken off. A frozen game is not over: it may be played on one day."""
        return self.status in ("finished", "aborted")

    @property
    def lies_open(self) -> bool:
        """Whether everything may be seen by all who may see the table: once it is over, and so is its deal."""
        return self.over and not self.kept_back

    @property
    def secret(self) -> str | None:
        """The secret of chance in hex, when the game lies open: now everybody can verify the deal. None where there
        is none (`by_record`).
        """
        return self._secret.hex() or None if self.lies_open else None

    def bot_seed(self, turn: BotTurn) -> int | None:
        """What a bot draws by in its turn where the deal is played at other tables, too: the same at all of them after
        as many moves. It tells nothing of the secret, and without that nobody knows it. None at any other table.
        """
        if self.opened.deal is None or self.position is None:
            return None
        said = f"bot {turn.seat} {self.position.number} {turn.failures}"
        return int.from_bytes(hmac.digest(self._secret, said.encode(), "sha256")[:8], "big") >> 1

    @property
    def keeps_commitment(self) -> bool:
        """Whether the secret is the one that was committed to; so it is where none was promised."""
        return self.opened.commitment == ("" if self.by_record else commitment(self._secret))

    @property
    def to_decide(self) -> int | None:
        """The seat whose decision it is."""
        return self.position.seat if self.position is not None and self.status == "running" else None

    def seat_of(self, person: str | None) -> int | None:
        """The first seat that this person holds."""
        return next((seat.number for seat in self.seats if seat.kind == "person" and seat.person == person), None)

    def seats_at(self, person: str | None) -> tuple[Seat, ...]:
        """The seats that are played on this person's device: their own, and those of who sits beside them."""
        return tuple(seat for seat in self.people if person is not None and device_of(seat.person) == person)

    def kept_at(self, person: str | None) -> tuple[Seat, ...]:
        """The empty seats that are kept for this person, or were left by them, or by who sits beside them."""
        empty = (seat for seat in self.seats if seat.kind in ("kept", "left"))
        return tuple(seat for seat in empty if person is not None and device_of(seat.person) == person)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats with people in them."""
        return tuple(seat for seat in self.seats if seat.kind == "person")

    def waiting(self, asking: Asking) -> tuple[int, ...]:
        """The seats of the people whose answer to a question is missing."""
        absent = self.excused if asking is self.abort_asked else ()
        answered = {device_of(self.seats[number].person) for number in (asking.by, *asking.agreed, *absent)}
        return tuple(seat.number for seat in self.people if device_of(seat.person) not in answered)

    @property
    def excused(self) -> tuple[int, ...]:
        """The seat whose time is up, where the charter says that the others may end the game without it."""
        up = self.timing is not None and self.timing.up and self.opened.charter.when_up == "end"
        return (self.to_decide,) if up and self.to_decide is not None else ()

    def position_at(self, number: int) -> Position:
        """A copy of the game after its first `number` moves; 0 is the deal. Raises ValueError beyond the last move."""
        if not 0 <= number <= len(self.plays) or not self.snapshots:
            raise ValueError(f"table {self.id} has no position {number}: it has {len(self.plays)} moves")
        position = self.last_snapshot(number).copy()
        for play in self.plays[position.number : number]:
            position.play(play.move, play.drew)
        return position

    def last_snapshot(self, number: int) -> Position:
        """Return the last snapshot that is not after the first `number` moves. Copy it before you play on it."""
        return max((one for one in self.snapshots if one.number <= number), key=lambda one: one.number)

    def since(self, seat: int | None) -> tuple[PlayedMove, ...]:
        """The moves since this seat's last whole turn, or since the deal before its first one. For a spectator, and
        when there are none, the last turn of all. A decision between turns is no turn.
        """
        if seat is not None:
            own = (play.number + 1 for play in reversed(self.plays) if play.seat == seat and self._ends_turn(play))
            if since := self.plays[next(own, 0) :]:
                return since
        first = len(self.plays)
        while first and self.plays[first - 1].seat == self.plays[-1].seat:
            first -= 1
            if first and self.plays[first - 1].passed:
                break
        return self.plays[first:]

    def _ends_turn(self, play: PlayedMove) -> bool:
        """Whether this move ended a turn of its seat."""
        return (play.passed or self.between_turns(play.number + 1)) and not self.between_turns(play.number)

    def between_turns(self, number: int) -> bool:
        """Whether the decision after so many moves belonged to nobody's turn."""
        if number == len(self.plays):
            return self.position is not None and self.game.between_turns(self.position.observe(None))
        version = self.plays[number].version
        if version not in self._between:
            self._between[version] = self.game.between_turns(self.position_at(number).observe(None))
        return self._between[version]

    def last_moves(self, seat: int | None) -> tuple[Move, ...]:
        """The moves of `since` that this seat may know, for drawing."""
        if self.setup is None:
            return ()
        shown = (play for play in self.since(seat) if self.told_instead(play.number, seat) is None)
        return tuple(self.setup.move(play.move) for play in shown)

    def told_instead(self, number: int, perspective: int | None) -> Message | None:
        """What a seat (None: a spectator) is told instead of the move after the first `number`; None where it may know
        that move, as everybody may when the game lies open.
        """
        if self.setup is None or self.lies_open:
            return None
        seen = self.setup.game.sees_move(self.setup, self._moves, number, perspective)
        return None if seen is True else seen

    def is_secret(self, seat: int, move: Move) -> bool:
        """Whether this move, played now by this seat, is one that not everybody may know."""
        if self.setup is None:
            return False
        plays = (*self._moves, (seat, move))
        others = (viewer for viewer in (None, *range(len(self.seats))) if viewer != seat)
        sees = self.setup.game.sees_move
        return any(sees(self.setup, plays, len(self.plays), viewer) is not True for viewer in others)

    def forgets(self, number: int) -> bool:
        """Whether, until the game lies open, pages no longer show the move after the first `number` (an option)."""
        if self.setup is None or self.lies_open:
            return False
        return self.setup.game.forgets(self.setup, self._moves, number)

    @cached_property
    def _moves(self) -> tuple[tuple[int, Move], ...]:
        assert self.setup is not None  # noqa: S101  # there are moves only where there is a setup
        return tuple((play.seat, self.setup.move(play.move)) for play in self.plays)

    @property
    def undoable(self) -> int:
        """How many of the last moves the deciding seat may take back without asking."""
        if self.status != "running":
            return 0
        return next((n for n, play in enumerate(reversed(self.plays)) if play.final), len(self.plays))

    @property
    def turn(self) -> tuple[PlayedMove, ...]:
        """The moves of the turn under way: those that the deciding seat may take back without asking."""
        return self.plays[len(self.plays) - self.undoable :]

    def begun(self) -> Observation | None:
        """What the deciding seat saw before the first move of `turn`; None when there is none."""
        return self.position_at(self.turn[0].number).observe(self.to_decide) if self.turn else None

    def turn_events(self) -> tuple[GameEvent, ...]:
        """What the moves of `turn` did, as far as the deciding seat may know."""
        if not self.turn or self.setup is None:
            return ()
        position = self.position_at(self.turn[0].number).copy()
        done = [event for play in self.turn for event in position.play(play.move, play.drew, listen=True).events]
        return self.setup.game.events.seen(self.setup, done, self.to_decide)

    def undo_target(self, seat: int) -> int | None:
        """To how many moves the game would go back if this seat had its last turn back; None when it cannot be given
        back.

        That can only be done by consent, and only while nothing was drawn and nobody learnt anything from that turn on.
        """
        if self.status != "running":
            return None
        to = next((play.number for play in reversed(self.plays) if play.seat == seat and play.passed), None)
        if to is None or any(play.drew or play.told for play in self.plays[to:]):
            return None
        return to

    def decides_alone(self, person: str | None) -> bool:
        """Whether nobody else has to agree to what this person asks for: against bots, and where all others play on
        their device.
        """
        seat = self.seat_of(person)
        return seat is not None and not self.waiting(Asking(seat))

    def ends_alone(self, person: str | None) -> bool:
        """Whether the game ends at once when this person asks for it: nobody else has to agree who is there."""
        seat = self.seat_of(person)
        return seat is not None and set(self.waiting(Asking(seat))) <= set(self.excused)

    def tells_of_loss(self, seat: int | None) -> bool:
        """Whether who sits there (None: a spectator) is still to be told that steps were lost: until they have moved
        since, or anybody has, or the game is over.
        """
        since = (play.seat for play in self.plays if play.version > self.lost_at)
        return bool(self.lost) and not self.over and not any(seat in (None, mover) for mover in since)

    def gives_advice(self, person: str | None) -> bool:
        """Whether it is this person's decision, and they may have advice."""
        return self.gives_hints(person) and self.seat_of(person) == self.to_decide

    def gives_hints(self, person: str | None) -> bool:
        """Whether this person plays, and the charter gives hints: to who plays against bots alone, to all, or to
        nobody.
        """
        seat, hints = self.seat_of(person), self.opened.charter.hints
        alone = all(one.kind == "bot" for one in self.seats if one.number != seat)
        return self.status == "running" and seat is not None and (hints == "all" or (alone and hints == "bots"))

    def forgets_any(self) -> bool:
        """Whether pages no longer show some move of the game so far; see `forgets`."""
        return any(self.forgets(number) for number in range(len(self.plays)))

    def can_ask_undo(self, person: str | None) -> bool:
        """Whether this person may ask the others for their last turn back."""
        seat = self.seat_of(person)
        return seat is not None and self.undo_asked is None and self.undo_target(seat) is not None

    def bot_to_move(self) -> BotTurn | None:
        """The bot that has to decide, if it is a bot's turn.

        While somebody asks for a turn back, bots wait: their moves would settle the question.
        """
        seat = self.to_decide
        bot = self.bot_in(seat) if seat is not None else ""
        if seat is None or not bot or self.undo_asked is not None:
            return None
        trouble = self.bot_trouble
        failures = trouble.attempt if trouble is not None and trouble.seat == seat else 0
        return BotTurn(seat, bot, self.position_version, failures)

    def bot_in(self, seat: int) -> str:
        """The bot that decides in this seat: its own, or one for a person whose time was up; "" where a person does."""
        return self.seats[seat].bot if self.seats[seat].kind == "bot" else timing.stands_in(self, seat)

    def log(self, perspective: int | None) -> tuple[log.LogLine, ...]:
        """What happened, oldest first, in the words that a seat (None: a spectator) may read."""
        return log.lines(self, perspective)

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
        if self.over and self.kept_back:
            raise refusals.kept_back()
        if self.setup is None:
            return unplayable.record(self)
        if self.position is None:
            raise refusals.not_running()
        if self.forgets_any():
            raise refusals.forgotten()
        plays = [Play(play.seat, play.move, play.drew) for play in self.plays]
        return Record.of(
            self.position,
            plays,
            players=self.names_in_record,
            secret=self._secret or None,
            texts=self.texts,
            scheme=self.opened.scheme,
            viewer="all" if self.over else perspective,
            study=None if self.study is None else self.study.origin,
            state=None if self.study is None else self.study.state,
        )

    def summary(self) -> Summary:
        """The table as the lobby shows it."""
        over = self.status == "finished" and self.position is not None
        outcome = self.position.outcome if self.position is not None and over else None
        due = timing.due(self)
        return Summary(
            status=self.status,
            seats=tuple(SeatSummary(seat.kind, seat.person, seat.name) for seat in self.seats),
            to_decide=self.to_decide,
            winners=() if outcome is None else outcome.winners,
            host=self.host,
            watch=self.opened.watch,
            due=due.until if due is not None else None,
            stood_in=self.to_decide is not None and bool(timing.stands_in(self, self.to_decide)),
            deal="" if self.opened.deal is None else self.opened.deal.id,
            kept_back=self.kept_back,
        )
