"""Observations: all that a seat may know, and nothing else."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from spieltisch.core import twin
from spieltisch.core.chance import Chance, seed_of_move
from spieltisch.core.setup import found

Bytes = bytes

if TYPE_CHECKING:
    from spieltisch.core.position import Position
    from spieltisch.core.setup import Setup


class _Letter(msgspec.Struct, frozen=True, array_like=True):
    """An observation on its way to a bot: the game and what it is played with, whose observation, and its view."""

    game: str
    components: str
    seats: int
    options: dict[str, Any]
    seat: int | None
    number: int
    view: bytes


EVERYBODY = -2
"""The viewer of a view in which nothing is hidden but the generator: for the replay of a game that is over."""


class Observation:
    """What one seat, or a spectator (`seat` None), may know. `view` holds it as a twin of the game's `View`.

    Browser, log, API and bots read nothing but this.
    """

    def __init__(self, setup: Setup, seat: int | None, number: int, data: bytes) -> None:
        self.setup = setup
        self.seat = seat
        self.number = number
        self.data = data

    @cached_property
    def view(self) -> Any:
        """The view as a plain twin, for reading."""
        return twin.unpack(self.setup.game.View, self.data)

    @property
    def to_decide(self) -> int | None:
        """The seat whose decision it is."""
        return self.view.seat if self.view.seat >= 0 else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.view.seat < 0)

    @cached_property
    def scores(self) -> list[int | None]:
        """The points by seat; None where the viewer cannot know them."""
        game, board = self.setup.game, self.setup.plain_table
        return [
            game.rules.points(self.view, board, p) if game.knows(self, p) else None for p in range(self.setup.seats)
        ]

    @property
    def bytes(self) -> bytes:
        """The observation as bytes, for bots and other processes."""
        setup = self.setup
        game, own, options = setup.game.key, setup.own_components, dict(setup.options)
        return msgspec.msgpack.encode(_Letter(game, own, setup.seats, options, self.seat, self.number, self.data))

    @classmethod
    def read(cls, data: Bytes, *, compiled: bool = False) -> Observation:
        """The observation from its bytes. Raises ValueError when they are none."""
        letter = msgspec.msgpack.decode(data, type=_Letter)
        setup = found(letter.game, compiled, letter.components, letter.seats, letter.options)
        return cls(setup, letter.seat, letter.number, letter.view)

    def __reduce__(self) -> tuple[Any, ...]:
        return Observation, (self.setup, self.seat, self.number, self.data)

    def imagine(self, seed: int) -> Position:
        """A position built from this observation alone: hidden things drawn from what fits, the generator replaced.

        >>> import spieltisch
        >>> seen = spieltisch.game("paris-connection").start(seats=4, seed=7).observe(seat=2)
        >>> seen.imagine(seed=1).observe(seat=2).bytes == seen.bytes
        True
        """
        from spieltisch.core.position import Position

        chance = Chance(seed_of_move(seed.to_bytes(16, "big", signed=True), self.number))
        state = self.setup.game.imagine(self, chance)
        state.rng = chance.below(1 << 64)
        return Position.of_twin(self.setup, state, self.number)
