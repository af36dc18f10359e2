"""Check that HEAD is answered like GET without the body."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.web.servers import Server
from tests.web.visitors import Visitor

ASKED_ANEW = {"date", "set-cookie"}
"""The headers that differ between two answers to the same request."""


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


def test_a_head_request_gets_the_status_and_headers_of_get_for_every_kind_of_page(
    server: Server, paths: list[str]
) -> None:
    with httpx.Client(base_url=server.address, verify=False) as client:
        for path in (*paths, "/static/none.js", "/preferences", f"{paths[4]}/moves"):
            get_response, head = client.get(path), client.head(path)
            assert head.status_code == get_response.status_code, path
            assert not head.content
            for name in get_response.headers.keys() - ASKED_ANEW:
                assert head.headers.get(name) == get_response.headers[name], (path, name)


def test_a_head_request_for_a_stream_leaves_no_stream_open(server: Server) -> None:
    with httpx.Client(base_url=server.address, verify=False) as client:
        assert client.head("/stream?watch=lobby@0").headers["content-type"].startswith("text/event-stream")
        while client.get("/health").json()["streams"]:
            pass
