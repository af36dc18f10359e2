"""The queries of a position: the seat to move, legal moves and refusals, observations, points and the outcome."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, SupportsIndex

from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.errors import Refusal
from spieltisch.core.moves import LegalMoves, Move, MoveWord
from spieltisch.core.observation import ALL_SEATS, Observation
from spieltisch.core.played_moves import PlayedMove, PlayedMoves
from spieltisch.core.results import Outcome
from spieltisch.core.setup import Setup
from spieltisch.core.words import message

if TYPE_CHECKING:
    from spieltisch.core.position import Position


class PositionQueries:
    """The queries of a `Position`; none of them changes it."""

    setup: Setup
    number: int
    _state: Any
    _history: PlayedMoves
    _observation: Observation | None

    def __repr__(self) -> str:
        stage = "over" if self.seat is None else f"seat {self.seat} to decide"
        return f"<Position {self.setup.game.key}, {self.seats} seats, move {self.number}, {stage}>"

    def _repr_html_(self) -> str:
        return self._notebook_observation()._repr_html_()

    def _repr_svg_(self) -> str | None:
        return self._notebook_observation()._repr_svg_()

    def _notebook_observation(self) -> Observation:
        """Return what notebooks draw: what the seat to move sees, or all when the game is over."""
        return self.reveal() if self.is_over else self.observe(self.seat)

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
    def history(self) -> tuple[PlayedMove, ...]:
        """The moves of the game so far; without those before a document or a state from which it was made."""
        return self._history.plays()

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
        return self._make_observation(viewer, -1 if viewer is None else viewer)

    def resample(self, seat: SupportsIndex, seed: SupportsIndex) -> Position:
        """Return a position that this seat cannot tell from this one: what it does not know is drawn again.

        Its `Observation.information` is the same. That of others, and the history, have "?" for the moves and draws
        that this seat has not seen.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> position.resample(2, seed=1).observe(2).information == position.observe(2).information
        True
        """
        seen = self.observe(seat)
        position = seen.imagine(seed)
        if self._history.is_whole:
            position._history = self._history.seen_by(seen)
        return position

    def reveal(self) -> Observation:
        """Return all that the seats together know, for the review of a game that is over.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> None in position.observe(None).scores, None in position.reveal().scores
        (True, False)
        """
        return self._make_observation(None, ALL_SEATS)

    def _make_observation(self, seat: int | None, viewer: int) -> Observation:
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
