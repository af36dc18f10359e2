"""Check that tests do not quote the English sentences of the catalogues."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.paths import ROOT
from tests.sentences import PACKAGE, sentence_after, template_after

TESTS = ROOT / "tests"
PLACEHOLDER = re.compile(r"\{\w+\}")
OWN_SENTENCES = ("message", "messages", "sentence", "sentences")
"""The functions whose arguments are sentences of a test itself."""
LOOK_UPS = ("sentence_after", "template_after")


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W\d_][\w’']*", PLACEHOLDER.sub("", text))


@cache
def catalogue() -> list[str]:
    """Return all English sentences of three words or more, or with a full stop."""
    files = (BytesIO(file.read_bytes()) for file in sorted(PACKAGE.rglob("locale/de.po")))
    entries = (entry.id for file in files for entry in read_po(file))
    texts = {text for entry in entries for text in ([entry] if isinstance(entry, str) else entry) if text}
    return sorted(text for text in texts if len(words_of(text)) >= 3 or (text.endswith(".") and words_of(text)))


@cache
def patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Return each sentence of the catalogue as its longest part without a value and a pattern.

    A value has at most five words. A sentence of a single word matches only a whole literal.
    """
    found_patterns = []
    for text in catalogue():
        parts = PLACEHOLDER.split(text)
        pattern = r"\S+(?: \S+){0,4}?".join(map(re.escape, parts))
        word_pattern = rf"(?<!\w){pattern}(?!\w)" if len(words_of(text)) > 1 else rf"\A{pattern}\Z"
        found_patterns.append((max(parts, key=len), re.compile(word_pattern)))
    return found_patterns


def quoted(text: str) -> str:
    """Return a catalogue sentence that a literal quotes, whole or three words of it, or ""."""
    if " " not in text:
        return ""
    for part, pattern in patterns():
        if part in text and (match := pattern.search(text)):
            return match[0]
    part = text.strip()
    return part if len(words_of(part)) >= 3 and any(part in sentence for sentence in catalogue()) else ""


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the lines and the texts of all literals, but for docstrings and sentences of the test itself. The values in
    an f-string count as one word.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OWN_SENTENCES:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        else:
            yield from literals(node)


def quotes(file: Path) -> list[str]:
    return [
        f"{file.relative_to(TESTS)}:{line}: {sentence}"
        for line, text in literals(ast.parse(file.read_text(encoding="utf-8")))
        if (sentence := quoted(text))
    ]


def find_sentence_lookups(tree: ast.Module) -> Iterator[tuple[str, ...]]:
    """Yield the arguments of each call that looks up a sentence, where all are literals or constants."""
    constants: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Tuple):
            (target,) = node.targets
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            for name, value in zip(names, values, strict=False):
                if isinstance(name, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                    constants[name.id] = value.value
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in LOOK_UPS:
            words = [
                arg.value
                if isinstance(arg, ast.Constant)
                else constants.get(arg.id)
                if isinstance(arg, ast.Name)
                else None
                for arg in call.args
            ]
            spoken_words = tuple(word for word in words if isinstance(word, str))
            if len(spoken_words) == len(words):
                yield spoken_words


@pytest.mark.tools
def test_every_sentence_looked_up_by_a_test_exists() -> None:
    files = sorted(set(TESTS.rglob("*.py")) - {Path(__file__)})
    places = {
        place: file for file in files for place in find_sentence_lookups(ast.parse(file.read_text(encoding="utf-8")))
    }
    faults = []
    for place, file in places.items():
        try:
            template_after(*place)
        except (AssertionError, ValueError, OSError) as fault:
            faults.append(f"{file.relative_to(TESTS)}: {place}: {fault}")
    assert "\n".join(faults) == ""
    assert len(places) > 100


@pytest.mark.tools
def test_tests_quote_no_sentence_of_the_catalogues() -> None:
    assert [quote for file in sorted(TESTS.rglob("*.py")) for quote in quotes(file)] == []


@pytest.mark.tools
def test_the_check_finds_sentences_quoted_whole_in_part_or_with_values() -> None:
    question = sentence_after("web/templates/move_preview_text.html", 'id="preview-title"')
    assert quoted(f"<h3>{question}</h3>") == question
    refusal = sentence_after("web/http/errors.py", "def form_limit", count=8)
    assert quoted(f"413: {refusal}") == refusal
    assert quoted(refusal.partition(":")[0]) == refusal.partition(":")[0]
    assert quoted("Ada opens a table for her friends") == quoted("data-place") == ""


@pytest.mark.tools
def test_sentences_created_by_a_test_are_not_reported_as_quotes() -> None:
    code = '"""A docstring."""\nsentence("One of its own.")\nassert f"One {more}." == "Two."'
    assert list(literals(ast.parse(code))) == [(3, "One X."), (3, "Two.")]


def test_a_sentence_and_its_plural_are_looked_up_after_a_code_anchor() -> None:
    first_text, two = (
        sentence_after("web/templates/lobby_live.html", 'id="my-turn-title"', count=count) for count in (1, 2)
    )
    assert (first_text[:2], two[:2]) == ("1 ", "2 ")
    with pytest.raises(AssertionError, match="2 times"):
        sentence_after("web/templates/lobby_live.html", "my-turn-title")
