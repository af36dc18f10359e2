"""What it costs to bound a request before it is seen: requests a second through the protocol of the server alone,
without a socket and with an application that says nothing, beside the protocols of uvicorn itself.

`python -m bench.connection_limits` measures them in turn, five times each, in seconds of the processor.
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
ROUNDS = 5
REQUEST = (
    b"GET /table/k3J HTTP/1.1\r\nHost: games.example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/140\r\n"
    b"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: nl,en;q=0.5\r\n"
    b"Accept-Encoding: gzip, deflate, br\r\nConnection: keep-alive\r\nCookie: session=0123456789abcdef\r\n"
    b"Sec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: same-origin\r\nPriority: u=0, i\r\n\r\n"
)


class Nowhere(asyncio.Transport):
    """A connection whose other end reads everything at once."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("192.0.2.1", 4711) if name in ("peername", "sockname") else default

    def write(self, data: Any) -> None:
        pass

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def silent(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def requests_a_second(kind: type[asyncio.Protocol]) -> float:
    config = Config(silent, http=kind, lifespan="off", log_config=None, access_log=False)
    config.load()
    state = ServerState()
    line = cast(Any, kind)(config=config, server_state=state, app_state={})
    line.connection_made(Nowhere())
    began = time.process_time()
    for _ in range(REQUESTS):
        line.data_received(REQUEST)
        while state.tasks:
            await asyncio.sleep(0)
    took = time.process_time() - began
    line.connection_lost(None)
    return REQUESTS / took


def main() -> None:
    kinds: dict[str, type[asyncio.Protocol]] = {
        "httptools": HttpToolsProtocol,
        "httptools behind our door": protocol_class(
            ConnectionLimits(DEFAULT, is_proxy=lambda host: False), Descriptors()
        ),
        "h11": H11Protocol,
    }
    figures: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(ROUNDS):
        for name, kind in kinds.items():
            figures[name].append(asyncio.run(requests_a_second(kind)))
    for name, found in figures.items():
        print(f"{name}: {', '.join(f'{one:,.0f}' for one in found)}; median {statistics.median(found):,.0f}")


if __name__ == "__main__":
    main()
