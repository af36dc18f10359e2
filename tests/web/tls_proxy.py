"""The https end of a proxy: takes the encryption off each connection and passes it on to a server, byte by byte; or, as
plain http, what `ssh -R` and other tunnels do.

Its certificate is made anew each time and trusted by nobody: browsers in tests are told not to mind.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from typing import Self

import trustme


class Terminator:
    """Listens on a port of its own, in a thread of its own. `leads_to` is the server's port."""

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
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for _ in range(3):  # an aborted connection is closed in the next turns of the loop
            await asyncio.sleep(0)

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        to_write: asyncio.StreamWriter,
        to_read: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        await asyncio.gather(_pump(reader, to_write), _pump(to_read, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_ends = [writer]
        try:
            if self._https:
                await writer.start_tls(self._secret)
            to_read, to_write = await asyncio.open_connection("127.0.0.1", self.leads_to)
            open_ends.append(to_write)
            await self._pass_on(reader, to_write, to_read, writer)
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
