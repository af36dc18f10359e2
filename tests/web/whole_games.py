"""Games played to their end by people in browsers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from playwright.sync_api import Page, expect

from tests.web.conftest import SECONDS

T = TypeVar("T")

LOOK = """() => {
  const found = document.querySelector("#live.finished, #people .deciding");
  return [document.getElementById("live").dataset.version, found ? found.id : ""];
}"""
"""Both at one moment: a bot may move between two looks."""


def version(page: Page) -> str:
    return page.locator("#live").get_attribute("data-version") or ""


def play(pages: Sequence[Page], decide: Callable[[Page], T]) -> dict[int, T]:
    """Play until the game is over; `pages` are the people's, by seat, all other seats are bots'. `decide` plays a move
    on the page of who is to decide. Answers what it answered, by the version of the table that was decided on. People
    have chosen to see moves at once: how they are shown has tests of its own, and a game has hundreds.
    """
    for page in pages:
        page.evaluate("document.documentElement.dataset.pace = 'still'")
    host, said = pages[0], dict[int, T]()
    while True:
        seen, deciding = host.evaluate(LOOK)
        if deciding == "live":
            return said
        seat = int(deciding.removeprefix("seat-"))
        if seat < len(pages):
            expect(pages[seat].locator(f'#live[data-version="{seen}"] #choices')).to_be_attached(timeout=SECONDS)
            said[int(seen)] = decide(pages[seat])
        expect(host.locator(f'#live:not([data-version="{seen}"])')).to_be_attached(timeout=SECONDS)
