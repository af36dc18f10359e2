"""Check that the portraits of inventors are seen wherever a page names them, beside their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests.games.legendary_inventors.moments import is_full_last_age, is_start, layout_at
from tests.web.layout_checks import draws
from tests.web.prepared_tables import Layout
from tests.web.table_without_server import TableWithoutServer

pytestmark = pytest.mark.browser
Show = Callable[[Layout], TableWithoutServer]
PORTRAIT: Final = 'svg:has(> use[href^="#icon-inventor-"])'
LAPTOP: Final[ViewportSize] = {"width": 1366, "height": 650}
PAINTED: Final = """(svg) => {
  const { width, height } = svg.querySelector('use').getBoundingClientRect();
  return svg.checkVisibility() && svg.getAttribute('aria-hidden') === 'true' && width > 10 && height > 12;
}"""


def assert_faces(faces: Locator, count: int) -> None:
    """Check that there are so many portraits, all drawn, different and hidden from screen readers."""
    expect(faces).to_have_count(count)
    assert all(face.evaluate(PAINTED) for face in faces.all())
    drawn = faces.locator("use").evaluate_all("all => all.map((one) => one.href.baseVal)")
    assert len(set(drawn)) == count


def test_portraits_are_seen_on_boards_strips_choices_and_in_the_log(without_server: Show) -> None:
    page = without_server(layout_at(3, 0, is_full_last_age)).page
    page.set_viewport_size(LAPTOP)
    draws(page)
    assert_faces(page.locator(f"#panel-own-team .inventor > {PORTRAIT}"), 4)
    assert_faces(page.locator(f"#own-summary .inventor-summary {PORTRAIT}"), 4)
    assert_faces(page.locator(f"#panel-teams .active-inventors {PORTRAIT}"), 8)
    page.locator("#panel-teams .expand-button").first.click()
    assert_faces(page.locator(f"#panel-teams .team.is-open .inventor > {PORTRAIT}"), 4)
    logged = page.locator(f".log-panel .chip > {PORTRAIT}")
    assert logged.last.evaluate(PAINTED)
    page.locator("#choices .choice").first.click()
    chosen = page.locator(f"#choices .choice:not(.blocked-choice) {PORTRAIT}")
    expect(chosen.first).to_be_visible()
    assert_faces(chosen, chosen.count())
    page.set_viewport_size({"width": 1920, "height": 1000})
    draws(page)
    assert_faces(page.locator(f"#panel-teams .inventor > {PORTRAIT}"), 8)


def test_portraits_are_seen_on_the_teams_to_choose_from(without_server: Show) -> None:
    page = without_server(layout_at(3, 3, is_start, teams="choose")).page
    page.set_viewport_size(LAPTOP)
    draws(page)
    assert_faces(page.locator(f"#panel-team-choice .inventor > {PORTRAIT}"), 20)
