"""HEAD is answered like GET, without the body: link checkers, previews and monitors ask so."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.web.conftest import Server, Visitor

ASKED_ANEW = {"date", "set-cookie"}
"""What differs between two answers to the same request."""


@pytest.fixture(scope="module")
def paths(server: Server) -> list[str]:
    with Visitor(server) as host:
        table = host.table("me", "open", "open")
        page = host.get(table).text
    invitation = re.search(r"/join/[^\"'<\s]+", page)
    script = re.search(r'src="([^"]+\.js)"', page)
    assert invitation
    assert script
    return ["/", "/health", "/ready", "/games/paris-connection", table, invitation.group(), script.group(1), "/none"]


def test_every_kind_of_page_and_file(server: Server, paths: list[str]) -> None:
    with httpx.Client(base_url=server.address, verify=False) as client:
        for path in (*paths, "/static/none.js", "/preferences", f"{paths[4]}/moves"):
            whole, head = client.get(path), client.head(path)
            assert head.status_code == whole.status_code, path
            assert not head.content
            for name in whole.headers.keys() - ASKED_ANEW:
                assert head.headers.get(name) == whole.headers[name], (path, name)


def test_a_stream_is_closed_and_the_connection_goes_on(server: Server) -> None:
    with httpx.Client(base_url=server.address, verify=False) as client:
        assert client.head("/stream?watch=lobby@0").headers["content-type"].startswith("text/event-stream")
        while client.get("/health").json()["streams"]:
            pass
