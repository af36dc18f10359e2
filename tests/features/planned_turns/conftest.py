"""Provide the fixtures of pages and of a running server to tests of planned turns."""

from tests.live.conftest import house  # noqa: F401 - a fixture
from tests.web.conftest import ada, grace, mary, open_page, running_table, server, shared_device_table  # noqa: F401 - fixtures
