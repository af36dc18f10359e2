"""Observations: all that a seat may know, and nothing else."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

import msgspec
import numpy as np

from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.chance import Rng, move_seed
from spieltisch.core.setup import restored_setup

Bytes = bytes

if TYPE_CHECKING:
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


def show_all(state: Any, viewer: int, view: Any) -> None:
    """Fill the view of a game without secrets. `view` is a twin or a record."""
    if isinstance(view, np.record):
        for name in view.dtype.names or ():
            if name != "viewer":
                view[name] = state[name]
    else:
        twin.copy_common_fields(state, view)
    view.viewer = viewer


class Observation:
    """All that a seat, or a spectator (`seat` is None), may know of a position.

    `view` contains it as a twin of the game's `View`. Browser, log, API and bots read nothing else.
    """

    def __init__(self, setup: Setup, seat: int | None, number: int, data: bytes) -> None:
        self.setup = setup
        self.seat = seat
        self.number = number
        self.data = data

    @cached_property
    def view(self) -> Any:
        """The view as a plain twin. Read it only."""
        return twin.unpack(self.setup.game.View, self.data)

    @property
    def to_decide(self) -> int | None:
        """The seat to move; None when the game is over."""
        return self.view.seat if self.view.seat >= 0 else None

    @property
    def over(self) -> bool:
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
        """Return the observation from its serialized form. Raise ValueError if the bytes are no observation."""
        envelope = _ENVELOPES.decode(data)
        setup = restored_setup(envelope.game, compiled, envelope.components, envelope.seats, envelope.options)
        return cls(setup, envelope.seat, envelope.number, envelope.view)

    def __reduce__(self) -> tuple[Any, ...]:
        return Observation, (self.setup, self.seat, self.number, self.data)

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
