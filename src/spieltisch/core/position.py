"""Positions: a state with the moves, reasons and observations that belong to it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

import msgspec

from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.chance import SCHEME, DrawSource
from spieltisch.core.errors import DocumentError, DrawError, IllegalMove, Refusal
from spieltisch.core.events import GameEvent
from spieltisch.core.forced_draws import draw_texts, load_forced_draws, next_draw_odds
from spieltisch.core.game import Outcome
from spieltisch.core.moves import LegalMoves, Move, MoveWord
from spieltisch.core.observation import ALL_SEATS, Observation
from spieltisch.core.previews import MovePreviewer, Preview, reveals_to_mover
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, message

if TYPE_CHECKING:
    from spieltisch.core.game import Game

_KINDS: Mapping[type, str] = {Mapping: "table", int: "number"}


class MoveResult(msgspec.Struct, frozen=True):
    """A move that was played: `number` counts the moves of the game from 1, `drew` lists what chance gave.

    `passed`: the decision went to another seat or the game ended. `told`: the seat learnt something it could not know
    before; None when nobody asked
    (`watch`). `events`: what the move did, when somebody listens. `final`: undo stops here.
    """

    number: int
    seat: int
    move: Move
    drew: tuple[str, ...]
    ended_decision: bool
    revealed: bool | None = None
    events: tuple[GameEvent, ...] = ()

    @property
    def final(self) -> bool:
        """Whether the move drew on chance, told its seat something, or passed the decision."""
        return bool(self.drew) or self.ended_decision or bool(self.revealed)


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

    def __init__(self, setup: Setup, state: Any, number: int, source: DrawSource | None) -> None:
        self.setup = setup
        self.number = number
        self._state = state
        self._source = source
        self.setup_draws: tuple[str, ...] = ()
        """What chance gave at the set-up."""
        self._seen: Observation | None = None
        self._foresight: MovePreviewer | None = None

    # --- Where positions come from. ---

    @classmethod
    def start(
        cls,
        setup: Setup,
        *,
        seed: SupportsIndex | None = None,
        secret: bytes | None = None,
        texts: Sequence[str] = (),
        scheme: int = SCHEME,
        drew: Sequence[str] | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> Position:
        """A new game; see `Game.start`. With a `state`, as documents have it, the game goes on from there: nothing is
        set up, and moves are counted anew. Raises DocumentError, too.
        """
        if seed is not None and secret is not None:
            raise ValueError("seed or secret, not both")
        if texts and (secret is None or len(texts) != setup.seats):
            raise ValueError(f"texts: {len(texts)} are given; a text of each of {setup.seats} seats goes with a secret")
        number = secrets.randbits(64) if seed is None else require_int("seed", seed)
        source = DrawSource(secret, texts or ("",) * setup.seats, scheme) if secret is not None else None
        if state is None:
            position = cls(setup, setup.game.engine.blank_record(setup.game.State), 0, source)
        else:
            position = cls.of_twin(setup, setup.game.restore(setup, state))
            position._source = source
        position._state.rng = setup.rng(number & (1 << 64) - 1)
        with position._chance(0, drew):
            if state is None:
                setup.game.engine.start(position._state, setup.params, setup.work)
        position.setup_draws = draw_texts(setup, drew)
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
            if not isinstance(document[field], kind) or isinstance(document[field], bool):
                raise DocumentError(f"{field}: {str(document[field])[:60]!r} stands where a {_KINDS[kind]} is needed")
        known = {option.name for option in game.options}
        for name, value in document["options"].items():
            if name not in known or not isinstance(value, str | int):
                raise DocumentError(f"options: {game.key} has no such option as {name!r}: {str(value)[:60]!r}")
        if not 0 <= document["number"] < 2**31:
            raise DocumentError(f"number: {document['number']} moves cannot have been played")
        setup = game.setup_from_record(document["seats"], None, document["options"])
        return cls.of_twin(setup, game.restore(setup, document["state"]), document["number"])

    def copy(self) -> Position:
        """A position of its own with the same state."""
        engine = self.setup.game.engine
        made = Position(self.setup, engine.clone(self.setup.game.State, self._state), self.number, self._source)
        made.setup_draws = self.setup_draws
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()  # the setup never changes, and is shared

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.setup.game
        return _unpickled, (self.setup, game.engine.pack(game.State, self._state), self.number, self.setup_draws)

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
        out = setup.move_buffer
        many = setup.game.engine.legal(self._state, setup.params, self.setup.work, out)
        return LegalMoves(setup, out[:many])

    def move(self, move: Move | str | SupportsIndex) -> Move:
        """The move with this text or number; raises UnknownMove."""
        return self.setup.move(move)

    def words(self, move: Move | str | SupportsIndex) -> tuple[MoveWord, ...]:
        """The words of a move, for people."""
        return self.setup.words(move)

    def why_not(self, move: Move | str | SupportsIndex, seat: SupportsIndex | None = None) -> Refusal | None:
        """Why the move is not allowed, or None. Raises UnknownMove.

        Given a `seat` that does not decide, the answer is "not your turn" whatever it asks: a reason can tell a secret.
        """
        found = self.setup.move(move)
        if self.over:
            return Refusal("over", message("The game is over."))
        if seat is not None and require_int("seat", seat) != self.seat:
            return Refusal("turn", message("It is not your turn."))
        rule = self.setup.game.engine.refusal(self._state, self.setup.params, self.setup.work, found.number)
        if rule == 0:
            return None
        game = self.setup.game
        if self._seen is None:  # a page asks for the reasons of a whole move space at once
            self._seen = self.observe(self.seat)
        return game.refusal(int(rule), self._seen, found)

    def observe(self, seat: SupportsIndex | None) -> Observation:
        """All that the seat may know; None for a spectator."""
        viewer = None if seat is None else require_int("seat", seat)
        if viewer is not None and not 0 <= viewer < self.seats:
            raise ValueError(f"there is no seat {viewer} among {self.seats}")
        game = self.setup.game
        view = game.engine.blank_record(game.View)
        game.engine.observe(self._state, -1 if viewer is None else viewer, view)
        return Observation(self.setup, viewer, self.number, game.engine.pack(game.View, view))

    def reveal(self) -> Observation:
        """All that everybody together knows: for looking back at a game that is over."""
        game = self.setup.game
        view = game.engine.blank_record(game.View)
        game.engine.observe(self._state, ALL_SEATS, view)
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
        return Outcome(
            game.winners(self.scores, seen), game.rule_names[int(self._state.ended_by)], game.ending_text(seen)
        )

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
        move: Move | str | SupportsIndex,
        drew: Sequence[str] | None = None,
        *,
        seat: SupportsIndex | None = None,
        detect_reveal: bool = False,
        collect_events: bool = False,
    ) -> MoveResult:
        """Play a move. `drew` forces chance; `watch` finds out whether the move told its seat something; `listen` keeps
        what the move did.

        Raises UnknownMove, IllegalMove with the Refusal, DrawError; then nothing has changed.
        """
        found = self.setup.move(move)
        refusal = self.why_not(found, seat)
        if refusal is not None:
            raise IllegalMove(found.text, refusal)
        acting = int(self._state.seat)
        before = self.observe(acting) if detect_reveal else None
        engine = self.setup.game.engine
        kept = engine.clone(self.setup.game.State, self._state) if drew is not None else None
        self._seen = self._foresight = None
        work = self.setup.work
        work.events.listening, work.events.many = int(collect_events), 0
        with self._chance(self.number + 1, drew):
            engine.play(self._state, self.setup.params, work, found.number)
        work.events.listening = 0
        try:
            got = draw_texts(self.setup, drew)
        except DrawError:
            self._state = kept
            raise
        game = self.setup.game
        events = game.events.read(work.events) if collect_events else ()  # before working memory serves other trials
        self.number += 1
        passed = int(self._state.seat) != acting
        told = None
        if before is not None:
            told = bool(got) or (
                game.has_hidden_information
                and game.moves_reveal
                and reveals_to_mover(before, found, self.observe(acting))
            )
        return MoveResult(self.number, acting, found, got, passed, told, events)

    def preview(
        self,
        move: Move | str | SupportsIndex,
        *,
        seat: SupportsIndex | None = None,
        since: Observation | None = None,
        events: Sequence[GameEvent] = (),
    ) -> Preview:
        """What the move would do, from what its seat knows, up to chance. `since` is what the seat saw before the first
        move of its turn, if that was another, and `events` what has happened since then. Raises as `play` does; nothing
        changes.
        """
        found = self.setup.move(move)
        refusal = self.why_not(found, seat)
        if refusal is not None:
            raise IllegalMove(found.text, refusal)
        foresight = self._foresees()
        return foresight.preview(found, since or foresight.seen, events)

    def hint(self, move: Move | str | SupportsIndex) -> Message | None:
        """What stands beside a legal move before it is chosen; see `Game.hint`. Raises as `play` does."""
        found = self.setup.move(move)
        foresight = self._foresees()
        return self.setup.game.hint(foresight.seen, found, foresight.of(found).events)

    def known_effects(self, move: Move | str | SupportsIndex) -> tuple[GameEvent, ...]:
        """What a legal move does up to chance, as far as its seat can know beforehand. Raises as `play` does."""
        return self._foresees().of(self.setup.move(move)).events

    def _foresees(self) -> MovePreviewer:
        if self._foresight is None:  # a page asks about all moves at once
            self._foresight = MovePreviewer(self.observe(self.seat))
        return self._foresight

    def odds(self, move: Move | str | SupportsIndex, drew: Sequence[str] = ()) -> Mapping[str, Fraction] | None:
        """The chance of everything that may be drawn next when the move is played and has drawn `drew` already, by its
        text; None when nothing more is drawn. Exact: the number of such things in the set through the number of all.

        Raises UnknownMove, IllegalMove with the Refusal, DrawError. Nothing changes.

        >>> import spieltisch
        >>> position = spieltisch.game("legendary-inventors").start(seats=2, seed=1, teams="random")
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
        load_forced_draws(setup, drew)
        setup.work.draws.asked = 1
        try:
            setup.game.engine.play(trial._state, setup.params, setup.work, found.number)
        finally:
            setup.work.draws.asked = 0
        return next_draw_odds(setup, drew)

    @contextmanager
    def _chance(self, number: int, drew: Sequence[str] | None) -> Iterator[None]:
        """Around the move with this number (0: the set-up), which draws what is forced, then from the table's source;
        where there is none, by the generator in the state.
        """
        load_forced_draws(self.setup, drew)
        if self._source is not None:
            self._state.rng = self.setup.rng(self._source.seed(number))
            self._source.load_words(self.setup.work.draws, number)
        try:
            yield
        finally:
            self.setup.work.draws.listed = 0  # what others try out in this memory must not draw what this table will


def _unpickled(setup: Setup, state: bytes, number: int, dealt: tuple[str, ...]) -> Position:
    """A position that was pickled."""
    made = Position(setup, setup.game.engine.unpack(setup.game.State, state), number, None)
    made.setup_draws = dealt
    return made
