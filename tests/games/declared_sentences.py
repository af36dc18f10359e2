"""Look up the sentences that a game declares for its reasons and events by their codes and values."""

import re
from collections.abc import Mapping, Sequence

from spieltisch.core.events import EventKinds
from spieltisch.core.reasons import Reasons
from spieltisch.core.words import SeatName, Sentence, Value, Words
from tests.sentences import sentence_after


def reason_text(reasons: Reasons, code: int, values: Mapping[str, Value]) -> tuple[str, str]:
    """Return the rule and the English sentence of a reason."""
    reason = reasons[code]
    return reason.rule, Words("en").say(reason.sentence.fill(values))


def event_text(
    kinds: EventKinds, code: int, seat: int | None, values: Mapping[str, Value], names: Sequence[str] = ()
) -> str:
    """Return the English sentence of an event of a seat (from 1; None: no seat) in the log."""
    sentence = kinds[code].sentence
    assert sentence is not None, f"{kinds[code].name} has no sentence of its own"
    player = {} if seat is None else {"player": SeatName(seat - 1)}
    return Words("en").say(sentence.fill({**values, **player}), names)


# What all games say of a component file.


def out_of_range(number: int, min_number: int, max_number: int) -> str:
    """Return the finding about a number out of range."""
    return sentence_after(
        "core/component_checks.py", "def check_range", number=number, least=min_number, most=max_number
    )


def already_has(path: str, mark: str) -> str:
    """Return the finding about a mark that must be unique and that the table at `path` already has."""
    return sentence_after("core/component_checks.py", "def check_distinct", path=path, mark=mark)


def appears_twice(path: str) -> str:
    """Return the finding about a table with the same id as another table."""
    return sentence_after("core/toml_validation.py", "if has_name and path_of_table in names", path=path)


# Sentences of which a test knows only some values.

ANY = "\N{LOWER HALF BLOCK}"
"""Stands for any text within a value of `sentence_pattern`."""


def sentence_pattern(sentence: Sentence, **values: Value) -> str:
    """Return a regular expression of an English sentence; placeholders without a value match any text."""
    filled = sentence.fill(dict.fromkeys(sentence.placeholders, ANY) | values)
    return re.escape(Words("en").say(filled)).replace(ANY, ".+")
