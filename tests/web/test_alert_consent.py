"""Alerts reach no server and no mailbox that did not ask for them, whatever visitors of a default server do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from spieltisch.live.limits import DEFAULT as LIMITS
from tests.live.fake_services import Browser, Post, Web, mail_server, web_server
from tests.web.conftest import QUIET, SERVE, Server, ServerEnded, Visitor, trade_on

DEFAULT = [SERVE[0], "serve", *QUIET, "--data"]
"""The command of a server with all its default limits."""
SUBSCRIPTIONS = "/me/alert-subscriptions"
OF_BROWSER_MAKERS = (
    "https://fcm.googleapis.com/fcm/send/abc:APA91b",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
    "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA",
    "https://web.push.apple.com/QGuQyavXutnMH",
)
OF_OTHERS = (
    "https://push.example.org/x",
    "https://storage.googleapis.com/bucket/x",
    "https://www.google.com/x",
    "https://www.mozilla.com/x",
    "https://www.windows.com/x",
    "https://notify.windows.com/x",
    "https://a.b.notify.windows.com/x",
    "https://example.org/.notify.windows.com",
    "https://fcm.googleapis.com.example.org/x",
    "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com./x",
    "https://fcm。googleapis。com/x",
    " https://fcm.googleapis.com/x",
    "https://example.org/fcm.googleapis.com",
)


def in_browser(endpoint: str) -> dict[str, str]:
    """The form of a browser that subscribes at this endpoint."""
    return {**Browser(Web()).given, "endpoint": endpoint, "kind": "push"}


def test_browser_alerts_go_through_the_push_services_of_browser_makers_only(own_server: Callable[..., Server]) -> None:
    with Visitor(own_server(command=DEFAULT)) as ada:
        ada.table("me", "open", "open")
        assert [ada.submit(SUBSCRIPTIONS, **in_browser(endpoint)).status_code for endpoint in OF_OTHERS] == [422] * 14
        assert "/send" not in ada.get("/me/alerts").text, "nothing is stored"
        assert [ada.submit(SUBSCRIPTIONS, **in_browser(endpoint)).status_code for endpoint in OF_BROWSER_MAKERS] == (
            [303] * 4
        )


def test_an_operator_can_add_a_push_service(own_server: Callable[..., Server]) -> None:
    with Visitor(own_server("--push-service", "push.example.org:8443", command=DEFAULT)) as ada:
        ada.table("me", "open", "open")
        for endpoint, status in (
            ("https://push.example.org:8443/x", 303),
            ("https://push.example.org/x", 422),
            (OF_BROWSER_MAKERS[0], 303),
        ):
            assert ada.submit(SUBSCRIPTIONS, **in_browser(endpoint)).status_code == status


@pytest.mark.parametrize("host", ["https://push.example.org", "push.example.org/x", "a@push.example.org", ""])
def test_a_push_service_that_is_no_host_is_named(own_server: Callable[..., Server], host: str) -> None:
    with pytest.raises(ServerEnded, match=f"--push-service {host}: give a host"):
        own_server("--push-service", host)


class Outside:
    """What default servers reach: a mail server, and the network of this machine."""

    def __init__(self, start: Callable[..., Server], post: Post, web: Web) -> None:
        self._start, self.post, self.web = start, post, web
        self.server = self.restarted()

    def restarted(self) -> Server:
        """A server on the same data."""
        mail = ("--mail-server", f"smtp://127.0.0.1:{self.post.settings.port}", "--mail-from", "games@example.org")
        self.server = self._start(*mail, "--allow-private-alerts", command=DEFAULT)
        return self.server

    def ntfy(self, topic: str) -> str:
        """The address of a topic of a server of one's own."""
        return f"{self.web.address.replace('http', 'ntfy')}/{topic}"

    def received(self, kind: str) -> int:
        """The number of requests for confirmation that have come."""
        return len(self.post.mails if kind == "mail" else self.web.sent)


@pytest.fixture
def outside(own_server: Callable[..., Server]) -> Iterator[Outside]:
    with mail_server() as post, web_server() as web:
        yield Outside(own_server, post, web)


def test_an_ntfy_server_of_ones_own_gets_alerts_once_a_link_sent_there_was_opened(outside: Outside) -> None:
    with ExitStack() as stack:
        ada, grace, mary = (stack.enter_context(Visitor(outside.server)) for _ in range(3))
        path = ada.table("me", "open", "open")
        quiet = {"zone": "UTC", "quiet-from": "", "quiet-to": "", "away": "0", "pause": "0"}
        ada.submit("/me/alerts", **quiet)
        assert ada.submit(SUBSCRIPTIONS, kind="service", address=outside.ntfy("ada?auth=QmFz")).status_code == 303
        (request,) = outside.web.sent
        assert request.json["topic"] == "ada"
        assert f"{LIMITS.confirmation_mails_per_day} " in request.json["message"], "how many of these will come"
        grace.sit(path, "Grace")
        mary.sit(path, "Mary")
        trade_on([ada, grace, mary], path, 0)
        trade_on([ada, grace, mary], path, 1)
        assert outside.web.sent == [request], "no turn is told before"
        with httpx.Client(verify=False) as reader:
            assert "QmFz" not in reader.get(request.json["click"]).text, "nor the password of the topic"
            assert reader.post(request.json["click"]).status_code == 200
        while outside.web.asked.acquire(blocking=False):
            pass
        trade_on([ada, grace, mary], path, 0)
        assert outside.web.asked.acquire(timeout=60)
        assert outside.web.sent[-1].json["click"] == outside.server.address + path


@pytest.mark.parametrize("kind", ["mail", "service"])
def test_a_recipient_is_asked_three_times_a_day_whoever_asks_and_however_it_is_written(
    outside: Outside, kind: str
) -> None:
    forms = {
        "mail": ["bob@example.org", "b.ob@example.org", "B.O.B+x@Example.org", "bob+1@example.org", "bo.b@example.org"],
        "service": [
            *(outside.ntfy(f"bob{query}") for query in ("", "/", "?priority=1", "?auth=x")),
            outside.ntfy("bob").replace("127.0.0.1", "127。0。0。1"),  # a full stop of domain names, too
        ],
    }[kind]
    answers = []
    for number, address in enumerate(forms):
        with Visitor(outside.server, address=f"127.0.0.{number + 1}") as eve:
            eve.table("me", "open", "open", name=f"Eve {number}")
            if number == 4:
                outside.server.stop()
                eve.base_url = outside.restarted().address
                eve.headers["Origin"] = outside.server.address
            answers.append(eve.submit(SUBSCRIPTIONS, kind=kind, address=address).status_code)
            if number == 2:
                (send,) = re.findall(r'formaction="([^"]+/send)"', eve.get("/me/alerts").text)
                assert eve.submit(send).status_code == 429
            elif number > 2:
                assert "/send" not in eve.get("/me/alerts").text, "nothing is kept"
                other = {"mail": "ada@example.org", "service": outside.ntfy("ada")}[kind]
                assert eve.submit(SUBSCRIPTIONS, kind=kind, address=other).status_code == 303, "others are asked"
    assert answers == [303] * 3 + [429] * 2
    assert outside.received(kind) == 5


@pytest.mark.parametrize("kind", ["mail", "service"])
def test_one_address_sends_twelve_requests_an_hour_and_all_together_fifty_a_day_to_a_domain(
    outside: Outside, kind: str
) -> None:
    """From five addresses, with two people at each."""
    for origin in range(5):
        allowed = 0
        for person in range(2):
            with Visitor(outside.server, address=f"127.0.1.{origin + 1}") as eve:
                eve.table("me", "open", "open", name=f"Eve {origin} {person}")
                for number in range(7):
                    name = f"eve{origin}{person}{number}"
                    address = {"mail": f"{name}@example.org", "service": outside.ntfy(name)}[kind]
                    allowed += eve.submit(SUBSCRIPTIONS, kind=kind, address=address).status_code == 303
        assert allowed == min(LIMITS.test_alerts_per_hour, LIMITS.confirmation_mails_per_domain - 12 * origin)
    assert outside.received(kind) == LIMITS.confirmation_mails_per_domain
