"""Check that displayed texts and documentation contain no retired words and use each language's punctuation."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main
from babel.messages.pofile import read_po

from spieltisch.cli import app
from spieltisch.core.words import LANGUAGES
from tests.paths import ROOT

PACKAGE = ROOT / "src" / "spieltisch"
EXCEPTIONS = "language | word | allowed in | because"
GLOSSARY = (ROOT / "docs" / "translation.md").read_text(encoding="utf-8")


DOCUMENTATION = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]


class Text(NamedTuple):
    """A displayed text with its language and place."""

    place: str
    language: str
    text: str


def table(head: str) -> list[list[str]]:
    """Return the rows of the glossary table with this head."""
    rows = re.search(rf"^\| {re.escape(head)} \|\n\|[-|]+\|\n((?:\|.*\n?)+)", GLOSSARY, re.MULTILINE)
    assert rows, head
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[1].splitlines()]


def retired() -> dict[tuple[str, str], re.Pattern[str]]:
    """Return the retired words as patterns, by language and spelling."""
    return {
        (language, word): re.compile(r"(?<!\w)" + re.escape(word).replace("…", r"\w*") + r"(?!\w)", re.IGNORECASE)
        for language, words, _ in table("language | retired | say")
        for word in words.split(", ")
    }


def four_languages(value: Any) -> Iterator[tuple[str, str]]:
    """Yield the texts of a parsed file that contains all languages side by side."""
    if isinstance(value, dict) and set(LANGUAGES) <= set(value):
        yield from ((language, value[language]) for language in LANGUAGES)
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from four_languages(inner)


def help_texts(command: Any) -> Iterator[str]:
    """Return the `--help` texts of a command, its options and its subcommands."""
    yield from (
        text for text in (command.help, *(getattr(parameter, "help", None) for parameter in command.params)) if text
    )
    for inner in getattr(command, "commands", {}).values():
        yield from help_texts(inner)


def catalogue_texts(file: Path) -> Iterator[Text]:
    place = file.parent.relative_to(PACKAGE).as_posix()
    with file.open("rb") as stream:
        for entry in read_po(stream):
            for language, forms in (("en", entry.id), (file.stem, entry.string)):
                for text in (forms,) if isinstance(forms, str) else forms or ():
                    yield Text(place, language, text)


def all_texts() -> Iterator[Text]:
    for file in sorted(PACKAGE.rglob("locale/*.po")):
        yield from catalogue_texts(file)
    for file in sorted(PACKAGE.glob("games/*/pages/*.md")):
        yield Text(file.relative_to(PACKAGE).as_posix(), file.suffixes[0][1:], file.read_text(encoding="utf-8"))
    for file in sorted((*PACKAGE.glob("games/*/guide/*.toml"), *PACKAGE.glob("games/*/examples/*.toml"))):
        place = file.relative_to(PACKAGE).as_posix()
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        yield from (Text(place, language, text) for language, text in four_languages(content))
    for file in DOCUMENTATION:
        text = file.read_text(encoding="utf-8").partition("\n### Retired words\n")[0]
        prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
        yield Text(file.relative_to(ROOT).as_posix(), "en", prose)
    yield from (Text("--help", "en", text) for text in help_texts(typer.main.get_command(app)))


def exceptions() -> list[tuple[str, str, str, str]]:
    """Return the language, word, place and reason of each exception."""
    return [
        (language, word, place.strip("`"), reason)
        for language, word, places, reason in table(EXCEPTIONS)
        for place in places.split(", ")
    ]


def retired_in(texts: list[Text]) -> list[str]:
    """Return the retired words in some texts, without the exceptions."""
    allowed = {exception[:3] for exception in exceptions()}
    return [
        f"{text.place} ({text.language}): {word!r} in {text.text[max(0, match.start() - 30) : match.end() + 30]!r}"
        for (language, word), pattern in retired().items()
        for text in texts
        if text.language == language and (language, word, text.place) not in allowed
        for match in pattern.finditer(text.text)
    ]


def test_no_text_contains_a_retired_word() -> None:
    assert retired_in(list(all_texts())) == []


def test_the_check_for_retired_words_searches_texts_of_every_kind_and_language() -> None:
    texts = list(all_texts())
    for place in ("locale", "games/paris_connection/locale", "games/era_of_inventions/guide/guide.toml"):
        assert {text.language for text in texts if text.place == place} == set(LANGUAGES)
    for page in ("rules", "card"):
        assert {text.language for text in texts if f"/pages/{page}." in text.place} == set(LANGUAGES)
    assert any("/examples/" in text.place for text in texts)
    assert sum(text.place == "--help" for text in texts) > 80
    assert {"README.md", "docs/playing.md", "docs/tutorials/own-bot.md"} <= {text.place for text in texts}


def test_french_pages_have_no_breaking_space_before_punctuation() -> None:
    # Messages and lessons are tied when they are read (`Words`, `Name.text`); pages are shown as they are written.
    pages = [text for text in all_texts() if text.language == "fr" and "/pages/" in text.place]
    assert [page.place for page in pages if re.search(" [;:?!%»]|« ", page.text)] == []
    assert pages


def test_displayed_texts_contain_no_straight_quotes_or_apostrophes() -> None:
    typed = {"--help", *(file.relative_to(ROOT).as_posix() for file in DOCUMENTATION)}
    straight = [text for text in all_texts() if text.place not in typed and re.search("[\"']", text.text)]
    assert straight == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Everybody may look on"),
        ("en", "In percent of the trial games"),
        ("de", "Sag mir Bescheid, wenn ich am Zug bin"),
        ("de", "{field}: wie viele Würfel?"),
        ("fr", "Énigme du {day}"),
        ("fr", "Contre des robots"),
        ("nl", "Volgens de zoekmachine"),
        ("nl", "Hoe sterk? Genadeloos."),
    ],
)
def test_the_check_finds_a_retired_word(language: str, text: str) -> None:
    assert retired_in([Text("locale", language, text)]) != []
    assert retired_in([Text("locale", language, "Ratings 100, Zugriff, marché, raadsel")]) == []


def test_every_exception_from_the_retired_words_is_used() -> None:
    texts = list(all_texts())
    for language, word, place, reason in exceptions():
        assert reason
        assert any(
            retired()[language, word].search(text.text)
            for text in texts
            if (text.place, text.language) == (place, language)
        ), (word, place)
