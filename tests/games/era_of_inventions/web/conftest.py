"""Provide a person who plays all seats of the prepared tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.conftest import PreparedTables
from tests.web.visitors import Visitor


@pytest.fixture
def host(prepared: PreparedTables) -> Iterator[Visitor]:
    """Yield a visitor with all seats on one device."""
    with prepared.host() as visitor:
        visitor.submit("/preferences", language="en")
        yield visitor
