"""Limits on the requests of one visitor: a clear error in their language, and the other visitors play on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest
from playwright.sync_api import Browser, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.live.limits import BadLimit, Limits
from spieltisch.web.http.rate_limits import RateLimit
from tests.web.conftest import OF_ADDRESS, SERVE, Server, ServerEnded, Visitor

Start = Callable[..., Server]
SEATS = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}


def test_a_window_slides() -> None:
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


def test_without_a_limit_nothing_is_counted() -> None:
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
def test_a_limit_that_cannot_be_one_is_named(setting: str) -> None:
    with pytest.raises(BadLimit, match=f"--limit {setting}"):
        Limits.read([setting])


def test_a_server_does_not_start_with_such_a_limit(own_server: Start) -> None:
    with pytest.raises(ServerEnded, match="choose from alert_subscriptions, alert_subscriptions_per_address, "):
        own_server("--limit", "speed=3")


def test_too_many_requests(own_server: Start) -> None:
    server = own_server("--limit", "requests_per_minute=3")  # so the next is allowed in 20 seconds
    with httpx.Client(base_url=server.address, verify=False) as client:
        answers = [client.get("/health") for _ in range(3)]
        assert {answer.status_code for answer in answers} == {200}
        headings = set()
        for language in LANGUAGES:
            answer = client.get("/", headers={"Accept-Language": language})
            assert answer.status_code == 429
            assert 1 <= int(answer.headers["retry-after"]) <= 60
            assert f'<html lang="{language}-' in answer.text
            headings.add(answer.text.partition("<h1>")[2].partition("</h1>")[0])
        assert len(headings) == 4
        assert client.get("/nowhere").status_code == 429
        answer = client.get("/", headers={"Accept": "application/json"})
        assert answer.json()["code"] == "too-many-requests"
    assert server.stop() == 0
    assert "trace" not in server.log


def test_behind_a_proxy_each_visitor_counts_alone(own_server: Start) -> None:
    server = own_server("--limit", "requests_per_minute=3", "--public-url", "https://games.example.org")
    with httpx.Client(base_url=server.address, verify=False) as client:

        def ask(address: str) -> int:
            return client.get("/health", headers={"X-Forwarded-For": address}).status_code

        assert [ask("192.0.2.1") for _ in range(4)] == [200, 200, 200, 429]
        assert ask("192.0.2.2") == 200
        assert [ask(f"2001:db8::{n}") for n in range(4)] == [200, 200, 200, 429]  # one household
        assert ask("2001:db8:0:1::1") == 200


def test_without_a_proxy_nobody_says_who_they_are(own_server: Start) -> None:
    server = own_server("--limit", "requests_per_minute=3")
    with httpx.Client(base_url=server.address, verify=False) as client:
        answers = [client.get("/health", headers={"X-Forwarded-For": f"192.0.2.{n}"}) for n in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


def test_too_many_streams(own_server: Start) -> None:
    server = own_server("--limit", "streams_per_address=2")
    with Visitor(server) as ada:
        topic = ada.table("me", "open", "open").rpartition("/")[2]
        with ada.stream("GET", "/stream", params={"watch": f"{topic}@0"}) as first:
            lines = first.iter_lines()
            assert next(lines) == "event: beat"
            with ada.stream("GET", "/stream", params={"watch": f"{topic}@0"}) as second:
                more = second.iter_lines()  # a line is cut as soon as nobody holds what it says
                assert next(more) == "event: beat"
                third = ada.get("/stream", params={"watch": f"{topic}@0"})
                assert third.status_code == 429
                assert int(third.headers["retry-after"]) > 0
                assert "2" in third.text
        while ada.get("/health").json()["streams"]:
            pass
        with ada.stream("GET", "/stream", params={"watch": f"{topic}@0"}) as again:
            assert again.status_code == 200


@pytest.mark.browser
def test_a_page_says_that_too_many_follow_and_when_it_may_itself(own_server: Start, chromium: Browser) -> None:
    server = own_server("--limit", "streams_per_address=1")
    with Visitor(server) as ada:
        path = ada.table("me", "open", "open")
        topic = path.rpartition("/")[2]
        context = chromium.new_context(locale="nl")
        page = context.new_page()
        with ada.stream("GET", "/stream", params={"watch": f"{topic}@0"}) as first:
            lines = first.iter_lines()
            assert next(lines) == "event: beat"
            page.goto(f"{server.address}{path}")
            refusal = ada.get("/stream", headers={"Accept": "application/json", "Accept-Language": "nl"})
            assert refusal.status_code == 429
            expect(page.locator("#line")).to_have_text(refusal.json()["message"])
        while ada.get("/health").json()["streams"]:
            pass
        # A page that comes back asks at once, and not only after the minute it was told to wait.
        page.reload()
        expect(page.locator("#line")).to_be_hidden()
        while ada.get("/health").json()["streams"] != 1:
            pass
        context.close()


def test_too_many_names(own_server: Start) -> None:
    server = own_server("--limit", "new_names_per_hour=2")
    with Visitor(server) as ada, Visitor(server) as ben, Visitor(server) as cid:
        path = ada.table("me", "open", "open")
        assert ben.sit(path, "Ben").status_code == 303
        answer = cid.sit(path, "Cid")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert ada.state(path)["status"] == "open"
        ada.table("me", "open", "open")  # who has a name goes on


def test_too_many_tables_and_seats(own_server: Start) -> None:
    server = own_server("--limit", "tables_per_host=2", "--limit", "total_tables=4", "--limit", "seats_per_person=3")
    with Visitor(server) as ada, Visitor(server) as ben, Visitor(server) as cid:
        first = [ada.table("me", "open", "open") for _ in range(2)]
        answer = ada.submit("/new/paris-connection", **SEATS)
        assert answer.status_code == 409
        assert "2" in answer.text
        second = ben.table("me", "open", "open", name="Ben")
        assert ben.sit(first[0], "").status_code == 303
        assert ben.sit(first[1], "").status_code == 303
        cids = cid.table("me", "open", "open", name="Cid")
        assert ben.sit(cids, "").status_code == 409
        assert cid.submit("/new/paris-connection", **SEATS).status_code == 409  # four in all
        ada.submit(f"{first[0]}/consent/ask-abort")
        ada.submit("/new/paris-connection", **SEATS)
        assert ben.leave(second).status_code == 303
        assert ben.sit(cids, "").status_code == 303


def refused(visitors: list[Visitor], ask: Callable[[Visitor], httpx.Response], status: int, figure: str) -> None:
    """Asked in four languages, refused in four sentences, each with the figure of the limit."""
    sentences = set()
    for visitor in visitors:
        answer = ask(visitor)
        assert answer.status_code == status, answer.text
        sentence = answer.text.partition("<h1>")[2].partition("</h1>")[0]
        assert figure in sentence
        sentences.add(sentence)
    assert len(sentences) == len(visitors)


@pytest.fixture
def speakers() -> Iterator[Callable[[Server], list[Visitor]]]:
    """A visitor in each language."""
    with ExitStack() as stack:
        yield lambda server: [stack.enter_context(Visitor(server, language)) for language in LANGUAGES]


def sets_up(name: str, seats: dict[str, str]) -> Callable[[Visitor], httpx.Response]:
    return lambda visitor: visitor.submit("/new/paris-connection", name=name, **seats)


def test_too_long_a_name(own_server: Start, speakers: Callable[[Server], list[Visitor]]) -> None:
    server = own_server("--limit", "name_length=5")
    visitors = speakers(server)
    for name, seats in (("Ada II", SEATS), ("A" * 81, SEATS), ("Ada", {**SEATS, "seat-1": "here", "here-1": "Gracie"})):
        refused(visitors, sets_up(name, seats), 422, "5")
    ada, ben = visitors[:2]
    path = ada.table("me", "open", "open", name="Ada 2")
    assert 'maxlength="5"' in ben.get(path).text
    assert ben.sit(path, "Ben II").status_code == 422
    assert ada.submit("/preferences", name="Ada III").status_code == 422
    assert ada.submit("/preferences", name="Ada 3").status_code == 303
    assert ada.state(path)["seat"] == 0


@pytest.mark.parametrize("length", [0, 200])
def test_a_longer_name_where_the_host_likes_it(own_server: Start, length: int) -> None:
    server = own_server("--limit", f"name_length={length}")
    with Visitor(server) as ada, Visitor(server) as ben:
        path = ada.table("me", "open", "open", name="A" * 80)
        assert ben.sit(path, "B" * 81).status_code == 422
        assert 'maxlength="80"' in ben.get(path).text


def test_too_large_a_form(own_server: Start, speakers: Callable[[Server], list[Visitor]]) -> None:
    server = own_server("--limit", "form_kilobytes=2", "--limit", "upload_kilobytes=3")
    visitors = speakers(server)
    refused(visitors, lambda visitor: visitor.submit("/preferences", back="/" + "x" * 2048), 413, "2")
    address = "/games/paris-connection/components"
    refused(visitors, lambda visitor: visitor.submit(address, text="x" * 3072), 413, "3")
    assert visitors[0].submit("/preferences", back="/" + "x" * 1024).status_code == 303
    assert visitors[0].submit(address, text="x" * 2500).status_code == 403  # read, and refused for want of a name


def test_forms_of_any_size(own_server: Start) -> None:
    server = own_server("--limit", "form_kilobytes=0")
    with Visitor(server) as ada:
        assert ada.submit("/preferences", padding="x" * 500_000).status_code == 303


def test_too_many_component_files(own_server: Start, speakers: Callable[[Server], list[Visitor]]) -> None:
    server = own_server("--limit", "component_files=1")
    visitors = speakers(server)
    address = "/games/paris-connection/components"
    text = visitors[0].get(f"{address}.toml").text
    penalty = next(line for line in text.splitlines() if line.startswith("penalty"))
    for visitor in visitors:
        visitor.table("me", "open", "open")
        assert visitor.submit(address, text=text).status_code == 303
    refused(visitors, lambda visitor: visitor.submit(address, text=text.replace(penalty, "penalty = 19")), 409, "1")


def test_tests_of_this_folder_are_not_bounded_by_their_one_address() -> None:
    limits = Limits.read(SERVE[place + 1] for place, word in enumerate(SERVE) if word == "--limit")
    assert not any(getattr(limits, name) for name in OF_ADDRESS)
