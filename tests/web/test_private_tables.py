"""To a visitor without access, every address below a private table answers as if the table did not exist;
and the host can renew the links for spectators.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import httpx
import pytest
from litestar.handlers import HTTPRouteHandler
from playwright.sync_api import expect

from spieltisch import tables
from spieltisch.web.routes import ROUTES, games
from tests.tiers import first_alone
from tests.web.conftest import Person, Server, Visitor, let_in

NOWHERE = "nosuchtable0"
"""An id of the same length as a table's."""
PARTS = {
    "seat:str": ("0", "9", "x"),
    "room:str": ("table", "x"),
    "bot:str": ("easy", "chess"),
    "question:str": (*tables.CONSENT_COMMANDS, "x"),
} | {
    "number:str": ("1", "x"),
    "number:int": ("0", "x"),
    "deed:str": ("remove", "x"),
}
WANTED: tuple[dict[str, str], ...] = ({}, {"Accept": "application/json"}, {"HX-Request": "true"})
QUERIES = ("", "?link=x", "?me=1", "?me=+1", "?link=OTHER", f"?link={'x' * 5000}", "?as=0011&at=-1&confirmed=x")


def addresses() -> Iterator[tuple[str, str]]:
    """Every method and address below that of a table, `{id}` for the table's."""
    handlers = [route for route in (*ROUTES, *games.uploads(None)) if isinstance(route, HTTPRouteHandler)]
    assert len(handlers) == len(ROUTES) + 1, "a route that is no handler is not looked at"
    below = [
        (path, handler.http_methods) for handler in handlers for path in handler.paths if path.startswith("/table/")
    ]
    assert len(below) > 15
    for path, methods in below:
        names = re.findall(r"{(.*?)}", path)
        assert names.pop(0) == "table_id:str"
        for values in product(*(PARTS[name] for name in names)):
            filled = path.replace("{table_id:str}", "{id}")
            for name, value in zip(names, values, strict=True):
                filled = filled.replace(f"{{{name}}}", value)
            for method in {"GET", "POST", "HEAD", "OPTIONS", "PUT", *methods}:
                yield str(method), filled
    yield from (("GET", "/table/{id}/nowhere"), ("POST", "/table/{id}/nowhere"), ("POST", "/table/{id}"))


ADDRESSES = sorted(set(addresses()))
SOME = (("GET", "/table/{id}"), ("GET", "/table/{id}/record"), ("POST", "/table/{id}/sit"))
FORMS = ("/table/{id}/play", "/table/{id}/rematch", "/table/{id}/renew-spectators")


def comparable(answer: httpx.Response, table: str) -> tuple[int, list[tuple[str, str]], str]:
    """Return everything in a response that could tell two tables apart, without the id that was asked for."""
    headers = [(name, value.replace(table, "ID")) for name, value in answer.headers.items() if name != "date"]
    return answer.status_code, headers, answer.text.replace(table, "ID")


@contextmanager
def stranger(server: Server, *, named: bool) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        if named:
            visitor.table("me", "open", "open", name="Mallory")
        else:
            visitor.get("/")
        yield visitor


def private(ada: Visitor) -> Iterator[str]:
    """Tables in every state, each visible only with its link."""
    yield ada.table("me", "link", "bot:random", watch="off")
    yield ada.table("me", "link", "bot:random", watch="link")
    for watch in ("off", "link"):
        running = ada.table("me", "here:Bo", "bot:random", watch=watch)
        yield running
    over = ada.table("me", "link", "link", watch="link")
    ada.submit(f"{over}/consent/ask-abort?confirmed=1")
    assert ada.state(over)["status"] == "aborted"
    yield over


def ways(number: int) -> Iterator[tuple[str, str, dict[str, str], bool]]:
    """Method, address, headers, and whether a form bears its token: of one table everything, of the others what a
    browser asks for.
    """
    for method, address in ADDRESSES:
        if number == 0 or (method in ("GET", "POST") and not re.search("9|chess|x", address)):
            yield method, address, {}, True
    for (method, address), wanted, query in product(SOME, WANTED, QUERIES):
        if number == 0:
            yield method, address + query, wanted, True
    for address in FORMS:
        yield "POST", address, WANTED[1], False


@pytest.mark.parametrize("named", first_alone(False, [False, True], "fuzz"))
def test_a_private_table_cannot_be_told_from_none(server: Server, ada: Visitor, named: bool) -> None:
    paths = [path.removeprefix("/table/") for path in private(ada)]
    other = re.search(r'href="[^"]*/join/([^"/]*)"', ada.get(ada.table("me", "link", "open")).text)
    assert other is not None
    assert all(len(path) == len(NOWHERE) for path in paths)
    with stranger(server, named=named) as visitor:
        fields = {"seat": "1", "move": "done", "version": "1", "name": "M"}
        token = visitor.token()
        for number, table in enumerate(paths):
            for method, address, wanted, bears in ways(number):
                target = address.replace("OTHER", other[1])
                sent: dict[str, Any] = {"headers": wanted}
                if method == "POST":
                    sent["data"] = {"token": token if bears else "x", **fields}
                responses, nowhere = (
                    comparable(visitor.request(method, target.format(id=table_id), **sent), table_id)
                    for table_id in (table, NOWHERE)
                )
                assert responses == nowhere, (method, target, wanted, bears)


def test_a_stream_tells_nothing_of_a_private_table(server: Server, ada: Visitor) -> None:
    for path in private(ada):
        table = path.removeprefix("/table/")
        with stranger(server, named=False) as visitor:
            streams = []
            for table_id in (table, NOWHERE):
                watched = f"/stream?watch={table_id}@0&watch={table_id}~x@0&watch={table_id}!1@0&watch=lobby@0"
                with visitor.stream("GET", watched, headers={"Accept-Encoding": "identity"}) as stream:
                    lines = stream.iter_lines()
                    first = [next(lines)]
                    while not first[-1].startswith("id: "):
                        first.append(next(lines))
                    streams.append((told_headers(stream), [line.partition("@")[0] for line in first]))
            assert streams[0] == streams[1]
            assert streams[0][1][-1] == "id: lobby"


def told_headers(answer: httpx.Response) -> list[tuple[str, str]]:
    return [(name, value) for name, value in answer.headers.items() if name != "date"]


def test_who_may_see_it_sees_it(server: Server, ada: Visitor) -> None:
    for path in private(ada):
        assert ada.get(path).status_code == 200
    path = ada.table("me", "here:Bo", "bot:random", watch="link")
    with stranger(server, named=False) as visitor:
        assert visitor.get(f"{path}?link={watch_link(ada, path)}").status_code == 200


# --- The links for spectators. ---


def watch_link(host: Visitor, path: str) -> str:
    """The link that the host's page shows for spectators."""
    match = re.search(r'href="[^"]*/join/([^"/]*)">Spectator link', host.get(path).text)
    assert match is not None
    return match[1]


def test_a_renewed_link_for_spectators_stops_the_old_one_and_its_streams(server: Server, ada: Visitor) -> None:
    path = ada.table("me", "here:Bo", "here:Cy", watch="link")
    old = watch_link(ada, path)
    with stranger(server, named=False) as visitor, stranger(server, named=True) as other:
        assert visitor.get(f"{path}?link={old}").status_code == 200
        assert other.submit(f"{path}/renew-spectators").status_code == 404
        topic = f"{path.removeprefix('/table/')}~{old}"
        with visitor.stream("GET", f"/stream?watch={topic}@0", headers={"Accept-Encoding": "identity"}) as stream:
            lines = stream.iter_lines()
            while "You" not in (line := next(lines)) and 'class="table running' not in line:
                pass
            assert ada.submit(f"{path}/renew-spectators").status_code == 303
            rest = "\n".join(lines)  # to the end: the stream is over
        assert "This link is invalid or has expired." in rest
        assert rest.count("event: state") <= 1
        for address in (f"{path}?link={old}", f"{path}/log?link={old}", f"/join/{old}"):
            answer = visitor.get(address)
            assert answer.status_code == 404
            assert "This link is invalid or has expired." in answer.text
        assert visitor.get(f"{path}?link={watch_link(ada, path)}").status_code == 200


def test_a_seated_person_who_is_not_the_host_cannot_renew_it(running: tuple[str, list[Visitor]]) -> None:
    path, people = running
    assert people[1].submit(f"{path}/renew-spectators").status_code == 403


def test_who_looks_on_is_told_that_the_link_is_void(person: Person, server: Server, ada: Visitor) -> None:
    path = ada.table("me", "here:Bo", "here:Cy", watch="link")
    host, spectator = person(), person()
    let_in(host.context, ada)
    spectator.goto(f"{server.address}{path}?link={watch_link(ada, path)}")
    expect(spectator.locator("#people")).to_be_visible()
    host.goto(f"{server.address}{path}")
    host.locator("#menu summary").click()
    host.get_by_role("button", name="Reset spectator link").click()
    expect(spectator.locator("#live .notice")).to_have_text("This link is invalid or has expired. Ask for a new one.")
    expect(spectator.locator("#people")).to_have_count(0)
    expect(spectator.locator("#line")).to_be_hidden()
