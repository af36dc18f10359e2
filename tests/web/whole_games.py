"""Play games to their end by people in browsers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from playwright.sync_api import Page

from tests.web.conftest import SECONDS
from tests.web.servers import Server

T = TypeVar("T")
NARROWEST_DESK = 832
"""Pixels; what is narrower is laid out for a phone."""

LOOK = """() => {
  const found = document.querySelector("#live-part.status-finished, #player-list .is-deciding");
  return [document.getElementById("live-part").dataset.version, found ? found.id : ""];
}"""
"""Both at one moment: a bot may move between two looks."""

OPEN = """() => {
  document.documentElement.toggleAttribute('data-is-prompt-expanded', false);
  const collapsed = '.expand-button[aria-expanded=false]:not(#log-panel *)';
  for (const button of document.querySelectorAll(collapsed)) button.click();
}"""
"""A script that unfolds the boards on a phone, as their headings do; chat and log would lie over the choices."""


BY_FORM = """(which) => {
  const moves = document.querySelectorAll("#move-tree button");
  moves[which % moves.length].click();
}"""
"""One of the legal moves, by the form that the page has for it also without a script."""

COMES = f"""(selector) => new Promise((there, late) => {{
  const look = () => {{
    if (!document.querySelector(selector)) return;
    changes.disconnect();
    there();
  }};
  const changes = new MutationObserver(look);
  changes.observe(document, {{ subtree: true, childList: true, attributes: true }});
  setTimeout(() => late(new Error(`it has not come: ${{selector}}`)), {SECONDS});
  look();
}})"""


def opened(host: Page, server: Server, game: str, name: str, *seats: str) -> list[str]:
    """Set up a table with the form; return the links to its open seats."""
    host.goto(f"{server.address}/new/{game}")
    host.fill("#name", name)
    host.locator(f'[name="players"][value="{len(seats)}"]').check()
    host.locator("#table-options > summary").click()
    for number, kind in enumerate(seats):
        host.select_option(f"#seat-{number}", kind)
    host.locator("form.form .primary").click()
    host.wait_for_url("**/table/*")
    return [server.address + (link.get_attribute("href") or "") for link in host.locator("#seat-links .invite a").all()]


def open_prompt(page: Page) -> None:
    """Open the whole prompt by its button on a phone."""
    page.evaluate("document.documentElement.toggleAttribute('data-is-prompt-expanded', true)")


def comes(page: Page, selector: str) -> None:
    """Wait until an element exists, checked at every change of the page, which is faster than `expect`."""
    page.evaluate(COMES, selector)


def moved(before: str) -> str:
    """Return a selector that matches as soon as a table is no longer at this version."""
    return f'#live-part:not([data-version="{before}"])'


def play_by_form(page: Page, chance: Random) -> str:
    """Play one move by the plain form instead of its words. Return the text shown before it was confirmed."""
    before = version(page)
    page.evaluate(BY_FORM, chance.randrange(1_000_000))
    return finish(page, before)


def finish(page: Page, before: str) -> str:
    """Confirm the end of the turn, and return the text shown before."""
    comes(page, f"#confirm-button, {moved(before)}")
    notice, confirm = "", page.locator("#confirm-button")
    if confirm.count():
        notice = page.locator("#notice").inner_text()
        confirm.click()
    comes(page, moved(before))
    return notice


def version(page: Page) -> str:
    return page.locator("#live-part").get_attribute("data-version") or ""


def play(pages: Sequence[Page | None], decide: Callable[[Page], T]) -> dict[int, T]:
    """Play until the game is over; return the answers of `decide` by the version of the table that was decided on.

    `pages` are the pages of people by seat; bots have all other seats, and those with None. `decide` plays a move on
    the page of the deciding player. Moves are shown at once, since a game has hundreds of moves and other tests check
    animations.
    """
    own = [page for page in pages if page]
    for page in own:
        page.evaluate("document.documentElement.dataset.pace = 'still'")
    host, decisions = own[0], dict[int, T]()
    while True:
        look_result, deciding = host.evaluate(LOOK)
        if deciding == "live-part":
            return decisions
        seat = int(deciding.removeprefix("seat-"))
        if mover := pages[seat] if seat < len(pages) else None:
            comes(mover, f'#live-part[data-version="{look_result}"] #choices')
            if (mover.viewport_size or {"width": 0})["width"] < NARROWEST_DESK:
                mover.evaluate(OPEN)
            decisions[int(look_result)] = decide(mover)
        comes(host, moved(look_result))
