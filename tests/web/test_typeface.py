"""Check that texts have the same width on machines with other fonts or none."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from spieltisch.core.words import LANGUAGES
from tests.tiers import first_alone
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

pytestmark = pytest.mark.browser

FEW = ("/", "/games/era-of-inventions/first-round")
"""In each language: it has all its letters."""
PAGES = (
    *FEW,
    "/new/era-of-inventions",
    *(f"/games/{key}/first-round" for key in ("paris-connection", "legendary-inventors")),
    "/games/paris-connection/rules",
)


TEXTS = "body *:not(symbol, symbol *, .symbol-letter, code, pre, option, select)"


@pytest.mark.parametrize("language", first_alone("fr", LANGUAGES))
def test_letters_and_digits_are_drawn_in_the_typeface_of_the_site(
    server: Server, chromium: Browser, language: str
) -> None:
    """Letters in symbols, code, and single arrows or marks before a text are excepted."""
    context = chromium.new_context(locale=language, java_script_enabled=False)  # no script takes a node away
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    foreign: list[str] = []
    for path in PAGES if language == "de" else FEW:
        page.goto(server.address + path)
        root = tools.send("DOM.getDocument")["root"]
        nodes = tools.send("DOM.querySelectorAll", {"nodeId": root["nodeId"], "selector": TEXTS})
        for node in nodes["nodeIds"]:
            fonts = tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
            other_fonts = {font["familyName"]: font["glyphCount"] for font in fonts if not font["isCustomFont"]}
            if sum(other_fonts.values()) > 1:
                foreign.append(
                    f"{path}: {other_fonts} in {tools.send('DOM.getOuterHTML', {'nodeId': node})['outerHTML'][:200]}"
                )
    context.close()
    assert not foreign


def test_a_name_with_other_letters_loads_the_file_that_has_them(open_page: Person, ada: Visitor) -> None:
    name, files = "Łukasz Dvořák", list[str]()
    page = open_page()
    page.on("request", lambda request: files.append(request.url.rpartition("/")[2]))
    ada.table("me", "bot:random", "bot:random", name=name)
    let_in(page.context, ada)
    page.goto(f"{str(ada.base_url).rstrip('/')}/preferences")
    page.evaluate("() => { document.body.getBoundingClientRect(); return document.fonts.ready.then(() => null); }")
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    node = tools.send("DOM.querySelector", {"nodeId": root, "selector": ".own-name"})["nodeId"]
    fonts = tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    assert sum(font["glyphCount"] for font in fonts if font["isCustomFont"]) == len(name), fonts
    assert "garamond-400-all.woff2" in files
