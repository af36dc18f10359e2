"""Check that requests to addresses given by people never reach the network of the server."""

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
from spieltisch.alerts.ssrf_guard import MAX_ADDRESSES, SsrfGuard, is_public
from spieltisch.core.words import Sentence
from tests.live.fake_services import Web, web_server
from tests.sentences import template_after

NOT_REACHED = template_after("alerts/ssrf_guard.py", "except (httpx.HTTPError, httpx.InvalidURL,")
NOT_PUBLIC = template_after("alerts/ssrf_guard.py", "except _PrivateAddress as error:")
NOT_IN_TIME = template_after("alerts/ssrf_guard.py", "except (TimeoutError, httpx.TimeoutException) as error:")


def failure(*reasons: Sentence) -> pytest.RaisesExc[DeliveryFailed]:
    """Return a matcher for a delivery that fails for one of these reasons."""
    texts = {reason.text for reason in reasons}
    return pytest.RaisesExc(DeliveryFailed, check=lambda failure: failure.reason.text in texts)


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
    "https://192.0.0.9",
    "https://192.88.99.1",
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
def receiver() -> Iterator[Web]:
    with web_server() as web:
        yield web


@pytest.mark.parametrize("address", PRIVATE)
def test_requests_to_private_addresses_are_refused(address: str) -> None:
    with failure(NOT_PUBLIC, NOT_REACHED):
        post(SsrfGuard(), address)


def test_public_addresses_are_recognised() -> None:
    assert all(map(is_public, ("9.9.9.9", "2620:fe::fe", "64:ff9b::909:909")))


def test_requests_to_a_public_address_of_this_machine_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that accepts requests only from this machine could listen at the public address, too."""
    assert ssrf_guard.is_own("127.0.0.1")
    assert not ssrf_guard.is_own("192.0.2.1")
    monkeypatch.setattr(ssrf_guard, "is_own", lambda address: address == "9.9.9.9")
    with failure(NOT_PUBLIC):
        post(SsrfGuard(), "https://9.9.9.9")
    with failure(NOT_PUBLIC):
        post(SsrfGuard(), "https://[64:ff9b::909:909]")


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_an_invalid_url_is_refused_before_its_name_is_resolved(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: pytest.fail("it was resolved"))
    with pytest.raises(DeliveryFailed):
        SsrfGuard().require_public(address)
    with pytest.raises(DeliveryFailed):
        post(SsrfGuard(), address)


def resolving(*addresses: str, resolved_names: list[str]) -> Callable[..., list[Any]]:
    """Return a resolver that gives the same addresses for every name."""

    def resolve(host: str, port: int, *_: Any) -> list[Any]:
        resolved_names.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    return resolve


def test_a_host_name_is_resolved_once_and_its_checked_address_is_requested(
    receiver: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a name server could pass the check with a public address and then answer with a private one."""
    hosts: list[str] = []
    port = int(receiver.address.rpartition(":")[2])
    monkeypatch.setattr(socket, "getaddrinfo", resolving("127.0.0.1", resolved_names=hosts))
    with failure(NOT_PUBLIC):
        post(SsrfGuard(), f"https://hooks.example.org:{port}")
    assert receiver.sent == []
    post(SsrfGuard(private=True), f"http://hooks.example.org:{port}", b"taken")
    assert hosts == ["hooks.example.org"] * 2
    assert [request.content for request in receiver.sent] == [b"taken"]
    assert receiver.sent[0].headers["host"] == f"hooks.example.org:{port}"


def test_a_connection_to_another_address_than_the_resolved_address_is_not_used(
    receiver: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(receiver.address.rpartition(":")[2])
    monkeypatch.setattr(socket, "getaddrinfo", resolving("127.0.0.2", resolved_names=[]))
    connect = anyio.connect_tcp
    monkeypatch.setattr(
        anyio, "connect_tcp", lambda **connect_arguments: connect(**{**connect_arguments, "remote_host": "127.0.0.1"})
    )
    with failure(NOT_PUBLIC):
        post(SsrfGuard(private=True), f"http://hooks.example.org:{port}", b"taken")
    assert receiver.sent == []


def test_if_an_address_does_not_answer_the_next_address_is_tried(
    receiver: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(receiver.address.rpartition(":")[2])
    monkeypatch.setattr(socket, "getaddrinfo", resolving("127.0.0.2", "127.0.0.1", resolved_names=[]))
    post(SsrfGuard(private=True), f"http://hooks.example.org:{port}", b"taken")
    assert [request.content for request in receiver.sent] == [b"taken"]
    monkeypatch.setattr(socket, "getaddrinfo", resolving("10.0.0.1", "127.0.0.1", resolved_names=[]))
    with failure(NOT_PUBLIC):
        post(SsrfGuard(), f"https://hooks.example.org:{port}")


def test_only_the_first_addresses_of_a_host_name_are_tried(receiver: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    port = int(receiver.address.rpartition(":")[2])
    refused_addresses = [f"127.0.1.{number}" for number in range(1, MAX_ADDRESSES + 1)]
    monkeypatch.setattr(socket, "getaddrinfo", resolving(*refused_addresses[1:], "127.0.0.1", resolved_names=[]))
    post(SsrfGuard(private=True), f"http://hooks.example.org:{port}", b"taken")
    monkeypatch.setattr(socket, "getaddrinfo", resolving(*refused_addresses, "127.0.0.1", resolved_names=[]))
    with failure(NOT_REACHED):
        post(SsrfGuard(private=True), f"http://hooks.example.org:{port}", b"not sent")
    assert [request.content for request in receiver.sent] == [b"taken"]


@contextmanager
def https_server(name: str) -> Iterator[tuple[int, ssl.SSLContext]]:
    """Yield the port of a web server with a certificate for a name, and a context that trusts it."""
    authority, trusted = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trusted)
    secret = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(name).configure_cert(secret)
    with web_server(lambda serving: _encrypt(serving, secret)) as web:
        yield int(web.address.rpartition(":")[2]), trusted


def _encrypt(serving: ThreadingHTTPServer, secret: ssl.SSLContext) -> None:
    serving.socket = secret.wrap_socket(serving.socket, server_side=True)


@pytest.mark.parametrize("name", ["hooks.example.org", "other.example.org"])
def test_the_certificate_must_match_the_requested_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolving("127.0.0.1", resolved_names=[]))
    with https_server("hooks.example.org") as (port, trusted):
        with failure(NOT_REACHED):
            post(SsrfGuard(private=True), f"https://{name}:{port}")
        guard = SsrfGuard(private=True)
        guard.ssl = trusted
        if name == "hooks.example.org":
            post(guard, f"https://{name}:{port}")
        else:
            with failure(NOT_REACHED):
                post(guard, f"https://{name}:{port}")


def test_requests_follow_no_redirects_and_use_no_proxies(receiver: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    receiver.status, receiver.headers = 307, {"Location": f"{receiver.address}/elsewhere"}
    with pytest.raises(DeliveryFailed, match="307"):
        post(SsrfGuard(private=True), receiver.address)
    assert len(receiver.sent) == 1


@contextmanager
def endless_server(first_bytes: bytes, later_bytes: bytes, pause: float = 0.0) -> Iterator[str]:
    """Return the address of a server whose response never ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with contextlib.suppress(OSError), listening.accept()[0] as connection:
                connection.recv(65536)
                connection.sendall(first_bytes)
                while True:
                    connection.sendall(later_bytes)
                    never_set.wait(pause)

        never_set = threading.Event()
        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)  # the client may have given up before it connected
        thread.join()


def test_only_the_header_of_a_response_is_read() -> None:
    with endless_server(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n", b"x" * 65536) as address:
        post(SsrfGuard(private=True), address)
    with (
        endless_server(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 65536) as address,
        failure(NOT_REACHED),
    ):
        post(SsrfGuard(private=True), address)


def test_a_response_with_slow_headers_is_cut_off() -> None:
    with (
        endless_server(b"HTTP/1.1 200 OK\r\nX: ", b"x", 0.01) as address,
        failure(NOT_IN_TIME),
    ):
        post(SsrfGuard(private=True, seconds=0.3), address)


def test_a_server_that_closes_each_connection_is_reported_as_unreachable(request: pytest.FixtureRequest) -> None:
    """Python switches threads often here, so that a connection may close between any two lines of the client."""
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
            with failure(NOT_REACHED):
                await guard.post(f"http://127.0.0.1:{listening.getsockname()[1]}", b"", {})

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=close_at_once)
        thread.start()
        asyncio.run(knock())
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()
