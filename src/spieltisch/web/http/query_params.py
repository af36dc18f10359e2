"""What stands after the question mark: every value of an address is read here, and an odd one gets a clear 400; so are
numbers in paths and forms.

A number is written as we write it ourselves: ASCII digits, no sign, no zeros before it.
"""

from __future__ import annotations

from typing import Final

from spieltisch.core.words import message
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request, is_number

MAX_DIGITS: Final = 15
"""Digits of a number at most; the version of the lobby is a time in milliseconds."""
LONGEST: Final = 4096
"""Characters of a text at most."""


def number(name: str, text: str) -> int:
    """The number that a field or a part of an address with this name holds. Raises `PageRefusal` 400.

    >>> number("at", "17")
    17
    """
    if is_number(text, MAX_DIGITS):
        return int(text)
    words = message(
        "“{name}” has to be a whole number of at most {count} digits, without a sign and without zeros before it.",
        name=name,
        count=MAX_DIGITS,
    )
    raise PageRefusal(400, name, words)


def hot_seat_param(me: str) -> str:
    """Who of those on a device asks, as an address or a form has it: a seat counted from 1, "0" for the person
    themselves, "" for whoever it is. Raises `PageRefusal` 400.

    >>> hot_seat_param("2"), hot_seat_param("")
    ('2', '')
    """
    return str(number("me", me)) if me else ""


class QueryParams:
    """The values in the address of a request. All methods raise `PageRefusal` 400 for a value that cannot be one."""

    def __init__(self, request: Request) -> None:
        self._values = request.query_params

    def has(self, name: str) -> bool:
        """Whether there is such a value, whatever it is."""
        return name in self._values

    def text(self, name: str) -> str:
        """A value as it was sent, "" without one."""
        return self._checked(name, self._values.get(name, ""))

    def texts(self, name: str) -> list[str]:
        """All values of a name that may come several times."""
        return [self._checked(name, value) for value in self._values.getall(name, [])]

    def number(self, name: str) -> int | None:
        """A number; None where there is no value or an empty one."""
        value = self._values.get(name, "")
        return number(name, value) if value else None

    def hot_seat(self) -> str:
        """Who of those on a device asks; see `who`."""
        return hot_seat_param(self.text("me"))

    @staticmethod
    def _checked(name: str, value: str) -> str:
        if len(value) > LONGEST:
            words = message("“{name}” holds more than {count} characters.", name=name, count=LONGEST)
            raise PageRefusal(400, name, words)
        return value
