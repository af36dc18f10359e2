"""Check that actions of administrators apply to both servers of a PostgreSQL database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.commands.command_line import json_output
from tests.postgres import Server as Postgres
from tests.web.servers import SHARING, Server
from tests.web.visitors import Visitor

pytestmark = pytest.mark.postgresql
JSON = {"Accept": "application/json"}


@pytest.fixture
def servers(postgres: Postgres) -> Iterator[tuple[str, Server, Server]]:
    url = postgres.schema()
    with ExitStack() as stack:
        first, second = (Server(url, command=SHARING, forked=False) for _ in range(2))
        stack.callback(first.stop)
        stack.callback(second.stop)
        yield url, first, second
        assert [first.stop(), second.stop()] == [0, 0]


def test_links_bans_and_announcements_of_one_server_take_effect_on_the_other(
    servers: tuple[str, Server, Server],
) -> None:
    url, first, second = servers
    with Visitor(first) as root, Visitor(second) as elsewhere, Visitor(first) as eve:
        link = "/admin/enter/" + json_output("admin", "--database", url)["link"].rpartition("/")[2]
        assert root.post(link, data={"token": root.token(link), "name": "Root"}).status_code == 303
        assert elsewhere.get(link).status_code == 404
        elsewhere.cookies.update(root.cookies)
        assert elsewhere.get("/admin").status_code == 200
        path = eve.table("me", "here", "open", name="Eve", **{"here-1": "Wilhelmine"})
        (eve_id,) = re.findall(r'data-person-id="([\w-]+)"', elsewhere.get("/admin", params={"search": "helmin"}).text)
        assert path.rpartition("/")[2] in elsewhere.get("/admin", params={"search": "wilhelmine"}).text
        with eve.stream("GET", "/stream", params={"watch": f"{path.rpartition('/')[2]}@0"}) as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line == "event: heartbeat")
            assert elsewhere.submit("/admin/announcement", text="Back at nine").status_code == 303
            next(line for line in lines if line == "data: Back at nine")
            assert elsewhere.submit("/admin/bans", person=eve_id).status_code == 303
            for _ in lines:  # until the stream ends
                pass
        assert eve.get("/", headers=JSON).json()["code"] == "banned"
        (ban,) = re.findall(r'data-ban-id="([\w-]+)"', root.get("/admin").text)
        assert root.submit("/admin/bans/end", ban=ban).status_code == 303
        assert eve.get("/").status_code == 200
        table = path.rpartition("/")[2]
        assert elsewhere.submit(f"/admin/tables/{table}/remove", sure="on").status_code == 303
        with Visitor(second) as other:
            assert other.get(path).status_code == 404
    acts = [act["act"] for act in json_output("admin-log", "--database", url)["acts"]]
    assert acts == ["link", "begin", "announce", "ban", "unban", "table-close", "table-remove"]
