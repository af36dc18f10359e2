"""Sentences in four languages.

Rules, tables and pages never build a sentence: they return a `Message` (a whole English sentence with named
placeholders, and the values for them), and `Words` translates it. The English sentence is also the key of the
translations in the gettext catalogues `<language>.po`: one folder for each game, and one for everything that belongs to
no game. The names of game components (companies, cities) come from component files in all four languages; they are a
`Name`, which can also be imported from here, like most of `spieltisch.core.names`.

>>> sentence = message("{player} builds in {city}.", player=SeatName(1), city=Name("Lyon", "Lyon", "Lyon", "Lyon"))
>>> Words("en").say(sentence, names=["Ada", "Grace"])
'Grace builds in Lyon.'
>>> str(messages("{count} locomotive is left.", "{count} locomotives are left.", 2))
'2 locomotives are left.'
"""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, TypeAlias, overload

import msgspec
from babel.dates import format_skeleton, format_time, get_datetime_format, get_timezone_name
from babel.numbers import format_decimal, format_percent
from markupsafe import Markup, escape

from spieltisch.core.catalogue import Catalogue, read_catalogue
from spieltisch.core.french_elision import elide, ends_with_elidable_word
from spieltisch.core.names import LANGUAGES as LANGUAGES
from spieltisch.core.names import Language as Language
from spieltisch.core.names import Name as Name
from spieltisch.core.names import SeatName as SeatName
from spieltisch.core.names import WordsError as WordsError
from spieltisch.core.names import base_language as base_language
from spieltisch.core.names import language_tag as language_tag
from spieltisch.core.names import removed_person_number as removed_person_number

GENERAL_CATALOGUES: Final = Path(__file__).parent.parent / "locale"
"""The folder of the catalogues that belong to no game. `Words` searches it last."""


class Message(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A whole sentence with `{named}` placeholders and the values for them. `message` and `messages` make it.

    `text` is the English sentence. If `plural` is not empty, `text` is the singular, `count` chooses between them, and
    both may contain `{count}`. `str()` returns the English sentence. `short` says the same in a few words.

    >>> passes = Message("{player} passes.", {"player": SeatName(1)}).with_short(message("pass"))
    >>> str(passes), str(passes.short)
    ('Player 2 passes.', 'pass')
    """

    text: str
    values: "dict[str, Value]" = {}
    plural: str = ""
    count: int = 0
    short: "Message | Name | None" = None

    def __str__(self) -> str:
        return Words("en").say(self)

    def with_short(self, short: "Message | Name") -> "Message":
        """Return this sentence with a short form."""
        return msgspec.structs.replace(self, short=short)


Value: TypeAlias = str | int | float | Name | Message | SeatName
"""The value of a placeholder. A `str` is used unchanged, except a guest's default name (`guest_names`), which is
translated; a number is written as by `Words.number_text`."""

Highlighter: TypeAlias = Callable[[Value, str], str]
"""A function that wraps a value of a sentence in HTML. It gets the value and its escaped text (`Markup`)."""


def message(text: str, /, **values: Value) -> Message:
    """Return a sentence whose placeholders are exactly `values`; raise `WordsError` if they differ.

    Babel extracts its argument.

    >>> str(message("The depot {company} is empty.", company=Name("Ruby", "Rubin", "Rubis", "Robijn")))
    'The depot Ruby is empty.'
    >>> message("The depot {company} is empty.")
    Traceback (most recent call last):
    spieltisch.core.names.WordsError: no value for {company} in 'The depot {company} is empty.'
    """
    _require_placeholders(text, placeholders(text), values)
    return Message(text, values)


def messages(singular: str, plural: str, count: int, /, **values: Value) -> Message:
    """Return a sentence in singular and plural. Either may contain `{count}`; `values` fills the other placeholders.

    >>> str(messages("{count} stone is left.", "{count} stones are left.", 3))
    '3 stones are left.'
    """
    _require_placeholders(plural, placeholders(singular) | placeholders(plural) | {"count"}, {**values, "count": count})
    return Message(singular, values, plural, count)


class Sentence(msgspec.Struct, frozen=True):
    """A sentence without values, made by `sentence` and `sentences`.

    Rules declare their sentences once; `fill` adds the values each time.

    >>> said = sentence("The depot of {company} is empty.")
    >>> str(said.fill({"company": "Ruby", "city": "Lyon"}))
    'The depot of Ruby is empty.'
    """

    text: str
    plural: str = ""

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the required values, including `count` if it chooses between singular and plural."""
        names = placeholders(self.text)
        return names | placeholders(self.plural) | {"count"} if self.plural else names

    def fill(self, values: Mapping[str, Value]) -> Message:
        """Return the message with the values that it needs. Raise WordsError if one is missing."""
        needed = self.placeholders
        used = {name: value for name, value in values.items() if name in needed}
        if not self.plural:
            return message(self.text, **used)
        count = used.pop("count", None)
        if not isinstance(count, int):
            raise WordsError(f"no count for {self.text!r}")
        return messages(self.text, self.plural, count, **used)


def sentence(text: str, /) -> Sentence:
    """Return a sentence to be filled in later. Babel extracts its argument.

    >>> str(sentence("The next prize is {prize}.").fill({"prize": 9}))
    'The next prize is 9.'
    """
    placeholders(text)
    return Sentence(text)


def sentences(singular: str, plural: str, /) -> Sentence:
    """Return a sentence in singular and plural, to be filled in later. The value `count` chooses between them.

    >>> str(sentences("{count} stone is left.", "{count} stones are left.").fill({"count": 1}))
    '1 stone is left.'
    """
    placeholders(singular), placeholders(plural)
    return Sentence(singular, plural)


@lru_cache(maxsize=4096)
def placeholders(text: str) -> frozenset[str]:
    """Return the names in braces in a sentence. A literal brace is doubled.

    Raise `WordsError` for anything but a plain name between the braces (`{}`, `{0}`, `{a.b}`, `{a!r}`, `{a:>3}`).

    >>> sorted(placeholders("{player} takes {count} {{sic}}"))
    ['count', 'player']
    """
    return frozenset(name for _, name in _pieces(text) if name)


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[tuple[str, str], ...]:
    """Return the sentence as pairs of literal text and the name of the placeholder after it ("" at the end)."""
    try:
        parsed = list(string.Formatter().parse(text))
    except ValueError as error:
        raise WordsError(f"{error}: {text!r}") from error
    for _, name, spec, conversion in parsed:
        if name is not None and (not name.isidentifier() or spec or conversion):
            raise WordsError(f"a placeholder is a plain name in braces: {text!r}")
    return tuple((literal, name or "") for literal, name, _, _ in parsed)


@lru_cache(maxsize=4096)
def _escape(literal: str) -> str:
    """Return a part of a sentence as HTML. Spaces around an arrow do not break the line."""
    return str(escape(literal.replace(" → ", "\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}")))


def _require_placeholders(text: str, needed: frozenset[str], values: Mapping[str, Value]) -> None:
    if missing := sorted(needed - values.keys()):
        raise WordsError(f"no value for {', '.join(f'{{{name}}}' for name in missing)} in {text!r}")
    if unknown := sorted(values.keys() - needed):
        raise WordsError(f"no placeholder {', '.join(f'{{{name}}}' for name in unknown)} in {text!r}")


class Words:
    """A language: translates messages and names with the catalogues of `folders`, in this order, then the general ones.

    `folders` contain files `de.po`, `fr.po`, `nl.po`, which are read when first needed and again when they change. A
    sentence without a translation remains English, and a folder may lack the file of a language. `pseudo` turns every
    sentence and name into `[!! ļïķé ţĥïš !!]`, so that a test finds text that bypasses this class. Raise `WordsError`
    for a language that is not one of `LANGUAGES`, and for an invalid catalogue.

    `language` may have a region (`de-AT`), after which dates, times and numbers are written; see `language_tag`.
    """

    def __init__(self, language: str, *folders: Path, pseudo: bool = False) -> None:
        self.language = base_language(language)
        self.tag = language_tag(self.language, language.partition("-")[2])
        self.locale = self.tag.replace("-", "_")
        """The name of the language and region in Babel."""
        self._pseudo = pseudo
        self._catalogues: list[Catalogue] = []
        if self.language != "en":
            for folder in dict.fromkeys((*folders, GENERAL_CATALOGUES)):
                file = folder / f"{self.language}.po"
                if file.exists():
                    self._catalogues.append(read_catalogue(file, file.stat().st_mtime_ns))

    @overload
    def say(self, what: Value, names: Sequence[str] = ..., mark: None = ...) -> str: ...
    @overload
    def say(self, what: Value, names: Sequence[str], mark: Highlighter) -> Markup: ...
    @overload
    def say(self, what: Value, names: Sequence[str] = ..., *, mark: Highlighter) -> Markup: ...
    def say(self, what: Value, names: Sequence[str] = (), mark: Highlighter | None = None) -> str:
        """Return `what` in this language. `names[seat]` are the players' names.

        With `mark` the result is `Markup`: the sentence and its plain values are escaped for HTML, and every value,
        also one without a sentence, is replaced by `mark(value, text)`. Raise `WordsError` if a placeholder has no
        value.
        """
        if mark is None:
            return self._sentence(what, names) if isinstance(what, Message) else self._text(what, names)
        return (
            self._marked_sentence(what, names, mark)
            if isinstance(what, Message)
            else self._marked_value(what, names, mark)
        )

    def number_text(self, number: float) -> str:
        """Return a number with the separators and the minus sign of the language and at most one decimal.

        >>> Words("de").number_text(-1234.56), Words("de-CH").number_text(160.7), Words("en").number_text(3.0)
        ('−1.234,6', '160.7', '3')
        """
        return _number_text(number, self.locale)

    def percent_text(self, share: float) -> str:
        """Return a share as a whole percentage.

        >>> Words("en").percent_text(0.941)
        '94%'
        """
        return format_percent(round(share, 2), locale=self.locale).replace("-", "−")

    def date_text(self, day: date) -> str:
        """Return a day.

        >>> Words("en-US").date_text(date(2026, 11, 25)), Words("de-AT").date_text(date(2026, 11, 25))
        ('Nov 25, 2026', '25. Nov. 2026')
        """
        return format_skeleton("yMMMd", day, locale=self.locale)

    def time_text(self, at: float) -> str:
        """Return a time (UTC seconds) as a day and a time with its time zone, for readers whose own is unknown.

        >>> Words("en").time_text(1_800_000_000.0), Words("nl-BE").time_text(1_800_000_000.0)
        ('15 Jan 2027, 08:00 UTC', '15 jan 2027, 08:00 UTC')
        """
        date = datetime.fromtimestamp(at, UTC)
        time = format_time(date, "short", tzinfo=UTC, locale=self.locale)
        zone = get_timezone_name(date, "short", locale=self.locale)
        pattern = str(get_datetime_format("medium", locale=self.locale))
        return f"{pattern.format(time, self.date_text(date))} {zone}"

    def is_untranslated(self, what: Message) -> bool:
        """Return True if this sentence, or a sentence among its values, lacks a translation."""
        if any(isinstance(value, Message) and self.is_untranslated(value) for value in what.values.values()):
            return True
        wordless = not any(char.isalpha() for literal, _ in _pieces(what.text) for char in literal)
        return (
            self.language != "en" and not wordless and not any(catalogue.find(what) for catalogue in self._catalogues)
        )

    def template_functions(
        self, names: Sequence[str] = (), mark: Highlighter | None = None
    ) -> dict[str, Callable[..., Markup]]:
        """Return the functions `_` and `_n` for a Jinja template. They escape all values that are not `Markup`.

        >>> phrases = Words("en").template_functions()
        >>> phrases["_"]("Read {page}.", page=Markup('<a href="/rules">the rules</a>'))
        Markup('Read <a href="/rules">the rules</a>.')
        >>> phrases["_n"]("{count} table", "{count} tables", 3)
        Markup('3 tables')
        """
        highlighter = mark or (lambda value, text: text)

        def translate(text: str, /, **values: Value) -> Markup:
            return self.say(message(text, **values), names, highlighter)

        def translate_plural(singular: str, plural: str, count: int, /, **values: Value) -> Markup:
            return self.say(messages(singular, plural, count, **values), names, highlighter)

        return {"_": translate, "_n": translate_plural}

    def _sentence(self, what: Message, names: Sequence[str]) -> str:
        values = {**what.values, "count": what.count} if what.plural else what.values
        text = ""
        for literal, name in self._translated_pieces(what):
            value_text = self._text(_value(what, values, name), names) if name else ""
            text += self._literal_between(text, literal, value_text) + value_text
        return text

    def _marked_sentence(self, what: Message, names: Sequence[str], mark: Highlighter) -> Markup:
        values = {**what.values, "count": what.count} if what.plural else what.values
        text = ""
        for literal, name in self._translated_pieces(what):
            marked = self._marked_value(_value(what, values, name), names, mark) if name else Markup()
            text += _escape(self._literal_between(text, literal, marked)) + str(marked)
        return Markup(text)  # noqa: S704  # every part is escaped

    def _literal_between(self, preceding: str, literal: str, text: str) -> str:
        """Return the literal text between two values of a sentence.

        It loses its full stop after a value that ends with one. In French it is elided: "de" before "Élodie" is "d’".
        """
        if literal.startswith(".") and re.search(r"\.(</\w+>)*$", preceding):  # the text may be wrapped in tags
            literal = literal[1:]
        return elide(literal, text) if self.language == "fr" and ends_with_elidable_word(literal) else literal

    def _marked_value(self, value: Value, names: Sequence[str], mark: Highlighter) -> Markup:
        if isinstance(value, Message):
            return escape(mark(value, self._marked_sentence(value, names, mark)))
        return escape(mark(value, escape(self._text(value, names))))

    def _text(self, value: Value, names: Sequence[str]) -> str:
        if isinstance(value, str):
            if value in guest_names():
                return self._sentence(GUEST, ())
            number = removed_person_number(value)
            return value if number is None else self._sentence(message("Guest {number}", number=number), ())
        if isinstance(value, Name):
            name = value.text(self.language)
            return _pseudo_text(name) if self._pseudo else name
        if isinstance(value, SeatName):
            if 0 <= value.seat < len(names):
                return self._text(names[value.seat], ())
            return self._sentence(message("Player {number}", number=value.seat + 1), ())
        if isinstance(value, Message):
            return self._sentence(value, names)
        return self.number_text(value)

    def _translated_pieces(self, what: Message) -> Sequence[tuple[str, str]]:
        text = what.plural if what.plural and what.count != 1 else what.text
        for catalogue in self._catalogues:
            translation = catalogue.find(what)
            if translation:
                text = translation
                break
        if not self._pseudo:
            return _pieces(text)
        pieces = [(_pseudo_letters(literal), name) for literal, name in _pieces(text)]
        return [("[!! ", ""), *pieces, (" !!]", "")]


GUEST: Final = message("Guest")
"""The name of a guest until they choose one."""


@cache
def guest_names() -> frozenset[str]:
    """Return the default name of a guest in all languages.

    >>> sorted(guest_names())
    ['Gast', 'Guest', 'Invité']
    """
    return frozenset(Words(language).say(GUEST) for language in LANGUAGES)


@lru_cache(maxsize=4096)
def _number_text(number: float, locale: str) -> str:
    # The sum has no negative zero.
    return format_decimal(round(number, 1) + 0, "#,##0.#", locale=locale).replace("-", "−")


def _value(what: Message, values: Mapping[str, Value], name: str) -> Value:
    try:
        return values[name]
    except KeyError:
        raise WordsError(f"no value for {{{name}}} in {what.text!r}") from None


_PLAIN = "abcdefghijklmnopqrstuvwxyzACDEFGHIJKLNORSTUWYZ"
_ACCENTED = "åƀçðéƒĝĥïĵķļɱñöþǫřšţûṽŵẋýžÅÇÐÉƑĜĤÏĴĶĻÑÖŘŠŢÛŴÝŽ"
_LETTERS: Final = str.maketrans(_PLAIN, _ACCENTED)


def _pseudo_letters(text: str) -> str:
    return text.translate(_LETTERS)


def _pseudo_text(text: str) -> str:
    return f"[!! {_pseudo_letters(text)} !!]"
