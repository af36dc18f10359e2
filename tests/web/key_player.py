"""Play by keys alone, and check which element has the focus and whether its focus ring is visible."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Final

from playwright.sync_api import Locator, Page

import spieltisch
from tests.sentences import sentence_after
from tests.web.conftest import SECONDS
from tests.web.layout_checks import draws
from tests.web.servers import Server
from tests.web.whole_games import comes, moved, version

FOCUSED: Final = """() => {
  const now = document.activeElement;
  const text = now.getAttribute('aria-label') ?? now.labels?.[0]?.innerText ?? now.innerText ?? '';
  return text.replace(/\\s+/g, ' ').trim();
}"""
"""A script that returns the accessible name of the focused element, which a screen reader says first."""

FIRST: Final = "#choices .choice:not(.blocked-choice)"
"""The selector of the choice that has the focus when a choice is to be made."""

ASKED: Final = f"""(selector) => new Promise((so, late) => {{
  const end = performance.now() + {SECONDS};
  const look = () => {{
    if (document.querySelector('#live-part.status-finished')) return so('');
    const wanted =
      document.querySelector(`${{selector}} #confirm-button`) ?? document.querySelector(`${{selector}} {FIRST}`);
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
    """Return the button of a choice whose accessible name begins with these words."""
    own_words = r"\s+".join(map(re.escape, words.rstrip(" :\xa0").split()))
    name = re.compile(rf"^{own_words}[\s:…]*( [+−]?\d+)?( – .*)?$")
    return page.locator("#choices").get_by_role("button", name=name)


def word_labels(game: str, move: str, seats: int = 3) -> list[str]:
    """Return what the buttons for the words of a move say in English, one after the other."""
    return [str(word.label) for word in spieltisch.game(game).setup(seats).words(move)]


def reach(page: Page, name: str, key: str = "Tab") -> None:
    """Press Tab until something with this accessible name is focused."""
    _press_until_focused(page, f"({FOCUSED})() === {json.dumps(name)}", key)


def reach_element(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab until an element that fits a CSS selector has the focus, and check its accessible name."""
    _press_until_focused(page, f"document.activeElement.matches({json.dumps(selector)})", key)
    assert page.evaluate(FOCUSED), f"{selector} has no name"


def word_questions(game: str, move: str, seats: int = 3) -> list[str]:
    """Return the English questions that the words of a move answer, "" for the question of the prompt."""
    return [str(word.question or "") for word in spieltisch.game(game).setup(seats).words(move)]


def _press_until_focused(page: Page, condition: str, key: str) -> None:
    focused_names = []
    for _ in range(120):
        if page.evaluate(f"() => {condition}"):
            return
        page.keyboard.press(key)
        focused_names.append(page.evaluate(FOCUSED)[:80])
    raise AssertionError(f"{condition} is not true of any of {focused_names}")


def open_table(page: Page, server: Server, game: str, bots: int) -> None:
    """Open a table from the lobby with this number of bots that play any move."""
    page.goto(f"{server.address}/")
    reach_element(page, 'a[href="/new"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**/new")
    while page.evaluate("document.activeElement.getAttribute('href')") != f"/new/{game}":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/new/{game}")
    reach_element(page, "#name")
    page.keyboard.type("Ada")
    reach_element(page, "#table-options > summary")
    page.keyboard.press("Enter")
    random_bot = sentence_after("web/templates/bot_macros.html", "macro bot_name", '"random":')
    for seat in range(1, 1 + bots):
        reach_element(page, f"#seat-{seat}")
        page.keyboard.type(random_bot)
    reach_element(page, "form.form .primary")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")


def play(page: Page, chance: Random) -> int:
    """Play until the game is over, by digits, arrows and Enter; return the number of moves.

    At each decision, check that the first choice has the focus without a key and that its focus ring is visible.
    """
    page.evaluate("document.documentElement.dataset.pace = 'still'")
    count, before = 0, "-1"
    while page.evaluate(ASKED, moved(before)):
        before = version(page)
        decide(page, chance, before)
        count += 1
    return count


def decide(page: Page, chance: Random, before: str) -> None:
    """Play one move by keys.

    The first nine choices are chosen by their digits and all others by arrows; sometimes Escape takes a step back
    first.
    """
    selector = f'#live-part[data-version="{before}"]'
    while True:
        answer_of_page = page.evaluate(ASKED, selector)
        draws(page)  # the prompt may be set tighter before it is drawn
        assert page.evaluate(HIDDEN_RING) == ""
        if page.locator("#confirm-button, #prompt .undo-step").count() and chance.random() < 0.1:
            page.keyboard.press("Escape")
            continue
        if answer_of_page == "confirm-button":
            page.keyboard.press("Enter")
            comes(page, moved(before))
            return
        choices = page.locator(FIRST).count()
        choice_number = chance.randrange(choices)
        if choice_number < 9:
            page.keyboard.press(str(choice_number + 1))
        else:
            for _ in range(choice_number):
                page.keyboard.press("ArrowDown")
            assert page.evaluate(HIDDEN_RING) == ""
            page.keyboard.press("Enter")
        comes(page, f"{moved(before)}, #choices:not([aria-busy])")
        if version(page) != before:
            return
