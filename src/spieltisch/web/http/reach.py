"""How far this server reaches: its own machine alone, or the network too, which who sits at the machine lets in.

Who sits there cannot be told from a request: what comes through a tunnel or a careless proxy comes from this machine
too, with any `Host`. So a wish is not granted where it is spoken. The browser is sent with a ticket to a doorstep: a
port opened for that, on this machine alone, to which no tunnel and no proxy leads. Who arrives there sits here.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol
from urllib.parse import urlsplit

import structlog
from litestar.connection import ASGIConnection

from spieltisch.core.words import message
from spieltisch.web.http.addresses import DEFAULT_PORTS, EVERYWHERE, is_loopback, own_addresses, web_address
from spieltisch.web.http.refusals import PageRefusal, no_page

DOORSTEP_SECONDS: Final = 60
"""How long a browser may take from its wish to the doorstep."""
LONGEST_ORIGIN: Final = 300
FORWARDED: Final = (
    "x-forwarded",
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "true-client-ip",
    "cf-",
    "tailscale-",
)
"""How the header fields begin by which proxies say that they are one."""

log = structlog.get_logger("spieltisch.web")
Connection = ASGIConnection[Any, Any, Any, Any]
Wish = Literal["open", "close"]


class Place(NamedTuple):
    """Where a visitor's invitations lead. `address` is for others; `base` stands before a path to make it that, and is
    empty where the visitor's own address will do. `wish` is what they may ask for: to "open" the server to its network,
    to "close" it, or nothing. `alone` is whether there is no network.
    """

    address: str
    base: str = ""
    only_here: bool = False
    alone: bool = False
    wish: Wish | Literal[""] = ""

    @property
    def port(self) -> str:
        """What a firewall has to let in."""
        return str(urlsplit(self.address).port or DEFAULT_PORTS["http"])


NOWHERE: Final = Place("")
"""For who hands on no invitation."""


class Listener(Protocol):
    """What listens: a `Server`."""

    async def listen(self, host: str, port: int) -> asyncio.Server:
        """Take connections at one more address, too. Raises OSError where it cannot be used."""

    def hang_up(self, host: str) -> None:
        """End the connections that came to an address of this machine."""


class Reach:
    """`public` is the address for people, "" without; with one, who reaches this server is the affair of what leads
    there. `given` are the addresses in the network, where those that are found are not the right ones.
    """

    def __init__(self, host: str, port: int, public: str = "", given: Sequence[str] = ()) -> None:
        self._host = host
        self._port = port
        self.public = public
        self._given = tuple(given)
        self._open: dict[str, asyncio.Server] = {}
        self._doorstep: asyncio.Server | None = None
        self._asked: dict[str, tuple[str, Wish, str]] = {}
        self._turn = asyncio.Lock()
        self.version = time.time_ns() // 1_000_000
        """Grows with every change, also from one start of the server to the next."""
        self.listener: Listener | None = None
        self.changed: Callable[[], None] = lambda: None

    def place(self, origin: str, at_machine: bool) -> Place:
        """Where the invitations of somebody lead who came under `origin`."""
        if self.public:
            return Place(self.public, self.public)
        self._forget_lost()
        try:
            name = urlsplit(origin).hostname or ""
        except ValueError:  # no browser's `Host`
            name = ""
        if not name or len(origin) > LONGEST_ORIGIN:
            origin, name = self.here, self._host
        if not self._is_here(name):
            return Place(origin)
        if found := self.network:
            return Place(found, found, wish="close" if at_machine and self._open else "")
        alone = not self._addresses()
        return Place(origin, only_here=True, alone=alone, wish="open" if at_machine and not alone else "")

    @property
    def here(self) -> str:
        """The address for a browser on this machine, without a slash at its end."""
        return web_address(self._host, self._port).rstrip("/")

    @property
    def everywhere(self) -> bool:
        """Whether it was started for the whole network, and lets it in for good."""
        return self._host in EVERYWHERE

    @property
    def network(self) -> str:
        """The address for the network, without a slash at its end; "" while it is not let in."""
        found = [*self._open] or (self._addresses() if self.everywhere else ())
        return web_address(found[0], self._port).rstrip("/") if found else ""

    def at_machine(self, connection: Connection) -> bool:
        """Whether this may come from a browser on this machine. Who lies may, too: see `ask`."""
        return bool(self._came_to(connection, self._port))

    async def ask(self, connection: Connection, session: str, wish: Wish, back: str) -> str:
        """The address of the doorstep, with a ticket, for the browser of this session. Raises PageRefusal 403 for who
        certainly does not sit here.
        """
        came_to = self._came_to(connection, self._port)
        if self.listener is None or not came_to:
            raise PageRefusal(403, "not-here", message("Only somebody at this machine can open or close the server."))
        async with self._turn:
            if self._doorstep is None:
                self._doorstep = await self.listener.listen(came_to, 0)
                asyncio.get_running_loop().call_later(DOORSTEP_SECONDS, self._leave_doorstep, self._doorstep)
        ticket = secrets.token_urlsafe(24)
        self._asked[session] = (ticket, wish, back)
        return f"{_for_browser(connection, self._doorstep_port)}network/{ticket}"

    async def grant(self, connection: Connection, session: str, ticket: str) -> str:
        """Do what was asked for; returns the address to go back to. Raises PageRefusal 404 for who did not come to the
        doorstep with a ticket of their own, 409 where the network cannot be let in.
        """
        asked = self._asked.get(session)
        if asked is None or not self._came_to(connection, self._doorstep_port):
            raise no_page()
        if not secrets.compare_digest(asked[0].encode(), ticket.encode()):
            raise no_page()
        _, wish, back = self._asked.pop(session)
        if wish == "open":
            await self._let_in()
        else:
            self.close()
        return f"{_for_browser(connection, self._port)}{back.removeprefix('/')}"

    async def _let_in(self) -> None:
        if not self._addresses():
            raise PageRefusal(409, "no-network", message("This machine has no address in a network."))
        try:
            await self.open()
        except OSError as problem:
            log.warning("network not opened", error=str(problem))
            words = message("Port {port} cannot be used in your network.", port=str(self._port))
            raise PageRefusal(409, "port", words) from problem

    async def open(self) -> None:
        """Let the network in, where there is one. Raises OSError where its addresses cannot be used."""
        async with self._turn:
            if self.listener is None or self._open or not is_loopback(self._host):
                return
            opened: dict[str, asyncio.Server] = {}
            try:
                for address in self._addresses():
                    opened[address] = await self.listener.listen(address, self._port)
            except OSError:
                for server in opened.values():
                    server.close()
                raise
            self._open = opened
        if self._open:
            log.info("opened to the network", address=self.network)
            self._change()

    def close(self) -> None:
        """Let nobody in from the network; who is there is hung up on."""
        self._shut(tuple(self._open))

    def _shut(self, addresses: Sequence[str]) -> None:
        if not addresses or self.listener is None:
            return
        for address in addresses:
            self._open.pop(address).close()
            self.listener.hang_up(address)
        log.info("closed to the network", addresses=addresses)
        self._change()

    def _change(self) -> None:
        self.version += 1
        self.changed()

    def _forget_lost(self) -> None:
        """Whose machine has gone to another network has let in the one it came from."""
        self._shut([address for address in self._open if not _is_ours(address)])

    def _addresses(self) -> Sequence[str]:
        return self._given or own_addresses()

    def _is_here(self, name: str) -> bool:
        """Whether a name leads nowhere but to the machine of who asks."""
        return name not in self._open and is_loopback(name)

    def _came_to(self, connection: Connection, port: int) -> str:
        """The address of this machine to which a connection came that may come from a browser on it; "" for others."""
        came_from = connection.client.host if connection.client else ""
        came_to, its_port = connection.scope["server"] or ("", None)
        hosts = connection.headers.getall("host", [])
        may = (
            not self.public
            and is_loopback(came_from)
            and self._is_here(came_to)
            and its_port == port
            and hosts in [[found] for name in ("localhost", came_to) for found in _host_fields(name, port)]
            and not any(name.lower().startswith(FORWARDED) for name in connection.headers)
        )
        return came_to if may else ""

    @property
    def _doorstep_port(self) -> int:
        return int(self._doorstep.sockets[0].getsockname()[1]) if self._doorstep is not None else 0

    def _leave_doorstep(self, doorstep: asyncio.Server) -> None:
        self._doorstep = None
        self._asked.clear()
        doorstep.close()


def _for_browser(connection: Connection, port: int) -> str:
    """The address of another port, under the name that the browser has for this machine: its cookies go with it."""
    return web_address(urlsplit(f"//{connection.headers['host']}").hostname or "", port)


def _host_fields(name: str, port: int) -> list[str]:
    """How a browser writes name and port in `Host`."""
    shown = f"[{name}]" if ":" in name else name
    return [f"{shown}:{port}", *([shown] if port == DEFAULT_PORTS["http"] else [])]


def _is_ours(address: str) -> bool:
    """Whether this machine still has an address: only then can something be bound to it."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True
