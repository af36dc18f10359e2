"""Errors that the pages raise themselves: a status, a short code for programs, a sentence for people."""

from __future__ import annotations

from spieltisch.core.words import Message, message


class PageRefusal(Exception):
    """What was asked of a page cannot be done; nothing was changed. `wait`: seconds after which to try again, 0 for
    what waiting does not mend.
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
    return PageRefusal(404, "no-page", message("There is no such page."))


def not_begun() -> PageRefusal:
    return PageRefusal(409, "not-running", message("The game at this table has not begun."))
