"""Provide the fixtures of pages and of a running server to tests of administrators."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.features.admin.administrators import follow, link
from tests.web.conftest import open_page  # noqa: F401 - a fixture
from tests.web.servers import Server, running_server
from tests.web.visitors import Visitor


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("administered")) as running:
        yield running


@pytest.fixture
def admin(server: Server) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        assert follow(visitor, link(server)).headers["location"] == "/admin"
        yield visitor


@pytest.fixture
def visitors(server: Server) -> Iterator[list[Visitor]]:
    people = [Visitor(server) for _ in range(3)]
    yield people
    for each in people:
        each.close()
