"""Alerts reach no server and no mailbox that did not ask for them, whatever visitors of a default server do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.live.fake_services import Browser, Web
from tests.web.conftest import QUIET, SERVE, Server, ServerEnded, Visitor

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
    "https://example.org/fcm.googleapis.com",
)


def in_browser(endpoint: str) -> dict[str, str]:
    """The form of a browser that subscribes at this endpoint."""
    return {**Browser(Web()).given, "endpoint": endpoint, "kind": "push"}


def test_browser_alerts_go_through_the_push_services_of_browser_makers_only(own_server: Callable[..., Server]) -> None:
    with Visitor(own_server(command=DEFAULT)) as ada:
        ada.table("me", "open", "open")
        assert [ada.submit(SUBSCRIPTIONS, **in_browser(endpoint)).status_code for endpoint in OF_OTHERS] == [422] * 12
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
