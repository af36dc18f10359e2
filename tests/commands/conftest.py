"""Provide the fixtures of a running server to tests of commands."""

from tests.web.conftest import own_server

__all__ = ["own_server"]
