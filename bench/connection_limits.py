"""The cost of limiting a request before it is parsed: requests a second through the server's protocol alone.

There is no socket, and the application sends empty responses; uvicorn's own protocols are measured for comparison.
`python -m bench.connection_limits` measures them in turn, five times each, in seconds of processor time.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any, cast

from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from spieltisch.live.limits import DEFAULT
from spieltisch.web.http.connection_limits import ConnectionLimits, protocol_class
from spieltisch.web.http.file_descriptors import Descriptors

REQUESTS = 20_000
"""The number of requests of a measurement."""
ROUNDS = 5
"""The number of measurements of each protocol."""
REQUEST = (
    b"GET /table/k3J HTTP/1.1\r\nHost: games.example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/140\r\n"
    b"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: nl,en;q=0.5\r\n"
    b"Accept-Encoding: gzip, deflate, br\r\nConnection: keep-alive\r\nCookie: session=0123456789abcdef\r\n"
    b"Sec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: same-origin\r\nPriority: u=0, i\r\n\r\n"
)
"""The request that is repeated."""


class DiscardingTransport(asyncio.Transport):
    """A connection whose other end reads everything immediately."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return an address of the documentation network."""
        return ("192.0.2.1", 4711) if name in ("peername", "sockname") else default

    def write(self, data: Any) -> None:
        """Discard the data."""

    def is_closing(self) -> bool:
        """Return False."""
        return False

    def close(self) -> None:
        """Do nothing."""

    def pause_reading(self) -> None:
        """Do nothing."""

    def resume_reading(self) -> None:
        """Do nothing."""


async def answer_nothing(scope: Any, receive: Any, send: Any) -> None:
    """Answer every request with an empty response."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def requests_a_second(protocol: type[asyncio.Protocol]) -> float:
    """Return the requests a second through a protocol."""
    config = Config(answer_nothing, http=protocol, lifespan="off", log_config=None, access_log=False)
    config.load()
    state = ServerState()
    connection = cast(Any, protocol)(config=config, server_state=state, app_state={})
    connection.connection_made(DiscardingTransport())
    start = time.process_time()
    for _ in range(REQUESTS):
        connection.data_received(REQUEST)
        while state.tasks:
            await asyncio.sleep(0)
    elapsed = time.process_time() - start
    connection.connection_lost(None)
    return REQUESTS / elapsed


def main() -> None:
    """Run the benchmark."""
    protocols: dict[str, type[asyncio.Protocol]] = {
        "httptools": HttpToolsProtocol,
        "httptools behind our door": protocol_class(
            ConnectionLimits(DEFAULT, is_proxy=lambda host: False), Descriptors()
        ),
        "h11": H11Protocol,
    }
    figures: dict[str, list[float]] = {name: [] for name in protocols}
    for _ in range(ROUNDS):
        for name, protocol in protocols.items():
            figures[name].append(asyncio.run(requests_a_second(protocol)))
    for name, rates in figures.items():
        print(f"{name}: {', '.join(f'{rate:,.0f}' for rate in rates)}; median {statistics.median(rates):,.0f}")


if __name__ == "__main__":
    main()
