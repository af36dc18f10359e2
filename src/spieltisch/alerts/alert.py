"""Alerts, and the reasons why they were not delivered."""

import msgspec

from spieltisch.core.words import Message


class Alert(msgspec.Struct, frozen=True):
    """A message to a person.

    `id` stays the same if it is sent again. `link` leads to the table, or to the list of the person's tables; `path` is
    the same without the server. `turns` is the number of tables at which it is their turn; `about` lists the tables of
    the alert, each with the version of the event with which the turn began.
    """

    id: str
    title: str
    text: str
    link: str
    path: str
    turns: int
    language: str
    unsubscribe_url: str = ""
    """The URL that unsubscribes with one click; for mail."""
    unsubscribe_text: str = ""
    """The text for that link."""
    about: tuple[tuple[str, int], ...] = ()


class DeliveryFailed(Exception):
    """An alert was not delivered. `gone`: the address no longer exists, and nothing must be sent there again."""

    def __init__(self, reason: Message, *, gone: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.gone = gone
