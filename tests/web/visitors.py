"""Provide visitors of a server who speak plain HTTP."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any, Protocol

import httpx
import pytest
from playwright.sync_api import BrowserContext

MANY_ADDRESSES = pytest.mark.skipif(sys.platform != "linux", reason="a machine with many addresses of its own")


class Reached(Protocol):
    """A server under one of its addresses."""

    @property
    def address(self) -> str: ...


class Visitor(httpx.Client):
    """A visitor with a browser that sends what browsers send, from an address of this machine or by a transport."""

    def __init__(
        self,
        server: Reached,
        language: str = "en",
        *,
        address: str | httpx.HTTPTransport = "127.0.0.1",
        **headers: str,
    ) -> None:
        sent = {"Origin": server.address, "Accept-Language": language, "Accept": "text/html", **headers}
        if isinstance(address, str):
            address = httpx.HTTPTransport(local_address=address, verify=False)  # it is plain http: load no roots
        super().__init__(base_url=server.address, headers=sent, timeout=30, transport=address)

    def token(self, page: str = "/") -> str:
        """Return the form token of this session."""
        match = re.search(r'name="token" value="([0-9a-f]+)"', self.get(page).text)
        assert match, page
        return match.group(1)

    def submit(self, path: str, **fields: Any) -> httpx.Response:
        """Send a form with this session's token."""
        return self.post(path, data={"token": self.token(), **fields})

    def table(self, *seats: str, name: str = "Ada", game: str = "paris-connection", **fields: str) -> str:
        """Open a table; return its path."""
        seat_fields = {f"seat-{number}": kind for number, kind in enumerate(seats)}
        answer = self.submit(f"/new/{game}", name=name, **seat_fields, **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def sit(self, path: str, name: str) -> httpx.Response:
        """Take an open seat."""
        return self.submit(f"{path}/sit", name=name)

    def leave(self, path: str, **fields: str) -> httpx.Response:
        """Leave a table and confirm the question of its page."""
        (confirmed,) = re.findall(r'action="(/table/[^"]+/leave[^"]+)"', self.submit(f"{path}/leave", **fields).text)
        return self.submit(confirmed, **fields)

    def state(self, path: str) -> dict[str, Any]:
        """Return the table as this visitor sees it, as JSON."""
        answer = self.get(path, headers={"Accept": "application/json"})
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()
        return state

    def play(self, path: str, move: str, version: int | None = None) -> httpx.Response:
        seen_version = self.state(path)["version"] if version is None else version
        return self.post(
            f"{path}/play",
            data={"token": self.token(), "move": move, "version": str(seen_version)},
            headers={"Accept": "application/json"},
        )


SHORT = {"option-standstill": "ends"}
"""A table of Paris Connection at which three rounds of one-for-one trades end the game (T6)."""


def trade_on(people: Sequence[Visitor], path: str, seat: int | None) -> None:
    """Trade one for one at a table of Paris Connection until `seat` is to decide or, at a `SHORT` table, the game is
    over.
    """
    while (now := people[0].state(path)["to_decide"]) not in (seat, None):
        moves = people[now].state(path)["moves"]
        people[now].play(path, next(move for move in moves if re.fullmatch(r"trade \w+ for 1 \w+", move)))


def first_events(visitor: Visitor, topics: Sequence[str]) -> bytes:
    """Return what a stream sends first of these topics (`name@version`) and, at its end, of the lobby."""
    parameters: dict[str, Any] = {"changes": "yes", "watch": [*topics, "lobby@0"]}
    with visitor.stream("GET", "/stream", params=parameters, headers={"Accept-Encoding": "identity"}) as stream:
        text = b""
        for part in stream.iter_bytes():
            text += part
            if b"\nid: lobby@" in text and text.endswith(b"\n\n"):
                break
    return text


def let_in(context: BrowserContext, visitor: Visitor) -> None:
    """Copy the cookies of a visitor into a browser."""
    for cookie in visitor.cookies.jar:
        context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": str(visitor.base_url)}])


def table_of_three(ada: Visitor, grace: Visitor, mary: Visitor, **fields: str) -> tuple[str, list[Visitor]]:
    path = ada.table("me", "open", "open", **fields)
    assert grace.sit(path, "Grace").status_code == 303
    assert mary.sit(path, "Mary").status_code == 303
    return path, [ada, grace, mary]
