"""Create administrators, of a server that runs inside the test or of one in another process."""

from __future__ import annotations

import re

import httpx

from spieltisch.features.admin import rows
from spieltisch.features.admin.service import Administration
from spieltisch.live import Live
from spieltisch.store import Preferences
from tests.commands.command_line import json_output
from tests.web.servers import Server
from tests.web.visitors import Visitor


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
