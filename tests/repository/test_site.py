"""Check the documentation site: all public names, and pictures that match the code; `.ci/run` builds it."""

import base64
import re
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from pkgutil import resolve_name
from statistics import fmean

import pytest
from playwright.sync_api import Browser

from spieltisch.games import GAMES
from tests.paths import ROOT
from tests.repository.public_names import LISTED

pytestmark = pytest.mark.tools

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


def test_the_reference_documents_every_public_name() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "reference").glob("*.md"))
    documented_names = re.findall(r"^::: ([\w.]+)$", pages, re.M)
    public = {f"{module}.{name}": resolve_name(f"{module}:{name}") for module in LISTED for name in LISTED[module]}
    assert [name for name in documented_names if name not in public] == []
    assert len(documented_names) == len({*documented_names})
    shown_ids = {id(public[name]) for name in documented_names}  # some modules share what they export
    not_shown = [name for name, item in public.items() if id(item) not in shown_ids]
    assert [name for name in not_shown if f"`{name.rpartition('.')[2]}`" not in pages] == []
    assert [name for name in not_shown if callable(public[name])] == [], "only constants are left to the text"


def drawn(folder: Path, *options: str) -> Path:
    """Run the script that writes the pictures into a folder."""
    subprocess.run([sys.executable, ROOT / "scripts" / "make_pictures", folder, *options], check=True)
    return folder


def test_drawn_figures_of_the_docs_match_the_code(tmp_path: Path) -> None:
    shown_figures, expected = (
        {file.name: file.read_bytes() for file in folder.glob("*.svg")} for folder in (PICTURES, drawn(tmp_path))
    )
    assert shown_figures == expected


def test_the_readme_has_a_small_picture_of_each_table_in_each_theme() -> None:
    files = [PICTURES / f"{key}-{theme}.webp" for key in GAMES for theme in ("light", "dark")]
    assert sorted(PICTURES.glob("*.webp")) == sorted(files)
    assert sum(file.stat().st_size for file in files) < 300_000
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [file.name for file in files if f"docs/pictures/{file.name}" not in readme] == []


@pytest.mark.screens
def test_tables_match_their_pictures_in_the_docs(tmp_path: Path, chromium: Browser) -> None:
    """Pictures are compared at 40 by 24 pixels, so that another version of Chromium makes no difference."""
    page = chromium.new_page()
    points = {
        (name, folder): page.evaluate(POINTS, base64.b64encode((folder / name).read_bytes()).decode())
        for folder in (PICTURES, drawn(tmp_path, "--tables"))
        for name in (file.name for file in PICTURES.glob("*.webp"))
    }

    def difference(first_picture: tuple[str, Path], other_picture: tuple[str, Path]) -> float:
        return fmean(abs(a - b) for a, b in zip(points[first_picture], points[other_picture], strict=True))

    names = sorted({name for name, _ in points})
    assert [name for name in names if difference((name, PICTURES), (name, tmp_path)) > ALIKE] == []
    assert (
        min(
            difference((first_picture, PICTURES), (other_picture, tmp_path))
            for first_picture, other_picture in permutations(names, 2)
        )
        > ALIKE
    )
