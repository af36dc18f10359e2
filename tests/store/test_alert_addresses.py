"""Addresses for alerts that were stored in Apprise's grammar: they lead where they led, or end with a reason."""

from __future__ import annotations

import html
import json
import re
import sqlite3
from base64 import urlsafe_b64decode
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from spieltisch.alerts import webhooks
from spieltisch.alerts.alert import Alert
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.core.words import LANGUAGES
from spieltisch.store import Store, alert_subscriptions
from spieltisch.store.alert_subscriptions import AlertSubscription
from tests.async_wait import wait
from tests.store.test_stored import HELD, STORED, sign_in
from tests.web.conftest import Server

HOOK = "https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"
BASIC, BEARER = "auth=QmFzaWMgWVdSaE9uTmxZM0psZEE9PQ", "auth=QmVhcmVyIHRrX2FiYw"
STORED_WAYS = {
    "way-discord": ["https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js"],
    "way-discord-native": ["https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js"],
    "way-ntfy": ["https://ntfy.sh/spieltisch-ada"],
    "way-ntfy-plain": ["http://192.0.2.7/spieltisch-ada"],
    "way-slack": [f"{HOOK}#%23general"],
    "way-slack-native": [HOOK],
}
ENDED = ("telegram", "matrix", "mattermost", "gotify", "pushover", "zulip", "signal")
MORE = {
    ("Discord", "discord://bot@1/x_-2/?thread=3"): ["https://discord.com/api/webhooks/1/x_-2?thread_id=3"],
    ("Slack", "slack://bot@T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/general/@bob/+C1"): [
        f"{HOOK}#%23general",
        f"{HOOK}#%40bob",
        f"{HOOK}#C1",
    ],
    ("Slack", f"{HOOK}?to=general"): [f"{HOOK}#%23general"],
    ("Slack", "slack://T1/A1/x1/?mode=gov-hook"): ["https://hooks.slack-gov.com/services/T1/A1/x1"],
    ("Slack", "slack://xoxb-1234-1234-abc124/#general"): [],
    ("Slack", "https://hooks.slack.com/workflows/T1/A1/1/x"): [],
    ("ntfy", "ntfy://topic"): ["https://ntfy.sh/topic"],
    ("ntfy", "ntfy://topic?mode=cloud&to=other"): ["https://ntfy.sh/topic", "https://ntfy.sh/other"],
    ("ntfy", "https://ntfy.sh/topic?priority=5"): ["https://ntfy.sh/topic?priority=5"],
    ("ntfy", "ntfys://ntfy.example.org:8443/a/b?priority=no"): [
        "https://ntfy.example.org:8443/a",
        "https://ntfy.example.org:8443/b",
    ],
    ("ntfy", "ntfys://ada:secret@ntfy.example.org/a"): [f"https://ntfy.example.org/a?{BASIC}"],
    ("ntfy", "ntfys://tk_abc@ntfy.example.org/a?priority=high"): [f"https://ntfy.example.org/a?priority=high&{BEARER}"],
    ("Discord", "discord://"): [],
    ("JSON", "jsons://hooks.example.org/a?b=c"): ["https://hooks.example.org/a?b=c"],
    ("JSON", "json://192.0.2.7/a"): ["http://192.0.2.7/a"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the stored database, where `own_server` serves it."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    with closing(sqlite3.connect(data / "spieltisch.sqlite3")) as connection:
        connection.executescript((STORED / "database.sql").read_text())
    return data


def opened(folder: Path) -> dict[str, AlertSubscription]:
    """All addresses of the person, after the database was opened."""
    store = Store(folder / "spieltisch.sqlite3")
    subscriptions = {way.id: way for way in wait(alert_subscriptions.of_person(store, HELD["person"]))}
    wait(store.close())
    return subscriptions


def leads_to(subscriptions: dict[str, AlertSubscription], way_id: str) -> list[str]:
    """Return the addresses to which the alerts of a stored subscription go now."""
    return [
        way.address["address"]
        for key, way in subscriptions.items()
        if re.fullmatch(rf"{way_id}(-\d)?", key) and way.state == "on"
    ]


def test_what_is_still_sent_goes_where_it_went(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "spieltisch.sqlite3")) as connection, connection:
        for number, (service, address) in enumerate(MORE):
            kept = json.dumps({"address": address, "service": service}).encode()
            row = (f"more{number}", HELD["person"], "service", kept, "on", 1769735242.0, None, None, None)
            connection.execute("INSERT INTO ways VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    subscriptions = opened(folder)
    assert {way_id: leads_to(subscriptions, way_id) for way_id in STORED_WAYS} == STORED_WAYS
    assert [leads_to(subscriptions, f"more{number}") for number in range(len(MORE))] == list(MORE.values())
    assert {
        way.kind
        for way in subscriptions.values()
        if way.address.get("address", "").startswith("https://hooks.example.org")
    } == {"webhook"}
    assert {subscriptions[name].state for name in ("way-mail", "way-push", "way-webhook")} == {"on"}
    for way in subscriptions.values():
        if way.kind == "service" and way.state == "on":
            alert = Alert("id", "Title", "Text", "https://games.example.org/", "/", 1, "en")
            url, content, _ = webhooks.request(way.address["service"], way.address["address"], alert)
            SsrfGuard(private=True).check(url)
            assert "Text" in content.decode()


def test_ntfy_is_told_name_and_password_as_before(folder: Path) -> None:
    for query, credentials in ((BASIC, b"Basic YWRhOnNlY3JldA=="), (BEARER, b"Bearer tk_abc")):
        (given,) = parse_qs(urlsplit(f"?{query}").query)["auth"]
        assert urlsafe_b64decode(given + "=" * (-len(given) % 4)) == credentials


def test_what_is_not_sent_any_more_ends_with_a_reason_and_nothing_waits_for_it(folder: Path) -> None:
    subscriptions = opened(folder)
    for name in ENDED:
        way = subscriptions[f"way-{name}"]
        assert way.state == "gone"
        assert str(way.reason).endswith("is no longer supported. Choose another way.")
        assert way.address["service"].lower() == name
    with closing(sqlite3.connect(folder / "spieltisch.sqlite3")) as connection:
        waits = {row[0] for row in connection.execute("SELECT way FROM outbox")}
    assert waits == {*STORED_WAYS, "way-push", "way-webhook"}


def test_its_owner_reads_why_until_they_take_it_away(folder: Path, own_server: Callable[..., Server]) -> None:
    reasons = {
        "en": "Telegram is no longer supported. Choose another way.",
        "de": "Telegram wird nicht mehr unterstützt. Wähle einen anderen Weg.",
        "fr": "Telegram n’est plus pris en charge. Choisissez un autre moyen.",
        "nl": "Telegram wordt niet meer ondersteund. Kies een andere manier.",
    }
    assert set(reasons) == set(LANGUAGES)
    server = own_server()
    with sign_in(server, "ada") as ada, sign_in(server, "ben") as ben:
        for language, sentence in reasons.items():
            ada.submit("/preferences", language=language)
            for page in ("/", "/me/alerts"):
                assert sentence in html.unescape(ada.get(page).text)
        assert "Telegram" not in ben.get("/").text
        assert ben.submit("/me/alert-subscriptions/way-telegram/remove").status_code == 404
        assert ada.submit("/me/alert-subscriptions/way-telegram/remove").status_code == 303
        for page in ("/", "/me/alerts"):
            assert "Telegram" not in ada.get(page).text
            assert "Matrix" in ada.get(page).text
