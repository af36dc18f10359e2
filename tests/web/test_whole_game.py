"""A whole game in Chromium: three people in three languages and a bot, by the buttons and the map, to the scoring and
a rematch.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

import spieltisch
from tests.web.conftest import Server

pytestmark = pytest.mark.browser

LANGUAGES = ("en-GB", "de-DE", "nl-NL")
NAMES = ("Ada <b>Lovelace</b>", "Grace", "Mary Somerville of Jedburgh and London")
BUILD = ("Build track", "Gleis bauen", "Spoor bouwen")
CONFIRM = {"en": "Confirm", "de": "Bestätigen", "nl": "Bevestigen"}


@pytest.fixture
def pages(chromium: Browser) -> Iterator[list[Page]]:
    """Three browsers that share nothing; no script error and no breach of the content policy goes unnoticed."""
    size: ViewportSize = {"width": 1440, "height": 900}
    contexts = [chromium.new_context(locale=language, viewport=size) for language in LANGUAGES]
    problems: list[str] = []
    made = []
    for context in contexts:
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
        made.append(page)
    yield made
    for context in contexts:
        context.close()
    assert problems == []


def sit_down(server: Server, pages: list[Page]) -> str:
    """The first opens a table for three people and a bot, the others come by its links; answers the table's path."""
    host, *others = pages
    host.goto(f"{server.address}/new/paris-connection")
    host.get_by_label("Your name").fill(NAMES[0])
    host.get_by_label("Seat 2").select_option("link")
    host.get_by_label("Seat 3").select_option("link")
    host.get_by_label("Seat 4").select_option("bot:greedy")
    host.get_by_role("button", name="Open the table").click()
    host.wait_for_url(re.compile(r"/table/"))
    links = host.get_by_role("link", name="Invitation link", exact=True)
    expect(links).to_have_count(2)
    addresses = [str(link.evaluate("link => link.href")) for link in links.all()]
    for page, name, address in zip(others, NAMES[1:], addresses, strict=True):
        page.goto(address)
        page.locator("input[name=name]").fill(name)
        page.locator("main button.prime").click()
        page.wait_for_url(re.compile(r"/table/"))
        expect(host.get_by_text(name).first).to_be_visible()  # pushed, without a reload
    return re.sub(r"^.*(/table/[\w-]+).*$", r"\1", host.url)


def version(page: Page) -> int:
    return int(page.locator("#live").get_attribute("data-version") or -1)


def reach(page: Page, least: int) -> None:
    """Wait until the page shows this version of the table or a later one."""
    page.wait_for_function("least => Number(document.getElementById('live').dataset.version) >= least", arg=least)


def decide(page: Page, chance: random.Random) -> None:
    """Choose a move word by word, as a person would, and confirm it if asked."""
    before = version(page)
    while True:
        options = page.locator("#choices .options button:not(.off)")
        expect(options.first).to_be_visible()
        words = options.all()
        building = [word for word in words if word.inner_text().strip() in BUILD]
        chosen = building[0] if building and chance.random() < 0.85 else chance.choice(words)
        leaf = "leaf" in (chosen.get_attribute("class") or "")
        chosen.click()
        if leaf:
            break
    language = page.evaluate("document.documentElement.lang")
    confirm = page.get_by_role("button", name=CONFIRM[language])
    page.wait_for_function(
        "before => document.getElementById('confirm')"
        " || Number(document.getElementById('live').dataset.version) > before",
        arg=before,
    )
    if version(page) == before:
        confirm.click()
    reach(page, before + 1)


def test_three_people_and_a_bot_play_to_the_end(server: Server, pages: list[Page]) -> None:
    path = sit_down(server, pages)
    chance = random.Random(5)
    for page in pages:
        expect(page.locator("#live.running")).to_be_visible()
    decisions = 0
    while True:
        if pages[0].locator("#live.finished").count():
            break
        mine = [page for page in pages if page.locator("#choices .options button").count()]
        if not mine:  # the bot thinks, or the push is on its way
            before = version(pages[0])
            pages[0].wait_for_function(
                "before => Number(document.getElementById('live').dataset.version) > before"
                " || document.querySelector('#live.finished, #choices .options button')",
                arg=before,
            )
            continue
        decide(mine[0], chance)
        decisions += 1
        assert decisions < 600
        least = version(mine[0])
        for page in pages:
            reach(page, least)
    assert decisions > 20

    last = max(version(page) for page in pages)
    for page in pages:
        reach(page, last)
        expect(page.locator("#end")).to_be_visible()
    for page, word in zip(pages, ("Another game", "Noch eine Partie", "Nog een"), strict=True):
        expect(page.get_by_role("button", name=word).first).to_be_visible()
        assert page.locator("b b").count() == 0  # a name full of markup is a name

    record = spieltisch.Record.parse(httpx.get(f"{server.address}{path}/record").text)
    position = record.verify()
    assert position.over
    assert record.secret is not None
    assert list(record.players)[:3] == list(NAMES)
    points = [str(total).replace("-", "−") for total in position.scores]
    for page in pages:
        shown = page.locator("#end").inner_text()
        assert all(total in shown for total in points)
