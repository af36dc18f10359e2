"""Every address of the server, asked good and odd things by Schemathesis, answers with a proper status and never fails.

The server publishes no OpenAPI schema: its pages are forms, read field by field, of which a generated schema would
know nothing but the paths. So the schema is made here: the paths and methods from the routes themselves, so that no new
route is left out, their fields from the lists below.
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

from spieltisch.web.routes import ROUTES
from tests.tiers import WHOLE
from tests.web.conftest import Server, Visitor

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
    "seat-1": ("open", "bot:random", "kept"),
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
    "who": ("1", "99"),
    "does": ("build", ""),
    "thing": ("Lyon",),
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
    "when_up": ("bot-sits", "x"),
    "up_bot": ("random", "x"),
    "hints": ("all", "x"),
    "chat": ("off", "x"),
    "kind": ("mail", "push", "service", ""),
    "address": ("ada@example.org", "https://127.0.0.1/hook", "file:///etc/passwd"),
    "endpoint": ("https://127.0.0.1/push", ""),
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
    "kept",
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


def schema(known: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """OpenAPI of every route but the stream, which never ends; `known` has values for parts of the paths."""
    paths: dict[str, Any] = {}
    for route in ROUTES:
        for path in route.paths:
            if path == "/stream":
                continue
            named = re.findall(r"{(\w+):(\w+)}", path)
            operation = {
                "parameters": [_part(name, kind, known.get(name, ())) for name, kind in named]
                + [{"name": name, "in": "query", "schema": {"type": "string"}} for name in QUERIES],
                "responses": {"default": {"description": "whatever it is"}},
            }
            for method in getattr(route, "http_methods", ()):
                if method not in ("GET", "POST"):
                    continue
                path_item = paths.setdefault(re.sub(r"{(\w+):\w+}", r"{\1}", path), {})
                path_item[method.lower()] = {**operation, **({"requestBody": _form()} if method == "POST" else {})}
    return {"openapi": "3.1.0", "info": {"title": "Spieltisch", "version": "1"}, "paths": paths}


def _part(name: str, kind: str, known: tuple[str, ...]) -> dict[str, Any]:
    free = {"type": "integer"} if kind == "int" else {"type": "string", "minLength": 1}
    held = {"anyOf": [{"enum": list(known)}, free]} if known else free
    return {"name": name, "in": "path", "required": True, "schema": held}


def _form() -> dict[str, Any]:
    fields = {name: {"anyOf": [{"enum": list(some)}, {"type": "string"}]} for name, some in FIELDS.items()}
    return {
        "required": True,
        "content": {"application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": fields}}},
    }


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Visitor, dict[str, tuple[str, ...]]]]:
    """A server of its own with a table that waits, one that runs and one that is over; who sits at all of them."""
    server = Server(
        tmp_path_factory.mktemp("busy"), "--limit", "requests_per_minute=0", "--limit", "streams_per_address=0"
    )
    try:
        with Visitor(server) as ada:
            waits = ada.table("me", "open", "link")
            runs = ada.table("me", "bot:random", "bot:random")
            over = ada.table("me", "bot:random", "bot:random")
            assert ada.submit(f"{over}/consent/ask-abort?confirmed=1").status_code < 400
            assert ada.state(over)["status"] == "aborted"
            link = re.search(r"/join/([\w.~-]+)", ada.get(waits).text)
            assert link
            ids = tuple(path.removeprefix("/table/") for path in (waits, runs, over))
            known = {
                "table_id": ids,
                "key": ("paris-connection",),
                "place": ("1", "1-515", "2-515", "5", "1-x"),
                "link": (link.group(1),),
                "seat": ("0", "1", "2", "7"),
                "bot": ("easy", "clever"),
                "act": ("end", "confirm"),
                "question": ("ask-undo", "agree-undo", "ask-abort", "agree-abort", "refuse-abort"),
            }
            yield server, ada, known
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
    def ask(case: Any) -> None:
        if isinstance(case.body, dict):
            case.body["token"] = token
        answer = case.call(base_url=server.address, headers=headers, timeout=30, allow_redirects=False)
        statuses.add(answer.status_code)
        assert answer.status_code < 500, (case.as_curl_command(), answer.text)
        if answer.status_code >= 400 and accept == "application/json":
            assert answer.json()["status"] == answer.status_code

    limited(ask, examples)()
    return statuses


@pytest.mark.parametrize(
    ("accept", "mode"),
    [
        pytest.param("text/html", GenerationMode.POSITIVE, marks=pytest.mark.fuzz),
        ("application/json", GenerationMode.POSITIVE),
        pytest.param("application/json", GenerationMode.NEGATIVE, marks=pytest.mark.fuzz),
    ],
)
def test_no_address_fails(
    accept: str, mode: GenerationMode, busy: tuple[Server, Visitor, dict[str, tuple[str, ...]]]
) -> None:
    server, ada, known = busy
    # What does not fit the form is slow to find, and most of it is turned away at the door.
    examples = EXAMPLES if mode is GenerationMode.POSITIVE else EXAMPLES // 2
    operations: set[str] = set()
    answers: set[int] = set()
    with Visitor(server) as nobody:
        for result in schemathesis.openapi.from_dict(schema(known)).get_all_operations():
            assert isinstance(result, Ok)
            operation = result.ok()
            visitor = nobody if OWN_SESSION.match(operation.path) else ada
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
def test_an_odd_number_in_an_address_gets_a_clear_answer(
    path: str, name: str, busy: tuple[Server, Visitor, dict[str, tuple[str, ...]]]
) -> None:
    """At a table that is over, where any eyes may be asked for: 400 for what is no number, never an error of ours."""
    _, ada, known = busy
    over = f"/table/{known['table_id'][-1]}{path}"

    def ask(text: str) -> None:
        answer = ada.get(over, params={name: text}, headers={"Accept": "application/json"})
        if PLAIN_NUMBER.fullmatch(text):
            assert answer.status_code in (200, 404), text
        else:
            assert (answer.status_code, answer.json()["code"]) == (400, name), text
            assert f"“{name}”" in answer.json()["message"]

    for text in ODD_NUMBERS:
        ask(text)
    limited(given(text=NUMBERS)(ask))()


@pytest.mark.parametrize(
    "path", ["/replace/{}/easy", "/reclaim/{}", "/reclaim/{}/cancel", "/renew/{}", "/play?confirmed={}"]
)
@pytest.mark.parametrize("text", ODD_NUMBERS)
def test_an_odd_number_of_a_form_changes_nothing(
    path: str, text: str, busy: tuple[Server, Visitor, dict[str, tuple[str, ...]]]
) -> None:
    _, ada, known = busy
    table = f"/table/{known['table_id'][0]}"
    before = ada.state(table)
    fields = {"token": ada.token(), "move": "done", "version": "1"}
    sent = {"Accept": "application/json"}
    answer = ada.post(table + path.format(quote(text)), data=fields, headers=sent)
    assert answer.status_code in (400, 403, 404, 409, 422), answer.text
    assert ada.state(table) == before


def test_an_odd_number_in_a_form_is_no_number(busy: tuple[Server, Visitor, dict[str, tuple[str, ...]]]) -> None:
    """At a table of its own: the one that runs may have been left by what was asked before."""
    _, ada, _ = busy
    table = ada.table("me", "bot:random", "bot:random")
    token, sent = ada.token(), {"Accept": "application/json"}
    for text in ODD_NUMBERS:
        for form in ("play", "undo", "undo-turn", "hint"):
            answer = ada.post(f"{table}/{form}", data={"token": token, "move": "done", "version": text}, headers=sent)
            assert (answer.status_code, answer.json()["code"]) == (400, "version"), (form, text)
        for form in ("play", "undo", "hint", "leave", "consent/ask-abort"):
            fields = {"token": token, "move": "done", "version": "1", "text": "rain", "me": text}
            answer = ada.post(f"{table}/{form}", data=fields, headers=sent)
            assert (answer.status_code, answer.json()["code"]) == (400, "me"), (form, text)
        answer = ada.post(f"{table}/sit", data={"token": token, "seat": text}, headers=sent)
        assert answer.status_code in (409, 422), text


def test_a_text_in_an_address_has_an_end(busy: tuple[Server, Visitor, dict[str, tuple[str, ...]]]) -> None:
    _, ada, known = busy
    for path, name in (("/why", "words"), ("/why", "place"), ("/replay", "as"), ("", "link")):
        where = f"/table/{known['table_id'][1]}{path}"
        answer = ada.get(where, params={name: "x" * 4400}, headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (400, name)


def test_no_stream_fails(busy: tuple[Server, Visitor, dict[str, tuple[str, ...]]]) -> None:
    """Check only the beginning of a stream: an error, or its first bytes."""
    _, ada, known = busy
    topics = st.one_of(st.sampled_from(("lobby", *known["table_id"])), st.text(max_size=30))
    versions = st.one_of(st.integers(-1, 1 << 70).map(str), NUMBERS, st.text(max_size=8))

    @limited
    @given(watched=st.lists(st.tuples(topics, versions).map("@".join), max_size=40))
    def ask(watched: list[str]) -> None:
        try:
            with ada.stream("GET", "/stream", params=[("watch", topic) for topic in watched]) as answer:
                assert answer.status_code in (200, 400, 429)
                if answer.status_code == 200:
                    assert re.fullmatch(rb"event: beat\ndata: [0-9a-f]{28}\n\n", next(answer.iter_bytes()))
        except httpx.InvalidURL:
            return

    ask()


def test_every_form_field_is_known() -> None:
    """A field that the server reads is tried here; so is what it asks for after the question mark, in one place."""
    files = {file.name: file.read_text(encoding="utf-8") for file in Path("src/spieltisch/web").rglob("*.py")}
    sources = "".join(files.values())
    fields = set(re.findall(r"""form\.get\(["']([\w-]+)["']""", sources)) - {"token"}
    assert fields <= set(FIELDS), "add them to FIELDS"
    assert [name for name, source in files.items() if "request.query_params" in source] == ["query_params.py"]
    queries = set(re.findall(r'(?:QueryParams\(request\)|params|self)\.(?:number|texts?|has)\("([\w-]+)"', sources))
    assert {"as", "me", "watch"} <= queries <= set(QUERIES), "add them to QUERIES"
