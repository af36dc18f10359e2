"""Positions: a state together with its moves, refusals and observations."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.chance import load_random_words
from spieltisch.core.errors import DrawError, IllegalMove
from spieltisch.core.events import GameEvent
from spieltisch.core.forced_draws import draw_texts, load_forced_draws, next_draw_odds
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.played_moves import PlayedMove, PlayedMoves
from spieltisch.core.position_document import Document, checked_document
from spieltisch.core.position_queries import PositionQueries
from spieltisch.core.previews import MovePreviewer, Preview, reveals_to_mover
from spieltisch.core.results import MoveResult
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message

if TYPE_CHECKING:
    from spieltisch.core.game import Game


class Position(PositionQueries):
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
        self._history = PlayedMoves(None)
        self._origin: tuple[Any, int, PlayedMoves] | None = None
        """State, number and history before the first move that was played here, from which `undo` begins."""
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
        with position._provide_draws(0, drew):
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
        document = checked_document(game, fields)
        setup = game.setup(document["seats"], None, **document["options"])
        return cls.of_twin(setup, game.restore(setup, document["state"]), document["number"])

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
        copy.setup_draws, copy._history, copy._origin = self.setup_draws, self._history, self._origin
        return copy

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()  # the setup is immutable, so it is shared

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.setup.game
        return _restore_position, (
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
        if self._origin is None:
            self._origin = engine.clone(self.setup.game.State, self._state), self.number, self._history
        backup = engine.clone(self.setup.game.State, self._state) if drew is not None else None
        self._observation = self._previewer = None
        work = self.setup.work
        work.events.listening, work.events.count = int(collect_events), 0
        with self._provide_draws(self.number + 1, drew):
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
        self._history = self._history.after(acting, chosen, drawn, drew is not None)
        passed = int(self._state.seat) != acting
        revealed = None
        if before is not None:
            revealed = bool(drawn) or (
                game.has_hidden_information
                and game.moves_reveal
                and reveals_to_mover(before, chosen, self.observe(acting))
            )
        return MoveResult(self.number, acting, chosen, drawn, passed, revealed, events)

    def undo(self) -> PlayedMove:
        """Take back the last move, whatever it drew or showed, and return it; it would draw the same again.

        The moves before it are played again, so a search rather plays on a `copy`. Raise ValueError if no move has been
        played since the position was started, read or unpickled.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> played = position.play("build purple Rouen")
        >>> position.undo().move.text, position.number, position.history
        ('build purple Rouen', 0, ())
        """
        if self._origin is None or self._origin[1] == self.number:
            raise ValueError("no move has been played since the position was started, read or unpickled")
        state, number, history = self._origin
        again = Position(self.setup, self.setup.game.engine.clone(self.setup.game.State, state), number, self._secret)
        again._history = history
        *earlier, last = self._history.steps_since(history)
        for step in earlier:
            again.play(step.last.move, step.last.drew if step.is_forced else None)
        self._state, self._history, self.number = again._state, again._history, again.number
        self._observation = self._previewer = None
        return last.last

    def preview(
        self,
        move: Move | str | SupportsIndex,
        *,
        seat: SupportsIndex | None = None,
        since: Observation | None = None,
        events: Sequence[GameEvent] = (),
    ) -> Preview:
        """Return what a move does before chance or hidden information decides, from what its seat knows.

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
    def _provide_draws(self, number: int, drew: Sequence[str] | None) -> Iterator[None]:
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


def _restore_position(
    setup: Setup, state: bytes, number: int, setup_draws: tuple[str, ...], history: PlayedMoves
) -> Position:
    """Return the position that was pickled."""
    position = Position(setup, setup.game.engine.unpack(setup.game.State, state), number, None)
    position.setup_draws, position._history = setup_draws, history
    return position
