"""Requests to addresses that people have given: no way into the network of the server, by whatever address."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from typing import Any

import anyio
import pytest
import trustme

from spieltisch.alerts import ssrf_guard
from spieltisch.alerts.alert import DeliveryFailed
from spieltisch.alerts.ssrf_guard import SsrfGuard, is_public
from tests.live.fake_services import Web, web_server

PRIVATE = (
    "https://127.0.0.1",
    "https://127.1",
    "https://2130706433",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    "https://[64:ff9b::7f00:1]",
    "https://[64:ff9b:1::808:808]",
    "https://[64:ff9b:1:ffff:ffff:ffff:ffff:ffff]",
    "https://[2002:7f00:1::]",
    "https://[::7f00:1]",
    "https://[fec0::1]",
    "https://[3fff::1]",
    "https://[3fff:fff:ffff::1]",
    "https://224.0.0.1",
    "https://[ff02::1]",
    "https://255.255.255.255",
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


def post(guard: SsrfGuard, address: str, content: bytes = b"") -> None:
    asyncio.run(guard.post(address, content, {}))


@pytest.fixture
def web() -> Iterator[Web]:
    with web_server() as web:
        yield web


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_not_asked(address: str) -> None:
    with pytest.raises(DeliveryFailed, match=r"private network|could not be reached"):
        post(SsrfGuard(), address)


def test_public_addresses_are_known() -> None:
    assert all(map(is_public, ("9.9.9.9", "2620:fe::fe", "64:ff9b::909:909")))


def test_a_public_address_of_this_machine_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind it may be what is open to this machine alone."""
    assert ssrf_guard.is_own("127.0.0.1")
    assert not ssrf_guard.is_own("192.0.2.1")
    monkeypatch.setattr(ssrf_guard, "is_own", lambda address: address == "9.9.9.9")
    with pytest.raises(DeliveryFailed, match="private network"):
        post(SsrfGuard(), "https://9.9.9.9")
    with pytest.raises(DeliveryFailed, match="private network"):
        post(SsrfGuard(), "https://[64:ff9b::909:909]")


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_what_is_no_address_is_refused_before_it_is_resolved(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: pytest.fail("it was resolved"))
    with pytest.raises(DeliveryFailed):
        SsrfGuard().check(address)
    with pytest.raises(DeliveryFailed):
        post(SsrfGuard(), address)


def resolving(*addresses: str, asked: list[str]) -> Callable[..., list[Any]]:
    """A name server that says the same of every name."""

    def resolve(host: str, port: int, *_: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    return resolve


def test_a_name_is_resolved_once_and_what_was_looked_at_is_connected_to(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server that says something else the second time gains nothing."""
    hosts: list[str] = []
    port = int(web.address.rpartition(":")[2])
    monkeypatch.setattr(socket, "getaddrinfo", resolving("127.0.0.1", asked=hosts))
    with pytest.raises(DeliveryFailed, match="private network"):
        post(SsrfGuard(), f"https://hooks.example.org:{port}")
    assert web.sent == []
    post(SsrfGuard(private=True), f"http://hooks.example.org:{port}", b"taken")
    assert hosts == ["hooks.example.org"] * 2
    assert [sent.content for sent in web.sent] == [b"taken"]
    assert web.sent[0].headers["host"] == f"hooks.example.org:{port}"


def test_a_connection_that_has_gone_elsewhere_is_not_used(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    port = int(web.address.rpartition(":")[2])
    monkeypatch.setattr(socket, "getaddrinfo", resolving("127.0.0.2", asked=[]))
    connect = anyio.connect_tcp
    monkeypatch.setattr(anyio, "connect_tcp", lambda **given: connect(**{**given, "remote_host": "127.0.0.1"}))
    with pytest.raises(DeliveryFailed, match="private network"):
        post(SsrfGuard(private=True), f"http://hooks.example.org:{port}", b"taken")
    assert web.sent == []


def test_where_one_address_of_a_name_does_not_answer_the_next_one_is_asked(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(web.address.rpartition(":")[2])
    monkeypatch.setattr(socket, "getaddrinfo", resolving("127.0.0.2", "127.0.0.1", asked=[]))
    post(SsrfGuard(private=True), f"http://hooks.example.org:{port}", b"taken")
    assert [sent.content for sent in web.sent] == [b"taken"]
    monkeypatch.setattr(socket, "getaddrinfo", resolving("10.0.0.1", "127.0.0.1", asked=[]))
    with pytest.raises(DeliveryFailed, match="private network"):
        post(SsrfGuard(), f"https://hooks.example.org:{port}")


@contextmanager
def https_server(name: str) -> Iterator[tuple[int, ssl.SSLContext]]:
    """The port of a web server with a certificate for a name, and whom to trust for it."""
    authority, trusted = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trusted)
    secret = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(name).configure_cert(secret)
    with web_server(lambda serving: _encrypt(serving, secret)) as web:
        yield int(web.address.rpartition(":")[2]), trusted


def _encrypt(serving: ThreadingHTTPServer, secret: ssl.SSLContext) -> None:
    serving.socket = secret.wrap_socket(serving.socket, server_side=True)


@pytest.mark.parametrize("name", ["hooks.example.org", "other.example.org"])
def test_the_certificate_is_that_of_the_name_which_was_asked_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolving("127.0.0.1", asked=[]))
    with https_server("hooks.example.org") as (port, trusted):
        with pytest.raises(DeliveryFailed, match="could not be reached"):
            post(SsrfGuard(private=True), f"https://{name}:{port}")
        guard = SsrfGuard(private=True)
        guard.ssl = trusted
        if name == "hooks.example.org":
            post(guard, f"https://{name}:{port}")
        else:
            with pytest.raises(DeliveryFailed, match="could not be reached"):
                post(guard, f"https://{name}:{port}")


def test_no_redirects_and_no_proxy(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    web.status, web.headers = 307, {"Location": f"{web.address}/elsewhere"}
    with pytest.raises(DeliveryFailed, match="307"):
        post(SsrfGuard(private=True), web.address)
    assert len(web.sent) == 1


@contextmanager
def endless(begins: bytes, goes_on: bytes, pause: float = 0.0) -> Iterator[str]:
    """Return the address of a server whose response never ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with contextlib.suppress(OSError), listening.accept()[0] as connection:
                connection.recv(65536)
                connection.sendall(begins)
                while True:
                    connection.sendall(goes_on)
                    never.wait(pause)

        never = threading.Event()
        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)  # the client may have given up before it connected
        thread.join()


def test_of_an_answer_only_the_header_is_read() -> None:
    with endless(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n", b"x" * 65536) as address:
        post(SsrfGuard(private=True), address)
    with (
        endless(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 65536) as address,
        pytest.raises(DeliveryFailed, match="could not be reached"),
    ):
        post(SsrfGuard(private=True), address)


def test_who_drips_is_cut() -> None:
    """Send a header letter by letter until the client closes the connection."""
    with (
        endless(b"HTTP/1.1 200 OK\r\nX: ", b"x", 0.01) as address,
        pytest.raises(DeliveryFailed, match="in time"),
    ):
        post(SsrfGuard(private=True, seconds=0.3), address)


def test_a_server_that_closes_each_connection_could_not_be_reached(request: pytest.FixtureRequest) -> None:
    """Its address is unknown then; threads switch often, so that it happens between two lines of the client."""
    request.addfinalizer(partial(sys.setswitchinterval, sys.getswitchinterval()))
    sys.setswitchinterval(1e-6)

    def close_at_once() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listening.accept()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()

    async def knock() -> None:
        guard = SsrfGuard(private=True)
        for _ in range(150):
            with pytest.raises(DeliveryFailed, match="could not be reached"):
                await guard.post(f"http://127.0.0.1:{listening.getsockname()[1]}", b"", {})

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=close_at_once)
        thread.start()
        asyncio.run(knock())
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()
