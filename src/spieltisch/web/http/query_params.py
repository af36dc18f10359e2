"""Values of the query string; an invalid one gets a clear 400. Also numbers in paths and forms.

Numbers must be written as this site writes them: ASCII digits, no sign, no leading zeros.
"""

from typing import Final

from spieltisch.core.words import message
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request, is_number

MAX_DIGITS: Final = 15
"""Maximum number of digits; the version of the lobby is a time in milliseconds."""
MAX_TEXT_LENGTH: Final = 4096
"""Maximum number of characters of a text."""


def number(name: str, text: str) -> int:
    """Parse the number in a field or part of an address with this name. Raise PageRefusal 400.

    >>> number("at", "17")
    17
    """
    if is_number(text, MAX_DIGITS):
        return int(text)
    words = message(
        "“{name}” must be a whole number of at most {count} digits, without a sign or leading zeros.",
        name=name,
        count=MAX_DIGITS,
    )
    raise PageRefusal(400, name, words)


def hot_seat_param(me: str) -> str:
    """Parse the player of a hot seat in an address or form.

    It is a seat counted from 1, "0" for the owner of the device, "" if not named. Raise PageRefusal 400.

    >>> hot_seat_param("2"), hot_seat_param("")
    ('2', '')
    """
    return str(number("me", me)) if me else ""


class QueryParams:
    """The query string of a request. All methods raise PageRefusal 400 for an invalid value."""

    def __init__(self, request: Request) -> None:
        self._values = request.query_params

    def has(self, name: str) -> bool:
        """Return True if the parameter is present, with any value."""
        return name in self._values

    def text(self, name: str) -> str:
        """Return a value as it was sent, "" without one."""
        return self._require_short(name, self._values.get(name, ""))

    def texts(self, name: str) -> list[str]:
        """Return all values of a parameter that may be repeated."""
        return [self._require_short(name, value) for value in self._values.getall(name, [])]

    def number(self, name: str) -> int | None:
        """Return a number; None if the value is missing or empty."""
        value = self._values.get(name, "")
        return number(name, value) if value else None

    def hot_seat(self) -> str:
        """Return the player of a hot seat; see `hot_seat_param`."""
        return hot_seat_param(self.text("me"))

    @staticmethod
    def _require_short(name: str, value: str) -> str:
        if len(value) > MAX_TEXT_LENGTH:
            words = message("“{name}” has more than {count} characters.", name=name, count=MAX_TEXT_LENGTH)
            raise PageRefusal(400, name, words)
        return value
