"""The text of a record's parts: a move on its line, and the value of each field. See `spieltisch.core.record`."""

import json
from typing import Any

import msgspec

from spieltisch.core.errors import RecordError

MAX_VALUE_LENGTH = 2_000
"""The longest name, digest or secret in a record, in characters."""
MAX_QUOTE_LENGTH = 200
"""The longest part of a record that an error cites, in characters."""


class RecordedMove(msgspec.Struct, frozen=True):
    """One move of a record: the seat (from 0), the text of the move, and its draws."""

    seat: int
    move: str
    drew: tuple[str, ...] = ()


_JSON_TYPES: dict[str, Any] = {
    "options": dict[str, str | bool | int],
    "result": dict[str, str | list[int]],
    "players": tuple[str, ...],
    "study": dict[str, str | int],
    "state": dict[str, Any],
}
"""The types of the fields that are JSON. They bound the nesting, whatever a record contains.

The game checks the content of a `state`.
"""
_SEATS = frozenset(map(str, range(1, 100)))


def read_value(name: str, line: int, value: str) -> Any:
    """Return the value of a field in its type. Raise RecordError, which names the line."""
    try:
        if name in ("seats", "seed"):
            return int(value)
        if name in _JSON_TYPES:
            return msgspec.json.decode(value.encode(), type=_JSON_TYPES[name])
        if len(value) > MAX_VALUE_LENGTH and name != "drew":
            raise ValueError(f"longer than {MAX_VALUE_LENGTH} characters")
        if name == "drew":
            return tuple(value.split(", "))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"line {line}: {name}: {shortened(str(error))}") from error
    return value


def read_move(line: str, number: int, expected: int) -> RecordedMove:
    """Return the move on one line. Raise RecordError."""
    head, colon, rest = line.partition(": ")
    words = head.split()
    if not colon or len(words) != 3 or words[0] != str(expected) or words[1] != "seat" or words[2] not in _SEATS:
        raise RecordError(f"line {number}: {line[:60]!r} is not move {expected}, such as '{expected} seat 1: ...'")
    move, _, drew = rest.partition(" | drew ")
    return RecordedMove(int(words[2]) - 1, move.strip(), tuple(drew.split(", ")) if drew else ())


def read_secret(text: str) -> bytes:
    """Return the secret that hex digits stand for. Raise RecordError."""
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise RecordError(f"secret: {error}") from error


def write_json(value: Any) -> str:
    """Return a value as JSON on one line; the keys are sorted."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def shortened(text: str) -> str:
    """Return a text as an error cites it."""
    return text if len(text) <= MAX_QUOTE_LENGTH else f"{text[:MAX_QUOTE_LENGTH]}…"
