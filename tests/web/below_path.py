"""Provide a server below a path of its host, its visitors, and a reader of all addresses on its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx

from tests.web.reverse_proxies import free_port
from tests.web.servers import Server, running_server
from tests.web.visitors import Reached, Visitor

PATH: Final = "/our/games"
"""A path with which no address of the site begins, as some begin with "/games"."""
ADDRESS: Final = re.compile(r"/[a-z.]")
"""The beginning of the value of an attribute that is an address."""


@contextmanager
def server_below(data: Path, *options: str, path: str = PATH) -> Iterator[Server]:
    """Run a server that people reach below a path; without a proxy, as one that passes everything on unchanged."""
    port = free_port()
    public = f"http://127.0.0.1:{port}{path}/"
    with running_server(data, *options, "--port", f"{port}", "--public-url", public) as started_server:
        yield started_server


class BelowPath(Visitor):
    """A visitor of such a server. A test writes and reads addresses without the path."""

    def __init__(self, server: Reached, path: str = PATH, *, address: str | httpx.HTTPTransport = "127.0.0.1") -> None:
        assert server.address.endswith(path), server.address
        self.path = path
        super().__init__(server, address=address, Origin=server.address.removesuffix(path))
        self.event_hooks = {"response": [self._shorten_location]}

    def _shorten_location(self, response: httpx.Response) -> None:
        if "location" in response.headers:
            assert response.headers["location"].startswith(f"{self.path}/")
            response.headers["location"] = response.headers["location"].removeprefix(self.path)


class Addresses(HTMLParser):
    """The addresses in a piece of HTML: `elsewhere` those of this host that are not below the path of the site.

    The value of a field stays inside, whatever it begins with.
    """

    def __init__(self, html: str, origin: str, path: str = PATH) -> None:
        super().__init__()
        self.elsewhere: list[str] = []
        self.below: list[str] = []
        self._origin, self._path = origin, path
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Sort the addresses in the attributes of an element."""
        for name, value in attrs:
            address = (value or "").removeprefix(self._origin)
            if name == "value" or not ADDRESS.match(address):
                continue
            if urlsplit(address).path.startswith(f"{self._path}/"):
                self.below.append(address.removeprefix(self._path))
            else:
                self.elsewhere.append(f'<{tag} {name}="{value}">')
