"""Create administrators, of a server that runs inside the test or of one in another process, and read their pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from spieltisch.features.admin import rows
from spieltisch.features.admin.service import Administration
from spieltisch.live import Live
from spieltisch.store import Preferences
from tests.commands.command_line import json_output
from tests.web.servers import Server
from tests.web.visitors import Visitor

JSON = {"Accept": "application/json"}


async def administrator(live: Live, name: str) -> tuple[str, str]:
    """Create an administrator and return their id and session."""
    person, session = await live.people.create(name, "en", Preferences())
    await live.store.write(lambda connection: rows.add_link(connection, f"a link for {name}"))
    assert await live.service(Administration).use_link(f"a link for {name}", session, person.id)
    return person.id, session


def link(server: Server) -> str:
    """Return the path of a new administrator link."""
    text: str = json_output("admin", "--data", server.data)["link"]
    assert text.startswith(server.address)
    return text.removeprefix(server.address)


def follow(visitor: Visitor, path: str, name: str = "Root") -> httpx.Response:
    """Open an administrator link and confirm its form."""
    page = visitor.get(path)
    assert page.status_code == 200, page.text
    (token,) = re.findall(r'method="post" action="/admin/enter/.*?name="token" value="([0-9a-f]+)"', page.text, re.S)
    return visitor.post(path, data={"token": token, "name": name})


def acts(server: Server) -> list[tuple[str, str]]:
    """Return the logged actions of administrators, each with its subject."""
    return [(act["act"], act["subject"]) for act in json_output("admin-log", "--data", server.data)["acts"]]


def key_of(path: str) -> str:
    return path.rpartition("/")[2]


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def listed(kind: str, page: httpx.Response) -> list[str]:
    """Return the ids of the tables or people on the page."""
    assert page.status_code == 200, page.text
    return re.findall(rf'data-{kind}-id="([\w-]+)"', page.text)


@contextmanager
def open_stream(visitor: Visitor, topic: str) -> Iterator[Iterator[str]]:
    with visitor.stream("GET", "/stream", params={"watch": f"{topic}@0"}) as stream:
        assert stream.status_code == 200
        lines = stream.iter_lines()
        next(line for line in lines if line == "event: heartbeat")
        yield lines
