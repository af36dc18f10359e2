"""Check that a private table looks missing to visitors without access, and that the host can renew links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.sentences import sentence_after
from tests.tiers import first_alone
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.table_addresses import ADDRESSES
from tests.web.visitors import Visitor, let_in

NO_LINK = sentence_after("tables/refusals.py", "no_link = partial(TableRefusal, RefusalCode.NO_LINK,")

NOWHERE = "nosuchtable0"
"""An id of the same length as a table's."""
WANTED: tuple[dict[str, str], ...] = ({}, {"Accept": "application/json"}, {"HX-Request": "true"})
QUERIES = ("", "?link=x", "?me=1", "?me=+1", "?link=OTHER", f"?link={'x' * 5000}", "?as=0011&at=-1&confirmed=x")


SOME = (("GET", "/table/{id}"), ("GET", "/table/{id}/record"), ("POST", "/table/{id}/sit"))
FORMS = ("/table/{id}/play", "/table/{id}/rematch", "/table/{id}/renew-spectators")


def comparable(answer: httpx.Response, table: str) -> tuple[int, list[tuple[str, str]], str]:
    """Return everything in a response that could distinguish two tables, without the requested id."""
    headers = [(name, value.replace(table, "ID")) for name, value in answer.headers.items() if name != "date"]
    return answer.status_code, headers, answer.text.replace(table, "ID")


@contextmanager
def stranger(server: Server, *, has_name: bool) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        if has_name:
            visitor.table("me", "open", "open", name="Mallory")
        else:
            visitor.get("/")
        yield visitor


def create_private_tables(ada: Visitor) -> Iterator[str]:
    """Open tables in every state, each visible only with its link."""
    yield ada.table("me", "link", "bot:random", watch="off")
    yield ada.table("me", "link", "bot:random", watch="link")
    for watch_policy in ("off", "link"):
        running_table = ada.table("me", "here:Bo", "bot:random", watch=watch_policy)
        yield running_table
    finished_table = ada.table("me", "link", "link", watch="link")
    ada.submit(f"{finished_table}/consent/ask-abort?confirmed=1")
    assert ada.state(finished_table)["status"] == "aborted"
    yield finished_table


def requests_about_table(number: int) -> Iterator[tuple[str, str, dict[str, str], bool]]:
    """Yield method, address, headers, and whether a form has its token, for requests about a table.

    The first table gets all requests, and other tables fewer.
    """
    for method, address in ADDRESSES:
        if number == 0 or (method in ("GET", "POST") and not re.search("9|chess|x", address)):
            yield method, address, {}, True
    for (method, address), watch_value, query in product(SOME, WANTED, QUERIES):
        if number == 0:
            yield method, address + query, watch_value, True
    for address in FORMS:
        yield "POST", address, WANTED[1], False


@pytest.mark.parametrize("has_name", first_alone(False, [False, True], "fuzz"))
def test_a_private_table_cannot_be_distinguished_from_a_missing_table(
    server: Server, ada: Visitor, has_name: bool
) -> None:
    paths = [path.removeprefix("/table/") for path in create_private_tables(ada)]
    other = re.search(r'href="[^"]*/join/([^"/]*)"', ada.get(ada.table("me", "link", "open")).text)
    assert other is not None
    assert all(len(path) == len(NOWHERE) for path in paths)
    with stranger(server, has_name=has_name) as visitor:
        fields = {"seat": "1", "move": "done", "version": "1", "name": "M"}
        token = visitor.token()
        for number, table in enumerate(paths):
            for method, address, watch_value, bears in requests_about_table(number):
                target = address.replace("OTHER", other[1])
                request_options: dict[str, Any] = {"headers": watch_value}
                if method == "POST":
                    request_options["data"] = {"token": token if bears else "x", **fields}
                responses, missing_responses = (
                    comparable(visitor.request(method, target.format(id=table_id), **request_options), table_id)
                    for table_id in (table, NOWHERE)
                )
                assert responses == missing_responses, (method, target, watch_value, bears)


def test_a_stream_reveals_nothing_about_a_private_table(server: Server, ada: Visitor) -> None:
    for path in create_private_tables(ada):
        table = path.removeprefix("/table/")
        with stranger(server, has_name=False) as visitor:
            streams = []
            for table_id in (table, NOWHERE):
                stream_address = f"/stream?watch={table_id}@0&watch={table_id}~x@0&watch={table_id}!1@0&watch=lobby@0"
                with visitor.stream("GET", stream_address, headers={"Accept-Encoding": "identity"}) as stream:
                    lines = stream.iter_lines()
                    first = [next(lines)]
                    while not first[-1].startswith("id: "):
                        first.append(next(lines))
                    streams.append((comparable_headers(stream), [line.partition("@")[0] for line in first]))
            assert streams[0] == streams[1]
            assert streams[0][1][-1] == "id: lobby"


def comparable_headers(answer: httpx.Response) -> list[tuple[str, str]]:
    return [(name, value) for name, value in answer.headers.items() if name != "date"]


def test_visitors_with_access_see_the_private_table(server: Server, ada: Visitor) -> None:
    for path in create_private_tables(ada):
        assert ada.get(path).status_code == 200
    path = ada.table("me", "here:Bo", "bot:random", watch="link")
    with stranger(server, has_name=False) as visitor:
        assert visitor.get(f"{path}?link={spectator_link(ada, path)}").status_code == 200


# --- The links for spectators. ---


def spectator_link(host: Visitor, path: str) -> str:
    """Return the spectator link on the host's page."""
    match = re.search(r'href="[^"]*/join/([^"/]*)">Spectator link', host.get(path).text)
    assert match is not None
    return match[1]


def test_renewing_the_spectator_link_invalidates_the_old_link_and_ends_its_streams(
    server: Server, ada: Visitor
) -> None:
    path = ada.table("me", "here:Bo", "here:Cy", watch="link")
    old_link = spectator_link(ada, path)
    with stranger(server, has_name=False) as visitor, stranger(server, has_name=True) as other_visitor:
        assert visitor.get(f"{path}?link={old_link}").status_code == 200
        assert other_visitor.submit(f"{path}/renew-spectators").status_code == 404
        topic = f"{path.removeprefix('/table/')}~{old_link}"
        with visitor.stream("GET", f"/stream?watch={topic}@0", headers={"Accept-Encoding": "identity"}) as stream:
            lines = stream.iter_lines()
            while "You" not in (line := next(lines)) and 'class="table status-running' not in line:
                pass
            assert ada.submit(f"{path}/renew-spectators").status_code == 303
            rest_of_stream = "\n".join(lines)  # to the end: the stream is over
        assert NO_LINK in rest_of_stream
        assert rest_of_stream.count("event: state") <= 1
        for address in (f"{path}?link={old_link}", f"{path}/log?link={old_link}", f"/join/{old_link}"):
            answer = visitor.get(address)
            assert answer.status_code == 404
            assert NO_LINK in answer.text
        assert visitor.get(f"{path}?link={spectator_link(ada, path)}").status_code == 200


def test_only_the_host_can_renew_the_spectator_link(running_table: tuple[str, list[Visitor]]) -> None:
    path, people = running_table
    assert people[1].submit(f"{path}/renew-spectators").status_code == 403


def test_a_spectator_is_told_when_their_link_is_no_longer_valid(
    open_page: Person, server: Server, ada: Visitor
) -> None:
    path = ada.table("me", "here:Bo", "here:Cy", watch="link")
    host, spectator = open_page(), open_page()
    let_in(host.context, ada)
    spectator.goto(f"{server.address}{path}?link={spectator_link(ada, path)}")
    expect(spectator.locator("#player-list")).to_be_visible()
    host.goto(f"{server.address}{path}")
    host.locator("#table-menu summary").click()
    host.locator(f'[formaction="{path}/renew-spectators"]').click()
    expect(spectator.locator("#live-part .notice")).to_have_text(NO_LINK)
    expect(spectator.locator("#player-list")).to_have_count(0)
    expect(spectator.locator("#connection-notice")).to_be_hidden()
