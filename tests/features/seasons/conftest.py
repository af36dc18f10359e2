"""Provide the fixtures of pages and of a running server to tests of seasons."""

from tests.live.conftest import house  # noqa: F401 - a fixture
from tests.web.conftest import open_page, own_server  # noqa: F401 - fixtures
