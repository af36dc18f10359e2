"""Reasons: why a game refuses a move, each declared once with the number of its rule and its sentence.

A rule function that forbids a move returns the code of the reason; it returns 0 if it forbids nothing. So a chain of
checks reads `return a(...) or b(...) or c(...)`.

>>> from spieltisch.core.words import sentence
>>> reasons = Reasons(thing=lambda observation, move: "wood")
>>> NOT_THERE = reasons("E18", sentence("There is no {thing}."))
>>> NOT_THERE, reasons[NOT_THERE].rule
(1, 'E18')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from spieltisch.core.errors import Refusal
from spieltisch.core.words import Sentence, Value, WordsError

if TYPE_CHECKING:
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation

PlaceholderValue: TypeAlias = "Callable[[Observation, Move], Value]"
"""A function that returns the value of a placeholder, for the seat with this observation and the move that it tried."""


def name_of(items: str, at: int = 0) -> PlaceholderValue:
    """Return a function that shows the name of one of the board's `items`: the index is part `at` of the move."""
    return lambda observation, move: getattr(observation.setup.board, items)[move.args[at]].name


class Reason(msgspec.Struct, frozen=True):
    """A reason to refuse a move: the number of the rule, the sentence, and the values of its placeholders."""

    rule: str
    sentence: Sentence
    placeholders: Mapping[str, PlaceholderValue]


class Reasons(Mapping[int, Reason]):
    """The reasons of a game, by code. `shows` are the values that its sentences have in common, by placeholder.

    `general_rules` forbid something at most places, such as at one too far away; those come first that say most about
    a place. A player who asks why nothing is possible there is told of them only if no other rule forbids it.

    >>> from spieltisch.core.words import sentence
    >>> reasons = Reasons()
    >>> NOT_HELD = reasons("G2", sentence("You have already used this card."))
    >>> reasons[NOT_HELD].rule
    'G2'
    """

    def __init__(self, general_rules: Sequence[str] = (), **shows: PlaceholderValue) -> None:
        self.general_rules = general_rules
        self._shows = shows
        self._reasons: dict[int, Reason] = {}

    def __call__(self, rule: str, sentence: Sentence, **shows: PlaceholderValue) -> int:
        """Declare a reason and return its code, which is above 0.

        Values in `shows` override those in common. Raise WordsError for a placeholder without a value.
        """
        values = {**self._shows, **shows}
        for name in sentence.placeholders:
            if name not in values:
                raise WordsError(f"nothing fills {{{name}}} in {sentence.text!r}")
        code = len(self._reasons) + 1
        self._reasons[code] = Reason(rule, sentence, {name: values[name] for name in sentence.placeholders})
        return code

    def __getitem__(self, code: int) -> Reason:
        return self._reasons[code]

    def __iter__(self) -> Iterator[int]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return len(self._reasons)

    def refusal(self, code: int, observation: Observation, move: Move) -> Refusal:
        """Return the refusal for the seat that sees the observation."""
        reason = self._reasons[code]
        values = {name: value_of(observation, move) for name, value_of in reason.placeholders.items()}
        return Refusal(reason.rule, reason.sentence.fill(values))
