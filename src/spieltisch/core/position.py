"""Positions: a state with the moves, reasons and observations that belong to it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import msgspec

from spieltisch.core import twin
from spieltisch.core.chance import MOST_DRAWS, SCHEME, Source
from spieltisch.core.events import Event
from spieltisch.core.game import Outcome
from spieltisch.core.moves import LegalMoves, Move, Word
from spieltisch.core.observation import EVERYBODY, Observation
from spieltisch.core.refusal import DocumentError, DrawError, IllegalMove, Refusal
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, message

if TYPE_CHECKING:
    from spieltisch.core.game import Game

IMAGINED = 24
"""In how many imagined positions a move is tried to find out whether it told its seat something new: news that a seat
would have guessed with chance q goes unnoticed with chance q**24.
"""


_KINDS: Mapping[type, str] = {Mapping: "table", int: "number"}


class Played(msgspec.Struct, frozen=True):
    """A move that was played: `number` counts the moves of the game from 1, `drew` lists what chance gave.

    `passed`: the decision went to another seat or the game ended. `told`: the seat learnt something it could not know
    before; None when nobody asked
    (`watch`). `events`: what the move did, when somebody listens. `final`: undo stops here.
    """

    number: int
    seat: int
    move: Move
    drew: tuple[str, ...]
    passed: bool
    told: bool | None = None
    events: tuple[Event, ...] = ()

    @property
    def final(self) -> bool:
        """Whether the move drew on chance, told its seat something, or passed the decision."""
        return bool(self.drew) or self.passed or bool(self.told)


class Preview(msgspec.Struct, frozen=True):
    """What a move would do, as far as its seat can know: the log's sentences up to chance and to what is hidden from
    the seat, whether it draws, whether it passes the decision and whether the game wants it shown in any case; the
    game's note on it, and what it and the moves before it in the turn come to.
    """

    messages: list[Message]
    draws: bool
    passes: bool
    asks: bool = False
    note: Message | None = None
    sum: list[Message] = []


class Position:
    """One state of a game. `seat` is whose decision it is (None when over), `number` how many moves were played.

    Two positions are equal when everything is the same but the chance to come: game, components, options, seats, the
    number of moves and the state, on whichever engine. `copy.copy`, `copy.deepcopy` and `pickle` give a position of its
    own that plays on alike. One thing is never pickled, the secret of a table: such a position draws by its own
    generator when it comes back.

    >>> import pickle, spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> again = pickle.loads(pickle.dumps(position))
    >>> again == position
    True
    >>> played = position.play(position.legal_moves[0])
    >>> position.number, position.over, again == position
    (1, False, False)
    """

    def __init__(self, setup: Setup, state: Any, number: int, source: Source | None) -> None:
        self.setup = setup
        self.number = number
        self._state = state
        self._source = source
        self.dealt: tuple[str, ...] = ()
        """What chance gave at the set-up."""
        self._seen: Observation | None = None
        self._imagined: tuple[Position, ...] = ()

    # --- Where positions come from. ---

    @classmethod
    def start(
        cls,
        setup: Setup,
        *,
        seed: int | None = None,
        secret: bytes | None = None,
        texts: Sequence[str] = (),
        scheme: int = SCHEME,
        drew: Sequence[str] | None = None,
    ) -> Position:
        """A new game; see `Game.start`."""
        if seed is not None and secret is not None:
            raise ValueError("seed or secret, not both")
        if texts and (secret is None or len(texts) != setup.seats):
            raise ValueError(f"texts: {len(texts)} are given; a text of each of {setup.seats} seats goes with a secret")
        source = Source(secret, texts or ("",) * setup.seats, scheme) if secret is not None else None
        position = cls(setup, setup.game.engine.blank(setup.game.State), 0, source)
        position._state.rng = setup.rng((secrets.randbits(64) if seed is None else seed) & (1 << 64) - 1)
        with position._chance(0, drew):
            setup.game.engine.start(position._state, setup.params, setup.work)
        position.dealt = position._drawn(drew)
        return position

    @classmethod
    def of_twin(cls, setup: Setup, state: Any, number: int = 0) -> Position:
        """A position from a twin of the state."""
        if setup.game.compiled:
            state = setup.game.engine.unpack(setup.game.State, twin.pack(setup.game.State, state))
        return cls(setup, state, number, None)

    @classmethod
    def from_document(cls, game: Game, document: Mapping[str, Any]) -> Position:
        """See `Game.position`."""
        for field in ("game", "components", "options", "seats", "number", "state"):
            if field not in document:
                raise DocumentError(f"{field}: missing")
        if document["game"] != game.key:
            raise DocumentError(f"game: {document['game']!r} is not {game.key!r}")
        if document["components"] != game.components.digest:
            raise DocumentError("components: not those of this game; give the setup")
        for field, kind in (("options", Mapping), ("seats", int), ("number", int), ("state", Mapping)):
            if not isinstance(document[field], kind):
                raise DocumentError(f"{field}: {str(document[field])[:60]!r} stands where a {_KINDS[kind]} is needed")
        known = {option.name for option in game.options}
        for name, value in document["options"].items():
            if name not in known or not isinstance(value, str | int):
                raise DocumentError(f"options: {game.key} has no such option as {name!r}: {str(value)[:60]!r}")
        if not 0 <= document["number"] < 2**31:
            raise DocumentError(f"number: {document['number']} moves cannot have been played")
        setup = game.written_setup(document["seats"], None, document["options"])
        return cls.of_twin(setup, game.restore(setup, document["state"]), document["number"])

    def copy(self) -> Position:
        """A position of its own with the same state."""
        engine = self.setup.game.engine
        made = Position(self.setup, engine.clone(self.setup.game.State, self._state), self.number, self._source)
        made.dealt = self.dealt
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()  # the setup never changes, and is shared

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.setup.game
        return _unpickled, (self.setup, game.engine.pack(game.State, self._state), self.number, self.dealt)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.number == other.number and self.setup.same_as(other.setup) and self.digest() == other.digest()

    # --- What it tells. ---

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.setup.seats

    @property
    def state(self) -> Any:
        """The state as a plain twin: a copy when compiled, the thing itself when plain. For games and tests."""
        return twin.unpack(self.setup.game.State, self._state.tobytes()) if self.setup.game.compiled else self._state

    @property
    def seat(self) -> int | None:
        """The seat that decides; None when the game is over."""
        seat = int(self._state.seat)
        return seat if seat >= 0 else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat is None

    @property
    def legal_moves(self) -> LegalMoves:
        """What the seat that decides may play."""
        setup = self.setup
        out = setup.room
        many = setup.game.engine.legal(self._state, setup.params, self.setup.work, out)
        return LegalMoves(setup, out[:many])

    def move(self, move: Move | str | int) -> Move:
        """The move with this text or number; raises UnknownMove."""
        return self.setup.move(move)

    def words(self, move: Move | str | int) -> tuple[Word, ...]:
        """The words of a move, for people."""
        return self.setup.words(move)

    def why_not(self, move: Move | str | int, seat: int | None = None) -> Refusal | None:
        """Why the move is not allowed, or None. Raises UnknownMove.

        Given a `seat` that does not decide, the answer is "not your turn" whatever it asks: a reason can tell a secret.
        """
        found = self.setup.move(move)
        if self.over:
            return Refusal("over", message("The game is over."))
        if seat is not None and seat != self.seat:
            return Refusal("turn", message("It is not your turn."))
        rule = self.setup.game.engine.refusal(self._state, self.setup.params, self.setup.work, found.number)
        if rule == 0:
            return None
        game = self.setup.game
        if self._seen is None:  # a page asks for the reasons of a whole move space at once
            self._seen = self.observe(self.seat)
        return game.refusal(int(rule), self._seen, found)

    def observe(self, seat: int | None) -> Observation:
        """All that the seat may know; None for a spectator."""
        if seat is not None and not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat} among {self.seats}")
        game = self.setup.game
        view = game.engine.blank(game.View)
        game.engine.observe(self._state, -1 if seat is None else seat, view)
        return Observation(self.setup, seat, self.number, game.engine.pack(game.View, view))

    def reveal(self) -> Observation:
        """All that everybody together knows: for looking back at a game that is over."""
        game = self.setup.game
        view = game.engine.blank(game.View)
        game.engine.observe(self._state, EVERYBODY, view)
        return Observation(self.setup, None, self.number, game.engine.pack(game.View, view))

    @property
    def scores(self) -> list[int]:
        """The points by seat, hidden ones included."""
        points = self.setup.game.engine.points
        return [int(points(self._state, self.setup.params, p)) for p in range(self.seats)]

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why the game ended; None while it runs."""
        if not self.over:
            return None
        seen = self.observe(None)
        game = self.setup.game
        return Outcome(game.winners(self.scores, seen), game.rule_names[int(self._state.ended_by)], game.ending(seen))

    def document(self) -> dict[str, Any]:
        """The whole state as JSON in the game's own words; `Game.position` reads it."""
        setup = self.setup
        return {
            "game": setup.game.key,
            "components": setup.components.digest,
            "options": dict(setup.options),
            "seats": setup.seats,
            "number": self.number,
            "state": setup.game.document(self),
        }

    def digest(self) -> str:
        """A SHA-256 over the state without its generator: equal for equal positions on every machine and engine."""
        state = twin.clone(self.state)
        state.rng = 0
        return hashlib.sha256(twin.pack(self.setup.game.State, state)).hexdigest()

    # --- Playing. ---

    def play(
        self,
        move: Move | str | int,
        drew: Sequence[str] | None = None,
        *,
        seat: int | None = None,
        watch: bool = False,
        listen: bool = False,
    ) -> Played:
        """Play a move. `drew` forces chance; `watch` finds out whether the move told its seat something; `listen` keeps
        what the move did.

        Raises UnknownMove, IllegalMove with the Refusal, DrawError; then nothing has changed.
        """
        found = self.setup.move(move)
        refusal = self.why_not(found, seat)
        if refusal is not None:
            raise IllegalMove(found.text, refusal)
        acting = int(self._state.seat)
        before = self.observe(acting) if watch else None
        engine = self.setup.game.engine
        kept = engine.clone(self.setup.game.State, self._state) if drew is not None else None
        self._seen, self._imagined = None, ()
        work = self.setup.work
        work.events.listening, work.events.many = int(listen), 0
        with self._chance(self.number + 1, drew):
            engine.play(self._state, self.setup.params, work, found.number)
        work.events.listening = 0
        try:
            drawn = self._drawn(drew)
        except DrawError:
            self._state = kept
            raise
        game = self.setup.game
        events = game.events.read(work.events) if listen else ()  # before working memory serves other trials
        self.number += 1
        passed = int(self._state.seat) != acting
        told = None
        if before is not None:
            told = bool(drawn) or (game.secrets and game.reveals and self._tells(before, found))
        return Played(self.number, acting, found, drawn, passed, told, events)

    def _tells(self, before: Observation, move: Move) -> bool:
        """Whether the seat of an observation could not have known what it sees now that it has played the move."""
        after = self.observe(before.seat).data
        return any(_after(before, move, i) != after for i in range(IMAGINED))

    def preview(
        self,
        move: Move | str | int,
        *,
        seat: int | None = None,
        since: Observation | None = None,
        events: Sequence[Event] = (),
    ) -> Preview:
        """What the move would do, from what its seat knows, up to chance. `since` is what the seat saw before the first
        move of its turn, if that was another, and `events` what has happened since then. Raises as `play` does; nothing
        changes.
        """
        found = self.setup.move(move)
        refusal = self.why_not(found, seat)
        if refusal is not None:
            raise IllegalMove(found.text, refusal)
        acting, game = int(self._state.seat), self.setup.game
        before = self.observe(acting)
        known, draws, passes = self._foresee(found)
        return Preview(
            [] if draws else game.log(self.setup, known, acting),
            draws=draws,
            passes=passes,
            asks=game.asks(before, found),
            note=game.hint(before, found, known),
            sum=game.turn_summary(since or before, (*events, *known)),
        )

    def hint(self, move: Move | str | int) -> Message | None:
        """What stands beside a legal move before it is chosen; see `Game.hint`. Raises as `play` does."""
        found = self.setup.move(move)
        events = self.foresee(found)
        if self._seen is None:
            self._seen = self.observe(self.seat)
        return self.setup.game.hint(self._seen, found, events)

    def foresee(self, move: Move | str | int) -> tuple[Event, ...]:
        """What a legal move does up to chance, as far as its seat can know beforehand. Raises as `play` does."""
        return self._foresee(self.setup.move(move))[0]

    def _foresee(self, move: Move) -> tuple[tuple[Event, ...], bool, bool]:
        """The same, and whether the move may draw and may pass the decision. Where a move may show its seat what is
        hidden, only what would happen in every imagined position is known.
        """
        game = self.setup.game
        if not self._imagined:  # a page asks about all moves at once
            many = IMAGINED if game.secrets and game.reveals else 1
            seen = self.observe(self.seat)
            self._imagined = tuple(seen.imagine(seed) for seed in range(many))
        shared: tuple[Event, ...] | None = None
        draws = passes = False
        for imagined in self._imagined:
            played = imagined.copy().play(move, listen=True)
            sure = tuple(event for event in played.events if not event.drawn)
            known = game.events.seen(self.setup, sure, played.seat)
            shared = known if shared is None else _shared(shared, known)
            draws, passes = draws or bool(played.drew), passes or played.passed
        return shared or (), draws, passes

    def odds(self, move: Move | str | int, drew: Sequence[str] = ()) -> Mapping[str, Fraction] | None:
        """The chance of everything that may be drawn next when the move is played and has drawn `drew` already, by its
        text; None when nothing more is drawn. Exact: the number of such things in the set through the number of all.

        Raises UnknownMove, IllegalMove with the Refusal, DrawError. Nothing changes.

        >>> import spieltisch
        >>> position = spieltisch.game("legendary-inventors").start(seats=2, seed=1)
        >>> while (odds := position.odds(position.legal_moves[0])) is None:
        ...     played = position.play(position.legal_moves[0])
        >>> odds["steam-engine"], sum(odds.values())
        (Fraction(1, 12), Fraction(1, 1))
        """
        found = self.setup.move(move)
        refusal = self.why_not(found)
        if refusal is not None:
            raise IllegalMove(found.text, refusal)
        setup, trial = self.setup, self.copy()
        self._load(drew)
        draws = setup.work.draws
        draws.asked = 1
        try:
            setup.game.engine.play(trial._state, setup.params, setup.work, found.number)
        finally:
            draws.asked = 0
        if draws.many <= draws.given or draws.wrong:
            self._drawn(drew)
            return None
        counts = [int(draws.counts[kind]) for kind in range(int(draws.kinds))]
        words, base, total = setup.game.draw_words(setup), int(draws.lowest), sum(counts)
        return {words[base + kind]: Fraction(count, total) for kind, count in enumerate(counts) if count}

    @contextmanager
    def _chance(self, number: int, drew: Sequence[str] | None) -> Iterator[None]:
        """Around the move with this number (0: the set-up), which draws what is forced, then from the table's source;
        where there is none, by the generator in the state.
        """
        self._load(drew)
        if self._source is not None:
            self._state.rng = self.setup.rng(self._source.seed(number))
            self._source.lay(self.setup.work.draws, number)
        try:
            yield
        finally:
            self.setup.work.draws.listed = 0  # what others try out in this memory must not draw what this table will

    def _load(self, drew: Sequence[str] | None) -> None:
        """Lay forced draws ready in working memory, or none."""
        draws = self.setup.work.draws
        draws.many = draws.given = draws.wrong = 0
        if drew is None:
            return
        codes = self.setup.draw_codes
        if len(drew) > MOST_DRAWS:
            raise DrawError(f"{len(drew)} draws are more than {MOST_DRAWS}")
        for i, text in enumerate(drew):
            if text not in codes:
                raise DrawError(f"draw {i + 1}: {text!r} is nothing that can be drawn")
            draws.forced[i] = codes[text]
        draws.given = len(drew)

    def _drawn(self, drew: Sequence[str] | None) -> tuple[str, ...]:
        """What was drawn; raises DrawError when forced draws do not fit."""
        draws = self.setup.work.draws
        if drew is not None and (draws.wrong or draws.many != draws.given):
            if draws.wrong:
                raise DrawError(f"draw {int(draws.wrong)}: {drew[int(draws.wrong) - 1]!r} is not there to be drawn")
            raise DrawError(f"{len(drew)} draws were given, {int(draws.many)} are needed")
        words = self.setup.game.draw_words(self.setup)
        return tuple(words[int(draws.drawn[i])] for i in range(int(draws.many)))


def _shared(one: tuple[Event, ...], other: tuple[Event, ...]) -> tuple[Event, ...]:
    """What two tellings of the same move begin with."""
    return tuple(a for a, _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False)))


def _unpickled(setup: Setup, state: bytes, number: int, dealt: tuple[str, ...]) -> Position:
    """A position that was pickled."""
    made = Position(setup, setup.game.engine.unpack(setup.game.State, state), number, None)
    made.dealt = dealt
    return made


def _after(before: Observation, move: Move, seed: int) -> bytes:
    """What the seat would see after the move in a position imagined from what it saw before."""
    imagined = before.imagine(seed)
    imagined.play(move)
    return imagined.observe(before.seat).data
