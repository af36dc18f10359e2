"""Provide the fixtures of pages and of a running server to tests of chat."""

from collections.abc import Iterator

import pytest

from tests.live.conftest import house
from tests.web.conftest import ada, grace, mary, open_page, own_server, running_table, server, shared_device_table
from tests.web.servers import Server
from tests.web.visitors import Visitor

__all__ = ["ada", "grace", "house", "mary", "open_page", "own_server", "running_table", "server", "shared_device_table"]


@pytest.fixture
def cid(server: Server) -> Iterator[Visitor]:
    """Return a spectator who has a name from another table."""
    with Visitor(server) as visitor:
        visitor.table("me", "bot:random", "bot:random", name="Cid")
        yield visitor
