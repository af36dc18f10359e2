"""Observations: all that a seat may know, and nothing else."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

import msgspec
import numpy as np

from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.chance import Rng, move_seed
from spieltisch.core.display import board_html, board_svg
from spieltisch.core.errors import DocumentError
from spieltisch.core.moves import LegalMoves
from spieltisch.core.setup import restored_setup

Bytes = bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spieltisch.core.played_moves import PlayedMoves
    from spieltisch.core.position import Position
    from spieltisch.core.setup import Setup


class _Envelope(msgspec.Struct, frozen=True, array_like=True):
    """An observation in serialized form: the game, its setup, the viewer and the view."""

    game: str
    components: str
    seats: int
    options: dict[str, Any]
    seat: int | None
    number: int
    view: bytes


_ENVELOPES = msgspec.msgpack.Decoder(_Envelope)
ALL_SEATS = -2
"""The viewer to whom nothing is hidden but the generator: for the replay of a game that is over."""


def open_view(state: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of the view for a game without secrets: the viewer and all of the state but the generator.

    >>> open_view(np.dtype([("rng", "u8"), ("seat", "i2")])).names
    ('viewer', 'seat')
    """
    fields = [(name, state[name].base, state[name].shape) for name in state.names or () if name != "rng"]
    return np.dtype([("viewer", "i2"), *fields], align=True)


class Observation:
    """All that a seat, or a spectator (`seat` is None), may know of a position.

    `view` contains it as a twin of the game's `View`. Browser, log, API and bots read nothing else. Two observations
    are equal if setup, seat, number of moves and view are.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    >>> seen = position.observe(seat=2)
    >>> seen
    <Observation paris-connection, 4 seats, move 0, seat 0 to decide, of seat 2>
    >>> seen.scores, len(seen.legal_moves), len(position.observe(seat=0).legal_moves) > 0
    ([None, None, 0, None], 0, True)
    """

    def __init__(
        self,
        setup: Setup,
        seat: int | None,
        number: int,
        data: bytes,
        view: Any = None,
        history: PlayedMoves | None = None,
    ) -> None:
        self.setup = setup
        self.seat = seat
        self.number = number
        self.data = data
        self._history = history
        if view is not None:  # then it need not be read from the bytes
            self.view = view

    def __repr__(self) -> str:
        viewer = "a spectator" if self.seat is None else f"seat {self.seat}"
        stage = "over" if self.is_over else f"seat {self.to_decide} to decide"
        return (
            f"<Observation {self.setup.game.key}, {self.setup.seats} seats, move {self.number}, {stage}, of {viewer}>"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        known, others = (self.seat, self.number, self.data), (other.seat, other.number, other.data)
        return known == others and self.setup.same_as(other.setup)

    def __hash__(self) -> int:
        return hash((self.setup.game.key, self.seat, self.number, self.data))

    def _repr_html_(self) -> str:
        return board_html(self)

    def _repr_svg_(self) -> str | None:
        return board_svg(self)

    @cached_property
    def view(self) -> twin.Twin:
        """The view as a plain twin. Read it only."""
        view: twin.Twin = twin.unpack(self.setup.game.View, self.data)
        return view

    @property
    def to_decide(self) -> int | None:
        """The seat to move; None when the game is over."""
        return self.view.seat if self.view.seat >= 0 else None

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return bool(self.view.seat < 0)

    @cached_property
    def scores(self) -> list[int | None]:
        """The points by seat; None for a seat whose points the viewer cannot know."""
        game, board = self.setup.game, self.setup.plain_params
        return [
            game.rules.points(self.view, board, p) if game.knows_points(self, p) else None
            for p in range(self.setup.seats)
        ]

    @cached_property
    def vector(self) -> NDArray[np.int16]:
        """The observation as numbers, seats counted from the viewer on; `Game.observation_spec` says what they are.

        An array of `int16` of shape (`Game.observation_spec.size`,).

        >>> import spieltisch
        >>> game = spieltisch.game("paris-connection")
        >>> seen = game.start(seats=4, seed=7).observe(seat=0)
        >>> seen.vector.shape == (game.observation_spec.size,)
        True
        """
        return self.setup.game.observation_spec.vector(self.data, self.setup.seats, self.seat)

    @cached_property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the viewer; none unless it is the seat to move."""
        if self.seat is None or self.to_decide != self.seat:
            return LegalMoves(self.setup, ())
        return self.imagine(0).legal_moves

    @cached_property
    def information(self) -> tuple[str, ...]:
        """All that the viewer has seen of the game, in order, ending with the view: equal for equal knowledge.

        Raise ValueError if the game did not start here: bytes and documents do not say what was seen before.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=3, seed=7)
        >>> position.observe(seat=0).information[0]
        'paris-connection seats=3 cut_off=strict stations=closed standstill=goes on memory_aid=True, seat 0'
        """
        if self._history is None or not self._history.is_whole:
            raise ValueError("what was seen before is not known: the game did not start here")
        return (*self._history.seen(self), self.data.hex())

    @property
    def bytes(self) -> bytes:
        """The observation in serialized form, for bots and other processes."""
        setup = self.setup
        game, custom_components, options = setup.game.key, setup.custom_components, dict(setup.options)
        return msgspec.msgpack.encode(
            _Envelope(game, custom_components, setup.seats, options, self.seat, self.number, self.data)
        )

    @classmethod
    def read(cls, data: Bytes, *, compiled: bool = False) -> Observation:
        """Return the observation from its serialized form. Raise DocumentError if the bytes are no observation.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> seen = position.observe(seat=2)
        >>> Observation.read(seen.bytes) == seen
        True
        """
        try:
            envelope = _ENVELOPES.decode(data)
        except msgspec.DecodeError as error:
            raise DocumentError(f"these bytes are no observation: {error}") from error
        setup = restored_setup(envelope.game, compiled, envelope.components, envelope.seats, envelope.options)
        return cls(setup, envelope.seat, envelope.number, envelope.view)

    def __reduce__(self) -> tuple[Any, ...]:
        history = self._history.seen_by(self) if self._history is not None and self._history.is_whole else None
        return Observation, (self.setup, self.seat, self.number, self.data, None, history)

    def imagine(self, seed: SupportsIndex) -> Position:
        """Return a position built from this observation alone.

        Hidden information is drawn from all that fits the observation, and the generator is replaced.

        >>> import spieltisch
        >>> seen = spieltisch.game("paris-connection").start(seats=4, seed=7).observe(seat=2)
        >>> seen.imagine(seed=1).observe(seat=2).bytes == seen.bytes
        True
        """
        from spieltisch.core.position import Position

        secret = require_int("seed", seed).to_bytes(16, "big", signed=True)
        chance = Rng(move_seed(secret, self.number))
        state = self.setup.game.imagine(self, chance)
        state.rng = chance.below(1 << 64)
        return Position.of_twin(self.setup, state, self.number)
