"""Requests to addresses that people have given: no way into the network of the server, by whatever address."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from spieltisch.alerts import services
from spieltisch.alerts.alert import Alert, Undelivered
from spieltisch.alerts.guard import MOST_BYTES, Guard
from tests.live.outside import Web, web_server

ALERT = Alert("id", "Title", "Text", "https://games.example.org/", "/", 1, "en")
PRIVATE = (
    "https://127.0.0.1",
    "https://127.1",
    "https://2130706433",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    "https://[64:ff9b::7f00:1]",
    "https://10.0.0.1",
    "https://172.16.3.4",
    "https://192.168.1.1",
    "https://100.64.0.1",
    "https://169.254.169.254/latest/meta-data",
    "https://[fe80::1]",
    "https://[fd00::1]",
    "https://0.0.0.0",
    "https://localhost",
)
NO_ADDRESSES = (
    "",
    "https://",
    "ftp://example.org",
    "file:///etc/passwd",
    "gopher://example.org",
    "http://example.org",
    "https://user:secret@example.org",
    "https://example.org:0",
    "https://example.org:99999",
    "https://exa\nmple.org",
    "https://[::1",
    "https://example.org/" + "x" * 1000,
)
TO_ITSELF = {
    "ntfy": "ntfy://{}/topic",
    "Matrix": "matrix://user:password@{}/%23room",
    "Signal": "signal://{}/+15551230000/+15551230001",
    "Mattermost": "mmost://{}/abcdefghijklmnopqrstuvwx",
    "Gotify": "gotify://{}/abcdefghijklmno",
}


@pytest.fixture
def web() -> Iterator[Web]:
    with web_server() as web:
        yield web


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_not_asked(address: str) -> None:
    with pytest.raises(Undelivered, match=r"private network|could not be reached"):
        Guard().post(address, b"", {})


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_what_is_no_address_is_refused_before_it_is_resolved(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: pytest.fail("it was resolved"))
    with pytest.raises(Undelivered):
        Guard().check(address)
    with pytest.raises(Undelivered):
        Guard().post(address, b"", {})


def test_a_name_is_resolved_once_and_what_was_looked_at_is_connected_to(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server that says something else the second time gains nothing."""
    asked: list[str] = []
    port = int(web.address.rpartition(":")[2])

    def resolve(host: str, *_: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(Undelivered, match="private network"):
        Guard().post(f"https://hooks.example.org:{port}", b"", {})
    assert web.sent == []
    Guard(private=True).post(f"http://hooks.example.org:{port}", b"taken", {})
    assert asked == ["hooks.example.org"] * 2
    assert [sent.content for sent in web.sent] == [b"taken"]


def test_no_redirects_no_more_bytes_than_so_many_and_no_proxy(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    web.status, web.headers = 307, {"Location": f"{web.address}/elsewhere"}
    with pytest.raises(Undelivered, match="307"):
        Guard(private=True).post(web.address, b"", {})
    assert len(web.sent) == 1
    web.status, web.headers, web.body = 200, {}, b"x" * (20 * MOST_BYTES)
    with Guard(private=True).session() as session:
        assert len(session.post(web.address, data=b"").content) == MOST_BYTES


def test_who_drips_is_cut(web: Web) -> None:
    """A header letter by letter, for as long as somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                while True:
                    connection.sendall(b"x")
                    hung_up.wait(0.01)

        hung_up = threading.Event()
        thread = threading.Thread(target=drip)
        thread.start()
        with pytest.raises(Undelivered, match="in time"):
            Guard(private=True, seconds=0.3).post(f"http://127.0.0.1:{listening.getsockname()[1]}", b"", {})
        thread.join()


@pytest.mark.parametrize("service", TO_ITSELF)
def test_services_on_this_machine_are_reached_only_where_the_host_lets_them(service: str, web: Web) -> None:
    address = TO_ITSELF[service].format(web.address.removeprefix("http://"))
    assert services.check(address) == service
    with pytest.raises(Undelivered, match="https"):
        services.send(Guard(), address, ALERT)
    assert web.sent == []
    if service == "Matrix":
        return  # it needs a room first; that it comes here is enough
    services.send(Guard(private=True), address, ALERT)
    assert web.sent


def test_no_word_of_a_player_rings_for_everybody(web: Web) -> None:
    """Where an alert is read by many, "@everyone" would."""
    address = TO_ITSELF["ntfy"].format(web.address.removeprefix("http://"))
    loud = msgspec.structs.replace(ALERT, title="@here", text="Ada: @Ben @everyone")
    services.send(Guard(private=True), address, loud)
    told = web.sent[0].json
    assert told["title"] == f"@{services.JOINER}here"
    assert told["message"].startswith(f"Ada: @{services.JOINER}Ben @{services.JOINER}everyone")


def test_every_service_of_ours_goes_through_the_guard() -> None:
    """Outside a session nothing is sent at all."""
    for sender in services.senders().values():
        used = sys.modules[sender.__module__].requests
        with pytest.raises(LookupError):
            used.post("https://example.org")
        with pytest.raises(AttributeError):
            used.Session()


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
    ],
)
def test_what_apprise_could_do_besides_is_refused(address: str) -> None:
    with pytest.raises(Undelivered):
        services.check(address)


def test_services_are_known_by_their_own_addresses_too() -> None:
    token = "A" * 60
    assert services.service_of(f"https://discord.com/api/webhooks/1234567890/{token}") == "Discord"
    assert services.service_of("https://hooks.example.org/mine") == ""
