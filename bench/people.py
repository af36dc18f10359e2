"""People at tables, as their browsers behave: one stream each, one more line for pages and forms."""

from __future__ import annotations

import asyncio
import html
import random
import re
import time
from urllib.parse import urlencode

EVENT_END = b"\n\n\r\n"
LONGEST_IDLE = 4.0
"""Seconds after which a line is not used again: the server closes those that are idle for five."""

TOKEN = re.compile(r'name="token" value="([0-9a-f]+)"')
MOVE = re.compile(r'name="move" value="([^"]*)"')
VERSION = re.compile(r'data-version="(\d+)"')
STATUS = re.compile(r'<div id="live" class="table (\w+)')


class Refused(Exception):
    """The server did not do what it was asked."""


class Person:
    """Somebody with a browser. Times are seconds."""

    def __init__(self, host: str, port: int, name: str) -> None:
        self.host, self.port, self.name = host, port, name
        self.cookies: dict[str, str] = {}
        self.token = ""
        self._used = 0.0
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, fields: dict[str, str] | None = None, accept: str = "text/html") -> str:
        """Send a request; answers the text of a good answer or the address it leads to. Raises Refused."""
        if self._line is None or time.monotonic() - self._used > LONGEST_IDLE:
            self._line = await asyncio.open_connection(self.host, self.port)
        self._used = time.monotonic()
        reader, writer = self._line
        writer.write(self._request(method, path, fields, accept))
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status, headers = self._read(head)
        body = (await reader.readexactly(int(headers.get("content-length", 0)))).decode()
        if status == 303:
            return headers["location"]
        if status != 200:
            raise Refused(f"{method} {path}: {status} {body[:200]}")
        return body

    def _request(self, method: str, path: str, fields: dict[str, str] | None, accept: str) -> bytes:
        site = f"{self.host}:{self.port}"
        body = urlencode({"token": self.token, **fields}).encode() if fields is not None else b""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {site}", f"Origin: http://{site}", f"Accept: {accept}"]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if fields is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        return "".join(f"{line}\r\n" for line in (*lines, "")).encode() + body

    def _read(self, head: str) -> tuple[int, dict[str, str]]:
        first, *lines = head.rstrip().split("\r\n")
        headers: dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _, held = value.partition(";")[0].partition("=")
                self.cookies[cookie] = held
            headers[name.lower()] = value
        return int(first.split()[1]), headers

    async def arrive(self) -> None:
        """Load a page and have the token of its forms."""
        found = TOKEN.search(await self.ask("GET", "/preferences"))
        if found is None:
            raise Refused("the page has no form")
        self.token = found.group(1)

    async def open_table(self, seats: list[str]) -> str:
        """Open a table; answers its address."""
        fields = {f"seat-{number}": kind for number, kind in enumerate(seats)}
        path = await self.ask("POST", "/new/paris-connection", {"name": self.name, **fields})
        await self.arrive()
        return path

    async def sit(self, path: str) -> None:
        await self.ask("POST", f"{path}/sit", {"name": self.name})
        await self.arrive()

    async def states(self, path: str) -> asyncio.StreamReader:
        """Open the stream of a table."""
        reader, writer = await asyncio.open_connection(self.host, self.port, limit=1 << 22)
        topic = path.removeprefix("/table/")
        writer.write(self._request("GET", f"/stream?watch={topic}@0", None, "text/event-stream"))
        await reader.readuntil(b"\r\n\r\n")
        self._stream = writer
        return reader

    async def play(self, path: str, version: str, move: str) -> float:
        """Click; answers how long it took until the move was on disk and said so."""
        begun = time.perf_counter()
        await self.ask("POST", f"{path}/play", {"move": move, "version": version}, "application/json")
        return time.perf_counter() - begun

    async def sits_at(self, path: str, think: float, clicks: list[tuple[float, float]], trouble: list[str]) -> None:
        """Play until the game is over: wait for one's turn, think, about so long, click.

        Adds to `clicks` when each was made and how long it took, to `trouble` what was refused.
        """
        stream = await self.states(path)
        chance = random.Random(f"{self.name} {path}")
        while True:
            text = (await stream.readuntil(EVENT_END)).decode()
            status = STATUS.search(text)
            if status is None:
                continue
            if status.group(1) not in ("open", "running"):
                return
            moves, version = MOVE.findall(text), VERSION.search(text)
            if not moves or version is None:
                continue
            await asyncio.sleep(chance.expovariate(1 / think) if think else 0)
            at = time.monotonic()
            try:
                clicks.append((at, await self.play(path, version.group(1), html.unescape(chance.choice(moves)))))
            except Refused as problem:
                trouble.append(str(problem))
