"""An extension of Griffe: examples in docstrings, which begin with ">>> ", become blocks of code.

Markdown would take them for quotations. MkDocs imports this file (see mkdocs.yml).
"""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)(?:\n+(?=>>> )^>>> .*\n?(?:^(?!\s*$).*\n?)*)*", re.MULTILINE)
"""Lines from ">>> " up to an empty one; examples that follow each other are one block."""


class Examples(griffe.Extension):
    """Puts examples into fences."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the examples of one docstring."""
        if obj.docstring:
            fenced = EXAMPLE.sub(lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", obj.docstring.value)
            obj.docstring.value = fenced
