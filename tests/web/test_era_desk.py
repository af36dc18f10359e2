"""Era of Inventions at all sizes: the whole table on one screen however far the game is, readable on a phone and at
200 %, nothing for axe to find; three to five players with names as long as they may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from spieltisch.core.words import LANGUAGES
from tests.web.conftest import SECONDS, Server, Visitor, serving
from tests.web.era import NAMES, exchanging, late, over, producing, start, table
from tests.web.laid import lay
from tests.web.screens import DESK, cut, overlaps, too_high, too_wide
from tests.web.test_access import findings

pytestmark = pytest.mark.browser
LAID = {
    "3 late": table(3, late),
    "3 exchanging": table(3, exchanging),
    "4 late": table(4, late),
    "4 exchanging": table(4, exchanging),
    "4 producing": table(4, producing),
    "5 start": table(5, start),
    "5 late": table(5, late),
    "5 producing": table(5, producing),
    "5 over": table(5, over),
}
Laid = tuple[Server, str, dict[str, str]]
Open = Callable[..., BrowserContext]


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laid]:
    """A server, a session, and the addresses of tables by what they are."""
    folder = tmp_path_factory.mktemp("laid")
    session, paths = lay(folder, NAMES[0], *LAID.values())
    with serving(folder) as running:
        yield running, session, {name: running.address + path for name, path in zip(LAID, paths, strict=True)}


@pytest.fixture
def device(chromium: Browser, laid: Laid) -> Iterator[Open]:
    """Opens the device on which all sit."""
    opened: list[BrowserContext] = []

    def open_device(**settings: Any) -> BrowserContext:
        context = chromium.new_context(**{"viewport": DESK, "locale": "en", **settings})
        context.set_default_timeout(SECONDS)
        context.add_cookies([{"name": "session", "value": laid[1], "url": laid[0].address}])
        opened.append(context)
        return context

    yield open_device
    for context in opened:
        context.close()


def speak(laid: Laid, language: str) -> None:
    """What all on the device read."""
    with Visitor(laid[0]) as host:
        host.cookies.set("session", laid[1])
        host.submit("/preferences", language=language)


def there(page: Page, laid: Laid, name: str, language: str = "en") -> None:
    page.goto(laid[2][name])
    assert page.locator("html").get_attribute("lang") == language
    expect(page.locator("#choices .choice, #live.finished").first).to_be_visible()
    expect(page.locator("#panel .line-of:not(.is-head)")).to_have_count(int(name[0]))


def faults(page: Page) -> list[str]:
    return [*too_wide(page), *cut(page), *overlaps(page)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_a_desk_nothing_has_to_be_scrolled(chromium: Browser, device: Open, laid: Laid, language: str) -> None:
    speak(laid, language)
    found = []
    page = device(locale=language).new_page()
    for name in LAID:
        there(page, laid, name, language)
        if name != "5 over":  # then the scoring stands above the boards
            found += [f"{name}: {fault}" for fault in too_high(page)]
        found += [f"{name}: {fault}" for fault in faults(page)]
    stranger = chromium.new_page(viewport=DESK, locale=language)
    stranger.goto(laid[2]["5 late"])
    expect(stranger.locator("#panel .line-of:not(.is-head)")).to_have_count(5)
    found += [f"looking on: {fault}" for fault in (*too_high(stranger), *faults(stranger))]
    stranger.close()
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_nothing_is_too_wide_and_no_text_lies_over_text(
    device: Open, laid: Laid, language: str, width: int
) -> None:
    speak(laid, language)
    page = device(viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True, locale=language).new_page()
    found = []
    for name in ("3 exchanging", "4 producing", "5 late", "5 over"):
        there(page, laid, name, language)
        page.locator(".era-legend summary").click()
        found += [f"{name}: {fault}" for fault in faults(page)]
    assert found == []


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_axe_finds_nothing(device: Open, laid: Laid, theme: str, width: int) -> None:
    speak(laid, "en")
    # The page's own policy would not let axe in.
    page = device(viewport={"width": width, "height": 900}, color_scheme=theme, bypass_csp=True).new_page()
    found = []
    for name in ("5 start", "4 exchanging", "5 over"):
        there(page, laid, name)
        found += [f"{name}: {finding}" for finding in findings(page)]
    assert found == []


def test_at_200_percent_all_of_it_is_there(device: Open, laid: Laid) -> None:
    speak(laid, "de")
    desk = device(locale="de").new_page()
    doubled = device(viewport={"width": 720, "height": 450}, device_scale_factor=2, locale="de").new_page()
    places = "[...document.querySelectorAll('#panel [data-place]')].map((one) => one.dataset.place)"
    for name in ("5 late", "4 exchanging"):
        found = []
        for page in (desk, doubled):
            there(page, laid, name, "de")
            hidden = page.locator("#panel [data-place]").filter(visible=False)
            expect(hidden).to_have_count(0)
            found.append(page.evaluate(places))
        assert found[0] == found[1]
        assert faults(doubled) == []
