"""Provide a proxy that holds back streams, as virus scanners and some company proxies do."""

from __future__ import annotations

import asyncio
from typing import Literal

from tests.web.tls_proxy import Terminator

LIFE = 3.0
"""The seconds after which a stream is cut: fewer than between two heartbeats."""


class HoldingProxy(Terminator):
    """Passes HTTP on, but holds back or cuts responses for the paths `held_paths`.

    It holds back the body or the whole response until `release` is called, or cuts the connection after a time.
    """

    def __init__(self, server: str, held_part: Literal["body", "all", "cut"], *held_paths: str) -> None:
        super().__init__(https=False)
        self.leads_to = int(server.rpartition(":")[2])
        self._how = held_part
        self._held = tuple(f"GET {path}?".encode() for path in held_paths)
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
        target_stream: asyncio.StreamWriter,
        source_stream: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        is_held = False

        async def pass_requests() -> None:
            nonlocal is_held
            while request := await reader.read(1 << 16):
                is_held = request.startswith(self._held)
                target_stream.write(request)
            target_stream.close()

        async def pass_answers() -> None:
            nonlocal is_held
            while part := await source_stream.read(1 << 16):
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
