"""Check that whole games can be played with Chromium's accessibility tree and live region alone."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.sentences import sentence_after
from tests.web import key_player
from tests.web.conftest import Person
from tests.web.key_player import ASKED
from tests.web.layout_checks import findings
from tests.web.servers import Server
from tests.web.short_games import open_short_game
from tests.web.visitors import Visitor
from tests.web.whole_games import comes, moved, version

NOT_POSSIBLE = sentence_after("web/templates/table_live.html", ') }}" data-blocked-note="')

pytestmark = pytest.mark.browser

HEAR = """addEventListener('DOMContentLoaded', () => {
  const said = document.getElementById('live-region');
  if (said) new MutationObserver(() => hear(said.textContent)).observe(said, { childList: true });
})"""
"""A script that passes on each announcement of the live region."""

SHOWN = """() => [...document.querySelectorAll('#choices .choice:not(.blocked-choice)')].map((one) => [
    ...one.querySelectorAll('.move-label, .points-gain, .note')]
    .filter((part) => part.checkVisibility()).map((part) => (part.title || part.textContent)
    .replace(/ …\\s*$/, '').replace(/\\s+/g, ' ').trim()))"""
"""A script that returns what is seen on each choice: its words, what it gains, its effect, whole or as a title."""

WHOLE = "() => [...document.querySelectorAll('#move-tree button')].map((one) => one.getAttribute('aria-label'))"
"""A script that returns the words of all moves."""

LINES = """() => [...document.querySelectorAll('.log.full-log > li')].map((line) => {
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
    """A person who plays at a table with a screen reader; `heard` are the announcements so far."""

    def __init__(self, page: Page) -> None:
        self.heard: list[str] = []
        self.page = page
        page.expose_function("hear", lambda text: self.heard.append(text))
        page.add_init_script(HEAR)
        self.tree = page.context.new_cdp_session(page)

    def names(self) -> list[str]:
        """Return the names of the choices in Chromium's accessibility tree."""
        root = self.tree.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        selector = "#choices .choice-list, #choices"
        box = self.tree.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        nodes = self.tree.send("Accessibility.queryAXTree", {"nodeId": box, "role": "button"})["nodes"]
        switches = [node for node in nodes if any(part["name"] == "pressed" for part in node.get("properties", []))]
        names = [plain(node["name"]["value"]) for node in nodes if not node["ignored"] and node not in switches]
        return [name for name in names if NOT_POSSIBLE not in name and name not in ("Undo", "Hint")]

    def decide(self, chance: Random, before: str) -> None:
        """Play one move by the names of the choices.

        Check that each name is unique and contains everything shown at the choice.
        """
        page = self.page
        while page.evaluate(ASKED, f'#live-part[data-version="{before}"]') != "confirm-button":
            names, shown_elements = self.names(), page.evaluate(SHOWN)
            assert len(set(names)) == len(names) == len(shown_elements), names
            for name, texts in zip(names, shown_elements, strict=True):
                assert [text for text in texts if plain(text).rstrip(" :") not in name] == [], name
            name = chance.choice(names)
            if "final-choice" in (page.get_by_role("button", name=name, exact=True).get_attribute("class") or ""):
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
        """Play until the game is over, or for a number of moves, and return their number."""
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
    expect(page.locator("#choices, #player-list .is-deciding").first).to_be_attached()


@pytest.mark.whole_game
@pytest.mark.parametrize("game", ["paris-connection", "era-of-inventions", "legendary-inventors"])
def test_a_whole_game_can_be_played_with_a_screen_reader(
    open_page: Person, server: Server, quick_server: Server, grace: Visitor, game: str
) -> None:
    page = open_page(bypass_csp=True, locale="en", viewport={"width": 1440, "height": 900})
    listener = Listener(page)
    if game == "paris-connection":
        sits_down(page, server.address + open_short_game(grace))
    else:
        key_player.open_table(page, quick_server, game, 2 if game == "era-of-inventions" else 1)
    log_count, address = page.locator("#log-panel > .log > [id^=log-]").count(), page.url
    assert findings(page) == []

    chance = Random(1889)
    assert listener.play(chance, 2) == 2
    boards = page.get_by_role(
        "region", name=sentence_after("web/templates/table_live.html", "{% if panel %}"), exact=True
    )
    expect(boards.get_by_role("region").first).to_be_attached()
    for part in boards.get_by_role("region").all():
        expect(part).to_have_accessible_name(re.compile(r"\w"))
    expect(page.get_by_role("group", name="My holdings").get_by_role("listitem").nth(3)).to_be_attached()
    expect(page.get_by_role("list", name="Players", exact=True).locator("[aria-current=true]")).to_have_count(1)

    assert listener.play(chance) > 2
    expect(page.locator("#result-link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/end(#|$)"))
    result = page.get_by_role("region", name="Result", exact=True)
    expect(result.get_by_role("heading", name=re.compile("^Winners?: "))).to_be_visible()
    table = result.get_by_role("table").first
    headers = table.get_by_role("rowheader").or_(table.get_by_role("columnheader"))
    expect(headers.filter(has_text="Ada")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"\w"))

    page.goto(f"{address}/log")
    heard_text, heard_after, lines = plain(" ".join(listener.heard)), "", page.evaluate(LINES)
    for line in lines[log_count:]:
        before, heard_before, heard_text = heard_text.partition(line)
        assert heard_before, f"not announced: {line}"
        heard_after += f"{before} "
    for line in lines[:log_count]:  # what began the game may have been announced before, and again in a recap
        heard_after = heard_after.replace(line, "")
    assert STATUS.fullmatch(heard_after + heard_text), STATUS.sub("", heard_after + heard_text)
