"""Check the panel of a player who waits for others, or reads the chat before deciding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.web.clicked_tables import TABLES
from tests.web.conftest import Person, wait_for_true
from tests.web.layout_checks import draws
from tests.web.prepared_tables import Layout
from tests.web.servers import Server
from tests.web.table_moves import waits_for
from tests.web.table_without_server import TableWithoutServer
from tests.web.visitors import Visitor, let_in

pytestmark = pytest.mark.browser

LAPTOP: Final[ViewportSize] = {"width": 1366, "height": 650}
CHOICES_IN_SIGHT: Final = """() => {
  const prompt = document.getElementById("prompt").getBoundingClientRect();
  const foot = document.getElementById("prompt-foot").getBoundingClientRect().top;
  return [...document.querySelectorAll("#choices .choice:not(.blocked-choice)")].filter((choice) => {
    const { top, bottom } = choice.getBoundingClientRect();
    return top >= prompt.top && bottom <= foot + 1;
  }).length;
}"""


def table_at_which_the_second_waits(ada: Visitor, grace: Visitor, game: str) -> str:
    """Open tables until Ada is to decide before Grace: who begins is drawn."""
    seat = 1
    while seat != 0:
        path = ada.table("me", "open", "bot:random", game=game)
        assert grace.sit(path, "Grace").status_code == 303
        seat = waits_for(ada, path, 0, 1)["to_decide"]
    return path


@pytest.mark.parametrize("game", ["era-of-inventions", "legendary-inventors", "paris-connection"])
def test_who_waits_has_the_log_in_sight_and_links_apart_from_buttons(
    server: Server, open_page: Person, game: str
) -> None:
    with Visitor(server) as ada, Visitor(server) as grace:
        path = table_at_which_the_second_waits(ada, grace, game)
        page = open_page(locale="en", viewport=LAPTOP)
        let_in(page.context, grace)
    page.goto(server.address + path)
    link = page.locator("#prompt .fine-print a").last
    expect(link).to_be_visible()
    draws(page)
    button, below = page.locator("#plan-link").bounding_box(), link.bounding_box()
    foot, log = page.locator("#prompt-foot").bounding_box(), page.locator("#log-panel .log").bounding_box()
    assert button is not None
    assert below is not None
    assert foot is not None
    assert log is not None
    assert button["height"] < 40
    assert below["y"] - button["y"] - button["height"] >= 4
    assert foot["y"] - below["y"] - below["height"] >= 4
    assert log["height"] > 190


def test_some_choices_stay_in_sight_while_the_chat_is_open(
    without_server: Callable[[Layout], TableWithoutServer],
) -> None:
    page = without_server(TABLES["send"]).page
    page.set_viewport_size(LAPTOP)
    page.locator("#log-button").click()
    wait_for_true(page, "() => document.documentElement.hasAttribute('data-is-log-open')")
    draws(page)
    assert page.evaluate(CHOICES_IN_SIGHT) >= 2
