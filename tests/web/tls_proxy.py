"""Provide the https end of a proxy, which decrypts each connection and passes it on to a server byte by byte.

With plain http it does what `ssh -R` and other tunnels do. The certificate is new each time and trusted by no browser,
so browsers in tests are told to ignore that.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from typing import Self

import trustme


class Terminator:
    """A TLS proxy on a separate port in a separate thread; `leads_to` is the port of the server."""

    def __init__(self, *, https: bool = True) -> None:
        self.leads_to = 0
        self._https = https
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._secret = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        trustme.CA().issue_cert("127.0.0.1").configure_cert(self._secret)

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.start_server(self._pass, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result()
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        other_tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in other_tasks:
            task.cancel()
        await asyncio.gather(*other_tasks, return_exceptions=True)
        for _ in range(3):  # an aborted connection is closed in the next turns of the loop
            await asyncio.sleep(0)

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        target_stream: asyncio.StreamWriter,
        source_stream: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        await asyncio.gather(_pump(reader, target_stream), _pump(source_stream, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_ends = [writer]
        try:
            if self._https:
                await writer.start_tls(self._secret)
            source_stream, target_stream = await asyncio.open_connection("127.0.0.1", self.leads_to)
            open_ends.append(target_stream)
            await self._pass_on(reader, target_stream, source_stream, writer)
        except OSError:
            pass  # a browser went away before it had asked for anything
        finally:
            for end in open_ends:
                end.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass  # one side went away: the other is told below
    finally:
        writer.close()
