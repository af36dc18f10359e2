"""Check that the examples about environments in the documentation run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
EXAMPLES = [
    (page.name, number, block)
    for page in PAGES
    for number, block in enumerate(re.findall(r"^```py\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S), 1)
]


@pytest.mark.parametrize(("page", "number", "block"), EXAMPLES, ids=[f"{page}-{n}" for page, n, _ in EXAMPLES])
def test_the_examples_in_the_documentation_of_environments_run(page: str, number: int, block: str) -> None:
    exec(compile(block, f"{page}, example {number}", "exec"), {"__name__": "example"})  # noqa: S102  # our own page
