"""Check the messages sent to webhooks of Discord, Slack and ntfy, and as JSON."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest

from spieltisch.alerts import webhooks
from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.channels import SERVICE, WEBHOOK, Channels
from spieltisch.alerts.push import new_key
from spieltisch.alerts.ssrf_guard import SsrfGuard
from tests.live.fake_services import web_server

ALERT = Alert("id", "Title", "Text", "https://games.example.org/", "/", 1, "en", about=(("table", 7),))
DISCORD = "https://discord.com/api/webhooks/1234567890/" + "A" * 60
SLACK = "https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"


def request(service: str, address: str, alert: Alert = ALERT) -> tuple[str, Any]:
    url, content, header = webhooks.request(service, address, alert)
    assert header["Content-Type"] == "application/json"
    return url, json.loads(content)


def test_messages_to_discord_have_the_format_of_discord() -> None:
    payload = {"content": "**Title**\nText\n\nhttps://games.example.org/", "allowed_mentions": {"parse": []}}
    assert request("Discord", DISCORD) == (DISCORD, payload)


def test_messages_to_slack_have_the_format_of_slack() -> None:
    payload = {"text": "*Title*\nText\n\nhttps://games.example.org/"}
    assert request("Slack", SLACK) == (SLACK, payload)


def test_messages_to_ntfy_have_the_format_of_ntfy() -> None:
    payload = {"topic": "mine", "title": "Title", "message": "Text", "click": "https://games.example.org/"}
    assert request("ntfy", "https://ntfy.sh/mine?priority=high") == ("https://ntfy.sh/?priority=high", payload)


def test_a_webhook_of_no_known_service_receives_all_fields() -> None:
    payload = {"id": "id", "title": "Title", "text": "Text", "link": ALERT.link, "turns": 1, "about": [["table", 7]]}
    assert request("", "https://hooks.example.org/a?b=c") == ("https://hooks.example.org/a?b=c", payload)


def test_texts_of_players_cannot_mention_everybody_or_hide_links() -> None:
    loud = msgspec.structs.replace(
        ALERT, title="@here <!here>", text="Ada: @everyone <!channel> [x](https://evil.test)"
    )
    assert request("Discord", DISCORD, loud)[1]["allowed_mentions"] == {"parse": []}
    assert "\\[x\\](https://evil.test)" in request("Discord", DISCORD, loud)[1]["content"]
    text = request("Slack", SLACK, loud)[1]["text"]
    assert "<" not in text
    assert "&lt;!channel&gt;" in text


@pytest.mark.parametrize("sign", ["x", "[", "🎲"])
@pytest.mark.parametrize("service", ["Discord", "ntfy"])
def test_messages_are_cut_to_the_maximum_of_a_service(service: str, sign: str) -> None:
    long_alert = msgspec.structs.replace(ALERT, title="Title", text=sign * 10_000)
    _, payload = request(service, DISCORD, long_alert)
    assert len(payload.get("content", "")) <= 2000
    assert len(payload.get("message", "").encode()) <= 4096
    assert payload.get("click", payload.get("content", "")).endswith(ALERT.link)


@pytest.mark.parametrize(
    "address",
    [
        "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/?template=/etc/passwd",
        "ntfys://ntfy.sh/topic?attach=file:///etc/passwd",
        "ntfys://ntfy.sh/topic?verify=no",
        "json://example.org",
        "file:///etc/passwd",
        "dbus://",
        "mailto://user:password@example.org",
        "discord://",
        "tgram://",
        "ntfys://ntfy.example.org",
        "ntfys://ntfy.example.org/one/two",
        "https://ntfy.sh/",
        "https://ntfy.sh:443/topic/publish?message=hello",
        "https://ntfy.sh./topic/publish?message=hello",
        "https://ntfy。sh/topic/publish?message=hello",
        "ntfys://discord.com/x",
        "ntfys://hooks.slack.com/x",
        "https://discord.com/channels/1",
        "https://discord.com/api/webhooks/01/a",
        "https://hooks.slack.com/workflows/T1/A1/1/x",
        "https://example.org/callback?hub.topic=https://other.example",
        "https://example.org/callback?a=1&hub%2Emode=subscribe",
    ],
)
def test_invalid_urls_of_webhook_services_are_refused(address: str) -> None:
    with pytest.raises(DeliveryFailed):
        webhooks.normalize(address)


@pytest.mark.parametrize(
    ("typed", "service", "expected_address"),
    [
        (DISCORD, "Discord", DISCORD),
        (f"{DISCORD}?thread_id=7", "Discord", f"{DISCORD}?thread_id=7"),
        (SLACK, "Slack", SLACK),
        ("https://ntfy.sh/topic", "ntfy", "https://ntfy.sh/topic"),
        (
            "ntfys://ntfy.example.org:8443/topic?auth=QmFzaWM",
            "ntfy",
            "https://ntfy.example.org:8443/topic?auth=QmFzaWM",
        ),
        ("NTFY://192.0.2.7/topic", "ntfy", "http://192.0.2.7/topic"),
        ("https://hooks.example.org/mine?v=1", "", "https://hooks.example.org/mine?v=1"),
        ("https://ntfy.sh:8443/topic", "", "https://ntfy.sh:8443/topic"),
        ("https://discord.com:22/api/webhooks/1/a", "", "https://discord.com:22/api/webhooks/1/a"),
    ],
)
def test_a_webhook_service_is_recognised_by_its_host(typed: str, service: str, expected_address: str) -> None:
    assert webhooks.normalize(typed) == (service, expected_address)


@pytest.mark.parametrize("service", ["Discord", "Slack", "ntfy", ""])
def test_webhook_services_on_this_machine_need_the_operators_permission(service: str) -> None:
    async def send_alert(address: str, *, private: bool) -> None:
        channels = Channels(new_key(), None, SsrfGuard(private=private))
        kind, settings = (SERVICE, {"service": service}) if service else (WEBHOOK, {})
        try:
            await channels.send(kind, {"address": address, **settings}, ALERT)
        finally:
            channels.close()

    with web_server() as web:
        with pytest.raises(DeliveryFailed, match="https"):
            asyncio.run(send_alert(f"{web.address}/topic", private=False))
        assert web.sent == []
        asyncio.run(send_alert(f"{web.address}/topic", private=True))
        (alert_request,) = web.sent
        assert "Text" in alert_request.content.decode()
        assert alert_request.headers["idempotency-key"] == "id"
