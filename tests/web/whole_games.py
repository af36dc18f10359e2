"""Games played to their end by people in browsers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from playwright.sync_api import Page

from tests.web.conftest import SECONDS, Server

T = TypeVar("T")
NARROWEST_DESK = 832
"""Pixels; what is narrower is laid out for a phone."""

LOOK = """() => {
  const found = document.querySelector("#live.finished, #people .deciding");
  return [document.getElementById("live").dataset.version, found ? found.id : ""];
}"""
"""Both at one moment: a bot may move between two looks."""

OPEN = """() => {
  document.documentElement.toggleAttribute('data-unrolled', false);
  for (const button of document.querySelectorAll('.unfold[aria-expanded=false]:not(#story *)')) button.click();
}"""
"""A script that unfolds the boards on a phone, as their headings do; chat and log would lie over the choices."""


BY_FORM = """(which) => {
  const moves = document.querySelectorAll("#tree button");
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
    host.locator("#more > summary").click()
    for number, kind in enumerate(seats):
        host.select_option(f"#seat-{number}", kind)
    host.locator("form.form .primary").click()
    host.wait_for_url("**/table/*")
    return [server.address + (link.get_attribute("href") or "") for link in host.locator("#seat-links .invite a").all()]


def unroll(page: Page) -> None:
    """The whole prompt, as its button shows it on a phone, where it lies over the boards then."""
    page.evaluate("document.documentElement.toggleAttribute('data-unrolled', true)")


def comes(page: Page, selector: str) -> None:
    """Wait until there is such a part: looked for whenever the page changes, while `expect` looks ten times a second
    and less.
    """
    page.evaluate(COMES, selector)


def moved(before: str) -> str:
    """Return a selector of what appears as soon as a table is no longer at this version."""
    return f'#live:not([data-version="{before}"])'


def by_form(page: Page, chance: Random) -> str:
    """Play one move without choosing its words. Return the text shown before it was confirmed."""
    before = version(page)
    page.evaluate(BY_FORM, chance.randrange(1_000_000))
    return finish(page, before)


def finish(page: Page, before: str) -> str:
    """Confirm the end of the turn. Return the text shown before."""
    comes(page, f"#confirm, {moved(before)}")
    notice, confirm = "", page.locator("#confirm")
    if confirm.count():
        notice = page.locator("#notice").inner_text()
        confirm.click()
    comes(page, moved(before))
    return notice


def version(page: Page) -> str:
    return page.locator("#live").get_attribute("data-version") or ""


def play(pages: Sequence[Page], decide: Callable[[Page], T]) -> dict[int, T]:
    """Play until the game is over; `pages` are the people's, by seat, all other seats are bots'. `decide` plays a move
    on the page of who is to decide. Answers what it answered, by the version of the table that was decided on. People
    have chosen to see moves at once: how they are shown has tests of its own, and a game has hundreds.
    """
    for page in pages:
        page.evaluate("document.documentElement.dataset.pace = 'still'")
    host, decisions = pages[0], dict[int, T]()
    while True:
        seen, deciding = host.evaluate(LOOK)
        if deciding == "live":
            return decisions
        seat = int(deciding.removeprefix("seat-"))
        if seat < len(pages):
            comes(pages[seat], f'#live[data-version="{seen}"] #choices')
            if (pages[seat].viewport_size or {"width": 0})["width"] < NARROWEST_DESK:
                pages[seat].evaluate(OPEN)
            decisions[int(seen)] = decide(pages[seat])
        comes(host, moved(seen))
