"""Check that every address answers good and odd requests of Schemathesis with a proper status and never fails.

The server publishes no OpenAPI schema. A generated schema would know only paths, since pages are forms that are read
field by field. So the schema is built here: paths and methods from the routes themselves, so that no new route is left
out, and fields from the lists below.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core.result import Ok

from spieltisch.web.app import ROUTES
from tests.tiers import WHOLE
from tests.web.servers import Server
from tests.web.visitors import Visitor

EXAMPLES = int(os.environ.get("SPIELTISCH_EXAMPLES", "5" if WHOLE else "2"))
"""Requests of each kind to each address; more are asked for by hand."""

FIELDS = {
    "name": ("Ada", "", "x" * 41),
    "language": ("de", "en", "xx"),
    "theme": ("", "dark", "neon"),
    "back": ("/", "//elsewhere"),
    "move": ("done", "build red Lyon", ""),
    "version": ("1", "6", "99999999999999"),
    "seat": ("0", "2", "-1", "999"),
    "me": ("Ben", "0", ""),
    "seat-0": ("me", "open", "link", "bot:easy", "bot:"),
    "seat-1": ("open", "bot:random", "reserved"),
    "seat-2": ("bot:random", "me"),
    "option-cut_off": ("strict", "soft"),
    "watch": ("open", "link", "off", "all"),
    "components": ("", "0" * 64),
    "bot": ("easy", "expert@9", ""),
    "confirm": ("on",),
    "confirm-shown": ("1",),
    "pace": ("slow", "1"),
    "ratings-shown": ("1",),
    "sure": ("on",),
    "code": ("ABCD-EFGH", ""),
    "next-session": ("", "x" * 43),
    "link": ("", "x" * 43),
    "passkey": ("", "none", "{}", '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}'),
    "how": ("here", "link", "1"),
    "bots": ("1", "x"),
    "players": ("3", "99"),
    "tables": ("1", "2", "99"),
    "moves": ("done\nfly", "trade red for 1 black"),
    "condition_player": ("1", "99"),
    "condition_move": ("build", ""),
    "condition_object": ("Lyon",),
    "always": ("1",),
    "at": ("2", "-1"),
    "text": ("", "game = 1", "["),
    "room": ("table", "note", "x"),
    "first": ("2027-12-24", ""),
    "last": ("2027-12-25", "x"),
    "clock": ("live", "own-days", "fast"),
    "seconds": ("30", "-1"),
    "bank": ("20", ""),
    "hours": ("24", "9999"),
    "opens": ("9", "24"),
    "closes": ("21", "0"),
    "holidays": ("7", "x"),
    "zone": ("Europe/Berlin", "Mars/Olympus"),
    "on_timeout": ("bot-sits", "x"),
    "timeout_bot": ("random", "x"),
    "hints": ("all", "x"),
    "chat": ("off", "x"),
    "kind": ("mail", "push", "service", ""),
    "address": ("ada@example.org", "https://127.0.0.1/hook", "file:///etc/passwd"),
    "endpoint": ("https://127.0.0.1/push", ""),
    "quiet": ("on", "x"),
    "quiet-from": ("22:30", "24:00"),
    "quiet-to": ("07:00", "x"),
    "away": ("5", "-1"),
    "pause": ("60", "1.5"),
}
"""Fields that forms here have, with some of what they may hold; any other text is tried as well."""

QUERIES = (
    "link",
    "v",
    "words",
    "place",
    "move",
    "moves",
    "set",
    "after",
    "at",
    "as",
    "since",
    "me",
    "confirmed",
    "code",
    "watch",
    "saved",
    "sent",
    "changes",
    "from",
    "how",
    "outcome",
    "what-if",
    "show",
    "game",
)
"""The query parameters of addresses."""

ODD_NUMBERS = (
    "0011",
    "00",
    "-1",
    "+1",
    "1.0",
    "1e1",
    "1_0",
    " 1",
    "\u0661",
    "\uff11",
    "\u00b2",
    "\u2460",
    "9" * 4400,
    "7" * 20,
)
"""Numbers in unusual spellings: with leading zeros, signs, digits of other scripts, thousands of digits."""

NUMBERS = st.one_of(
    st.sampled_from(ODD_NUMBERS),
    st.integers(-(1 << 70), 1 << 70).map(str),
    st.integers(0, 99).map(lambda number: f"{number:04}"),
    st.text(st.characters(categories=("Nd", "No", "Nl", "Sm", "Pd")), min_size=1, max_size=12),
)

OWN_SESSION = re.compile(r"/(devices?|me/log-out)(/|$)")
"""Addresses that hand over or end a session: requested by a visitor of their own, whom no other test needs."""


def schema(known_values: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """Return an OpenAPI schema of all routes except the endless stream, with `known` values for parameters of paths."""
    paths: dict[str, Any] = {}
    for route in ROUTES:
        for path in route.paths:
            if path == "/stream":
                continue
            path_parameters = re.findall(r"{(\w+):(\w+)}", path)
            operation = {
                "parameters": [_part(name, kind, known_values.get(name, ())) for name, kind in path_parameters]
                + [{"name": name, "in": "query", "schema": {"type": "string"}} for name in QUERIES],
                "responses": {"default": {"description": "whatever it is"}},
            }
            for method in getattr(route, "http_methods", ()):
                if method not in ("GET", "POST"):
                    continue
                path_item = paths.setdefault(re.sub(r"{(\w+):\w+}", r"{\1}", path), {})
                path_item[method.lower()] = {**operation, **({"requestBody": _form()} if method == "POST" else {})}
    return {"openapi": "3.1.0", "info": {"title": "Spieltisch", "version": "1"}, "paths": paths}


def _part(name: str, kind: str, known_values: tuple[str, ...]) -> dict[str, Any]:
    free_value = {"type": "integer"} if kind == "int" else {"type": "string", "minLength": 1}
    value_schema = {"anyOf": [{"enum": list(known_values)}, free_value]} if known_values else free_value
    return {"name": name, "in": "path", "required": True, "schema": value_schema}


def _form() -> dict[str, Any]:
    fields = {
        name: {"anyOf": [{"enum": list(listed_values)}, {"type": "string"}]} for name, listed_values in FIELDS.items()
    }
    return {
        "required": True,
        "content": {"application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": fields}}},
    }


@pytest.fixture(scope="module")
def populated_server(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Server, Visitor, dict[str, tuple[str, ...]]]]:
    """Return a server with a waiting, a running and a finished table, and a visitor who plays at all of them."""
    server = Server(
        tmp_path_factory.mktemp("busy"), "--limit", "requests_per_minute=0", "--limit", "streams_per_address=0"
    )
    try:
        with Visitor(server) as ada:
            open_table = ada.table("me", "open", "link")
            running_path = ada.table("me", "bot:random", "bot:random")
            finished_table = ada.table("me", "bot:random", "bot:random")
            assert ada.submit(f"{finished_table}/consent/ask-abort?confirmed=1").status_code < 400
            assert ada.state(finished_table)["status"] == "aborted"
            link = re.search(r"/join/([\w.~-]+)", ada.get(open_table).text)
            assert link
            ids = tuple(path.removeprefix("/table/") for path in (open_table, running_path, finished_table))
            known_values = {
                "table_id": ids,
                "key": ("paris-connection",),
                "place": ("1", "1-515", "2-515", "5", "1-x"),
                "link": (link.group(1),),
                "seat": ("0", "1", "2", "7"),
                "bot": ("easy", "clever"),
                "act": ("end", "confirm"),
                "question": ("ask-undo", "agree-undo", "ask-abort", "agree-abort", "refuse-abort", "ask-hints"),
            }
            yield server, ada, known_values
    finally:
        code = server.stop()
    assert code == 0, server.log
    assert "request failed" not in server.log
    assert "Traceback" not in server.log


def limited(test: Callable[..., None], examples: int = EXAMPLES) -> Callable[[], None]:
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )(test)


def probe(cases: Any, server: Server, visitor: Visitor, accept: str, examples: int) -> set[int]:
    """Send a few requests to one address; return the statuses."""
    token = visitor.token("/preferences")
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    headers = {"Origin": server.address, "Accept": accept, "Cookie": cookies}
    statuses = set()

    @given(case=cases)
    def send_request(case: Any) -> None:
        if isinstance(case.body, dict):
            case.body["token"] = token
        answer = case.call(base_url=server.address, headers=headers, timeout=30, allow_redirects=False)
        statuses.add(answer.status_code)
        assert answer.status_code < 500, (case.as_curl_command(), answer.text)
        if answer.status_code >= 400 and accept == "application/json":
            assert answer.json()["status"] == answer.status_code

    limited(send_request, examples)()
    return statuses


@pytest.mark.parametrize(
    ("accept", "mode"),
    [
        pytest.param("text/html", GenerationMode.POSITIVE, marks=pytest.mark.fuzz),
        ("application/json", GenerationMode.POSITIVE),
        pytest.param("application/json", GenerationMode.NEGATIVE, marks=pytest.mark.fuzz),
    ],
)
def test_no_fuzzed_request_causes_a_server_error(
    accept: str, mode: GenerationMode, populated_server: tuple[Server, Visitor, dict[str, tuple[str, ...]]]
) -> None:
    server, ada, known_values = populated_server
    # What does not fit the form is slow to find, and most of it is turned away at the door.
    examples = EXAMPLES if mode is GenerationMode.POSITIVE else EXAMPLES // 2
    operations: set[str] = set()
    answers: set[int] = set()
    with Visitor(server) as newcomer:
        for result in schemathesis.openapi.from_dict(schema(known_values)).get_all_operations():
            assert isinstance(result, Ok)
            operation = result.ok()
            visitor = newcomer if OWN_SESSION.match(operation.path) else ada
            answers |= probe(operation.as_strategy(generation_mode=mode), server, visitor, accept, examples)
            operations.add(operation.label)
    assert len(operations) >= len(ROUTES) - 1
    assert {200, 404} <= answers
    if mode is GenerationMode.POSITIVE:
        assert 303 in answers
        assert 422 in answers


PLAIN_NUMBER = re.compile(r"(0|[1-9][0-9]{0,14})", re.ASCII)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/replay", "as"),
        ("/replay", "at"),
        ("/replay", "since"),
        ("", "me"),
        ("/why", "me"),
        ("/log", "me"),
        ("/record", "me"),
    ],
)
def test_an_invalid_number_in_an_address_gets_a_clear_error(
    path: str, name: str, populated_server: tuple[Server, Visitor, dict[str, tuple[str, ...]]]
) -> None:
    """The table is finished, so that all perspectives are allowed and only the number is wrong."""
    _, ada, known_values = populated_server
    table_address = f"/table/{known_values['table_id'][-1]}{path}"

    def send_request(text: str) -> None:
        answer = ada.get(table_address, params={name: text}, headers={"Accept": "application/json"})
        if PLAIN_NUMBER.fullmatch(text):
            assert answer.status_code in (200, 404), text
        else:
            assert (answer.status_code, answer.json()["code"]) == (400, name), text
            assert f"“{name}”" in answer.json()["message"]

    for text in ODD_NUMBERS:
        send_request(text)
    limited(given(text=NUMBERS)(send_request))()


@pytest.mark.parametrize(
    "path", ["/replace/{}/easy", "/reclaim/{}", "/reclaim/{}/cancel", "/renew/{}", "/play?confirmed={}"]
)
@pytest.mark.parametrize("text", ODD_NUMBERS)
def test_an_invalid_number_in_the_address_of_a_form_changes_nothing(
    path: str, text: str, populated_server: tuple[Server, Visitor, dict[str, tuple[str, ...]]]
) -> None:
    _, ada, known_values = populated_server
    table = f"/table/{known_values['table_id'][0]}"
    before = ada.state(table)
    fields = {"token": ada.token(), "move": "done", "version": "1"}
    headers = {"Accept": "application/json"}
    answer = ada.post(table + path.format(quote(text)), data=fields, headers=headers)
    assert answer.status_code in (400, 403, 404, 409, 422), answer.text
    assert ada.state(table) == before


def test_an_invalid_number_in_a_form_is_refused_with_the_name_of_its_field(
    populated_server: tuple[Server, Visitor, dict[str, tuple[str, ...]]],
) -> None:
    """The test uses a separate table, since earlier requests may have left the running table."""
    _, ada, _ = populated_server
    table = ada.table("me", "bot:random", "bot:random")
    token, headers = ada.token(), {"Accept": "application/json"}
    for text in ODD_NUMBERS:
        for form in ("play", "undo", "undo-turn", "hint"):
            answer = ada.post(
                f"{table}/{form}", data={"token": token, "move": "done", "version": text}, headers=headers
            )
            assert (answer.status_code, answer.json()["code"]) == (400, "version"), (form, text)
        for form in ("play", "undo", "hint", "leave", "consent/ask-abort"):
            fields = {"token": token, "move": "done", "version": "1", "text": "rain", "me": text}
            answer = ada.post(f"{table}/{form}", data=fields, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (400, "me"), (form, text)
        answer = ada.post(f"{table}/sit", data={"token": token, "seat": text}, headers=headers)
        assert answer.status_code in (409, 422), text


def test_overlong_text_in_an_address_is_refused(
    populated_server: tuple[Server, Visitor, dict[str, tuple[str, ...]]],
) -> None:
    _, ada, known_values = populated_server
    for path, name in (("/why", "words"), ("/why", "place"), ("/replay", "as"), ("", "link")):
        table_address = f"/table/{known_values['table_id'][1]}{path}"
        answer = ada.get(table_address, params={name: "x" * 4400}, headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (400, name)


def test_no_stream_causes_a_server_error(populated_server: tuple[Server, Visitor, dict[str, tuple[str, ...]]]) -> None:
    """Streams never end, so only the beginning of each stream is read."""
    _, ada, known_values = populated_server
    topics = st.one_of(st.sampled_from(("lobby", *known_values["table_id"])), st.text(max_size=30))
    versions = st.one_of(st.integers(-1, 1 << 70).map(str), NUMBERS, st.text(max_size=8))

    @limited
    @given(watched_topics=st.lists(st.tuples(topics, versions).map("@".join), max_size=40))
    def send_request(watched_topics: list[str]) -> None:
        try:
            with ada.stream("GET", "/stream", params=[("watch", topic) for topic in watched_topics]) as answer:
                assert answer.status_code in (200, 400, 429)
                if answer.status_code == 200:
                    assert re.fullmatch(rb"event: heartbeat\ndata: [0-9a-f]{28}\n\n", next(answer.iter_bytes()))
        except httpx.InvalidURL:
            return

    send_request()


def test_every_form_field_and_query_parameter_read_by_the_server_is_fuzzed() -> None:
    files = {file.name: file.read_text(encoding="utf-8") for file in Path("src/spieltisch/web").rglob("*.py")}
    sources = "".join(files.values())
    fields = set(re.findall(r"""form\.get\(["']([\w-]+)["']""", sources)) - {"token"}
    assert fields <= set(FIELDS), "add them to FIELDS"
    assert [name for name, source in files.items() if "request.query_params" in source] == ["query_params.py"]
    queries = set(re.findall(r'(?:QueryParams\(request\)|params|self)\.(?:number|texts?|has)\("([\w-]+)"', sources))
    assert {"as", "me", "watch"} <= queries <= set(QUERIES), "add them to QUERIES"
