"""Provide stores, some on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from spieltisch.store import Store
from tests.async_wait import wait
from tests.web.conftest import own_server

__all__ = ["own_server"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "house.sqlite3")
    yield store
    wait(store.close())
