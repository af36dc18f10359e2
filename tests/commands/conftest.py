"""The tests of commands run next to a running server."""

from tests.web.conftest import own_server

__all__ = ["own_server"]
