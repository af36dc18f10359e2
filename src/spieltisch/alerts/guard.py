"""Requests to addresses that people have given, so that nobody sends this server into the network behind it.

Only https, only to the internet; the address is resolved once and the connection goes where it was looked at; no
redirects, no proxies, no more than so many seconds and bytes. With `private`, which the host decides, plain http and
the network of the server are open, too.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from apprise.utils.http import HTTPPolicy, HTTPPolicySession, is_public_ip_address

from spieltisch.alerts.alert import Undelivered
from spieltisch.core.words import message

SECONDS: Final = 20.0
"""For all of a request, however its bytes drip."""
MOST_BYTES: Final = 64 * 1024
"""Of what is answered; what comes after them is not read."""
LONGEST: Final = 1000
"""Letters in an address."""
TO_CONNECT: Final = 5.0

Resolve = Callable[..., Any]


class Guard:
    """Makes sessions for requests. `private`: also to this machine and its network, and in plain http."""

    def __init__(self, *, private: bool = False, seconds: float = SECONDS) -> None:
        self.private = private
        self.seconds = seconds
        self._under_way: set[_Policy] = set()

    def stop(self) -> None:
        """Cut what is under way."""
        for policy in tuple(self._under_way):
            policy.cut()

    def check(self, address: str) -> None:
        """Raise Undelivered for what is no address that may be asked for, before its name is resolved."""
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if len(address) > LONGEST or not host or port == 0 or parts.username is not None or not address.isprintable():
            raise Undelivered(message("This is no address that a message could be sent to."))
        if parts.scheme != "https" and not (self.private and parts.scheme == "http"):
            raise Undelivered(message("Only addresses that begin with https:// are asked."))

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session for what belongs to one message; after `seconds` its connections are cut."""
        policy = _Policy(self)
        self._under_way.add(policy)
        ending = threading.Timer(self.seconds, policy.cut)
        ending.daemon = True
        ending.start()
        try:
            with Session(policy) as session:
                yield session
        finally:
            ending.cancel()
            self._under_way.discard(policy)
            policy.close()

    def post(self, address: str, content: bytes, headers: dict[str, str], gone: frozenset[int] = frozenset()) -> None:
        """Send something. Raises Undelivered when it was not taken; `gone` are the statuses of who is there no more."""
        with self.session() as session:
            with suppress(requests.RequestException):  # the session knows why
                session.post(address, data=content, headers=headers)
            if session.fault is not None:
                raise Undelivered(session.fault.reason, gone=session.status in gone)


class _Policy(HTTPPolicy):
    def __init__(self, guard: Guard) -> None:
        super().__init__(address_filter=None if guard.private else is_public_ip_address)
        self.guard = guard
        self.late = False
        self.refused = False
        self._connections: list[socket.socket] = []

    def resolve(self, host: str, port: int) -> Any:
        try:
            return super().resolve(host, port)
        except socket.gaierror as problem:
            self.refused = "policy" in str(problem)
            raise

    def create_connection(self, *args: Any, **kwargs: Any) -> socket.socket:
        made: socket.socket = super().create_connection(*args, **kwargs)
        if self.late:
            made.close()
            raise TimeoutError
        self._connections.append(made.dup())  # TLS takes the other one away
        return made

    def cut(self) -> None:
        self.late = True
        for connection in self._connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # the other side has hung up

    def close(self) -> None:
        for connection in self._connections:
            connection.close()


class Session(HTTPPolicySession):
    """What stands in for `requests` while something is sent. `fault`: why the last request was not taken; `status`:
    with which status, 0 without any.
    """

    def __init__(self, policy: _Policy) -> None:
        super().__init__(policy)
        self.fault: Undelivered | None = None
        self.status = 0

    def request(self, method: str, url: str, **kwargs: Any) -> requests.Response:  # type: ignore[override]  # as asked
        patience = (TO_CONNECT, self.policy.guard.seconds)
        kwargs.update(allow_redirects=False, timeout=patience, verify=True, stream=True, proxies=None)
        host, self.status = _host(url), 0
        try:
            self.policy.guard.check(url)
            found: requests.Response = super().request(method, url, **kwargs)
            # requests itself has no way to read only so much of what is answered
            found._content = found.raw.read(MOST_BYTES, decode_content=True)
            found.close()
            if self.policy.late:  # what was cut may look like an end
                raise TimeoutError
        except Undelivered as problem:
            self.fault = problem
            raise requests.exceptions.InvalidURL(str(problem)) from problem
        except Exception as problem:
            self.fault = self._why(host)
            raise requests.exceptions.ConnectionError(str(problem)) from problem
        self.status = found.status_code
        words = message("{host} did not take the message: it says {status}.", host=host, status=str(self.status))
        self.fault = None if 200 <= self.status < 300 else Undelivered(words)
        return found

    def _why(self, host: str) -> Undelivered:
        if self.policy.late:
            return Undelivered(message("{host} did not answer in time.", host=host))
        if self.policy.refused:
            return Undelivered(message("{host} is in a private network, or nowhere; nothing is sent there.", host=host))
        return Undelivered(message("{host} could not be reached.", host=host))


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
