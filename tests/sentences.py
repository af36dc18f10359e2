"""Look a sentence up by the place in the program that says it, so that a test need not quote it.

Use it where a test is about the sentence itself, or where a page has nothing else to find it by. Elsewhere assert on
the code of a refusal, on a role, on a `name`, or on a `data-` attribute.
"""

import ast
import re
from functools import cache
from pathlib import Path

import spieltisch
from spieltisch.core.words import Sentence, Value

PACKAGE = Path(spieltisch.__file__).parent
LITERALS = r"""(?:\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))+"""
CALL = re.compile(
    rf"\b(?:(?:message|sentence|_)\((?P<only>{LITERALS})"
    rf"|(?:messages|sentences|_n)\((?P<singular>{LITERALS}),(?P<plural>{LITERALS}))"
)
"""A call with a sentence, in Python or in a template, as `scripts/catalogues` extracts it."""


def sentence_after(source: str, *code: str, **values: Value) -> str:
    """Return the first English sentence from `code` on in a file of the program, filled with `values`.

    `source` is a path below `src/spieltisch`. The first piece of `code` must be there exactly once; others are looked
    for one after the other from there on. Where a sentence has a plural, the value `count` chooses the form.

    >>> sentence_after("web/http/errors.py", "def form_limit", count=8)
    'Too much data: the limit is 8 kB.'
    """
    return str(template_after(source, *code).fill(values))


@cache
def template_after(source: str, *code: str) -> Sentence:
    """Return the first sentence from `code` on, without values."""
    text = (PACKAGE / source).read_text(encoding="utf-8")
    assert text.count(code[0]) == 1, f"{source} has {code[0]!r} {text.count(code[0])} times"
    end = 0
    for piece in code:
        start = text.index(piece, end)
        end = start + len(piece)
    call = CALL.search(text, start)
    assert call, f"{source} has no sentence after {code}"
    return Sentence(*(ast.literal_eval(f"({literal})") for literal in call.groups() if literal))
