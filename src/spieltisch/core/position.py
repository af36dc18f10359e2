"""Positions: a state together with its moves, refusals and observations."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex, TypedDict

import msgspec

from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.chance import load_random_words
from spieltisch.core.errors import DocumentError, DrawError, IllegalMove, Refusal
from spieltisch.core.events import GameEvent
from spieltisch.core.forced_draws import draw_texts, load_forced_draws, next_draw_odds
from spieltisch.core.game import Outcome
from spieltisch.core.moves import LegalMoves, Move, MoveWord
from spieltisch.core.observation import ALL_SEATS, Observation
from spieltisch.core.played_moves import PlayedMoves
from spieltisch.core.previews import MovePreviewer, Preview, reveals_to_mover
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, message

if TYPE_CHECKING:
    from spieltisch.core.game import Game

_KINDS: Mapping[type, str] = {Mapping: "table", int: "number"}


class Document(TypedDict):
    """A position as JSON; what `state` contains is up to the game.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    >>> document = position.document()
    >>> document["game"], document["seats"], document["number"], sorted(document["state"])[:2]
    ('paris-connection', 4, 0, ['building', 'depots'])
    """

    game: str
    components: str
    options: dict[str, str | bool | int]
    seats: int
    number: int
    state: dict[str, Any]


class MoveResult(msgspec.Struct, frozen=True):
    """A move that was played.

    `number` counts the moves of the game from 1; `drew` lists the draws. `ended_decision`: the decision passed to
    another seat, or the game ended. `revealed`: the seat learnt something that it could not know before; None if this
    was not tested (`detect_reveal`). `events`: the effects of the move, if they were collected (`collect_events`).

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    >>> result = position.play("build purple Rouen", collect_events=True)
    >>> result.number, result.seat, result.move.text, result.drew, result.final
    (1, 0, 'build purple Rouen', (), False)
    >>> result.events[0].kind
    'built city'
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
        """True if the move drew, revealed something to its seat, or passed the decision. It cannot be undone."""
        return bool(self.drew) or self.ended_decision or bool(self.revealed)


class Position:
    """A state of a game: `seat` is the seat to move (None: the game is over), `number` the number of moves played.

    Two positions are equal if everything but the future draws is the same: game, components, options, seats, number of
    moves and state, on whichever engine. `copy.copy`, `copy.deepcopy` and `pickle` return an independent position with
    the same future. The one exception is the secret of a table, which is never pickled: an unpickled position draws
    from the generator in its state.

    >>> import pickle, spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> again = pickle.loads(pickle.dumps(position))
    >>> again == position
    True
    >>> played = position.play(position.legal_moves[0])
    >>> position.number, position.is_over, again == position
    (1, False, False)
    """

    def __init__(self, setup: Setup, state: Any, number: int, secret: bytes | None) -> None:
        self.setup = setup
        self.number = number
        self._state = state
        self._secret = secret
        self.setup_draws: tuple[str, ...] = ()
        """The draws of the set-up."""
        self._history: PlayedMoves | None = None
        self._observation: Observation | None = None
        self._previewer: MovePreviewer | None = None

    # --- Construction. ---

    @classmethod
    def start(
        cls,
        setup: Setup,
        *,
        seed: SupportsIndex | None = None,
        secret: bytes | None = None,
        drew: Sequence[str] | None = None,
        state: Mapping[str, object] | None = None,
    ) -> Position:
        """Return a new game; see `Game.start`.

        With a `state`, in the form of documents, the game starts from there: nothing is set up, and moves count from 1.
        Raise DocumentError if the state is invalid.

        >>> import spieltisch
        >>> setup = spieltisch.game("paris-connection").setup(seats=3)
        >>> Position.start(setup, seed=7) == Position.start(setup, seed=7)
        True
        """
        if seed is not None and secret is not None:
            raise ValueError("seed or secret, not both")
        number = secrets.randbits(64) if seed is None else require_int("seed", seed)
        if state is None:
            position = cls(setup, setup.game.engine.blank_record(setup.game.State), 0, secret)
        else:
            position = cls.of_twin(setup, setup.game.restore(setup, state))
            position._secret = secret
        position._state.rng = setup.rng(number & (1 << 64) - 1)
        with position._chance(0, drew):
            if state is None:
                setup.game.engine.start(position._state, setup.params, setup.work)
        position.setup_draws = draw_texts(setup, drew)
        if state is None:
            position._history = PlayedMoves(position.setup_draws)
        return position

    @classmethod
    def of_twin(cls, setup: Setup, state: twin.Twin, number: int = 0) -> Position:
        """Return a position from a twin of the state.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> Position.of_twin(position.setup, position.state) == position
        True
        """
        if setup.game.compiled:
            state = setup.game.engine.unpack(setup.game.State, twin.pack(setup.game.State, state))
        return cls(setup, state, number, None)

    @classmethod
    def from_document(cls, game: Game, fields: Mapping[str, object]) -> Position:
        """Return the position that a document describes; see `Game.position`.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> Position.from_document(position.setup.game, position.document()) == position
        True
        """
        document: Mapping[str, Any] = fields
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
        option_names = {option.name for option in game.options}
        for name, value in document["options"].items():
            if name not in option_names or not isinstance(value, str | int):
                raise DocumentError(f"options: {game.key} has no such option as {name!r}: {str(value)[:60]!r}")
        if not 0 <= document["number"] < 2**31:
            raise DocumentError(f"number: {document['number']} moves cannot have been played")
        setup = game.setup(document["seats"], None, **document["options"])
        return cls.of_twin(setup, game.restore(setup, document["state"]), document["number"])

    def copy(self) -> Position:
        """Return an independent position with the same state.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> copy = position.copy()
        >>> played = copy.play(copy.legal_moves[0])
        >>> copy.number, position.number
        (1, 0)
        """
        engine = self.setup.game.engine
        copy = Position(self.setup, engine.clone(self.setup.game.State, self._state), self.number, self._secret)
        copy.setup_draws, copy._history = self.setup_draws, self._history
        return copy

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()  # the setup is immutable, so it is shared

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.setup.game
        return _unpickled, (
            self.setup,
            game.engine.pack(game.State, self._state),
            self.number,
            self.setup_draws,
            self._history,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.number == other.number and self.setup.same_as(other.setup) and self.digest() == other.digest()

    def __repr__(self) -> str:
        stage = "over" if self.seat is None else f"seat {self.seat} to decide"
        return f"<Position {self.setup.game.key}, {self.seats} seats, move {self.number}, {stage}>"

    def _repr_html_(self) -> str:
        return self._shown()._repr_html_()

    def _repr_svg_(self) -> str | None:
        return self._shown()._repr_svg_()

    def _shown(self) -> Observation:
        """Return what notebooks draw: what the seat to move sees, or all when the game is over."""
        return self.reveal() if self.is_over else self.observe(self.seat)

    # --- Queries. ---

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.setup.seats

    @property
    def state(self) -> twin.Twin:
        """The state as a plain twin: a copy if compiled, the state itself if plain. For games and tests."""
        game = self.setup.game
        state: twin.Twin = twin.unpack(game.State, self._state.tobytes()) if game.compiled else self._state
        return state

    @property
    def seat(self) -> int | None:
        """The seat to move; None when the game is over."""
        seat = int(self._state.seat)
        return seat if seat >= 0 else None

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.seat is None

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the seat to move."""
        setup, engine = self.setup, self.setup.game.engine
        buffer = setup.move_buffer
        return LegalMoves(setup, engine.listed(buffer, engine.legal(self._state, setup.params, setup.work, buffer)))

    def move(self, move: Move | str | SupportsIndex) -> Move:
        """Return the move with this text or number. Raise UnknownMove.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> position.move("Build Amethyst Calais").text
        'build purple Calais'
        """
        return self.setup.move(move)

    def words(self, move: Move | str | SupportsIndex) -> tuple[MoveWord, ...]:
        """Return the words of a move, as people read them.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> [str(word.label) for word in position.words("build purple Calais")]
        ['Build track', 'Amethyst', 'Calais']
        """
        return self.setup.words(move)

    def why_not(self, move: Move | str | SupportsIndex, seat: SupportsIndex | None = None) -> Refusal | None:
        """Return the reason for which the move is not allowed, or None. Raise UnknownMove.

        For a `seat` that is not to move the result is always "not your turn", because a reason can reveal a secret.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> position.why_not("trade red for 2 red").rule
        'T2'
        """
        requested = self.setup.move(move)
        if self.is_over:
            return Refusal("over", message("The game is over."))
        if seat is not None and require_int("seat", seat) != self.seat:
            return Refusal("turn", message("It’s not your turn."))
        code = self.setup.game.engine.refusal(self._state, self.setup.params, self.setup.work, requested.number)
        if code == 0:
            return None
        game = self.setup.game
        if self._observation is None:  # a page requests the reasons of a whole move space
            self._observation = self.observe(self.seat)
        return game.refusal(int(code), self._observation, requested)

    def observe(self, seat: SupportsIndex | None) -> Observation:
        """Return all that the seat may know; None stands for a spectator. Raise ValueError if there is no such seat.

        >>> import spieltisch
        >>> spieltisch.game("paris-connection").start(seats=4, seed=7).observe(seat=2).seat
        2
        """
        viewer = None if seat is None else require_int("seat", seat)
        if viewer is not None and not 0 <= viewer < self.seats:
            raise ValueError(f"there is no seat {viewer} among {self.seats}")
        return self._observed(viewer, -1 if viewer is None else viewer)

    def resample(self, seat: SupportsIndex, seed: SupportsIndex) -> Position:
        """Return a position that this seat cannot tell from this one: what it does not know is drawn again.

        Its `Observation.information` is the same. That of others has "?" for the draws that this seat has not seen.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> position.resample(2, seed=1).observe(2).information == position.observe(2).information
        True
        """
        seen = self.observe(seat)
        position = seen.imagine(seed)
        position._history = self._history and self._history.seen_by(seen)
        return position

    def reveal(self) -> Observation:
        """Return all that the seats together know, for the review of a game that is over.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> None in position.observe(None).scores, None in position.reveal().scores
        (True, False)
        """
        return self._observed(None, ALL_SEATS)

    def _observed(self, seat: int | None, viewer: int) -> Observation:
        data, view = self.setup.game.engine.view(self._state, viewer)
        return Observation(self.setup, seat, self.number, data, view, self._history)

    @property
    def scores(self) -> list[int]:
        """The points by seat, hidden points included."""
        points = self.setup.game.engine.points
        return [int(points(self._state, self.setup.params, seat)) for seat in range(self.seats)]

    @property
    def outcome(self) -> Outcome | None:
        """The winners and the end of the game; None while it runs."""
        if not self.is_over:
            return None
        observation = self.observe(None)
        game = self.setup.game
        return Outcome(
            game.winners(self.scores, observation),
            game.rule_names[int(self._state.ended_by)],
            game.ending_text(observation),
        )

    def document(self) -> Document:
        """Return the whole state as JSON in the terms of the game. `Game.position` reads it.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> position.setup.game.position(position.document()) == position
        True
        """
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
        """Return a SHA-256 of the state without its generator, in hex.

        It is equal for equal positions on every machine and engine.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> len(position.digest()), position.digest() == position.copy().digest()
        (64, True)
        """
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
        """Play a move and return its result.

        `drew` forces the draws. `detect_reveal` tests whether the move reveals something to its seat; `collect_events`
        returns the effects of the move. Raise UnknownMove, IllegalMove with the Refusal, or DrawError; the position is
        then unchanged.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> position.play("build purple Rouen").number, position.number
        (1, 1)
        >>> position.play("build purple Calais")
        Traceback (most recent call last):
            ...
        spieltisch.core.errors.IllegalMove: 'build purple Calais' is not allowed (P5): ...
        """
        chosen = self.setup.move(move)
        refusal = self.why_not(chosen, seat)
        if refusal is not None:
            raise IllegalMove(chosen.text, refusal)
        acting = int(self._state.seat)
        before = self.observe(acting) if detect_reveal else None
        engine = self.setup.game.engine
        backup = engine.clone(self.setup.game.State, self._state) if drew is not None else None
        self._observation = self._previewer = None
        work = self.setup.work
        work.events.listening, work.events.count = int(collect_events), 0
        with self._chance(self.number + 1, drew):
            engine.play(self._state, self.setup.params, work, chosen.number)
        work.events.listening = 0
        try:
            drawn = draw_texts(self.setup, drew)
        except DrawError:
            self._state = backup
            raise
        game = self.setup.game
        events = (
            game.events.read(work.events) if collect_events else ()
        )  # before other trials overwrite the working memory
        self.number += 1
        if self._history is not None:
            self._history = self._history.after(acting, chosen, drawn)
        passed = int(self._state.seat) != acting
        revealed = None
        if before is not None:
            revealed = bool(drawn) or (
                game.has_hidden_information
                and game.moves_reveal
                and reveals_to_mover(before, chosen, self.observe(acting))
            )
        return MoveResult(self.number, acting, chosen, drawn, passed, revealed, events)

    def preview(
        self,
        move: Move | str | SupportsIndex,
        *,
        seat: SupportsIndex | None = None,
        since: Observation | None = None,
        events: Sequence[GameEvent] = (),
    ) -> Preview:
        """Return the effects of a move up to chance, from what its seat knows.

        `since` is what the seat saw before the first move of its turn, if that was another move; `events` are the
        effects since then. Raise the errors of `play`. The position does not change.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> preview = position.preview("build purple Rouen")
        >>> [str(sentence) for sentence in preview.messages], preview.draws, preview.passes
        (['Player 1 builds for Amethyst: Rouen. Its shares are now worth 1.'], False, False)
        >>> position.number
        0
        """
        chosen = self.setup.move(move)
        refusal = self.why_not(chosen, seat)
        if refusal is not None:
            raise IllegalMove(chosen.text, refusal)
        previewer = self._previewer_for_seat()
        return previewer.preview(chosen, since or previewer.seen, events)

    def hint(self, move: Move | str | SupportsIndex) -> Message | None:
        """Return the hint shown next to a legal move; see `Game.hint`. Raise UnknownMove, IllegalMove.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> str(position.hint("build purple Rouen"))
        'Value 0 → 1. Your points 0 → 1.'
        """
        chosen = self.setup.move(move)
        previewer = self._previewer_for_seat()
        return self.setup.game.hint(previewer.seen, chosen, previewer.of(chosen).events)

    def known_effects(self, move: Move | str | SupportsIndex) -> tuple[GameEvent, ...]:
        """Return the effects of a legal move up to chance, as far as its seat can know them before playing it.

        Raise UnknownMove, IllegalMove.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> [event.kind for event in position.known_effects("build purple Rouen")]
        ['built city', 'points', 'moved']
        """
        return self._previewer_for_seat().of(self.setup.move(move)).events

    def _previewer_for_seat(self) -> MovePreviewer:
        if self._previewer is None:  # a page requests all moves
            self._previewer = MovePreviewer(self.observe(self.seat))
        return self._previewer

    def odds(self, move: Move | str | SupportsIndex, drew: Sequence[str] = ()) -> Mapping[str, Fraction] | None:
        """Return the probability of every possible next draw, by its text; None if nothing more is drawn.

        The draw is the one that follows when the move is played and has already drawn `drew`. Probabilities are exact:
        the number of such items in the set, divided by the number of all. Raise UnknownMove, IllegalMove with the
        Refusal, or DrawError. The position does not change.

        >>> import spieltisch
        >>> position = spieltisch.game("legendary-inventors").start(seats=2, seed=1, teams="random")
        >>> while (odds := position.odds(position.legal_moves[0])) is None:
        ...     played = position.play(position.legal_moves[0])
        >>> odds["steam-engine"], sum(odds.values())
        (Fraction(1, 12), Fraction(1, 1))
        """
        chosen = self.setup.move(move)
        refusal = self.why_not(chosen)
        if refusal is not None:
            raise IllegalMove(chosen.text, refusal)
        setup, trial = self.setup, self.copy()
        load_forced_draws(setup, drew)
        setup.work.draws.peeking = 1
        try:
            setup.game.engine.play(trial._state, setup.params, setup.work, chosen.number)
        finally:
            setup.work.draws.peeking = 0
        return next_draw_odds(setup, drew)

    @staticmethod
    def setup_odds(setup: Setup, drew: Sequence[str] = ()) -> Mapping[str, Fraction] | None:
        """Return the probability of every possible next draw of a set-up that has already drawn `drew`.

        It is None if nothing more is drawn; see `odds`. Raise DrawError.

        >>> import spieltisch
        >>> setup = spieltisch.game("paris-connection").setup(seats=3)
        >>> sum(Position.setup_odds(setup).values())
        Fraction(1, 1)
        """
        engine = setup.game.engine
        trial = engine.blank_record(setup.game.State)
        trial.rng = setup.rng(0)
        load_forced_draws(setup, drew)
        setup.work.draws.peeking = 1
        try:
            engine.start(trial, setup.params, setup.work)
        finally:
            setup.work.draws.peeking = 0
        return next_draw_odds(setup, drew)

    @contextmanager
    def _chance(self, number: int, drew: Sequence[str] | None) -> Iterator[None]:
        """Provide the draws of the move with this number (0: the set-up).

        The move first draws what is forced, then what follows from the table's secret, or from the generator in the
        state if there is none.
        """
        load_forced_draws(self.setup, drew)
        if self._secret is not None:
            load_random_words(self.setup.work.draws, self._secret, number)
        try:
            yield
        finally:
            self.setup.work.draws.has_words = (
                0  # trials in this shared memory must not see the future draws of the table
            )


def _unpickled(
    setup: Setup, state: bytes, number: int, setup_draws: tuple[str, ...], history: PlayedMoves | None = None
) -> Position:
    """Return the position that was pickled."""
    position = Position(setup, setup.game.engine.unpack(setup.game.State, state), number, None)
    position.setup_draws, position._history = setup_draws, history
    return position
