"""People with browsers, as plain HTTP clients: one line for pages and forms, one stream for what is pushed."""

from __future__ import annotations

import asyncio
import html
import random
import re
from collections.abc import AsyncIterator, Generator, Sequence
from time import perf_counter
from typing import Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from spieltisch.lab.served import GAME, PATIENCE, SEATS, ClickError

BETWEEN = (
    "from sending a player's form to the other player's stream having the new board; two HTTP clients, no browsers"
)
LONGEST_IDLE: Final = 4.0
"""Seconds after which a line is not used again: the server closes those that are idle for five."""
LONGEST_EVENT: Final = 1 << 22
HEAD_END: Final = b"\r\n\r\n"
EVENT_END: Final = b"\n\n\r\n"
TOKEN: Final = re.compile(r'name="token" value="([0-9a-f]+)"')
MOVE: Final = re.compile(r'name="move" value="([^"]*)"')
STATE: Final = re.compile(r'<div id="live" class="table (\w+)[^>]*data-version="(\d+)"')


class State(NamedTuple):
    """What one person was shown of the table, and when (seconds): the moves are those they may make now."""

    at: float
    status: str
    version: int
    moves: list[str]


class Visitor:
    """Somebody with a browser. All calls raise ClickError when the server does not do what it was asked."""

    def __init__(self, address: str, name: str) -> None:
        self.name = name
        self._site = urlsplit(address).netloc
        self._cookies: dict[str, str] = {}
        self._token = ""
        self._used = 0.0
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._stream: asyncio.StreamWriter | None = None

    async def ask(self, path: str, fields: dict[str, str] | None = None, accept: str = "text/html") -> str:
        """A page, or where a form leads to."""
        if self._line is not None and perf_counter() - self._used > LONGEST_IDLE:
            self._line[1].close()
            self._line = None
        reader, writer = self._line = self._line or await self._connect()
        self._used = perf_counter()
        writer.write(self._request(path, fields, accept))
        status, headers = self._read((await reader.readuntil(HEAD_END)).decode())
        body = (await reader.readexactly(int(headers.get("content-length", 0)))).decode()
        if status not in (200, 303):
            raise ClickError(f"{path}: {status} {body[:200]}")
        return headers["location"] if status == 303 else body

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, _, port = self._site.rpartition(":")
        return await asyncio.open_connection(host, int(port), limit=LONGEST_EVENT)

    def _request(self, path: str, fields: dict[str, str] | None, accept: str) -> bytes:
        method = "GET" if fields is None else "POST"
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self._site}",
            f"Origin: http://{self._site}",
            f"Accept: {accept}",
        ]
        body = b""
        if self._cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self._cookies.items()))
        if fields is not None:
            body = urlencode({"token": self._token, **fields}).encode()
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        return "".join(f"{line}\r\n" for line in (*lines, "")).encode() + body

    def _read(self, head: str) -> tuple[int, dict[str, str]]:
        """Status and headers of an answer; its cookies are kept."""
        first, *lines = head.rstrip().split("\r\n")
        headers: dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _, held = value.partition(";")[0].partition("=")
                self._cookies[cookie] = held
            headers[name.lower()] = value
        return int(first.split()[1]), headers

    async def arrive(self) -> None:
        """Have the token of this session's forms."""
        found = TOKEN.search(await self.ask("/preferences"))
        if found is None:
            raise ClickError("the page has no form")
        self._token = found.group(1)

    async def open_table(self, seats: Sequence[str]) -> str:
        """Open a table; returns its path."""
        kinds = {f"seat-{number}": kind for number, kind in enumerate(seats)}
        path = await self.ask(f"/new/{GAME}", {"name": self.name, **kinds})
        await self.arrive()
        return path

    async def sit(self, table: str) -> None:
        """Take an open seat."""
        await self.ask(f"{table}/sit", {"name": self.name})
        await self.arrive()

    async def states(self, table: str) -> AsyncIterator[State]:
        """What the stream of a table pushes, from now on."""
        reader, self._stream = await self._connect()
        topic = table.removeprefix("/table/")
        self._stream.write(self._request(f"/stream?watch={topic}@0", None, "text/event-stream"))
        status, _ = self._read((await reader.readuntil(HEAD_END)).decode())
        if status != 200:
            raise ClickError(f"the stream: {status}")
        while True:
            try:
                text = (await reader.readuntil(EVENT_END)).decode()
            except asyncio.IncompleteReadError as problem:
                raise ClickError("the stream ended") from problem
            at = perf_counter()
            if state := STATE.search(text):
                moves = [html.unescape(move) for move in MOVE.findall(text)]
                yield State(at, state.group(1), int(state.group(2)), moves)

    async def play(self, table: str, version: int, move: str) -> float:
        """Click, as a page would with no preview in between; returns the seconds until the move was on disk."""
        begun = perf_counter()
        await self.ask(f"{table}/play", {"move": move, "version": str(version)}, "application/json")
        return perf_counter() - begun

    def leave(self) -> None:
        """Close both lines."""
        for writer in (self._line and self._line[1], self._stream):
            if writer is not None:
                writer.close()


def times(address: str) -> Generator[float, None, None]:
    """Seconds of one click after the other, at one table after the other, for ever."""

    async def following(clicks: AsyncIterator[float]) -> float:
        return await anext(clicks)

    with asyncio.Runner() as runner:
        clicks = _clicks(address, random.Random(1889))  # noqa: S311 - moves, not secrets
        while True:
            yield runner.run(following(clicks))


Pushed = asyncio.Queue[tuple[Visitor, State]]


async def _clicks(address: str, chance: random.Random) -> AsyncIterator[float]:
    while True:
        people = [Visitor(address, name) for name in ("Ada", "Grace")]
        for person in people:
            await person.arrive()
        table = await people[0].open_table(SEATS)
        await people[1].sit(table)
        pushed: Pushed = asyncio.Queue()
        watching = [asyncio.create_task(_watch(person, table, pushed)) for person in people]
        try:
            async for seconds in _table(table, pushed, len(people), chance):
                yield seconds
        except TimeoutError as problem:
            raise ClickError("nothing was pushed for a long time") from problem
        finally:
            for task in watching:
                task.cancel()
            for person in people:
                person.leave()


async def _watch(person: Visitor, table: str, pushed: Pushed) -> None:
    async for state in person.states(table):
        pushed.put_nowait((person, state))


async def _table(table: str, pushed: Pushed, people: int, chance: random.Random) -> AsyncIterator[float]:
    shown: dict[Visitor, State] = {}
    begun: tuple[Visitor, int, float] | None = None  # who clicked at which version, and when
    while True:
        person, state = await asyncio.wait_for(pushed.get(), PATIENCE)
        shown[person] = state
        if begun is not None and person is not begun[0] and state.version > begun[1]:
            yield state.at - begun[2]
            begun = None
        if state.status == "finished":
            return
        if begun is None and len(shown) == people:
            newest = max(shown.values(), key=lambda each: each.version).version
            acting = next((one for one, each in shown.items() if each.moves and each.version == newest), None)
            if acting is not None:
                begun = (acting, newest, perf_counter())
                await acting.play(table, newest, chance.choice(shown[acting].moves))
