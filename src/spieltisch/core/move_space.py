"""Move spaces: the kinds of move that a game has, with their parameters and ranges, declared once.

From the declaration come a move's number, its text and words, its parts (`move.kind`, `move.args`), and what rules need
to take a number apart and to put one together, on the plain engine and compiled.

>>> from spieltisch.core.words import message
>>> many = Parameter("many", range(1, 4), number_word)
>>> space = MoveSpace(MoveKind("take", message("Take stones"), many), MoveKind("done", message("Done")))
>>> TAKE, DONE = space.codes
>>> space.size, space.number(TAKE, 3), space.kind_of(2) == TAKE, space.part(2, 0), space.number(DONE)
(4, 2, True, 3, 3)
>>> [" ".join(word.text for word in space.words(None, n)) for n in range(space.size)]
['take 1', 'take 2', 'take 3', 'done']
"""

# ruff: noqa: F821 - the lookups have no value until a Space gives them one
from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec

from spieltisch.core.compiled import Lookup, as_i64, rule
from spieltisch.core.moves import MoveWord
from spieltisch.core.words import Message, SeatName, message

if TYPE_CHECKING:
    from spieltisch.core.setup import Setup

MAX_ARGS = 4
"""The most parameters that a kind of move has."""

KIND: Any
PART: Any
FIRST: Any
STEP: Any


class Parameter:
    """A parameter of a kind of move: its name, its values (a range, or how many from 0 on), and the word for one of
    them. `word` gets the setup and the value, and gives None for a value that this board does not have; `asks` is the
    question that these words answer.
    """

    def __init__(
        self,
        name: str,
        values: range | int,
        word: Callable[[Setup, int], MoveWord | None] | None = None,
        asks: Message | None = None,
    ) -> None:
        self.name = name
        self.values = range(values) if isinstance(values, int) else values
        self._word = word
        self._asks = asks

    def word(self, setup: Setup, value: int) -> MoveWord | None:
        """The word for one of the values; None for one that this board does not have."""
        assert self._word is not None  # noqa: S101 - a kind whose parameters have none gives its words itself
        word = self._word(setup, value)
        return word and msgspec.structs.replace(word, question=self._asks)


def number_word(setup: Setup, n: int) -> MoveWord:
    """The word of a parameter that is a number."""
    return MoveWord(str(n), message("{number}", number=n))


def seat_word(setup: Setup, p: int) -> MoveWord | None:
    """The word of a parameter that is a seat: its number from 1, and for people the player's name."""
    return MoveWord(str(p + 1), message("{player}", player=SeatName(p))) if p < setup.seats else None


class MoveKind:
    """A kind of move. Its words are `verb` (a word, what gives one from the setup, or only what people read, where the
    text is the kind's name) and one word for each parameter, in the order of `order` where the sentence has another one
    than the numbers. A `rare` kind stands back behind the others.

    Where a sentence is made otherwise, `words` gives all of it from the setup and the parts, or nothing for a move
    that this board does not have; `orders` gives the same words in other orders.
    """

    def __init__(
        self,
        name: str,
        verb: MoveWord | Message | Callable[[Setup], MoveWord] | None,
        *parameters: Parameter,
        order: Sequence[str] = (),
        words: Callable[..., Sequence[MoveWord]] | None = None,
        orders: Callable[..., Sequence[tuple[MoveWord, ...]]] | None = None,
        rare: bool = False,
    ) -> None:
        if len(parameters) > MAX_ARGS:
            raise ValueError(f"{name}: {len(parameters)} parameters are more than {MAX_ARGS}")
        self.name = name
        self.parameters = parameters
        self._verb = MoveWord(name, verb, uncommon=rare) if isinstance(verb, Message) else verb
        names = [parameter.name for parameter in parameters]
        self._order = [names.index(one) for one in order] if order else list(range(len(parameters)))
        self._words = words
        self._orders = orders

    def words(self, setup: Setup, parts: Sequence[int]) -> tuple[MoveWord, ...]:
        """The words of the move of this kind with these parts; empty when this board has no such move."""
        if self._words is not None:
            return tuple(self._words(setup, *parts))
        assert self._verb is not None  # noqa: S101 - a kind without one gives its words itself
        found = [self._verb if isinstance(self._verb, MoveWord) else self._verb(setup)]
        for i in self._order:
            word = self.parameters[i].word(setup, parts[i])
            if word is None:
                return ()
            found.append(word)
        return tuple(found)

    def orders(self, setup: Setup, parts: Sequence[int]) -> tuple[tuple[MoveWord, ...], ...]:
        """The same words in other orders, for those who choose a move word by word."""
        return tuple(self._orders(setup, *parts)) if self._orders is not None else ()


class MoveSpace:
    """All moves of a game, numbered kind by kind, within a kind by its parameters, the last of them fastest.

    `codes` are the kinds' numbers, in the order in which they were declared. `kind_of(move)`, `part(move, i)` and
    `number(kind, ...)` are rules: rule functions import them from the game's own module.
    """

    def __init__(self, *kinds: MoveKind) -> None:
        self.kinds = kinds
        self.codes = tuple(range(len(kinds)))
        self._parts: list[tuple[int, ...]] = []
        kind_of: list[int] = []
        first: list[int] = []
        steps: list[tuple[int, ...]] = []
        for code, kind in enumerate(kinds):
            values = [parameter.values for parameter in kind.parameters]
            step = [1] * len(values)
            for i in reversed(range(len(values) - 1)):
                step[i] = step[i + 1] * len(values[i + 1])
            first.append(len(kind_of) - sum(n * one.start for n, one in zip(step, values, strict=True)))
            steps.append((*step, *[0] * (MAX_ARGS - len(step))))
            found = list(product(*values))
            self._parts += found
            kind_of += [code] * len(found)
        self.size = len(kind_of)
        """How many numbers there are: they go from 0 to size - 1."""
        filled = [(*parts, *[0] * (MAX_ARGS - len(parts))) for parts in self._parts]
        self._kind_of = kind_of
        names = {"KIND": Lookup(kind_of), "PART": Lookup(filled), "FIRST": Lookup(first), "STEP": Lookup(steps)}
        self.kind_of: Callable[[int], int] = _bound(_kind_of, names)
        self.part: Callable[[int, int], int] = _bound(_part, names)
        self.number: Callable[..., int] = _bound(_number, names)

    def args(self, number: int) -> tuple[str, tuple[int, ...]]:
        """The name of the kind of the move with this number, and its parts."""
        return self.kinds[self._kind_of[number]].name, self._parts[number]

    def words(self, setup: Any, number: int) -> tuple[MoveWord, ...]:
        """The words of the move with this number; empty when there is no such move on this board."""
        return self.kinds[self._kind_of[number]].words(setup, self._parts[number])

    def phrasings(self, setup: Any, number: int) -> tuple[tuple[MoveWord, ...], ...]:
        """The same words in other orders; see `Kind`."""
        return self.kinds[self._kind_of[number]].orders(setup, self._parts[number])


def _bound(function: Any, names: dict[str, Any]) -> Any:
    """The function over lookups of its own, as the globals of this module. There are no other rules here, so the digest
    of compiled rules takes in the lookups, and a binding, which has one game's space, keeps them apart from others'.
    """
    known = {**function.__globals__, **names}
    made = types.FunctionType(function.__code__, known, function.__name__, function.__defaults__)
    made.__doc__ = function.__doc__
    return rule(made)


def _kind_of(move: int) -> int:
    """The kind of a move."""
    return as_i64(KIND[move])


def _part(move: int, i: int) -> int:
    """Part i of a move."""
    return as_i64(PART[move][i])


def _number(kind: int, a: int = 0, b: int = 0, d: int = 0, e: int = 0) -> int:
    """The number of the move of a kind with these parts."""
    return as_i64(FIRST[kind] + a * STEP[kind][0] + b * STEP[kind][1] + d * STEP[kind][2] + e * STEP[kind][3])
