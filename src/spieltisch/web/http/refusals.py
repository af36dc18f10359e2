"""Errors raised by pages: a status, a short code for programs, a sentence for people."""

from spieltisch.core.words import Message, message


class PageRefusal(Exception):
    """A request refused by a page; nothing was changed.

    `wait`: seconds after which to try again; 0 if waiting does not help.
    """

    def __init__(self, status: int, code: str, what: Message, wait: int = 0) -> None:
        super().__init__(status, code, what, wait)
        self.status = status
        self.code = code
        self.message = what
        self.rule = ""
        self.wait = wait

    def __str__(self) -> str:
        return str(self.message)


def no_page() -> PageRefusal:
    """Return the refusal for an address without a page."""
    return PageRefusal(404, "no-page", message("Page not found."))


def not_begun() -> PageRefusal:
    """Return the refusal for a table whose game has not begun."""
    return PageRefusal(409, "not-running", message("This game has not started yet."))
