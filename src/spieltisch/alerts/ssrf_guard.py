"""Requests to addresses that people gave, none of which may lead into the network behind this server.

Only https, only to public addresses: a name is resolved once, what it leads to is checked, and the connection goes
there and nowhere else. No redirects, no proxies, so many seconds in all; only the header of an answer is read.
With `private`, which the operator decides, plain http and the network of the server are open, too.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from ipaddress import IPv4Address, ip_address, ip_network
from ssl import SSLContext
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from spieltisch.alerts.alert import DeliveryFailed
from spieltisch.core.words import message

SECONDS: Final = 20.0
"""For all of a request, however its bytes drip."""
CONNECT_TIMEOUT_SECONDS: Final = 5.0
"""For each address that a name leads to."""
LONGEST: Final = 1000
"""Letters in an address."""
RESOLVERS: Final = 8
"""Names looked up at once, on threads of their own: a name server that hangs holds up nothing else here."""

UNICAST: Final = ip_network("2000::/3")
NAT64: Final = ip_network("64:ff9b::/96")
NOT_PUBLIC: Final = (ip_network("2002::/16"), ip_network("3fff::/20"))
"""In `UNICAST`, and unknown to `is_global` in older versions of Python: IPv4 addresses in IPv6, documentation."""


class SsrfGuard:
    """Sends requests. `private`: also to this machine and its network, and in plain http."""

    def __init__(self, *, private: bool = False, seconds: float = SECONDS) -> None:
        self.private = private
        self.seconds = seconds
        self._resolvers = ThreadPoolExecutor(RESOLVERS, "resolve")

    @cached_property
    def ssl(self) -> SSLContext:
        """Which certificates are trusted; it takes a while to load."""
        return httpx.create_ssl_context()

    def close(self) -> None:
        """Look up no more names."""
        self._resolvers.shutdown(wait=False, cancel_futures=True)

    def check(self, address: str) -> None:
        """Raise Undelivered for what is no address that may be asked for, before its name is resolved."""
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if len(address) > LONGEST or not host or port == 0 or parts.username is not None or not address.isprintable():
            raise DeliveryFailed(message("This is no address that a message could be sent to."))
        if parts.scheme != "https" and not (self.private and parts.scheme == "http"):
            raise DeliveryFailed(message("Only addresses that begin with https:// are asked."))

    async def post(
        self, address: str, content: bytes, headers: Mapping[str, str], gone: frozenset[int] = frozenset()
    ) -> None:
        """Send something. Raises Undelivered when it was not taken; `gone` are the statuses of who is there no more."""
        self.check(address)
        host = urlsplit(address).hostname or ""
        patience = httpx.Timeout(None, connect=CONNECT_TIMEOUT_SECONDS)
        header = {"User-Agent": "Spieltisch", **headers}
        try:
            async with (
                asyncio.timeout(self.seconds),
                httpx.AsyncClient(transport=_Transport(self), trust_env=False, timeout=patience) as client,
                client.stream("POST", address, content=content, headers=header) as response,
            ):
                status = response.status_code
        except (TimeoutError, httpx.TimeoutException) as problem:
            raise DeliveryFailed(message("{host} did not answer in time.", host=host)) from problem
        except _PrivateAddress as problem:
            words = message("{host} is in a private network, or nowhere; nothing is sent there.", host=host)
            raise DeliveryFailed(words) from problem
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as problem:
            raise DeliveryFailed(message("{host} could not be reached.", host=host)) from problem
        if not 200 <= status < 300:
            words = message("{host} did not take the message: it says {status}.", host=host, status=str(status))
            raise DeliveryFailed(words, gone=status in gone)

    async def resolve(self, host: str, port: int) -> list[str]:
        """Return the addresses that a name leads to, and that may be connected to. Raises OSError."""
        look_up = asyncio.get_running_loop().run_in_executor
        found = await look_up(self._resolvers, socket.getaddrinfo, host, port, socket.AF_UNSPEC, socket.SOCK_STREAM)
        allowed = [str(one[4][0]) for one in found if self.private or is_public(str(one[4][0]))]
        if not allowed:
            raise _PrivateAddress(host)
        return allowed


class _PrivateAddress(Exception):
    """A name leads nowhere but to addresses that may not be connected to, or a connection has gone to another one."""


class _Transport(httpx.AsyncHTTPTransport):
    """Connects to the addresses that the guard has looked at, one after the other, under the name that was asked for.
    It is made for one request: connections to one address under two names must not be shared.
    """

    def __init__(self, guard: SsrfGuard) -> None:
        super().__init__(verify=guard.ssl, trust_env=False)
        self._guard = guard

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; its header names the host that was asked for, and so does TLS."""
        name, default = request.url.raw_host.decode("ascii"), 443 if request.url.scheme == "https" else 80
        addresses = await self._guard.resolve(name, request.url.port or default)
        while True:
            address = addresses.pop(0)

            async def compare(event: str, about: Mapping[str, Any], address: str = address) -> None:
                if event == "connection.connect_tcp.complete":
                    made = about["return_value"]
                    if ip_address(made.get_extra_info("server_addr")[0]) != ip_address(address):
                        await made.aclose()
                        raise _PrivateAddress(name)

            request.url = request.url.copy_with(host=address)
            request.extensions = {**request.extensions, "sni_hostname": name, "trace": compare}
            try:
                return await super().handle_async_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if not addresses:
                    raise


def is_public(text: str) -> bool:
    """Whether an IP address lies in the internet, and not at this machine.

    >>> [is_public(text) for text in ("9.9.9.9", "10.0.0.1", "2620:fe::fe", "64:ff9b::7f00:1", "::ffff:9.9.9.9")]
    [True, False, True, False, False]
    """
    address = ip_address(text)
    if address in NAT64:
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    if address.version == 6 and (address not in UNICAST or any(address in network for network in NOT_PUBLIC)):
        return False
    return address.is_global and not address.is_multicast and not is_own(text)


def is_own(address: str) -> bool:
    """Whether an address is one of this machine's: what connects to it does so from the same one.

    >>> is_own("127.0.0.1"), is_own("192.0.2.1")
    (True, False)
    """
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, 9))  # which sends nothing
        except OSError:  # no way leads there
            return False
        return str(probe.getsockname()[0]) == address
