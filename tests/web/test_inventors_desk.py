"""Legendary Inventors at a desk: the whole table on one screen, whoever sits there, however far the game is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES
from spieltisch.games.legendary_inventors.state import REWARD
from tests.web.conftest import Server, Visitor
from tests.web.laid import Layout, Pick, lay

pytestmark = pytest.mark.browser
OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text("utf-8")
SCREEN: ViewportSize = {"width": 1440, "height": 900}
NAMES = [
    "Margarethe von Oettingen-Wallerstein",
    "Gräfin Donnersmarck-Hohenlohe-Öhringen",
    "Jean-Baptiste Grenouille-Lamartinière",
    "Wilhelmina Charlotte van der Broekhoven",
    "Sebastian Knickerbocker-Featherstonehaug",
]


def full(view: Any) -> bool:
    """The last age is laid out, and six cubes of each player lie on it."""
    return bool(
        view.age == 3 and view.phase != REWARD and opened(view) == view.seats + 3 and cubes(view) >= 6 * view.seats
    )


def rewarding(view: Any) -> bool:
    """In the last age an invention is complete, and as many as can be choose rewards."""
    return bool(view.age == 3 and view.phase == REWARD and view.queue[min(2, view.seats - 1)] >= 0)


def latest(view: Any) -> bool:
    """Three inventions are left; what the others brought lies with the players."""
    return bool(view.age == 3 and view.phase != REWARD and opened(view) <= 3 and cubes(view) >= 4)


MOMENTS = (full, rewarding, latest)


def opened(view: Any) -> int:
    return sum(slot.card >= 0 for slot in view.slots)


def cubes(view: Any) -> int:
    return sum(int(n) for slot in view.slots if slot.card >= 0 for row in slot.cubes for n in row)


def hoard(until: Callable[[Any], bool]) -> Pick:
    """Works, and keeps what it gets: patents and tokens in turn, none of them used."""

    def pick(position: Position) -> str | None:
        if until(position.observe(None).view):
            return None
        if position.over:
            return ""
        texts = [str(move) for move in position.legal_moves]
        for start in ("take patent" if position.number % 2 else "take ", "take ", "send ", "ready", "pass", "done"):
            found = [
                text for text in texts if text.startswith(start) and not text.startswith(("send fewer", "send genius"))
            ]
            if found:
                return found[7919 * (position.number + 1) % len(found)]
        return texts[0]

    return pick


def layout(seats: int, number: int, until: Callable[[Any], bool], **options: str) -> Layout:
    secret = bytes([seats, 3 + number, *bytes(30)])  # from 3 on: then games of two get that far, too
    return Layout("legendary-inventors", NAMES[1:seats], secret, hoard(until), options)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str, dict[str, str]]]:
    """A server, a session, and tables by what they are."""
    layouts = {
        f"{seats} {until.__name__}": layout(seats, number, until)
        for seats in (2, 3, 4, 5)
        for number, until in enumerate(MOMENTS)
    }
    layouts["3 choosing"] = layout(3, 3, lambda view: True, teams="choose")
    layouts["5 choosing"] = layout(5, 3, lambda view: sum(one.team >= 0 for one in view.players) == 2, teams="choose")
    folder = tmp_path_factory.mktemp("laid")
    session, paths = lay(folder, NAMES[0], *layouts.values())
    running = Server(folder)
    yield running, session, dict(zip(layouts, paths, strict=True))
    assert running.stop() == 0, running.log


def faults(page: Page) -> list[str]:
    """What does not fit on the screen, and which texts lie over each other."""
    high = page.evaluate(
        "document.getElementById('panel').scrollHeight - document.getElementById('panel').clientHeight"
    )
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    cut = page.evaluate(
        "[...document.querySelectorAll('#panel section')].filter((one) => one.scrollWidth > one.clientWidth).length"
    )
    found = {"too high": high, "too wide": wide, "cut": cut}
    return [*(f"{what}: {n}" for what, n in found.items() if n > 0), *page.evaluate(OVERLAPS)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_has_to_be_scrolled(
    chromium: Browser, tables: tuple[Server, str, dict[str, str]], language: str
) -> None:
    server, session, paths = tables
    with Visitor(server) as host:
        host.cookies.set("session", session)
        host.submit("/preferences", language=language)
    context = chromium.new_context(viewport=SCREEN, locale=language)
    page = context.new_page()
    found = []
    for name in ("2 full", "4 full", "5 rewarding"):  # as a stranger who looks on
        page.goto(server.address + paths[name])
        expect(page.locator("#panel .team")).to_have_count(int(name[0]))
        found += [f"{name}, looking on: {fault}" for fault in faults(page)]
    context.add_cookies([{"name": "session", "value": session, "url": server.address}])
    for name, path in paths.items():
        page.goto(server.address + path)
        assert page.locator("html").get_attribute("lang") == language
        expect(page.locator("#choices .choice").first).to_be_visible()
        expect(page.locator("#panel .team")).to_have_count(5 if "choosing" in name else int(name[0]))
        found += [f"{name}: {fault}" for fault in faults(page)]
    context.close()
    assert found == []
