"""People with browsers, simulated by plain HTTP clients: one connection for pages and forms, one for the stream."""

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

from bench.local_server import GAME, SEATS, TIMEOUT_SECONDS, ClickError

WHAT_IS_TIMED: Final = (
    "from sending a player's form to the other player's stream having the new board; two HTTP clients, no browsers"
)
"""The start and the end of what is timed."""
LIMITS: Final = httpx.Limits(keepalive_expiry=4.0)
"""The server closes connections that are idle for five seconds; the client does so earlier."""
NO_CERTIFICATES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""A context without certificates.

Nothing is encrypted here, and each client would take 20 ms to read the certificates of the system.
"""
TOKEN: Final = re.compile(r'name="token" value="([0-9a-f]+)"')
"""The token of a form."""
MOVE: Final = re.compile(r'name="move" value="([^"]*)"')
"""The text of a legal move in a page."""
STATE: Final = re.compile(r'<div id="live-part" class="table status-(\w+)[^>]*data-version="(\d+)"')
"""The status and version of a table in a page."""


class PushedState(NamedTuple):
    """A pushed state of a table and when it arrived (seconds); `moves` are those that the person may make now."""

    at: float
    status: str
    version: int
    moves: list[str]


class HttpPlayer:
    """A person with a browser. All methods raise ClickError if the server does not do what was requested."""

    def __init__(self, address: str, name: str, source: str | None = None) -> None:
        """Connect to the server at `address`, from the address `source` of this machine."""
        self.name = name
        self._token = ""
        self._client = httpx.AsyncClient(
            base_url=address,
            headers={"Origin": address},
            timeout=TIMEOUT_SECONDS,
            transport=httpx.AsyncHTTPTransport(verify=NO_CERTIFICATES, limits=LIMITS, local_address=source),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()

    @property
    def cookie(self) -> str:
        """The header by which the server recognises this person."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._client.cookies.jar)

    async def ask(self, path: str, fields: dict[str, str] | None = None, accept: str = "text/html") -> str:
        """Return a page, or the location to which a form leads."""
        headers = {"Accept": accept}
        try:
            if fields is None:
                response = await self._client.get(path, headers=headers)
            else:
                response = await self._client.post(path, data={"token": self._token, **fields}, headers=headers)
        except httpx.HTTPError as error:
            raise ClickError(f"{path}: {error!r}") from error
        if response.status_code not in (200, 303):
            raise ClickError(f"{path}: {response.status_code} {response.text[:200]}")
        return response.headers["location"] if response.status_code == 303 else response.text

    async def fetch_form_token(self) -> None:
        """Fetch the token of this session's forms."""
        match = TOKEN.search(await self.ask("/preferences"))
        if match is None:
            raise ClickError("the page has no form")
        self._token = match[1]

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
            async with self._client.stream("GET", path, headers=headers) as response:
                if response.status_code != 200:
                    raise ClickError(f"the stream: {response.status_code}")
                event = ""
                async for text in response.aiter_text():
                    *events, event = (event + text).split("\n\n")
                    at = perf_counter()
                    for state in filter(None, map(STATE.search, events)):
                        moves = [html.unescape(move) for move in MOVE.findall(state.string)]
                        yield PushedState(at, state[1], int(state[2]), moves)
        except httpx.HTTPError as error:
            raise ClickError(f"the stream: {error!r}") from error
        raise ClickError("the stream ended")

    async def play(self, table: str, version: int, move: str) -> float:
        """Click, as a page without preview would, and return the seconds until the move is on disk."""
        start = perf_counter()
        await self.ask(f"{table}/play", {"move": move, "version": str(version)}, "application/json")
        return perf_counter() - start

    async def leave(self) -> None:
        """Close all connections."""
        await self._client.aclose()


def time_clicks(address: str) -> Generator[float, None, None]:
    """Yield the seconds of one click after the other, at one table after the other, endlessly."""

    async def following(clicks: AsyncIterator[float]) -> float:
        return await anext(clicks)

    with asyncio.Runner() as runner:
        clicks = _clicks(address, random.Random(1889))
        while True:
            yield runner.run(following(clicks))


Pushed = asyncio.Queue[tuple[HttpPlayer, PushedState]]
"""The queue of pushed states with the players who received them."""


async def _clicks(address: str, rng: random.Random) -> AsyncIterator[float]:
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
                async for seconds in _table(table, pushed, len(people), rng):
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


async def _table(table: str, pushed: Pushed, people: int, rng: random.Random) -> AsyncIterator[float]:
    shown: dict[HttpPlayer, PushedState] = {}
    click: tuple[HttpPlayer, int, float] | None = None  # the player, the version and the time
    while True:
        person, state = await asyncio.wait_for(pushed.get(), TIMEOUT_SECONDS)
        shown[person] = state
        if click is not None and person is not click[0] and state.version > click[1]:
            yield state.at - click[2]
            click = None
        if state.status == "finished":
            return
        if click is None and len(shown) == people:
            newest = max(shown.values(), key=lambda latest: latest.version).version
            acting = next(
                (player for player, latest in shown.items() if latest.moves and latest.version == newest), None
            )
            if acting is not None:
                click = (acting, newest, perf_counter())
                await acting.play(table, newest, rng.choice(shown[acting].moves))
