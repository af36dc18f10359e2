"""Two people at a table, as plain HTTP clients: one line for pages and forms, one stream for what is pushed."""

from __future__ import annotations

import contextlib
import html
import http.client
import queue
import random
import re
import threading
from collections.abc import Generator
from time import perf_counter
from typing import NamedTuple, TypeAlias
from urllib.parse import urlencode, urlsplit

from spieltisch.lab.served import GAME, PATIENCE, SEATS, ClickError

BETWEEN = (
    "from sending a player's form to the other player's stream having the new board; two HTTP clients, no browsers"
)
IDLE = 2.0
"""Seconds after which a line may have been closed by the server."""
TOKEN = re.compile(r'name="token" value="([0-9a-f]+)"')
MOVE = re.compile(r'name="move" value="([^"]*)"')
STATE = re.compile(r'<div id="live" class="table (\w+)[^>]*data-version="(\d+)"')


class State(NamedTuple):
    """What one person was shown of the table, and when (seconds): the moves are those they may make now."""

    at: float
    status: str
    version: int
    moves: list[str]


Pushed: TypeAlias = "queue.SimpleQueue[tuple[Visitor, State]]"


class Visitor:
    """Somebody with a browser. `pushed` receives every state of the table that they are shown."""

    def __init__(self, address: str, name: str, pushed: Pushed) -> None:
        self.name = name
        self.host = urlsplit(address).netloc
        self.pushed = pushed
        self._line = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        self._stream = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        self._cookies: dict[str, str] = {}
        self._token = ""
        self._used = 0.0

    def ask(self, path: str, fields: dict[str, str] | None = None, accept: str = "text/html") -> str:
        """A page, or where a form leads to. Raises ClickError."""
        if perf_counter() - self._used > IDLE:
            self._line.close()  # it is opened again by itself
        headers = {**self._headers(), "Accept": accept}
        body = None
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({"token": self._token, **fields})
        self._line.request("POST" if body else "GET", path, body, headers)
        answer = self._line.getresponse()
        text = answer.read().decode()
        self._used = perf_counter()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        if answer.status not in (200, 303):
            raise ClickError(f"{path}: {answer.status}")
        return answer.headers["Location"] if answer.status == 303 else text

    def arrive(self) -> None:
        """Have the token of this session's forms."""
        found = TOKEN.search(self.ask("/preferences"))
        if found is None:
            raise ClickError("the page has no form")
        self._token = found.group(1)

    def watch(self, table: str) -> None:
        """Open the stream of a table, and read it in a thread until the table is left."""
        topic = table.removeprefix("/table/")
        self._stream.request(
            "GET", f"/stream?watch={topic}@0", headers={**self._headers(), "Accept": "text/event-stream"}
        )
        answer = self._stream.getresponse()
        if answer.status != 200:
            raise ClickError(f"the stream: {answer.status}")
        threading.Thread(target=self._read, args=(answer,), daemon=True).start()

    def _read(self, answer: http.client.HTTPResponse) -> None:
        event: list[bytes] = []
        with contextlib.suppress(OSError, ValueError, AttributeError):  # all of them mean: the line was closed
            for line in answer:
                event.append(line)
                if line.strip():
                    continue
                at, text = perf_counter(), b"".join(event).decode()
                event.clear()
                if state := STATE.search(text):
                    moves = [html.unescape(move) for move in MOVE.findall(text)]
                    self.pushed.put((self, State(at, state.group(1), int(state.group(2)), moves)))

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"Origin": f"http://{self.host}"} | ({"Cookie": cookies} if cookies else {})

    def leave(self) -> None:
        """Close both lines."""
        self._line.close()
        self._stream.close()


def times(address: str) -> Generator[float, None, None]:
    """Seconds of one click after the other, at one table after the other, for ever."""
    chance = random.Random(1889)  # noqa: S311 - moves, not secrets
    while True:
        pushed: Pushed = queue.SimpleQueue()
        people = [Visitor(address, name, pushed) for name in ("Ada", "Grace")]
        try:
            yield from _table(people, pushed, chance)
        except queue.Empty as problem:
            raise ClickError("nothing was pushed for a long time") from problem
        finally:
            for person in people:
                person.leave()


def _table(people: list[Visitor], pushed: Pushed, chance: random.Random) -> Generator[float, None, None]:
    host, guest = people
    for person in people:
        person.arrive()
    seats = {f"seat-{number}": kind for number, kind in enumerate(SEATS)}
    table = host.ask(f"/new/{GAME}", {"name": host.name, **seats})
    guest.ask(f"{table}/sit", {"name": guest.name})
    for person in people:
        person.arrive()
        person.watch(table)
    shown: dict[Visitor, State] = {}
    begun: tuple[Visitor, int, float] | None = None  # who clicked at which version, and when
    while True:
        person, state = pushed.get(timeout=PATIENCE)
        shown[person] = state
        if begun is not None and person is not begun[0] and state.version > begun[1]:
            yield state.at - begun[2]
            begun = None
        if state.status == "finished":
            return
        if begun is None and len(shown) == len(people):
            newest = max(shown.values(), key=lambda each: each.version).version
            acting = next((one for one, each in shown.items() if each.moves and each.version == newest), None)
            if acting is not None:
                begun = (acting, newest, perf_counter())
                fields = {"move": chance.choice(shown[acting].moves), "version": str(newest)}
                acting.ask(f"{table}/play", fields, "application/json")  # as a page would: with no preview in between
