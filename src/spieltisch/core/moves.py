"""Moves: a number, a sentence, and the words it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, SupportsIndex

import msgspec
import numpy as np

from spieltisch.core.words import Message, Name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spieltisch.core.setup import Setup


class MoveWord(msgspec.Struct, frozen=True):
    """One word of a move: `text` as in the move's text, `label` for people, `place` what it names on the board (""
    for nothing), `mark` the class of the mark drawn beside it ("" for none), `asks` the question that it answers (None:
    the one that the whole decision asks), `rare` whether it begins a variant that stands back behind the others.
    """

    text: str
    label: Message | Name
    element_id: str = ""
    icon: str = ""
    question: Message | None = None
    uncommon: bool = False


class Move(msgspec.Struct, frozen=True):
    """A move: its number in the game's move space, its text, one sentence of the log, and its parts: its `kind` and
    that kind's arguments.

    >>> import spieltisch
    >>> move = spieltisch.game("paris-connection").setup(4).move("trade red for 2 blue")
    >>> move.kind, len(move.args)
    ('trade', 3)
    """

    number: int
    text: str
    kind: str = ""
    args: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.text


class LegalMoves(Sequence[Move]):
    """The moves that the seat which decides may play now, in ascending order of their numbers.

    >>> import spieltisch
    >>> moves = spieltisch.game("paris-connection").start(seats=4, seed=7).legal_moves
    >>> len(moves) == len(list(moves)) == int(moves.mask.sum()), moves[0] in moves, moves.numbers[0] in moves
    (True, True, True)
    """

    def __init__(self, setup: Setup, numbers: Sequence[int]) -> None:
        self._setup = setup
        self.numbers = tuple(int(n) for n in numbers)
        self._known = frozenset(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]  # int or slice, as every sequence
        if isinstance(index, slice):
            return [self._setup.move(n) for n in self.numbers[index]]
        return self._setup.move(self.numbers[index])

    def __iter__(self) -> Iterator[Move]:
        return (self._setup.move(n) for n in self.numbers)

    def __contains__(self, move: Move | str | SupportsIndex) -> bool:  # type: ignore[override]  # nothing else
        number = move.number if isinstance(move, Move) else self._setup.move(move).number
        return number in self._known

    def __repr__(self) -> str:
        return f"<LegalMoves {', '.join(m.text for m in self)}>"

    @property
    def mask(self) -> NDArray[np.bool_]:
        """One truth value for each number of the move space."""
        mask = np.zeros(self._setup.game.moves, np.bool_)
        mask[list(self.numbers)] = True
        return mask
