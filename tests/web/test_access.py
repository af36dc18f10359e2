"""axe-core finds nothing on any page, in either theme."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

import spieltisch
from spieltisch.games import modules
from tests.guided import address, lessons
from tests.web.conftest import Server, Visitor

pytestmark = pytest.mark.browser
AXE = (Path(__file__).parent / "vendor" / "axe-4.14.1.min.js").read_text()
GAME = "/games/paris-connection"


@pytest.fixture(scope="module")
def tables(server: Server) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Ada's session, and the paths of a table that waits, one that runs with Ada to decide, and one that is over."""
    with Visitor(server) as ada, Visitor(server) as grace, Visitor(server) as mary:
        paths = [ada.table("me", "link", "open")]
        for _ in range(2):
            path = ada.table("me", "open", "open")
            grace.sit(path, "Grace")
            mary.sit(path, "Mary")
            paths.append(path)
        people = [ada, grace, mary]
        over = paths[2]
        while (state := ada.state(over))["to_decide"] is not None:
            person = people[state["to_decide"]]
            moves = person.state(over)["moves"]
            person.play(over, next(move for move in moves if re.fullmatch(r"trade \w+ for 1 \w+", move)))
        running = paths[1]
        while (seat := ada.state(running)["to_decide"]) != 0:
            moves = people[seat].state(running)["moves"]
            people[seat].play(running, next(move for move in moves if re.fullmatch(r"trade \w+ for 1 \w+", move)))
        yield dict(ada.cookies), paths


def findings(page: Page) -> list[str]:
    page.evaluate(AXE)
    found = page.evaluate("axe.run()")
    return [
        f"{finding['id']}: {node['html'][:160]} {node['failureSummary']}"
        for finding in found["violations"]
        for node in finding["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(
    chromium: Browser,
    server: Server,
    tables: tuple[dict[str, str], list[str]],
    theme: Literal["light", "dark"],
    width: int,
) -> None:
    cookies, (waiting, running, over) = tables
    # The page's own policy would not let axe in.
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, bypass_csp=True, locale="en"
    )
    context.add_cookies([{"name": name, "value": value, "url": server.address} for name, value in cookies.items()])
    page = context.new_page()
    found = []
    person = ["/preferences", "/devices", "/device", "/nowhere"]
    fixed = ["/", "/new", "/new/paris-connection", *person, f"{GAME}/rules", f"{GAME}/components"]
    with Visitor(server) as anybody:
        anybody.cookies.update(cookies)
        invitation = re.findall(r'href="(/join/[\w.-]+)"', anybody.get(waiting).text)[0]
    learning = [address(lessons(spieltisch.game(key), 2)[at]) for key in modules() for at in (0, -1)]
    for path in (
        *fixed,
        *learning,
        waiting,
        running,
        over,
        f"{over}/deal",
        f"{over}/log",
        f"{over}/replay?at=1",
        invitation,
    ):
        page.goto(server.address + path)
        if path in (running, over):
            expect(page.locator("#map-static svg")).to_be_visible()
        if path == running:
            page.locator("#choices .off").first.click()
            expect(page.locator("#notice .refusal")).to_be_visible()
        found += [f"{path}: {finding}" for finding in findings(page)]
    context.close()
    assert found == []
