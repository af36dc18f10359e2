"""Move spaces: the kinds of move of a game with their parameters and ranges, declared once.

The declaration gives the number of a move, its text and words, its parts (`move.kind`, `move.args`), and the functions
with which rules convert between numbers and parts, plain and compiled.

>>> from spieltisch.core.words import message
>>> many = Parameter("many", range(1, 4), number_word)
>>> space = MoveSpace(MoveKind("take", message("Take stones"), many), MoveKind("done", message("Done")))
>>> TAKE, DONE = space.codes
>>> space.size, space.number(TAKE, 3), space.kind_of(2) == TAKE, space.part(2, 0), space.number(DONE)
(4, 2, True, 3, 3)
>>> [" ".join(word.text for word in space.words(None, n)) for n in range(space.size)]
['take 1', 'take 2', 'take 3', 'done']
"""

# ruff: noqa: F821 - the lookup tables have no value until a MoveSpace binds them
from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec

from spieltisch.core.compiled import Lookup, as_i64, rule
from spieltisch.core.moves import MoveWord
from spieltisch.core.words import Message, SeatName, message

if TYPE_CHECKING:
    from spieltisch.core.setup import Setup

MAX_ARGS = 4
"""The largest number of parameters that a kind of move may have."""

KIND: Any
PART: Any
FIRST: Any
STEP: Any


class Parameter:
    """A parameter of a kind of move: its name, its values (a range, or a count from 0), and the word for a value.

    `word` gets the setup and the value, and returns None for a value that this board does not have. `asks` is the
    question that these words answer.

    >>> Parameter("card", range(1, 14), number_word).word(None, 3).text
    '3'
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

    @property
    def has_words(self) -> bool:
        """True if each value of this parameter has a word; otherwise the kind of move supplies the whole sentence."""
        return self._word is not None

    def word(self, setup: Setup, value: int) -> MoveWord | None:
        """Return the word for a value; None if this board does not have it."""
        assert self._word is not None  # noqa: S101 - a kind whose parameters have no words provides them itself
        word = self._word(setup, value)
        return word and msgspec.structs.replace(word, question=self._asks)


def number_word(setup: Setup, n: int) -> MoveWord:
    """Return the word for a number.

    >>> number_word(None, 3).text
    '3'
    """
    return MoveWord(str(n), message("{number}", number=n))


def seat_word(setup: Setup, p: int) -> MoveWord | None:
    """Return the word for a seat: its number from 1 in the text, and the player's name as label.

    >>> import spieltisch
    >>> word = seat_word(spieltisch.game("paris-connection").setup(seats=4), 2)
    >>> word.text, str(word.label)
    ('3', 'Player 3')
    """
    return MoveWord(str(p + 1), message("{player}", player=SeatName(p))) if p < setup.seats else None


class MoveKind:
    """A kind of move.

    Its words are `verb` (a word, a function that returns one for a setup, or only a label, when the text is the name of
    the kind) and one word for each parameter. `order` names the parameters in the order of the sentence, if it differs
    from that of the numbers. Pages show a `rare` kind after the others.

    If the sentence is built differently, `words` returns all of it from the setup and the parts, or nothing for a move
    that this board does not have; `orders` returns the same words in other orders.

    A report counts how often moves with each value of a parameter are offered and played. `counted` names parameters
    that are counted together instead, such as an invention with its field.

    >>> bid = MoveKind("bid", message("Bid a card"), Parameter("card", range(1, 14), number_word))
    >>> [word.text for word in bid.words(None, (9,))]
    ['bid', '9']
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
        counted: Sequence[Sequence[str]] = (),
    ) -> None:
        if len(parameters) > MAX_ARGS:
            raise ValueError(f"{name}: {len(parameters)} parameters are more than {MAX_ARGS}")
        self.name = name
        self.parameters = parameters
        self._verb = MoveWord(name, verb, is_rare=rare) if isinstance(verb, Message) else verb
        names = [parameter.name for parameter in parameters]
        self._order = (
            [names.index(parameter_name) for parameter_name in order] if order else list(range(len(parameters)))
        )
        self._words = words
        self._orders = orders
        self._counted = [[names.index(name) for name in group] for group in counted or [[name] for name in names]]

    def countables(self, setup: Setup, parts: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Yield what a report counts of the move with these parts, as pairs of a group and a thing in it.

        >>> bid = MoveKind("bid", message("Bid a card"), Parameter("card", range(1, 14), number_word))
        >>> [*bid.countables(None, (9,))]
        [('move', 'bid'), ('bid card', '9')]
        """
        yield "move", self.name
        for group in self._counted:
            parameters = [self.parameters[i] for i in group]
            if all(parameter.has_words for parameter in parameters):
                words = [parameter.word(setup, parts[i]) for i, parameter in zip(group, parameters, strict=True)]
            elif len(group) == len(parts):
                words = [*self.words(setup, parts)]
            else:
                continue
            name = " ".join((self.name, *(parameter.name for parameter in parameters)))
            yield name, " ".join(word.text for word in words if word is not None)

    def words(self, setup: Setup, parts: Sequence[int]) -> tuple[MoveWord, ...]:
        """Return the words of the move of this kind with these parts; empty if this board has no such move."""
        if self._words is not None:
            return tuple(self._words(setup, *parts))
        assert self._verb is not None  # noqa: S101 - a kind without a verb provides its words itself
        words = [self._verb if isinstance(self._verb, MoveWord) else self._verb(setup)]
        for i in self._order:
            word = self.parameters[i].word(setup, parts[i])
            if word is None:
                return ()
            words.append(word)
        return tuple(words)

    def orders(self, setup: Setup, parts: Sequence[int]) -> tuple[tuple[MoveWord, ...], ...]:
        """Return the same words in other orders, for players who choose a move word by word."""
        return tuple(self._orders(setup, *parts)) if self._orders is not None else ()


class MoveSpace:
    """All moves of a game, numbered kind by kind and within a kind by its parameters, of which the last varies fastest.

    `codes` are the numbers of the kinds in the order of their declaration. `kind_of(move)`, `part(move, i)` and
    `number(kind, ...)` are rules; rule functions import them from the game's own module.

    >>> bid = MoveKind("bid", message("Bid a card"), Parameter("card", range(1, 14), number_word))
    >>> space = MoveSpace(bid, MoveKind("pass", message("Pass")))
    >>> BID, PASS = space.codes
    >>> space.size, space.args(8), space.part(8, 0), space.number(BID, 9), space.kind_of(13) == PASS
    (14, ('bid', (9,)), 9, 8, True)
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
            first.append(len(kind_of) - sum(n * value_range.start for n, value_range in zip(step, values, strict=True)))
            steps.append((*step, *[0] * (MAX_ARGS - len(step))))
            combinations = list(product(*values))
            self._parts += combinations
            kind_of += [code] * len(combinations)
        self.size = len(kind_of)
        """The number of moves. Their numbers range from 0 to size - 1."""
        padded = [(*parts, *[0] * (MAX_ARGS - len(parts))) for parts in self._parts]
        self._kind_of = kind_of
        names = {"KIND": Lookup(kind_of), "PART": Lookup(padded), "FIRST": Lookup(first), "STEP": Lookup(steps)}
        self.kind_of: Callable[[int], int] = _bound(_kind_of, names)
        self.part: Callable[[int, int], int] = _bound(_part, names)
        self.number: Callable[..., int] = _bound(_number, names)

    def args(self, number: int) -> tuple[str, tuple[int, ...]]:
        """Return the name of the kind of the move with this number, and its parts."""
        return self.kinds[self._kind_of[number]].name, self._parts[number]

    def words(self, setup: Any, number: int) -> tuple[MoveWord, ...]:
        """Return the words of the move with this number; empty if this board has no such move."""
        return self.kinds[self._kind_of[number]].words(setup, self._parts[number])

    def countables(self, setup: Any, number: int) -> Iterator[tuple[str, str]]:
        """Yield what a report counts of the move with this number; see `MoveKind.countables`."""
        return self.kinds[self._kind_of[number]].countables(setup, self._parts[number])

    def phrasings(self, setup: Any, number: int) -> tuple[tuple[MoveWord, ...], ...]:
        """Return the same words in other orders; see `MoveKind`."""
        return self.kinds[self._kind_of[number]].orders(setup, self._parts[number])


def _bound(function: Any, names: dict[str, Any]) -> Any:
    """Return the function with its own lookup tables, as if they were globals of this module.

    This module has no other rules. So the digest of compiled rules covers the lookup tables, and a binding, which has
    the space of one game, keeps them separate from those of other games.
    """
    namespace = {**function.__globals__, **names}
    bound = types.FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    bound.__doc__ = function.__doc__
    return rule(bound)


def _kind_of(move: int) -> int:
    return as_i64(KIND[move])


def _part(move: int, i: int) -> int:
    return as_i64(PART[move][i])


def _number(kind: int, a: int = 0, b: int = 0, d: int = 0, e: int = 0) -> int:
    """Return the number of the move of a kind with these parts."""
    return as_i64(FIRST[kind] + a * STEP[kind][0] + b * STEP[kind][1] + d * STEP[kind][2] + e * STEP[kind][3])
