"""Provide the fixtures of pages and of a running server to tests of matchmaking."""

from tests.web.conftest import open_page, own_server, server  # noqa: F401 - fixtures
