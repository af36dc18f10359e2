"""Run scripts on a page without a server, with modules from the static folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, Request, Route

import spieltisch.web

STATIC: Final = Path(spieltisch.web.__file__).parent / "static"
SITE: Final = "http://scripts.test"


class ScriptPage:
    """A page whose HTML comes from `document`; its connection is lost while `is_cut` is true."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.document: Callable[[Request], str] = lambda request: "<!doctype html><title>Scripts</title>"
        self.is_cut = False
        page.route("**/*", self._answer)

    def _answer(self, route: Route) -> None:
        address = route.request.url.removeprefix(SITE)
        if self.is_cut:
            route.abort("internetdisconnected")
        elif address.startswith("/static/"):
            route.fulfill(path=STATIC / address.removeprefix("/static/"))
        else:
            route.fulfill(body=self.document(route.request), content_type="text/html; charset=utf-8")

    def open(self, address: str = "/") -> Page:
        """Open a document."""
        self.page.goto(SITE + address)
        return self.page
