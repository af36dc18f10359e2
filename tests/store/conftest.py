"""Some stores are tried as a server keeps them."""

from tests.web.conftest import own_server

__all__ = ["own_server"]
