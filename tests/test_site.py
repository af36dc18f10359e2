"""The documentation site has all that is public, and pictures as the code draws them. `.ci/run` builds it."""

import re
import subprocess
import sys
from pathlib import Path

from tests.test_public_api import LISTED

ROOT = Path(__file__).parent.parent


def test_the_reference_has_every_public_name() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "reference").glob("*.md"))
    shown = re.findall(r"^::: ([\w.]+)$", pages, re.M)
    assert sorted(shown) == sorted(f"{module}.{name}" for module, names in LISTED.items() for name in names)


def test_the_pictures_are_those_that_the_code_draws(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "scripts" / "make_pictures", tmp_path], check=True)
    drawn = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert drawn == {file.name: file.read_bytes() for file in (ROOT / "docs" / "pictures").iterdir()}
