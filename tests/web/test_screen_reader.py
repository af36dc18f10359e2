"""Whole games by ear: what Chromium tells a screen reader, its tree of names and the live region, is enough."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.web import key_player
from tests.web.conftest import Person, Server, Visitor
from tests.web.key_player import ASKED
from tests.web.layout_checks import findings
from tests.web.test_keyboard import short
from tests.web.whole_games import comes, moved, version

pytestmark = pytest.mark.browser

HEAR = """addEventListener('DOMContentLoaded', () => {
  const said = document.getElementById('said');
  if (said) new MutationObserver(() => hear(said.textContent)).observe(said, { childList: true });
})"""
"""A script that passes on each announcement of the live region."""

SHOWN = """() => [...document.querySelectorAll('#choices .choice:not(.blocked)')].map((one) => [...one.querySelectorAll(
    '.label, .gain, .note')].filter((part) => part.checkVisibility()).map((part) => part.textContent
    .replace(/ …\\s*$/, '').replace(/\\s+/g, ' ').trim()))"""
"""A script that returns what is seen on each choice: its words, what it gains, its effect."""

WHOLE = "() => [...document.querySelectorAll('#tree button')].map((one) => one.getAttribute('aria-label'))"
"""A script that returns the words of all moves."""

LINES = """() => [...document.querySelectorAll('.log.whole > li')].map((line) => {
  line.querySelector('time').remove();
  return line.textContent.replace(/\\s+/g, ' ').trim();
})"""

STATUS = re.compile(
    r"( |It’s your turn\.|Your choice\.|\w+ (is thinking|to choose|to move)\.|(You|\w+(, \w+)*( and \w+)?) won[.!])*"
)
"""The sentence about the next decision, which is announced after the moves."""


def plain(text: str) -> str:
    return " ".join(text.split())


class Listener:
    """A person at a table who hears it. `heard` are the announcements."""

    def __init__(self, page: Page) -> None:
        self.heard: list[str] = []
        self.page = page
        page.expose_function("hear", lambda text: self.heard.append(text))
        page.add_init_script(HEAR)
        self.tree = page.context.new_cdp_session(page)

    def names(self) -> list[str]:
        """Return the names of the choices in Chromium's accessibility tree."""
        root = self.tree.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        box = self.tree.send("DOM.querySelector", {"nodeId": root, "selector": "#choices .options, #choices"})["nodeId"]
        nodes = self.tree.send("Accessibility.queryAXTree", {"nodeId": box, "role": "button"})["nodes"]
        switches = [node for node in nodes if any(part["name"] == "pressed" for part in node.get("properties", []))]
        names = [plain(node["name"]["value"]) for node in nodes if not node["ignored"] and node not in switches]
        return [name for name in names if "(not possible – why?)" not in name and name not in ("Undo", "Hint")]

    def decide(self, chance: Random, before: str) -> None:
        """Play one move by the names of the choices, each of which tells all that is seen there, and is the only one
        with this name.
        """
        page = self.page
        while page.evaluate(ASKED, f'#live[data-version="{before}"]') != "confirm":
            names, shown = self.names(), page.evaluate(SHOWN)
            assert len(set(names)) == len(names) == len(shown), names
            for name, texts in zip(names, shown, strict=True):
                assert [text for text in texts if plain(text).rstrip(" :") not in name] == [], name
            name = chance.choice(names)
            if "leaf" in (page.get_by_role("button", name=name, exact=True).get_attribute("class") or ""):
                assert any(name.startswith(plain(words)) for words in page.evaluate(WHOLE)), name
            page.get_by_role("button", name=name, exact=True).press("Enter")
            comes(page, f"{moved(before)}, #choices:not([aria-busy])")
            if version(page) != before:
                return
        confirm = page.get_by_role("button", name="Confirm", exact=True)
        expect(confirm).to_have_accessible_description(re.compile(r"\w"))
        confirm.press("Enter")
        comes(page, moved(before))

    def play(self, chance: Random, maximum: int = 1_000) -> int:
        """Play until the game is over or something is asked after so many moves; return their number."""
        self.page.evaluate("document.documentElement.dataset.pace = 'still'")
        count, before = 0, "-1"
        while self.page.evaluate(ASKED, moved(before)) and count < maximum:
            before = version(self.page)
            self.decide(chance, before)
            count += 1
        return count


def sits_down(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Sit down").press("Enter")
    expect(page.locator("#choices, #people .deciding").first).to_be_attached()


@pytest.mark.whole_game
@pytest.mark.parametrize("game", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_a_whole_game_by_names_and_announcements(
    person: Person, server: Server, quick_server: Server, grace: Visitor, game: str
) -> None:
    page = person(bypass_csp=True, locale="en", viewport={"width": 1440, "height": 900})
    listener = Listener(page)
    if game == "paris-connection":
        sits_down(page, server.address + short(grace))
    else:
        key_player.open_table(page, quick_server, game, 2 if game == "era-of-inventions" else 1)
    known, address = page.locator("#story > .log > [id^=log-]").count(), page.url
    assert findings(page) == []

    chance = Random(1889)
    assert listener.play(chance, 2) == 2
    boards = page.get_by_role("region", name="Players and boards")
    expect(boards.get_by_role("region").first).to_be_attached()
    for part in boards.get_by_role("region").all():
        expect(part).to_have_accessible_name(re.compile(r"\w"))
    expect(page.get_by_role("group", name="My holdings").get_by_role("listitem").nth(3)).to_be_attached()
    expect(page.get_by_role("list", name="Players", exact=True).locator("[aria-current=true]")).to_have_count(1)

    assert listener.play(chance) > 2
    page.wait_for_url("**/end")
    result = page.get_by_role("region", name="Result", exact=True)
    expect(result.get_by_role("heading", name=re.compile("^Winners?: "))).to_be_visible()
    table = result.get_by_role("table").first
    headers = table.get_by_role("rowheader").or_(table.get_by_role("columnheader"))
    expect(headers.filter(has_text="Ada")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"\w"))

    page.goto(f"{address}/log")
    heard, rest, lines = plain(" ".join(listener.heard)), "", page.evaluate(LINES)
    for line in lines[known:]:
        before, found, heard = heard.partition(line)
        assert found, f"not announced: {line}"
        rest += f"{before} "
    for line in lines[:known]:  # what began the game may have been announced before
        rest = rest.replace(line, "", 1)
    assert STATUS.fullmatch(rest + heard), STATUS.sub("", rest + heard)
