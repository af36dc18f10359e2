"""Provide the fixtures of pages and of a running server to tests of administrators."""

from tests.web.conftest import open_page  # noqa: F401 - a fixture
