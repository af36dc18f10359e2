"""What goes out, and why it did not arrive."""

from __future__ import annotations

import msgspec

from spieltisch.core.words import Message


class Alert(msgspec.Struct, frozen=True):
    """What a person is told. `id` stays the same when it has to be sent again. `link` leads to the table, or to all of
    theirs; `path` is the same without the server. `turns`: at how many tables it is their turn; `about`: which tables
    are told of, and with which event of each the turn began.
    """

    id: str
    title: str
    text: str
    link: str
    path: str
    turns: int
    language: str
    unsubscribe_url: str = ""
    """Where one click ends it; for mail."""
    unsubscribe_text: str = ""
    """The words for that."""
    about: tuple[tuple[str, int], ...] = ()


class DeliveryFailed(Exception):
    """An alert has not arrived; `gone`: nobody is at that address any more, and nothing more is to be sent there."""

    def __init__(self, reason: Message, *, gone: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.gone = gone
