"""Reasons: why a game refuses a move, each declared once, with the number of its rule and the sentence that is said.

A rule function that forbids something returns the reason's code, and 0 where it forbids nothing, so that a chain of
them reads `return a(...) or b(...) or c(...)`.

>>> from spieltisch.core.words import sentence
>>> reasons = Reasons(thing=lambda seen, move: "wood")
>>> NOT_THERE = reasons("E18", sentence("There is no {thing}."))
>>> NOT_THERE, reasons[NOT_THERE].rule
(1, 'E18')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from spieltisch.core.errors import Refusal
from spieltisch.core.words import Sentence, Value, WordsError

if TYPE_CHECKING:
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation

PlaceholderValue: TypeAlias = "Callable[[Observation, Move], Value]"
"""What stands in a placeholder, for the seat that sees the observation and asks about the move."""


def name_of(things: str, at: int = 0) -> PlaceholderValue:
    """What shows the name of the one of the board's `things` that is part `at` of the move."""
    return lambda seen, move: getattr(seen.setup.board, things)[move.args[at]].name


class Reason(msgspec.Struct, frozen=True):
    """Why a move is refused: the rule's number, the sentence, and what its placeholders show."""

    rule: str
    sentence: Sentence
    placeholders: Mapping[str, PlaceholderValue]


class Reasons(Mapping[int, Reason]):
    """A game's reasons by code. `shows` are the values that its sentences have in common, by placeholder."""

    def __init__(self, **shows: PlaceholderValue) -> None:
        self._shows = shows
        self._reasons: dict[int, Reason] = {}

    def __call__(self, rule: str, said: Sentence, **shows: PlaceholderValue) -> int:
        """Declare a reason; returns its code, above 0. Values given here go before those in common. Raises WordsError
        for a placeholder that nothing fills.
        """
        known = {**self._shows, **shows}
        for name in said.placeholders:
            if name not in known:
                raise WordsError(f"nothing fills {{{name}}} in {said.text!r}")
        code = len(self._reasons) + 1
        self._reasons[code] = Reason(rule, said, {name: known[name] for name in said.placeholders})
        return code

    def __getitem__(self, code: int) -> Reason:
        return self._reasons[code]

    def __iter__(self) -> Iterator[int]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return len(self._reasons)

    def refusal(self, code: int, observation: Observation, move: Move) -> Refusal:
        """The reason in words, for the seat that sees the observation."""
        reason = self._reasons[code]
        values = {name: shown(observation, move) for name, shown in reason.placeholders.items()}
        return Refusal(reason.rule, reason.sentence.fill(values))
