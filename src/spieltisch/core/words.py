"""Sentences and names in four languages.

The rules, the tables and the pages never build a sentence: they hand out a `Message` (a whole English sentence with
named placeholders, and the values that belong in them), and `Words` says it in somebody's language. The English
sentence is also the key under which the translations stand in the gettext catalogues `<language>.po`, one folder of
them per game and one for everything that belongs to no game. Names of things (companies, cities) come from component
files in all four languages at once; they are a `Name`.

>>> sentence = message("{player} builds in {city}.", player=SeatName(1), city=Name("Lyon", "Lyon", "Lyon", "Lyon"))
>>> Words("en").say(sentence, names=["Ada", "Grace"])
'Grace builds in Lyon.'
>>> str(messages("{count} locomotive is left.", "{count} locomotives are left.", 2))
'2 locomotives are left.'
"""

from __future__ import annotations

import gettext
import re
import string
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args, overload

import msgspec
from babel.messages.pofile import PoFileError, read_po
from babel.numbers import format_decimal
from markupsafe import Markup, escape

from spieltisch.core.french_elision import elide, ends_with_elidable_word

Language = Literal["en", "de", "fr", "nl"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
GENERAL: Final = Path(__file__).parent.parent / "locale"
"""The folder of the catalogues that belong to no game. `Words` looks there last."""


_GUEST: Final = "\x1a"
"""Begins what stands in place of a name that was removed. Nobody can give such a name."""


class WordsError(ValueError):
    """A message, a translation or a language that cannot be said; its text says which and why."""


class Name(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A thing's name in four languages, as it stands in a component file.

    >>> Name(en="Ruby", de="Rubin", fr="Rubis", nl="Robijn").text("de")
    'Rubin'
    """

    en: str
    de: str
    fr: str
    nl: str

    def text(self, language: str) -> str:
        """The name in `language`; raises `WordsError` for a language that is not one of `LANGUAGES`."""
        return _tied_signs(self.fr) if _known(language) == "fr" else str(getattr(self, language))

    def __str__(self) -> str:
        return self.en


class SeatName(msgspec.Struct, frozen=True, tag=True):
    """A player, by seat (0-based). Said with the name given at the table, or as "Player 1" where there is none."""

    seat: int


class Message(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A whole sentence with `{named}` placeholders and the values for them; made by `message` and `messages`.

    `text` is the English sentence. When `plural` is not empty, `text` is its singular and `count` chooses between them;
    `{count}` may then stand in both. `str()` gives the English sentence.
    """

    text: str
    values: dict[str, Value] = {}
    plural: str = ""
    count: int = 0

    def __str__(self) -> str:
        return Words("en").say(self)


Value: TypeAlias = str | int | Name | Message | SeatName
"""What may stand in a placeholder. A `str` is said as it is; an `int` with the separators of the language."""

Highlighter: TypeAlias = Callable[[Value, str], str]
"""Wraps one value of a sentence for HTML. It gets the value and its text, already escaped (`Markup`)."""


def message(text: str, /, **values: Value) -> Message:
    """A sentence with exactly the placeholders that `values` fills; else `WordsError`. Babel extracts its argument.

    >>> str(message("The depot {company} is empty.", company=Name("Ruby", "Rubin", "Rubis", "Robijn")))
    'The depot Ruby is empty.'
    >>> message("The depot {company} is empty.")
    Traceback (most recent call last):
    spieltisch.core.words.WordsError: no value for {company} in 'The depot {company} is empty.'
    """
    _fits(text, placeholders(text), values)
    return Message(text, values)


def messages(singular: str, plural: str, count: int, /, **values: Value) -> Message:
    """A sentence in singular and plural; `{count}` may stand in either, the other placeholders are in `values`."""
    _fits(plural, placeholders(singular) | placeholders(plural) | {"count"}, {**values, "count": count})
    return Message(singular, values, plural, count)


class Sentence(msgspec.Struct, frozen=True):
    """A sentence whose values are still to come, made by `sentence` and `sentences`: rules declare what they say once,
    and it is filled in each time it is said.

    >>> said = sentence("The depot of {company} is empty.")
    >>> str(said.fill({"company": "Ruby", "city": "Lyon"}))
    'The depot of Ruby is empty.'
    """

    text: str
    plural: str = ""

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the values that are needed; `count` too where it chooses between singular and plural."""
        found = placeholders(self.text)
        return found | placeholders(self.plural) | {"count"} if self.plural else found

    def fill(self, values: Mapping[str, Value]) -> Message:
        """The message with those of the values that it needs. Raises WordsError for one that is missing."""
        wanted = self.placeholders
        known = {name: value for name, value in values.items() if name in wanted}
        if not self.plural:
            return message(self.text, **known)
        count = known.pop("count", None)
        if not isinstance(count, int):
            raise WordsError(f"no count for {self.text!r}")
        return messages(self.text, self.plural, count, **known)


def sentence(text: str, /) -> Sentence:
    """A sentence to be filled in later. Babel extracts its argument."""
    placeholders(text)
    return Sentence(text)


def sentences(singular: str, plural: str, /) -> Sentence:
    """The same in singular and plural, by the value `count`."""
    placeholders(singular), placeholders(plural)
    return Sentence(singular, plural)


@lru_cache(maxsize=4096)
def placeholders(text: str) -> frozenset[str]:
    """The names in braces in a sentence; a literal brace is doubled.

    Raises `WordsError` for anything but a plain name between the braces (`{}`, `{0}`, `{a.b}`, `{a!r}`, `{a:>3}`).

    >>> sorted(placeholders("{player} takes {count} {{sic}}"))
    ['count', 'player']
    """
    return frozenset(name for _, name in _pieces(text) if name)


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[tuple[str, str], ...]:
    """The sentence as pairs of literal text and the name of the placeholder after it ("" at the end)."""
    try:
        parsed = list(string.Formatter().parse(text))
    except ValueError as problem:
        raise WordsError(f"{problem}: {text!r}") from problem
    for _, name, spec, conversion in parsed:
        if name is not None and (not name.isidentifier() or spec or conversion):
            raise WordsError(f"a placeholder is a plain name in braces: {text!r}")
    return tuple((literal, name or "") for literal, name, _, _ in parsed)


@lru_cache(maxsize=4096)
def _escaped(literal: str) -> str:
    """A part of a sentence as HTML. What an arrow leads from and to stays on one line with it."""
    return str(escape(literal.replace(" → ", "\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}")))


def _fits(text: str, wanted: frozenset[str], values: Mapping[str, Value]) -> None:
    if missing := sorted(wanted - values.keys()):
        raise WordsError(f"no value for {', '.join(f'{{{name}}}' for name in missing)} in {text!r}")
    if unknown := sorted(values.keys() - wanted):
        raise WordsError(f"no placeholder {', '.join(f'{{{name}}}' for name in unknown)} in {text!r}")


def removed_person_name(number: int) -> str:
    """What stands in place of the name of somebody who was removed; it is said in every language.

    >>> Words("de").say(removed_person_name(2)), Words("en").say(SeatName(0), names=[removed_person_name(1)])
    ('Gast 2', 'Guest 1')
    """
    return f"{_GUEST}{number}"


def removed_person_number(name: str) -> int | None:
    """The number of such a guest; None for a name that somebody has given."""
    number = name.removeprefix(_GUEST)
    return int(number) if number != name and number.isascii() and number.isdecimal() and len(number) < 5 else None


def _known(language: str) -> Language:
    for known in LANGUAGES:
        if language == known:
            return known
    raise WordsError(f"no such language: {language!r}; there are {', '.join(LANGUAGES)}")


class Words:
    """One language: says messages and names with the catalogues of `folders`, in this order, then the general ones.

    `folders` hold files `de.po`, `fr.po`, `nl.po`, read when first needed and again when they change. A sentence
    without a translation is said in English, and a folder may lack the file of a language. `pseudo` turns every
    sentence and name into `[!! ļïķé ţĥïš !!]`, so that a test finds the words that never went through here.

    Raises `WordsError` for a language that is not one of `LANGUAGES`, and for a broken catalogue.
    """

    def __init__(self, language: str, *folders: Path, pseudo: bool = False) -> None:
        self.language = _known(language)
        self._pseudo = pseudo
        self._catalogues: list[_Catalogue] = []
        if self.language != "en":
            for folder in dict.fromkeys((*folders, GENERAL)):
                file = folder / f"{self.language}.po"
                if file.exists():
                    self._catalogues.append(_read(file, file.stat().st_mtime_ns))

    @overload
    def say(self, what: Value, names: Sequence[str] = ..., mark: None = ...) -> str: ...
    @overload
    def say(self, what: Value, names: Sequence[str], mark: Highlighter) -> Markup: ...
    @overload
    def say(self, what: Value, names: Sequence[str] = ..., *, mark: Highlighter) -> Markup: ...
    def say(self, what: Value, names: Sequence[str] = (), mark: Highlighter | None = None) -> str:
        """`what` in this language. `names[seat]` are the players' names.

        With `mark` the result is `Markup`: the sentence and its plain values are escaped for HTML, and every value,
        also one that is said alone, is what `mark(value, text)` makes of it.

        Raises `WordsError` when a placeholder has no value.
        """
        if mark is None:
            return self._sentence(what, names) if isinstance(what, Message) else self._text(what, names)
        return (
            self._marked_sentence(what, names, mark) if isinstance(what, Message) else self._marked(what, names, mark)
        )

    def is_untranslated(self, what: Message) -> bool:
        """Whether this sentence, or one that stands in it, is said in English for want of a translation."""
        if any(isinstance(value, Message) and self.is_untranslated(value) for value in what.values.values()):
            return True
        wordless = not any(ch.isalpha() for literal, _ in _pieces(what.text) for ch in literal)
        return self.language != "en" and not wordless and not any(known.find(what) for known in self._catalogues)

    def template_functions(
        self, names: Sequence[str] = (), mark: Highlighter | None = None
    ) -> dict[str, Callable[..., Markup]]:
        """The functions `_` and `_n` for a Jinja template; what they say is escaped, but values that are `Markup`.

        >>> phrases = Words("en").template_functions()
        >>> phrases["_"]("Read {page}.", page=Markup('<a href="/rules">the rules</a>'))
        Markup('Read <a href="/rules">the rules</a>.')
        >>> phrases["_n"]("{count} table", "{count} tables", 3)
        Markup('3 tables')
        """
        marking = mark or (lambda value, text: text)

        def one(text: str, /, **values: Value) -> Markup:
            return self.say(message(text, **values), names, marking)

        def several(singular: str, plural: str, count: int, /, **values: Value) -> Markup:
            return self.say(messages(singular, plural, count, **values), names, marking)

        return {"_": one, "_n": several}

    def _sentence(self, what: Message, names: Sequence[str]) -> str:
        values = {**what.values, "count": what.count} if what.plural else what.values
        said = ""
        for literal, name in self._translated(what):
            text = self._text(_value(what, values, name), names) if name else ""
            said += self._between(said, literal, text) + text
        return said

    def _marked_sentence(self, what: Message, names: Sequence[str], mark: Highlighter) -> Markup:
        values = {**what.values, "count": what.count} if what.plural else what.values
        said = ""
        for literal, name in self._translated(what):
            marked = self._marked(_value(what, values, name), names, mark) if name else Markup()
            said += _escaped(self._between(said, literal, marked)) + str(marked)
        return Markup(said)  # noqa: S704  # every part of it is escaped

    def _between(self, said: str, literal: str, text: str) -> str:
        """What stands between two values: no second full stop, and in the form that the next one asks for."""
        if literal.startswith(".") and re.search(r"\.(</\w+>)*$", said):  # what is said may be marked
            literal = literal[1:]
        return elide(literal, text) if self.language == "fr" and ends_with_elidable_word(literal) else literal

    def _marked(self, value: Value, names: Sequence[str], mark: Highlighter) -> Markup:
        if isinstance(value, Message):
            return escape(mark(value, self._marked_sentence(value, names, mark)))
        return escape(mark(value, escape(self._text(value, names))))

    def _text(self, value: Value, names: Sequence[str]) -> str:
        if isinstance(value, str):
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
        return str(value) if -1000 < value < 1000 else format_decimal(value, locale=self.language)

    def _translated(self, what: Message) -> Sequence[tuple[str, str]]:
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


def _value(what: Message, values: Mapping[str, Value], name: str) -> Value:
    try:
        return values[name]
    except KeyError:
        raise WordsError(f"no value for {{{name}}} in {what.text!r}") from None


class _Catalogue:
    """The translations in one .po file. Entries marked fuzzy are left out: nobody has confirmed them."""

    def __init__(self, file: Path) -> None:
        try:
            with file.open("rb") as opened:
                catalogue = read_po(opened, abort_invalid=True)
            self._form: Callable[[int], int] = gettext.c2py(catalogue.plural_expr)
        except (PoFileError, ValueError) as problem:
            raise WordsError(f"{file}: {problem}") from problem
        tied: Callable[[str], str] = _tied_signs if file.stem == "fr" else str
        self._one: dict[str, str] = {}
        self._several: dict[tuple[str, str], tuple[str, ...]] = {}
        for entry in catalogue:
            if not entry.id or entry.fuzzy or not entry.string:
                continue
            if isinstance(entry.id, str):
                self._one[entry.id] = tied(str(entry.string))
            else:
                self._several[entry.id[0], entry.id[1]] = tuple(map(tied, entry.string))

    def find(self, what: Message) -> str:
        """The translated sentence, "" where there is none."""
        if not what.plural:
            return self._one.get(what.text, "")
        forms = self._several.get((what.text, what.plural))
        return forms[self._form(abs(what.count))] if forms else ""


@lru_cache(maxsize=4096)
def _tied_signs(text: str) -> str:
    """French as it is set: no line begins with a colon, or ends on an opening quotation mark."""
    return re.sub(r" (?=[:;?!»%])|(?<=«) ", "\N{NO-BREAK SPACE}", text)


@lru_cache(maxsize=64)
def _read(file: Path, changed: int) -> _Catalogue:
    """The catalogue of a file; `changed`, its time stamp, makes an edited file a new entry of the cache."""
    return _Catalogue(file)


_PLAIN = "abcdefghijklmnopqrstuvwxyzACDEFGHIJKLNORSTUWYZ"
_ACCENTED = "åƀçðéƒĝĥïĵķļɱñöþǫřšţûṽŵẋýžÅÇÐÉƑĜĤÏĴĶĻÑÖŘŠŢÛŴÝŽ"
_LETTERS: Final = str.maketrans(_PLAIN, _ACCENTED)


def _pseudo_letters(text: str) -> str:
    return text.translate(_LETTERS)


def _pseudo_text(text: str) -> str:
    return f"[!! {_pseudo_letters(text)} !!]"
