"""Check that figures among small capitals are lining figures, since small figures look like letters there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spieltisch.drawing.environment import TEMPLATES
from spieltisch.games import game, game_modules
from spieltisch.web.http.assets import STATIC
from tests.web.conftest import Person
from tests.web.servers import Server

SHEETS = [
    *(STATIC / "css").glob("*.css"),
    *TEMPLATES.glob("*.css"),
    *(file for key in game_modules() for file in (game(key).folder / "templates").glob("*.css")),
]
ADVANCE = """() => ["small-caps", "normal"].map((caps) => {
  const figures = document.createElement("span");
  figures.textContent = "0123456789";
  figures.style.fontVariantCaps = caps;
  document.querySelector("h2").append(figures);
  return figures.getBoundingClientRect().width;
})"""


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda file: f"{file.parent.parent.name}/{file.name}")
def test_style_rules_with_small_capitals_use_lining_and_proportional_figures(sheet: Path) -> None:
    """In this typeface, small capitals replace tabular figures by small ones, but not proportional figures."""
    for rule in re.finditer(r"[^{}]+\{([^{}]*)\}", sheet.read_text("utf-8")):
        figures = re.search(r"font-variant-numeric:([^;}]*)", rule[1])
        assert figures is None or "lining-nums" in figures[1], rule[0]
        assert "small-caps" not in rule[1] or "proportional-nums" in (figures or "")[1], rule[0]


@pytest.mark.browser
def test_figures_in_a_heading_have_the_same_proportions_as_in_text(server: Server, open_page: Person) -> None:
    page = open_page()
    page.goto(f"{server.address}/")
    small, plain_width = page.evaluate(ADVANCE)
    assert small == plain_width > 0
