"""Check limits on the requests of one visitor: a clear error in their language, and no effect on others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.live.limits import BadLimit, Limits
from spieltisch.web.http.rate_limits import RateLimit
from tests.web.servers import OF_ADDRESS, PUBLIC, SERVE, Server, ServerEnded, running_server
from tests.web.visitors import MANY_ADDRESSES, Visitor

SEATS = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}
PER_MINUTE = 30
"""The requests of one address a minute at the server `behind_proxy`: as many of a new address are always allowed."""
MORE_THAN_ALLOWED = range(3 * PER_MINUTE)
"""Enough to be refused where a slow machine needs more than a minute for the requests allowed in one."""


def first_refusal(answers: Iterable[httpx.Response]) -> httpx.Response:
    """Return the first refusal; one request is allowed again every two seconds, however slow the test is."""
    return next(answer for answer in answers if answer.status_code == 429)


def limited(folder: Path, *options: str, **limits: int) -> AbstractContextManager[Server]:
    """Run a server with these limits and no other limits for an address."""
    words = [word for name, value in limits.items() for word in ("--limit", f"{name}={value}")]
    return running_server(folder, *options, *words)


@pytest.fixture(scope="module")
def small_limits_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server with small limits."""
    people = {
        "name_length": 5,
        "tables_per_host": 2,
        "seats_per_person": 3,
        "component_files": 1,
        "messages_per_table": 3,
    }
    sizes = {"form_kilobytes": 2, "upload_kilobytes": 100, "streams_per_address": 2}
    with limited(tmp_path_factory.mktemp("small"), **people, **sizes) as started_server:
        yield started_server


@pytest.fixture(scope="module")
def hourly_limits_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that limits what an address creates an hour, but neither forms nor names."""
    limits = {"new_names_per_hour": 2, "new_tables_per_hour": 2, "form_kilobytes": 0, "name_length": 0}
    with limited(tmp_path_factory.mktemp("hourly"), **limits) as started_server:
        yield started_server


@pytest.fixture(scope="module")
def behind_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server behind a proxy that limits requests and tables of an address."""
    limits = {"requests_per_minute": PER_MINUTE, "tables_per_address": 1}
    with limited(tmp_path_factory.mktemp("proxied"), "--public-url", PUBLIC, **limits) as started_server:
        yield started_server


def test_a_rate_limit_counts_in_a_sliding_window() -> None:
    now = 600.0
    limit = RateLimit(10, 60, clock=lambda: now)
    assert [limit.hit("a") for _ in range(11)] == [0] * 10 + [60]
    assert limit.hit("b") == 0
    now = 660.0
    wait = limit.hit("a")
    assert 0 < wait <= 7  # a tenth of the last minute has to go
    now += wait
    assert limit.hit("a") == 0
    assert limit.hit("a") > 0
    now = 690.0
    assert [limit.hit("a") for _ in range(5)] == [0, 0, 0, 0, 1]
    now = 900.0
    assert [limit.hit("a") for _ in range(11)][-2:] == [0, 60]


def test_a_rate_limit_of_zero_allows_all_requests() -> None:
    limit = RateLimit(0, 60)
    assert not any(limit.hit("a") for _ in range(10_000))


@pytest.mark.parametrize(
    "setting",
    [
        "",
        "requests_per_minute",
        "requests_per_minute=",
        "requests_per_minute=-1",
        "requests_per_minute=many",
        "speed=3",
        "total_tables=1.5",
    ],
)
def test_an_invalid_limit_is_named_in_the_error(setting: str) -> None:
    with pytest.raises(BadLimit, match=f"--limit {setting}"):
        Limits.read([setting])


def test_a_server_does_not_start_with_an_unknown_limit(own_server: Callable[..., Server]) -> None:
    with pytest.raises(ServerEnded, match="choose from alert_subscriptions, alert_subscriptions_per_address, "):
        own_server("--limit", "speed=3")


def test_too_many_requests_are_refused_in_the_visitors_language(behind_proxy: Server) -> None:
    visitor = {"X-Forwarded-For": "192.0.2.99"}
    with httpx.Client(base_url=behind_proxy.address, headers=visitor, verify=False) as client:
        assert {client.get("/health").status_code for _ in range(PER_MINUTE)} == {200}
        headings, page = set(), ""
        for language in LANGUAGES:
            answer = first_refusal(client.get("/", headers={"Accept-Language": language}) for _ in MORE_THAN_ALLOWED)
            page = answer.text
            assert 1 <= int(answer.headers["retry-after"]) <= 60
            assert f'<html lang="{language}-' in answer.text
            headings.add(answer.text.partition("<h1>")[2].partition("</h1>")[0])
        assert len(headings) == 4
        styles = re.findall(r'href="(/static/[^"]+\.css)"', page)
        assert [client.get(address).status_code for address in styles] == [200] * len(styles) != [], "not counted"
        first_refusal(client.get("/nowhere") for _ in MORE_THAN_ALLOWED)
        answer = first_refusal(client.get("/", headers={"Accept": "application/json"}) for _ in MORE_THAN_ALLOWED)
        assert answer.json()["code"] == "too-many-requests"
    assert "trace" not in behind_proxy.log


def test_behind_a_proxy_each_visitor_is_counted_alone(behind_proxy: Server) -> None:
    with httpx.Client(base_url=behind_proxy.address, verify=False) as client:

        def send_request(address: str) -> httpx.Response:
            return client.get("/health", headers={"X-Forwarded-For": address})

        first, *other_addresses = [f"192.0.2.{n}" for n in range(3)]
        assert {send_request(first).status_code for _ in range(PER_MINUTE)} == {200}
        first_refusal(send_request(first) for _ in MORE_THAN_ALLOWED)
        assert [send_request(address).status_code for address in other_addresses] == [200, 200]
        assert {send_request(f"2001:db8:1::{n:x}").status_code for n in range(PER_MINUTE)} == {200}
        first_refusal(send_request(f"2001:db8:1::{n:x}") for n in MORE_THAN_ALLOWED)
        assert send_request("2001:db8:1:1::1").status_code == 200


def test_tables_are_counted_by_the_address_in_a_trusted_header(behind_proxy: Server) -> None:
    """The requests come from two IPv4 addresses and two IPv6 networks of 64 bits."""

    def request_from(address: str) -> int:
        headers = {"Origin": PUBLIC, "Cookie": "__Host-session=of-some-new-browser", "X-Forwarded-For": address}
        with Visitor(behind_proxy, **headers) as visitor:
            return visitor.submit("/new/paris-connection", name="Ada", **SEATS).status_code

    answers = [
        request_from(address) for address in ("192.0.3.1", "192.0.3.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")
    ]
    assert answers == [303, 303, 303, 409, 303]


def test_too_many_streams_are_refused(small_limits_server: Server) -> None:
    with Visitor(small_limits_server) as ada:
        topic = ada.table("me", "open", "open").rpartition("/")[2]
        with ada.stream("GET", "/stream", params={"watch": f"{topic}@0"}) as first:
            lines = first.iter_lines()
            assert next(lines) == "event: heartbeat"
            with ada.stream("GET", "/stream", params={"watch": f"{topic}@0"}) as second:
                second_stream = second.iter_lines()  # a line is cut as soon as nobody holds what it says
                assert next(second_stream) == "event: heartbeat"
                third = ada.get("/stream", params={"watch": f"{topic}@0"})
                assert third.status_code == 429
                assert int(third.headers["retry-after"]) > 0
                assert "2" in third.text
        while ada.get("/health").json()["streams"]:
            pass
        with ada.stream("GET", "/stream", params={"watch": f"{topic}@0"}) as again:
            assert again.status_code == 200


@pytest.mark.browser
def test_a_page_without_a_free_stream_shows_a_notice_until_a_stream_is_free(
    small_limits_server: Server, chromium: Browser
) -> None:
    with Visitor(small_limits_server) as ada:
        path = ada.table("me", "open", "open")
        topic = path.rpartition("/")[2]
        context = chromium.new_context(locale="nl")
        page = context.new_page()
        with ExitStack() as following:
            lines = []
            for _ in range(2):
                stream = following.enter_context(ada.stream("GET", "/stream", params={"watch": f"{topic}@0"}))
                lines.append(stream.iter_lines())  # a line is cut as soon as nobody holds what it says
                assert next(lines[-1]) == "event: heartbeat"
            page.goto(f"{small_limits_server.address}{path}")
            refusal = ada.get("/stream", headers={"Accept": "application/json", "Accept-Language": "nl"})
            assert refusal.status_code == 429
            expect(page.locator("#connection-notice")).to_have_text(refusal.json()["message"])
        while ada.get("/health").json()["streams"]:
            pass
        # A page that comes back asks at once, and not only after the minute it was told to wait.
        page.reload()
        expect(page.locator("#connection-notice")).to_be_hidden()
        while ada.get("/health").json()["streams"] != 1:
            pass
        context.close()


def test_too_many_new_names_are_refused(hourly_limits_server: Server) -> None:
    with (
        Visitor(hourly_limits_server) as ada,
        Visitor(hourly_limits_server) as ben,
        Visitor(hourly_limits_server) as cid,
    ):
        path = ada.table("me", "open", "open")
        assert ben.sit(path, "Ben").status_code == 303
        answer = cid.sit(path, "Cid")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert ada.state(path)["status"] == "open"
        ada.table("me", "open", "open")  # who has a name goes on


@MANY_ADDRESSES
def test_games_started_with_one_click_count_as_new_tables(hourly_limits_server: Server) -> None:
    with Visitor(hourly_limits_server, address="127.0.0.2") as ada:
        answers = [ada.submit("/new/paris-connection/now", bot="random").status_code for _ in range(3)]
        assert answers == [303, 303, 429]
        assert ada.submit("/new/paris-connection", name="Ada", **SEATS).status_code == 429


def test_too_many_tables_and_seats_are_refused(small_limits_server: Server) -> None:
    with Visitor(small_limits_server) as ada, Visitor(small_limits_server) as ben, Visitor(small_limits_server) as cid:
        first = [ada.table("me", "open", "open") for _ in range(2)]
        answer = ada.submit("/new/paris-connection", **SEATS)
        assert answer.status_code == 409
        assert "2" in answer.text
        second = ben.table("me", "open", "open", name="Ben")
        assert ben.sit(first[0], "").status_code == 303
        assert ben.sit(first[1], "").status_code == 303
        cids = cid.table("me", "open", "open", name="Cid")
        assert ben.sit(cids, "").status_code == 409
        ada.submit(f"{first[0]}/consent/ask-abort")
        ada.submit("/new/paris-connection", **SEATS)
        assert ben.leave(second).status_code == 303
        assert ben.sit(cids, "").status_code == 303


def refused(
    visitors: list[Visitor], send_request: Callable[[Visitor], httpx.Response], status: int, figure: str
) -> None:
    """Check that the refusal is in the language of each visitor and names the limit."""
    sentences = set()
    for visitor in visitors:
        answer = send_request(visitor)
        assert answer.status_code == status, answer.text
        sentence = answer.text.partition("<h1>")[2].partition("</h1>")[0]
        assert figure in sentence
        sentences.add(sentence)
    assert len(sentences) == len(visitors)


@pytest.fixture
def visitors_by_language() -> Iterator[Callable[[Server], list[Visitor]]]:
    """Yield a visitor in each language."""
    with ExitStack() as stack:
        yield lambda server: [stack.enter_context(Visitor(server, language)) for language in LANGUAGES]


def table_request(name: str, seats: dict[str, str]) -> Callable[[Visitor], httpx.Response]:
    return lambda visitor: visitor.submit("/new/paris-connection", name=name, **seats)


def test_too_long_names_are_refused(
    small_limits_server: Server, visitors_by_language: Callable[[Server], list[Visitor]]
) -> None:
    visitors = visitors_by_language(small_limits_server)
    for name, seats in (("Ada II", SEATS), ("A" * 81, SEATS), ("Ada", {**SEATS, "seat-1": "here", "here-1": "Gracie"})):
        refused(visitors, table_request(name, seats), 422, "5")
    ada, ben = visitors[:2]
    path = ada.table("me", "open", "open", name="Ada 2")
    assert 'maxlength="5"' in ben.get(path).text
    assert ben.sit(path, "Ben II").status_code == 422
    assert ada.submit("/preferences", name="Ada III").status_code == 422
    assert ada.submit("/preferences", name="Ada 3").status_code == 303
    assert ada.state(path)["seat"] == 0


def test_the_longest_name_has_80_characters_unless_the_limit_is_lower() -> None:
    assert [Limits(name_length=length).longest_name for length in (0, 5, 200)] == [80, 5, 80]


@MANY_ADDRESSES
def test_without_a_name_limit_names_of_80_characters_are_allowed(hourly_limits_server: Server) -> None:
    with (
        Visitor(hourly_limits_server, address="127.0.0.3") as ada,
        Visitor(hourly_limits_server, address="127.0.0.3") as ben,
    ):
        path = ada.table("me", "open", "open", name="A" * 80)
        assert ben.sit(path, "B" * 81).status_code == 422
        assert 'maxlength="80"' in ben.get(path).text


def test_the_chat_messages_of_one_person_are_limited(small_limits_server: Server) -> None:
    with Visitor(small_limits_server) as ada:
        path = ada.table("me", "bot:random", "bot:random")
        answers = [ada.submit(f"{path}/chat", room="table", text="x").status_code for _ in range(4)]
        assert answers == [303, 303, 303, 409]


def test_too_large_forms_are_refused(
    small_limits_server: Server, visitors_by_language: Callable[[Server], list[Visitor]]
) -> None:
    visitors = visitors_by_language(small_limits_server)
    refused(visitors, lambda visitor: visitor.submit("/preferences", back="/" + "x" * 2048), 413, "2")
    address = "/games/paris-connection/components"
    refused(visitors, lambda visitor: visitor.submit(address, text="x" * 102_400), 413, "100")
    assert visitors[0].submit("/preferences", back="/" + "x" * 1024).status_code == 303
    assert visitors[0].submit(address, text="x" * 100_000).status_code == 403  # read, and refused for want of a name


def test_without_a_form_limit_large_forms_are_read(hourly_limits_server: Server) -> None:
    with Visitor(hourly_limits_server) as ada:
        assert ada.submit("/preferences", padding="x" * 500_000).status_code == 303


def test_too_many_component_files_are_refused(
    small_limits_server: Server, visitors_by_language: Callable[[Server], list[Visitor]]
) -> None:
    visitors = visitors_by_language(small_limits_server)
    address = "/games/paris-connection/components"
    text = visitors[0].get(f"{address}.toml").text
    penalty = next(line for line in text.splitlines() if line.startswith("penalty"))
    for visitor in visitors:
        visitor.table("me", "open", "open")
        assert visitor.submit(address, text=text).status_code == 303
    refused(visitors, lambda visitor: visitor.submit(address, text=text.replace(penalty, "penalty = 19")), 409, "1")


def test_the_shared_test_server_has_no_limits_for_an_address() -> None:
    limits = Limits.read(SERVE[place + 1] for place, word in enumerate(SERVE) if word == "--limit")
    assert not any(getattr(limits, name) for name in OF_ADDRESS)
