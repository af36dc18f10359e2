"""Requests to URLs that people entered, none of which may reach the network behind this server.

Only https and only public addresses are allowed: a name is resolved once, its addresses are checked, and the connection
goes to one of them and nowhere else. There are no redirects and no proxies, the total time is limited, and only the
header of a response is read, or a few bytes more where an answer is expected. With `private`, which is the operator's
decision, plain http and the server's own network are allowed, too.
"""

import asyncio
import socket
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from ssl import SSLContext
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import httpx

from spieltisch.alerts.alert import DeliveryFailed
from spieltisch.core.words import message

REQUEST_TIMEOUT_SECONDS: Final = 20.0
"""The time limit for a whole request, however slowly its bytes arrive."""
CONNECT_TIMEOUT_SECONDS: Final = 5.0
"""The time limit for connecting to each address of a name."""
MAX_ADDRESSES: Final = 4
"""The maximum number of addresses of a name that one request tries: it must not reach everyone whom a name lists."""
MAX_URL_LENGTH: Final = 1000
"""The maximum length of a URL, in characters."""
RESOLVER_THREADS: Final = 8
"""The number of threads that look up names: a name server that does not respond blocks nothing else here."""

UNICAST: Final = ip_network("2000::/3")
NAT64: Final = ip_network("64:ff9b::/96")
NOT_PUBLIC: Final = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2002::/16", "3fff::/20")))
"""Networks that some version of Python considers global: protocols, relays, IPv4 addresses in IPv6, documentation."""


class SsrfGuard:
    """Sends requests over https, and only to public addresses.

    With `private`, plain http and addresses of this machine and its network are allowed too.
    """

    def __init__(self, *, private: bool = False, seconds: float = REQUEST_TIMEOUT_SECONDS) -> None:
        self.private = private
        self.seconds = seconds
        self._resolvers = ThreadPoolExecutor(RESOLVER_THREADS, "resolve")

    @cached_property
    def ssl(self) -> SSLContext:
        """The trusted certificates; loading them takes a while."""
        return httpx.create_ssl_context()

    def close(self) -> None:
        """Stop looking up names."""
        self._resolvers.shutdown(wait=False, cancel_futures=True)

    def require_public(self, address: str) -> None:
        """Raise DeliveryFailed for a URL that may not be requested, before its name is resolved."""
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
            is_same = httpx.URL(address).scheme == parts.scheme  # as the library reads it that sends the requests
        except (ValueError, httpx.InvalidURL):
            host, port, is_same = None, None, False
        if (
            len(address) > MAX_URL_LENGTH
            or not host
            or not is_same
            or port == 0
            or parts.username is not None
            or not address.isprintable()
        ):
            raise DeliveryFailed(message("Messages can’t be sent to this address. Check it."))
        if parts.scheme != "https" and not (self.private and parts.scheme == "http"):
            raise DeliveryFailed(message("The address must begin with https://."))

    async def post(
        self, address: str, content: bytes, headers: Mapping[str, str], gone: frozenset[int] = frozenset()
    ) -> None:
        """Send a POST request. Raise DeliveryFailed if it was not accepted.

        `gone` are the statuses that mean that the address no longer exists.
        """
        await self._request("POST", address, content=content, headers=headers, gone=gone)

    async def get(self, address: str, query: Mapping[str, str], max_bytes: int) -> bytes:
        """Send a GET request with additional fields of the query, and return the first `max_bytes` of the answer.

        Raise DeliveryFailed if it was not accepted.
        """
        return await self._request("GET", address, query=query, max_bytes=max_bytes)

    async def _request(
        self,
        method: str,
        address: str,
        *,
        query: Mapping[str, str] = MappingProxyType({}),
        content: bytes = b"",
        headers: Mapping[str, str] = MappingProxyType({}),
        gone: frozenset[int] = frozenset(),
        max_bytes: int = 0,
    ) -> bytes:
        self.require_public(address)
        parts = urlsplit(address)
        host = parts.hostname or ""
        if query:
            joined_query = "&".join(filter(None, (parts.query, urlencode(query))))
            address = parts._replace(query=joined_query, fragment="").geturl()
        timeout = httpx.Timeout(None, connect=CONNECT_TIMEOUT_SECONDS)
        all_headers = {"User-Agent": "Spieltisch", "Accept-Encoding": "identity", **headers}
        answer = b""
        try:
            async with (
                asyncio.timeout(self.seconds),
                httpx.AsyncClient(transport=_Transport(self), trust_env=False, timeout=timeout) as client,
                client.stream(method, address, content=content, headers=all_headers) as response,
            ):
                status = response.status_code
                if max_bytes:
                    async for chunk in response.aiter_raw():
                        answer += chunk
                        if len(answer) > max_bytes:
                            break
        except (TimeoutError, httpx.TimeoutException) as error:
            raise DeliveryFailed(message("{host} did not answer in time.", host=host)) from error
        except _PrivateAddress as error:
            words = message("{host} is on a private network or doesn’t exist. Use a public address.", host=host)
            raise DeliveryFailed(words) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise DeliveryFailed(message("{host} could not be reached.", host=host)) from error
        if not 200 <= status < 300:
            words = message("{host} rejected the message (code {status}).", host=host, status=str(status))
            raise DeliveryFailed(words, gone=status in gone)
        return answer[:max_bytes]

    async def resolve(self, host: str, port: int) -> list[str]:
        """Return the permitted IP addresses of a host, at most `MAX_ADDRESSES`.

        Raise OSError if the lookup fails, _PrivateAddress if no address is permitted.
        """
        run = asyncio.get_running_loop().run_in_executor
        results = await run(self._resolvers, socket.getaddrinfo, host, port, socket.AF_UNSPEC, socket.SOCK_STREAM)
        allowed = [str(result[4][0]) for result in results if self.private or is_public(str(result[4][0]))]
        if not allowed:
            raise _PrivateAddress(host)
        return allowed[:MAX_ADDRESSES]


def ascii_host(address: str) -> str:
    """Return the host of a URL as it is requested, so that each host has one spelling.

    >>> ascii_host("https://Müller.example./x"), ascii_host("https://xn--mller-kva。example:8443")
    ('xn--mller-kva.example', 'xn--mller-kva.example')
    >>> ascii_host("https://[2001:DB8:0::0.0.0.1]/x"), ascii_host("http://0x7f.1/x")
    ('2001:db8::1', '127.0.0.1')
    """
    host = httpx.URL(address).raw_host.decode("ascii").lower().rstrip(".")
    with suppress(ValueError):
        return str(_target_address(host.partition("%")[0]))  # without the scope, which may be any number
    with suppress(OSError):
        return socket.inet_ntoa(socket.inet_aton(host))  # what a resolver reads as an IPv4 address
    return host


class _PrivateAddress(Exception):
    """A name has only addresses that are not allowed, or a connection was made to another address."""


class _Transport(httpx.AsyncHTTPTransport):
    """Connects to the addresses that the guard has checked, one after the other, under the requested name.

    It is made for one request: connections to one address under two names must not be shared.
    """

    def __init__(self, guard: SsrfGuard) -> None:
        super().__init__(verify=guard.ssl, trust_env=False)
        self._guard = guard

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; its header and TLS contain the requested host."""
        name, default = request.url.raw_host.decode("ascii"), 443 if request.url.scheme == "https" else 80
        addresses = await self._guard.resolve(name, request.url.port or default)
        while True:
            address = addresses.pop(0)

            async def compare(event: str, info: Mapping[str, Any], address: str = address) -> None:
                if event == "connection.connect_tcp.complete":
                    stream = info["return_value"]
                    peer = stream.get_extra_info("server_addr")  # None if the server has closed it already
                    if peer is None or ip_address(peer[0]) != ip_address(address):
                        await stream.aclose()
                        raise httpx.ConnectError("closed") if peer is None else _PrivateAddress(name)

            request.url = request.url.copy_with(host=address)
            request.extensions = {**request.extensions, "sni_hostname": name, "trace": compare}
            try:
                return await super().handle_async_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if not addresses:
                    raise


def is_public(text: str) -> bool:
    """Return True if an IP address is on the internet and not one of this machine's.

    >>> [is_public(text) for text in ("9.9.9.9", "10.0.0.1", "2620:fe::fe", "64:ff9b::7f00:1", "::ffff:9.9.9.9")]
    [True, False, True, False, False]
    """
    address = _target_address(text)
    if (address.version == 6 and address not in UNICAST) or any(address in network for network in NOT_PUBLIC):
        return False
    return address.is_global and not address.is_multicast and not is_own(text) and not is_own(str(address))


def _target_address(text: str) -> IPv4Address | IPv6Address:
    """Return an IP address; the IPv4 address if it is one for NAT64."""
    address = ip_address(text)
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in NAT64 else address


def is_own(address: str) -> bool:
    """Return True if an address is one of this machine's: connections to it come from the same address.

    >>> is_own("127.0.0.1"), is_own("192.0.2.1")
    (True, False)
    """
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, 9))  # sends nothing
        except OSError:  # no route
            return False
        return str(probe.getsockname()[0]) == address
