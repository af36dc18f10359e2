"""A warning if a trusted proxy hands on what visitors themselves wrote into `X-Forwarded-For`."""

from collections.abc import Callable
from typing import Final

import structlog
from litestar.types import ASGIApp, Receive, Scope, Send

from spieltisch.live.log_limit import LogLimit

HEADER: Final = b"x-forwarded-for"

_logger = structlog.get_logger("spieltisch.web")


def warn_of_handed_on_addresses(app: ASGIApp, is_proxy: Callable[[str], bool]) -> ASGIApp:
    """Return the application with a line in the log, at most one a minute, if such a header names several visitors.

    A proxy that sets the header names one. If it hands on what it gets, visitors can choose the address that their
    limits count for. `app` is called with the address of the visitor in place of the proxy's.
    """
    log_limit = LogLimit()

    async def warn(scope: Scope, receive: Receive, send: Send) -> None:
        named = b",".join(value for name, value in scope.get("headers", ()) if name == HEADER)
        if b"," in named:
            hosts = [host.strip() for host in named.decode("latin-1").split(",")]
            visitors = [host for host in hosts if not is_proxy(host)]
            taken = (scope["client"] or ("", 0))[0]
            if len(visitors) > 1 and taken in hosts and log_limit.allows(HEADER.decode()):
                _logger.warning(
                    "a trusted proxy hands on addresses that visitors sent: let it set X-Forwarded-For anew",
                    addresses=len(visitors),
                    taken=taken,
                )
        await app(scope, receive, send)

    return warn
