"""How much one visitor may ask of the server: bounds that friends never meet, and that keep a careless script from
spoiling the evening for the others.

Counts are kept in memory; a restart forgets them. An address is an IPv4 address or an IPv6 network of 64 bits, which is
what one household has. Behind a proxy it is what the proxy says, see `--public-url`.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any, Final

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from spieltisch.core.words import message
from spieltisch.web.refusals import PageRefusal

if TYPE_CHECKING:
    from spieltisch.store import House, Person

MOST_ADDRESSES: Final = 10_000
"""Addresses whose requests are counted; the one not heard of longest goes first."""


class BadLimit(ValueError):
    """A `--limit` that cannot be one."""


@dataclass(frozen=True)
class Limits:
    """The bounds; 0 is none."""

    requests: int = 1200
    """per minute from one address"""
    streams: int = 200
    """open at once to one address (a browser has one, however many tabs are open)"""
    names: int = 120
    """new names an hour from one address"""
    seats: int = 100
    """that one person holds at tables that are not over"""
    hosted: int = 40
    """tables that are not over, opened by one person"""
    tables: int = 2000
    """tables that are not over, in all"""
    letters: int = 40
    """in a name; no name has more than `LONGEST_NAME`, which is what the pages are made for"""
    sets: int = 50
    """component files kept for one person"""
    form: int = 64
    """kilobytes in a form"""
    upload: int = 1024
    """kilobytes in the form with a component file, where signs may take three bytes each"""

    @classmethod
    def read(cls, settings: Iterable[str]) -> Limits:
        """From words such as "requests=600". Raises `BadLimit`.

        >>> Limits.read(["streams=0", "tables=10"]).tables
        10
        """
        known = {field.name for field in fields(cls)}
        found: dict[str, int] = {}
        for setting in settings:
            name, _, number = setting.partition("=")
            if name not in known:
                raise BadLimit(f"--limit {setting}: there is no such limit; there are {', '.join(sorted(known))}")
            if not (number.isascii() and number.isdecimal()) or len(number) > 9:
                raise BadLimit(f"--limit {setting}: give a number, such as {name}={getattr(cls, name)}; 0 is no limit")
            found[name] = int(number)
        return cls(**found)


DEFAULT: Final = Limits()
UNLIMITED: Final = Limits(**{field.name: 0 for field in fields(Limits)})
KILOBYTE: Final = 1024


class Pace:
    """Counts in a window that slides: the last full window counts by the part of it that still lies in the window.

    >>> pace = Pace(2, 60, clock=lambda: 0.0)
    >>> [pace.step("192.0.2.1") for _ in range(3)]
    [0, 0, 60]
    """

    def __init__(self, most: int, seconds: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self._seconds = seconds
        self._clock = clock
        self._counts: OrderedDict[str, tuple[int, int, int]] = OrderedDict()  # window, count in it, count before it

    def step(self, address: str) -> int:
        """One more from this address: 0, or, not counted, the seconds after which to try again."""
        if not self.most:
            return 0
        window, within = divmod(self._clock(), self._seconds)
        then, count, before = self._counts.pop(address, (int(window), 0, 0))
        if then != window:
            count, before = 0, count if then == window - 1 else 0
        part = within / self._seconds
        allowed = before * (1 - part) + count < self.most
        self._counts[address] = (int(window), count + allowed, before)
        if len(self._counts) > MOST_ADDRESSES:
            self._counts.popitem(last=False)
        if allowed:
            return 0
        if count < self.most:  # enough of the last window will have gone
            return max(1, math.ceil(((before - self.most + count) / before - part) * self._seconds))
        return max(1, math.ceil(self._seconds - within))


class Gate:
    """The limits of a running server, and what they are held against."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._requests = Pace(limits.requests, 60)
        self._names = Pace(limits.names, 3600)

    def request(self, address: str) -> None:
        """Raises PageRefusal 429."""
        if wait := self._requests.step(address):
            raise PageRefusal(
                429, "too-many-requests", message("Too many requests came from your address. Wait a little."), wait
            )

    def name(self, address: str) -> None:
        """Somebody new. Raises PageRefusal 429."""
        if wait := self._names.step(address):
            raise PageRefusal(
                429, "too-many-names", message("Too many new names came from your address. Try again later."), wait
            )

    def stream(self, open_now: int) -> None:
        """Raises PageRefusal 429 to an address with this many streams open."""
        if 0 < self.limits.streams <= open_now:
            words = message(
                "Your address has {count} pages open that follow a table; that is as many as it may have.",
                count=open_now,
            )
            raise PageRefusal(429, "too-many-streams", words, 60)

    async def table(self, house: House, host: Person | None) -> None:
        """One more table of this person (None: somebody new), who may sit there. Raises PageRefusal 409."""
        most, hosted = self.limits.tables, self.limits.hosted
        if most and await house.standing() >= most:
            words = message("This server has {count} tables that are not over, and takes no more for now.", count=most)
            raise PageRefusal(409, "too-many-tables", words)
        if hosted and host is not None and await house.standing(host.id) >= hosted:
            words = message(
                "You have opened {count} tables that are not over. Finish one, or break it off, before the next.",
                count=hosted,
            )
            raise PageRefusal(409, "too-many-tables", words)
        await self.seat(house, host)

    def named(self, name: str) -> str:
        """A name that `check_name` has taken, if it is not too long here. Raises PageRefusal 422."""
        most = self.limits.letters
        if most and len(name) > most:
            words = message("A name has at most {count} characters; this one has {given}.", count=most, given=len(name))
            raise PageRefusal(422, "name", words)
        return name

    async def component_file(self, house: House, person: Person) -> None:
        """One more component file of this person. Raises PageRefusal 409."""
        most = self.limits.sets
        if most and await house.sets_kept(person.id) >= most:
            words = message("You have {count} component files here, and no more are kept for you.", count=most)
            raise PageRefusal(409, "too-many-component-files", words)

    async def seat(self, house: House, person: Person | None) -> None:
        """One more seat of this person. Raises PageRefusal 409."""
        most = self.limits.seats
        if most and person is not None and await house.seats_held(person.id) >= most:
            words = message(
                "You have {count} seats at tables that are not over. Finish a game, or leave one, before the next.",
                count=most,
            )
            raise PageRefusal(409, "too-many-seats", words)


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Who asks, as far as limits go."""
    host = connection.client.host if connection.client else ""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))
    return str(found)


def gate_of(request: ASGIConnection[Any, Any, Any, Any]) -> Gate:
    gate: Gate = request.app.state.gate
    return gate


async def keep_pace(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard of the whole site; it comes before any form is read."""
    if isinstance(connection, Request):
        gate_of(connection).request(address_of(connection))
