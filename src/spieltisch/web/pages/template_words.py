"""The words of one page: what its templates say, in which language, with which names and icons."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from hashlib import blake2b
from typing import Final

import msgspec
from markupsafe import Markup, escape

from spieltisch.core.game import Game
from spieltisch.core.words import Message, Name, SeatName, Value, Words
from spieltisch.drawing.text_fitting import initials

MAX_CACHED_SENTENCES: Final = 5000
"""Maximum number of sentences that are cached, of some 600 bytes each: most are lines of logs, read with each push."""
NO_MARKS: Final[Mapping[Name, str]] = {}
_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=lambda value: [type(value).__name__, str(value)])
"""Encodes sentences and icons as keys; a value that is `Markup` differs from the same text, which has to be escaped."""
AMOUNT: Final = ["Name", "int"]
"""The value types of a message that states an amount: no line break between the number and its icon."""


def plain_chip(mark: str, label: str) -> Markup:
    """Return a word with its icon, for a game that draws none."""
    return Markup('<span class="word {}">{}</span>').format(mark, label) if mark else escape(label)


class TemplateWords:
    """The words of one page: a language, the names of players and pieces in it, and their icons."""

    def __init__(
        self,
        words: Words,
        fixed: dict[str, Markup],
        sentences: OrderedDict[Hashable, Markup],
        game: Game | None = None,
        names: Sequence[str] = (),
        marks: Mapping[Name, str] = NO_MARKS,
        chip: Callable[[str, str], Markup] = plain_chip,
    ) -> None:
        self.words = words
        self.game = game
        self.names = names
        self.marks = marks
        self.chip = chip
        self._fixed = fixed
        """Cached texts of templates without values, the most frequent ones."""
        self._sentences = sentences
        icons = blake2b(_ENCODER.encode(list(marks.items())), digest_size=16).digest()
        self._key = words.tag, "" if game is None else game.key, icons
        """All that a sentence depends on, apart from its own values and the players' names."""

    def say(self, what: Value, names: Sequence[str] | None = None) -> Markup:
        """Return a message or name, escaped, with players and pieces marked up.

        `names` replaces the current names of the seats where they were others then.
        """
        names = self.names if names is None else names
        if not isinstance(what, Message):
            return self.words.say(what, names, mark=self._mark)
        key = self._key, _ENCODER.encode(what), tuple(names)
        if (text := self._sentences.pop(key, None)) is None:
            text = self.words.say(what, names, mark=self._mark)
        self._sentences[key] = text  # not read again: a page in another thread may take it away to renew it
        if len(self._sentences) > MAX_CACHED_SENTENCES:
            self._sentences.popitem(last=False)
        return text

    def _mark(self, value: Value, text: str) -> str:
        """Mark up a value inside a sentence: players and pieces stand out, pieces with an icon show it."""
        if isinstance(value, SeatName):
            return Markup('<b class="player seat-{}" translate="no">{}</b>').format(value.seat, text)
        if isinstance(value, Name):
            return (
                self.chip(self.marks[value], text)
                if value in self.marks
                else Markup('<span class="thing">{}</span>').format(text)
            )
        if isinstance(value, Message) and sorted(type(part).__name__ for part in value.values.values()) == AMOUNT:
            return Markup('<span class="amount">{}</span>').format(text)
        return text

    def plain(self, what: Value) -> str:
        """Return the text of a value without markup, for titles and attributes."""
        return self.words.say(what, self.names)

    def initials(self, seats: int) -> list[str]:
        """Return initials of the players where there is no room for names; none is a symbol of the game's boards."""
        drawing = self.game.drawing if self.game is not None else None
        symbols = (
            drawing.symbol_meanings(self.game.setup(self.game.seats[0]), self.words) if self.game and drawing else []
        )
        names, taken = [self.plain(SeatName(seat)) for seat in range(seats)], {symbol for symbol, _ in symbols}
        return [
            name[:2] if initial in taken else initial
            for name, initial in zip(names, initials(names, taken), strict=True)
        ]

    def gettext(self, text: str, /, **values: Value) -> Markup:
        """Return the translation of a text of a template."""
        if values:
            return self._spoken("_")(text, **values)
        if text not in self._fixed:
            self._fixed[text] = self._spoken("_")(text)
        return self._fixed[text]

    def ngettext(self, singular: str, plural: str, count: int, /, **values: Value) -> Markup:
        """Return the translation of a text of a template that depends on a number."""
        return self._spoken("_n")(singular, plural, count, **values)

    def _spoken(self, name: str) -> Callable[..., Markup]:
        return self.words.template_functions(self.names)[name]
