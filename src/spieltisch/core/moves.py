"""Moves: a number, a text, and the words that the text consists of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, SupportsIndex, overload

import msgspec
import numpy as np

from spieltisch.core.words import Message, Name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spieltisch.core.setup import Setup


class MoveWord(msgspec.Struct, frozen=True):
    """One word of a move.

    `text` is the word in the text of the move, `label` the word as people read it. `element_id` is the element of the
    board that it names ("" for none), `icon` the class of the symbol next to it ("" for none). `question` is the
    question that the word answers (None: the prompt of the decision). A word that `is_rare` begins a variant that pages
    show after the others.

    >>> from spieltisch.core.words import message
    >>> MoveWord("done", message("End your turn")).element_id
    ''
    """

    text: str
    label: Message | Name
    element_id: str = ""
    icon: str = ""
    question: Message | None = None
    is_rare: bool = False


class Move(msgspec.Struct, frozen=True):
    """A move: its number in the move space, its text, and its parts, the `kind` with its arguments `args`.

    The text is one sentence of the log.

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
    """The moves that the seat to move may play, in ascending order of their numbers.

    >>> import spieltisch
    >>> moves = spieltisch.game("paris-connection").start(seats=4, seed=7).legal_moves
    >>> len(moves) == len(list(moves)) == int(moves.mask.sum()), moves[0] in moves, moves.numbers[0] in moves
    (True, True, True)
    """

    def __init__(self, setup: Setup, numbers: Sequence[int]) -> None:
        self._setup = setup
        self.numbers = tuple(numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Move | list[Move]:
        if isinstance(index, slice):
            return [self._setup.move(n) for n in self.numbers[index]]
        return self._setup.move(self.numbers[index])

    def __iter__(self) -> Iterator[Move]:
        return (self._setup.move(n) for n in self.numbers)

    def __contains__(self, move: Move | str | SupportsIndex) -> bool:  # type: ignore[override]  # nothing else
        number = move.number if isinstance(move, Move) else self._setup.move(move).number
        return number in self.numbers

    def __repr__(self) -> str:
        return f"<LegalMoves {', '.join(move.text for move in self)}>"

    @property
    def mask(self) -> NDArray[np.bool_]:
        """A Boolean array of shape (`Game.moves`,), one value for each number of the move space: True for legal moves.

        >>> import spieltisch
        >>> moves = spieltisch.game("paris-connection").start(seats=4, seed=7).legal_moves
        >>> moves.mask.shape, int(moves.mask.sum()) == len(moves)
        ((1609,), True)
        """
        mask = np.zeros(self._setup.game.moves, np.bool_)
        mask[list(self.numbers)] = True
        return mask
