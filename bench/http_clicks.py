"""People with browsers, as plain HTTP clients: a connection for pages and forms, and one for the stream."""

from __future__ import annotations

import asyncio
import html
import random
import re
import ssl
from collections.abc import AsyncIterator, Generator, Sequence
from contextlib import AsyncExitStack
from time import perf_counter
from typing import Final, NamedTuple, Self

import httpx

from bench.local_server import GAME, PATIENCE, SEATS, ClickError

BETWEEN: Final = (
    "from sending a player's form to the other player's stream having the new board; two HTTP clients, no browsers"
)
LIMITS: Final = httpx.Limits(keepalive_expiry=4.0)
"""The server closes connections that are idle for five seconds."""
NO_CERTIFICATES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing is encrypted here, and each client would take 20 ms to read the certificates of the system."""
TOKEN: Final = re.compile(r'name="token" value="([0-9a-f]+)"')
MOVE: Final = re.compile(r'name="move" value="([^"]*)"')
STATE: Final = re.compile(r'<div id="live" class="table (\w+)[^>]*data-version="(\d+)"')


class PushedState(NamedTuple):
    """What one person was shown of the table, and when (seconds): the moves are those they may make now."""

    at: float
    status: str
    version: int
    moves: list[str]


class HttpPlayer:
    """Somebody with a browser. All calls raise ClickError when the server does not do what it was asked."""

    def __init__(self, address: str, name: str) -> None:
        self.name = name
        self._token = ""
        self._client = httpx.AsyncClient(
            base_url=address,
            headers={"Origin": address},
            limits=LIMITS,
            timeout=PATIENCE,
            verify=NO_CERTIFICATES,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()

    @property
    def cookie(self) -> str:
        """The header by which the server knows this person."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._client.cookies.jar)

    async def ask(self, path: str, fields: dict[str, str] | None = None, accept: str = "text/html") -> str:
        """Return a page, or where a form leads to."""
        headers = {"Accept": accept}
        try:
            if fields is None:
                answer = await self._client.get(path, headers=headers)
            else:
                answer = await self._client.post(path, data={"token": self._token, **fields}, headers=headers)
        except httpx.HTTPError as error:
            raise ClickError(f"{path}: {error!r}") from error
        if answer.status_code not in (200, 303):
            raise ClickError(f"{path}: {answer.status_code} {answer.text[:200]}")
        return answer.headers["location"] if answer.status_code == 303 else answer.text

    async def fetch_form_token(self) -> None:
        """Have the token of this session's forms."""
        found = TOKEN.search(await self.ask("/preferences"))
        if found is None:
            raise ClickError("the page has no form")
        self._token = found[1]

    async def open_table(self, seats: Sequence[str]) -> str:
        """Open a table and return its path."""
        kinds = {f"seat-{number}": kind for number, kind in enumerate(seats)}
        path = await self.ask(f"/new/{GAME}", {"name": self.name, **kinds})
        await self.fetch_form_token()
        return path

    async def sit(self, table: str) -> None:
        """Take an open seat."""
        await self.ask(f"{table}/sit", {"name": self.name})
        await self.fetch_form_token()

    async def pushed_states(self, table: str) -> AsyncIterator[PushedState]:
        """Yield what the stream of a table pushes, from now on."""
        path, headers = f"/stream?watch={table.removeprefix('/table/')}@0", {"Accept": "text/event-stream"}
        try:
            async with self._client.stream("GET", path, headers=headers) as answer:
                if answer.status_code != 200:
                    raise ClickError(f"the stream: {answer.status_code}")
                event = ""
                async for text in answer.aiter_text():
                    *whole, event = (event + text).split("\n\n")
                    at = perf_counter()
                    for state in filter(None, map(STATE.search, whole)):
                        moves = [html.unescape(move) for move in MOVE.findall(state.string)]
                        yield PushedState(at, state[1], int(state[2]), moves)
        except httpx.HTTPError as error:
            raise ClickError(f"the stream: {error!r}") from error
        raise ClickError("the stream ended")

    async def play(self, table: str, version: int, move: str) -> float:
        """Click, as a page would with no preview in between, and return the seconds until the move was on disk."""
        begun = perf_counter()
        await self.ask(f"{table}/play", {"move": move, "version": str(version)}, "application/json")
        return perf_counter() - begun

    async def leave(self) -> None:
        """Close all connections."""
        await self._client.aclose()


def times(address: str) -> Generator[float, None, None]:
    """Yield the seconds of one click after the other, at one table after the other, for ever."""

    async def following(clicks: AsyncIterator[float]) -> float:
        return await anext(clicks)

    with asyncio.Runner() as runner:
        clicks = _clicks(address, random.Random(1889))
        while True:
            yield runner.run(following(clicks))


Pushed = asyncio.Queue[tuple[HttpPlayer, PushedState]]


async def _clicks(address: str, chance: random.Random) -> AsyncIterator[float]:
    while True:
        async with AsyncExitStack() as stack:
            people = [await stack.enter_async_context(HttpPlayer(address, name)) for name in ("Ada", "Grace")]
            for person in people:
                await person.fetch_form_token()
            table = await people[0].open_table(SEATS)
            await people[1].sit(table)
            pushed: Pushed = asyncio.Queue()
            watching = [asyncio.create_task(_watch(person, table, pushed)) for person in people]
            try:
                async for seconds in _table(table, pushed, len(people), chance):
                    yield seconds
            except TimeoutError as error:
                raise ClickError("nothing was pushed for a long time") from error
            finally:
                for task in watching:
                    task.cancel()
                await asyncio.gather(*watching, return_exceptions=True)


async def _watch(person: HttpPlayer, table: str, pushed: Pushed) -> None:
    async for state in person.pushed_states(table):
        pushed.put_nowait((person, state))


async def _table(table: str, pushed: Pushed, people: int, chance: random.Random) -> AsyncIterator[float]:
    shown: dict[HttpPlayer, PushedState] = {}
    begun: tuple[HttpPlayer, int, float] | None = None  # who clicked at which version, and when
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
