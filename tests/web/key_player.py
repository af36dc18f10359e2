"""A person who has keys alone: what they press, what has the focus, and whether they see that."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from playwright.sync_api import Locator, Page

from tests.web.conftest import SECONDS, Server
from tests.web.layout_checks import draws
from tests.web.whole_games import comes, moved, version

FOCUSED: Final = """() => {
  const now = document.activeElement;
  const text = now.getAttribute('aria-label') ?? now.labels?.[0]?.innerText ?? now.innerText ?? '';
  return text.replace(/\\s+/g, ' ').trim();
}"""
"""A script that returns the accessible name of the focused element, which a screen reader says first."""

FIRST: Final = "#choices .choice:not(.blocked)"
"""The selector of the choice that has the focus when a choice is to be made."""

ASKED: Final = f"""(selector) => new Promise((so, late) => {{
  const end = performance.now() + {SECONDS};
  const look = () => {{
    if (document.querySelector('#live.finished')) return so('');
    const wanted = document.querySelector(`${{selector}} #confirm`) ?? document.querySelector(`${{selector}} {FIRST}`);
    const isFree = wanted && wanted === document.activeElement && !document.querySelector('[aria-busy]');
    if (isFree) return so(wanted.id || 'choice');
    if (performance.now() < end) return setTimeout(look, 5);
    const [now, due] = [document.activeElement, wanted].map((one) => one?.outerHTML.slice(0, 200));
    late(new Error(`focused is ${{now}}, not ${{due}}`));
  }};
  look();
}})"""
"""Wait until the first choice or the button that confirms has the focus; return its id, "" when the game is over."""

HIDDEN_RING: Final = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one), box = one.getBoundingClientRect(), text = one.outerHTML.slice(0, 120);
  if (style.outlineStyle === 'none' && !(parseFloat(style.strokeWidth) > 4)) return `no ring: ${text}`;
  const wide = Math.max(0, parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset));
  const ring = [box.left - wide, box.top - wide, -box.right - wide, -box.bottom - wide];
  const isCut = (room) => ring.some((side, n) => side < room[n] - 1);
  const parts = [];
  for (let part = one.parentElement; part; part = part.parentElement) {
    if (part !== document.body && getComputedStyle(part).overflow !== 'visible') parts.push(part);
  }
  for (const part of parts) {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    if (isCut([left, top, -right, -bottom])) return `cut by ${part.id || part.className}: ${text}`;
  }
  if (isCut([0, 0, -innerWidth, -innerHeight])) return `cut by the window: ${text}`;
  for (const x of [box.left + 2, box.right - 2]) for (const y of [box.top + 2, box.bottom - 2]) {
    const top = document.elementFromPoint(x, y);
    if (top && !one.contains(top) && !top.contains(one)) return `behind ${top.outerHTML.slice(0, 80)}: ${text}`;
  }
  return '';
}"""
"""A script that says what is wrong with the ring around the focus: cut, unseen or behind something; "" if nothing."""


def choice_of(page: Page, words: str) -> Locator:
    """Return the button of a choice by its words, whatever its name says after them of what it brings."""
    own = r"\s+".join(map(re.escape, words.rstrip(" :\xa0").split()))
    name = re.compile(rf"^{own}[\s:]*( [+−]?\d+)?( – .*)?$")
    return page.locator("#choices").get_by_role("button", name=name)


def reach(page: Page, name: str, key: str = "Tab") -> None:
    """Press Tab until something with this name is focused."""
    focused_names = []
    for _ in range(120):
        if page.evaluate(FOCUSED) == name:
            return
        page.keyboard.press(key)
        focused_names.append(page.evaluate(FOCUSED)[:80])
    raise AssertionError(f"{name!r} is not among {focused_names}")


def open_table(page: Page, server: Server, game: str, bots: int) -> None:
    """Go from the lobby to a table with so many bots that play any move."""
    page.goto(f"{server.address}/")
    reach(page, "New table")
    page.keyboard.press("Enter")
    page.wait_for_url("**/new")
    while page.evaluate("document.activeElement.getAttribute('href')") != f"/new/{game}":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/new/{game}")
    reach(page, "Your name")
    page.keyboard.type("Ada")
    reach(page, "Advanced: seats, bots, options, spectators")
    page.keyboard.press("Enter")
    for seat in range(2, 2 + bots):
        reach(page, f"Seat {seat}")
        page.keyboard.type("Random bot")
    reach(page, "Open the table")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")


def play(page: Page, chance: Random) -> int:
    """Play until the game is over, by digits, arrows and Enter; return the number of moves.

    Whenever something is asked, the first choice has the focus without a key, and its ring is seen.
    """
    page.evaluate("document.documentElement.dataset.pace = 'still'")
    count, before = 0, "-1"
    while page.evaluate(ASKED, moved(before)):
        before = version(page)
        decide(page, chance, before)
        count += 1
    return count


def decide(page: Page, chance: Random, before: str) -> None:
    """Play one move. Of the first nine choices any has its digit, others are reached by arrows; now and then, Escape
    takes a step back first.
    """
    selector = f'#live[data-version="{before}"]'
    while True:
        asked = page.evaluate(ASKED, selector)
        draws(page)  # the prompt may be set tighter before it is drawn
        assert page.evaluate(HIDDEN_RING) == ""
        if page.locator("#confirm, #prompt .back").count() and chance.random() < 0.1:
            page.keyboard.press("Escape")
            continue
        if asked == "confirm":
            page.keyboard.press("Enter")
            comes(page, moved(before))
            return
        choices = page.locator(FIRST).count()
        chosen = chance.randrange(choices)
        if chosen < 9:
            page.keyboard.press(str(chosen + 1))
        else:
            for _ in range(chosen):
                page.keyboard.press("ArrowDown")
            assert page.evaluate(HIDDEN_RING) == ""
            page.keyboard.press("Enter")
        comes(page, f"{moved(before)}, #choices:not([aria-busy])")
        if version(page) != before:
            return
