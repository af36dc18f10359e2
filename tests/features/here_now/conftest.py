"""Provide the fixtures of pages and of a running server to tests of who is here."""

from tests.web.conftest import ada, open_page, own_server, server  # noqa: F401 - fixtures
