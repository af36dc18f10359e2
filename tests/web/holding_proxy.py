"""A proxy that holds back what a server streams, as virus scanners and the proxies of some companies do."""

from __future__ import annotations

import asyncio
from typing import Literal

from tests.web.tls_proxy import Terminator

LIFE = 3.0
"""The seconds after which a stream is cut: fewer than between two heartbeats."""


class HoldingProxy(Terminator):
    """Passes everything on as http, but for the answers to requests for the paths `held`.

    Of these it holds back the body or all, until `release` is called, or it cuts their connections after a time.
    """

    def __init__(self, server: str, how: Literal["body", "all", "cut"], *held: str) -> None:
        super().__init__(https=False)
        self.leads_to = int(server.rpartition(":")[2])
        self._how = how
        self._held = tuple(f"GET {path}?".encode() for path in held)
        self._released = asyncio.Event()
        self.answers = 0
        """The number of answers that were held or are to be cut."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def release(self) -> None:
        """Pass on what was held back, and everything from now on."""
        self._loop.call_soon_threadsafe(self._released.set)

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        to_write: asyncio.StreamWriter,
        to_read: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        is_held = False

        async def pass_requests() -> None:
            nonlocal is_held
            while request := await reader.read(1 << 16):
                is_held = request.startswith(self._held)
                to_write.write(request)
            to_write.close()

        async def pass_answers() -> None:
            nonlocal is_held
            while part := await to_read.read(1 << 16):
                if is_held:
                    is_held = False
                    self.answers += 1
                    if self._how == "cut":
                        asyncio.get_running_loop().call_later(LIFE, writer.transport.abort)
                    else:
                        head, end, body = part.partition(b"\r\n\r\n")
                        if self._how == "body":
                            writer.write(head + end)
                            part = body
                        await self._released.wait()
                writer.write(part)
            writer.close()

        await asyncio.gather(pass_requests(), pass_answers())
