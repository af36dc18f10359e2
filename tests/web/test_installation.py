"""Check the site as an app: its manifest, and whether a browser would install it."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser

from spieltisch.core.words import LANGUAGES
from tests.web.servers import Server
from tests.web.visitors import Visitor


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_describes_the_app_and_its_icons(server: Server, language: str) -> None:
    with Visitor(server, language) as visitor:
        page = visitor.get("/").text
        link = re.search(r'<link rel="manifest" href="([^"]+)"', page)
        assert link is not None
        answer = visitor.get(link.group(1))
        assert answer.headers["content-type"] == "application/manifest+json"
        manifest = json.loads(answer.text)
        assert manifest["lang"].startswith(language)
        assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
        sizes = {}
        for icon in manifest["icons"]:
            content = visitor.get(icon["src"])
            assert content.headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":  # width and height stand in the first chunk
                width, height = (int.from_bytes(content.content[at : at + 4]) for at in (16, 20))
                sizes[f"{width}x{height}"] = icon["sizes"]
        assert sizes == {"192x192": "192x192", "512x512": "512x512"}


@pytest.mark.browser
def test_chromium_finds_the_site_installable(chromium: Browser, server: Server) -> None:
    page = chromium.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/")
    line = page.context.new_cdp_session(page)
    manifest = line.send("Page.getAppManifest")
    assert manifest["url"].endswith("/manifest.webmanifest")
    assert manifest["errors"] == []
    assert [fault["errorId"] for fault in line.send("Page.getInstallabilityErrors")["installabilityErrors"]] in (
        [],
        ["in-incognito"],
    )
