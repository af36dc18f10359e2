"""The errors of the kernel, and the reason for which a move is refused.

```
ValueError
├── UnknownGame      no game of that name is installed
├── OptionError      a game has no such option, or the option no such value
├── UnknownMove      a text or number that is no move of this game with these components
├── IllegalMove      a move that the rules forbid now; carries the Refusal
├── DrawError        forced draws that cannot be drawn
├── DocumentError    a document that describes no position
└── RecordError      a record that cannot be read or replayed; names the line or the move
```
"""

import msgspec

from spieltisch.core.words import Message


class Refusal(msgspec.Struct, frozen=True):
    """A rule that forbids a move, and a sentence about it.

    `rule` is an anchor on the rules page of the game ("P8"), or "turn" (another seat decides), or "over" (the game has
    ended).

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    >>> refusal = position.why_not("trade red for 2 red")
    >>> refusal.rule, str(refusal.message)
    ('T2', 'Take shares in a different company from the one you give back.')
    """

    rule: str
    message: Message

    def __repr__(self) -> str:
        return f"<Refusal {self.rule}: {self.message}>"


class UnknownGame(ValueError):
    """No game of that name is installed."""


class OptionError(ValueError):
    """A game has no such option, or the option no such value."""


class UnknownMove(ValueError):
    """A text or number that is no move of this game."""


class IllegalMove(ValueError):
    """A move that the rules forbid now. The position is unchanged."""

    def __init__(self, text: str, refusal: Refusal) -> None:
        super().__init__(text, refusal)  # pickle calls the class with these arguments
        self.text = text
        self.refusal = refusal

    def __str__(self) -> str:
        return f"{self.text!r} is not allowed ({self.refusal.rule}): {self.refusal.message}"


class DrawError(ValueError):
    """Forced draws that cannot be drawn. The position is unchanged."""


class DocumentError(ValueError):
    """A document that describes no position of this game. The text names the field."""


class RecordError(ValueError):
    """A record that cannot be read or replayed. The text names the line or the move."""
