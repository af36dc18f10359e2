"""Check that alerts reach only servers and mailboxes that asked for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from spieltisch.live.limits import DEFAULT as LIMITS
from tests.live.fake_services import Browser, Post, Web, mail_server, web_server
from tests.web.servers import SERVE_DEFAULT_LIMITS, Server, ServerEnded
from tests.web.visitors import Visitor, trade_on

ADDED = "push.example.org:8443"
"""The push service that the operator has added."""
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
    """Return the form of a browser that subscribes at this endpoint."""
    return {**Browser(Web()).given, "endpoint": endpoint, "kind": "push"}


def test_push_alerts_are_sent_only_to_services_of_browser_makers_or_of_the_operator(
    house: Outside,
) -> None:
    with Visitor(house.server) as ada:
        ada.table("me", "open", "open")
        assert [ada.submit(SUBSCRIPTIONS, **in_browser(endpoint)).status_code for endpoint in OF_OTHERS] == [422] * 14
        assert "/send" not in ada.get("/me/alerts").text, "nothing is stored"
        assert [ada.submit(SUBSCRIPTIONS, **in_browser(endpoint)).status_code for endpoint in OF_BROWSER_MAKERS] == (
            [303] * 4
        )
        assert ada.submit(SUBSCRIPTIONS, **in_browser(f"https://{ADDED}/x")).status_code == 303


@pytest.mark.parametrize("host", ["https://push.example.org", "push.example.org/x", "a@push.example.org", ""])
def test_a_server_does_not_start_with_an_invalid_push_service(own_server: Callable[..., Server], host: str) -> None:
    with pytest.raises(ServerEnded, match=f"--push-service {host}: give a host"):
        own_server("--push-service", host)


class Outside:
    """A server with default limits, and the mail server and the network that it reaches."""

    def __init__(self, data: Path, post: Post, web: Web) -> None:
        self._data, self.post, self.web = data, post, web
        self.server = self.start()

    def start(self) -> Server:
        """Start a server with default limits, again on the same data."""
        mail = ("--mail-server", f"smtp://127.0.0.1:{self.post.settings.port}", "--mail-from", "games@example.org")
        self.server = Server(
            self._data, *mail, "--allow-private-alerts", "--push-service", ADDED, command=SERVE_DEFAULT_LIMITS
        )
        return self.server

    def ntfy(self, topic: str) -> str:
        """Return the address of a topic of a private ntfy server."""
        return f"{self.web.address.replace('http', 'ntfy')}/{topic}"

    def received(self, kind: str) -> int:
        """Return the number of received confirmation requests."""
        return len(self.post.mails if kind == "mail" else self.web.sent)


@contextmanager
def reaching(data: Path) -> Iterator[Outside]:
    with mail_server() as post, web_server() as web:
        outside_service = Outside(data, post, web)
        try:
            yield outside_service
        finally:
            code = outside_service.server.stop()
        assert code == 0, outside_service.server.log


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    with reaching(tmp_path_factory.mktemp("house")) as reached_house:
        yield reached_house


@pytest.fixture
def outside(house: Outside) -> Outside:
    """Return the services of the module, which have received nothing yet."""
    house.post.mails.clear()
    house.web.sent.clear()
    return house


def test_a_private_ntfy_server_gets_alerts_only_after_its_confirmation_link_was_opened(outside: Outside) -> None:
    with ExitStack() as stack:
        ada, grace, mary = (stack.enter_context(Visitor(outside.server)) for _ in range(3))
        path = ada.table("me", "open", "open")
        alert_settings = {"zone": "UTC", "away": "0", "pause": "0"}
        ada.submit("/me/alerts", **alert_settings)
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
        assert "QmFz" not in outside.server.log


@pytest.mark.parametrize("kind", ["mail", "service"])
def test_a_recipient_gets_at_most_three_confirmation_requests_a_day_in_any_spelling(
    outside: Outside, kind: str
) -> None:
    forms = {
        "mail": ["bob@example.org", "b.ob@example.org", "B.O.B+x@Example.org", "bob+1@example.org", "bo.b@example.org"],
        "service": [
            *(outside.ntfy(f"bob{query}") for query in ("", "/", "?priority=1")),
            outside.ntfy("bob").replace("127.0.0.1", "127.1"),
            outside.ntfy("bob").replace("127.0.0.1", "127。0。0。1"),  # a full stop of domain names, too
        ],
    }[kind]
    answers = []
    net = {"mail": 3, "service": 4}[kind]
    for number, address in enumerate(forms, 1):
        with Visitor(outside.server, address=f"127.0.{net}.{number}") as eve:
            eve.table("me", "open", "open", name=f"Eve {number}")
            if number == 5 and kind == "mail":  # those of both kinds are rows of one table
                outside.server.stop()
                eve.base_url = outside.start().address
                eve.headers["Origin"] = outside.server.address
            answers.append(eve.submit(SUBSCRIPTIONS, kind=kind, address=address).status_code)
            if number == 3:
                (send_address,) = re.findall(r'formaction="([^"]+/send)"', eve.get("/me/alerts").text)
                assert eve.submit(send_address).status_code == 429
            elif number > 3:
                assert "/send" not in eve.get("/me/alerts").text, "nothing is kept"
                other_target = {"mail": "ada@example.org", "service": outside.ntfy("ada")}[kind]
                assert eve.submit(SUBSCRIPTIONS, kind=kind, address=other_target).status_code == 303, "others are asked"
    assert answers == [303] * 3 + [429] * 2
    assert outside.received(kind) == 5


def test_confirmation_requests_are_limited_for_each_sender_and_each_domain(tmp_path: Path) -> None:
    """The requests come from two people at each of five addresses."""
    with reaching(tmp_path / "data") as outside_service:
        for net, kind in enumerate(("mail", "service"), 1):
            for origin in range(5):
                allowed = 0
                for person in range(2):
                    with Visitor(outside_service.server, address=f"127.0.{net}.{origin + 1}") as eve:
                        eve.table("me", "open", "open", name=f"Eve {origin} {person}")
                        token = eve.token()
                        for number in range(7):
                            name = f"eve{origin}{person}{number}"
                            address = {"mail": f"{name}@example.org", "service": outside_service.ntfy(name)}[kind]
                            fields = {"token": token, "kind": kind, "address": address}
                            allowed += eve.post(SUBSCRIPTIONS, data=fields).status_code == 303
                assert allowed == min(LIMITS.test_alerts_per_hour, LIMITS.confirmation_mails_per_domain - 12 * origin)
            assert outside_service.received(kind) == LIMITS.confirmation_mails_per_domain
