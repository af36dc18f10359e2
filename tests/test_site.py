"""The documentation site has all that is public, and pictures as the code draws them. `.ci/run` builds it."""

import base64
import re
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from statistics import fmean

import pytest
from playwright.sync_api import Browser

from spieltisch.games import GAMES
from tests.test_public_api import LISTED

pytestmark = pytest.mark.tools

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
POINTS = """async (picture) => {
  const image = new Image();
  image.src = `data:image/webp;base64,${picture}`;
  await image.decode();
  const context = new OffscreenCanvas(40, 24).getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, 40, 24);
  return [...context.getImageData(0, 0, 40, 24).data];
}"""
"""A script that returns the colours of a picture, reduced to 40 by 24 points."""
ALIKE = 4
"""The greatest mean difference, of 255, between pictures of the same page."""


def test_the_reference_has_every_public_name() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "reference").glob("*.md"))
    shown = re.findall(r"^::: ([\w.]+)$", pages, re.M)
    assert sorted(shown) == sorted(f"{module}.{name}" for module, names in LISTED.items() for name in names)


def drawn(folder: Path, *options: str) -> Path:
    """Let the script write the pictures into a folder."""
    subprocess.run([sys.executable, ROOT / "scripts" / "make_pictures", folder, *options], check=True)
    return folder


def test_the_pictures_are_those_that_the_code_draws(tmp_path: Path) -> None:
    shown, expected = (
        {file.name: file.read_bytes() for file in folder.glob("*.svg")} for folder in (PICTURES, drawn(tmp_path))
    )
    assert shown == expected


def test_the_readme_shows_a_small_picture_of_each_table_in_each_theme() -> None:
    files = [PICTURES / f"{key}-{theme}.webp" for key in GAMES for theme in ("light", "dark")]
    assert sorted(PICTURES.glob("*.webp")) == sorted(files)
    assert sum(file.stat().st_size for file in files) < 300_000
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [file.name for file in files if f"docs/pictures/{file.name}" not in readme] == []


@pytest.mark.screens
def test_the_tables_look_as_in_their_pictures(tmp_path: Path, chromium: Browser) -> None:
    """Reduced to 40 by 24 points, so that another Chromium or another edge of a letter makes no difference."""
    page = chromium.new_page()
    points = {
        (name, folder): page.evaluate(POINTS, base64.b64encode((folder / name).read_bytes()).decode())
        for folder in (PICTURES, drawn(tmp_path, "--tables"))
        for name in (file.name for file in PICTURES.glob("*.webp"))
    }

    def difference(one: tuple[str, Path], other: tuple[str, Path]) -> float:
        return fmean(abs(a - b) for a, b in zip(points[one], points[other], strict=True))

    names = sorted({name for name, _ in points})
    assert [name for name in names if difference((name, PICTURES), (name, tmp_path)) > ALIKE] == []
    assert min(difference((one, PICTURES), (other, tmp_path)) for one, other in permutations(names, 2)) > ALIKE
