"""The messages that are sent to webhooks of Discord, Slack and ntfy, and as JSON."""

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


def test_discord_is_sent_its_own_message() -> None:
    payload = {"content": "**Title**\nText\n\nhttps://games.example.org/", "allowed_mentions": {"parse": []}}
    assert request("Discord", DISCORD) == (DISCORD, payload)


def test_slack_is_sent_its_own_message() -> None:
    payload = {"text": "*Title*\nText\n\nhttps://games.example.org/"}
    assert request("Slack", SLACK) == (SLACK, payload)
    assert request("Slack", f"{SLACK}#%23general")[1] == {**payload, "channel": "#general"}


def test_ntfy_is_sent_its_own_message() -> None:
    payload = {"topic": "mine", "title": "Title", "message": "Text", "click": "https://games.example.org/"}
    assert request("ntfy", "https://ntfy.sh/mine?priority=high") == ("https://ntfy.sh/?priority=high", payload)


def test_a_webhook_of_ones_own_is_sent_all() -> None:
    payload = {"id": "id", "title": "Title", "text": "Text", "link": ALERT.link, "turns": 1, "about": [["table", 7]]}
    assert request("", "https://hooks.example.org/a?b=c") == ("https://hooks.example.org/a?b=c", payload)


def test_no_word_of_a_player_rings_for_everybody_or_hides_a_link() -> None:
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
def test_no_message_is_longer_than_a_service_takes(service: str, sign: str) -> None:
    long = msgspec.structs.replace(ALERT, title="Title", text=sign * 10_000)
    _, payload = request(service, DISCORD, long)
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
        "ntfys://discord.com/x",
        "ntfys://hooks.slack.com/x",
        "https://discord.com/channels/1",
        "https://hooks.slack.com/workflows/T1/A1/1/x",
    ],
)
def test_what_is_no_address_of_a_service_is_refused(address: str) -> None:
    with pytest.raises(DeliveryFailed):
        webhooks.normalize(address)


@pytest.mark.parametrize(
    ("typed", "service", "kept"),
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
def test_a_service_is_known_by_its_addresses(typed: str, service: str, kept: str) -> None:
    assert webhooks.normalize(typed) == (service, kept)


@pytest.mark.parametrize("service", ["Discord", "Slack", "ntfy", ""])
def test_services_on_this_machine_are_reached_only_where_the_operator_lets_them(service: str) -> None:
    async def send(address: str, *, private: bool) -> None:
        channels = Channels(new_key(), None, SsrfGuard(private=private))
        kind, kept = (SERVICE, {"service": service}) if service else (WEBHOOK, {})
        try:
            await channels.send(kind, {"address": address, **kept}, ALERT)
        finally:
            channels.close()

    with web_server() as web:
        with pytest.raises(DeliveryFailed, match="https"):
            asyncio.run(send(f"{web.address}/topic", private=False))
        assert web.sent == []
        asyncio.run(send(f"{web.address}/topic", private=True))
        (sent,) = web.sent
        assert "Text" in sent.content.decode()
        assert sent.headers["idempotency-key"] == "id"
