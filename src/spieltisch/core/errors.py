"""Why a move is not allowed, and the errors of the kernel.

```
ValueError
├── UnknownGame      no game of that name is installed
├── OptionError      an option of a game that is unknown or has a value it cannot have
├── UnknownMove      a text or number that is no move of this game on these components
├── IllegalMove      a move the rules forbid now; carries the Refusal
├── DrawError        forced draws that cannot have been drawn
├── DocumentError    a document that describes no position
└── RecordError      a record that cannot be read or does not replay; names the line or the move
```
"""

import msgspec

from spieltisch.core.words import Message


class Refusal(msgspec.Struct, frozen=True):
    """The rule that forbids something, and a sentence about it.

    `rule` is an anchor on the game's rules page ("P8"), or "turn" (somebody else decides) or "over" (the game has
    ended).
    """

    rule: str
    message: Message


class UnknownGame(ValueError):
    """No game of that name is installed."""


class OptionError(ValueError):
    """An option of a game that is unknown or has a value it cannot have."""


class UnknownMove(ValueError):
    """A text or number that is no move of this game."""


class IllegalMove(ValueError):
    """A move the rules forbid now; nothing was changed."""

    def __init__(self, text: str, refusal: Refusal) -> None:
        super().__init__(text, refusal)  # what it is made of, so that it pickles
        self.text = text
        self.refusal = refusal

    def __str__(self) -> str:
        return f"{self.text!r} is not allowed ({self.refusal.rule}): {self.refusal.message}"


class DrawError(ValueError):
    """Forced draws that cannot have been drawn; nothing was changed."""


class DocumentError(ValueError):
    """A document that describes no position of this game; names the field."""


class RecordError(ValueError):
    """A record that cannot be read or does not replay; names the line or the move."""
