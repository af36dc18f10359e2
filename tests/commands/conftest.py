"""Commands are tried beside a running server."""

from tests.web.conftest import own_server

__all__ = ["own_server"]
