"""Limits for one address: requests, new names, new tables, open streams.

Counts are kept in memory; a restart resets them. An address is an IPv4 address or an IPv6 network of 64 bits, the size
of one household's. Behind a proxy it is the address that the proxy reports, see `--public-url`.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Final

from litestar.handlers.base import BaseRouteHandler

from spieltisch.core.words import message
from spieltisch.live.limits import Limits
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request

MAX_ADDRESSES: Final = 10_000
"""Maximum number of addresses counted; the least recently seen is dropped first."""


class RateLimit:
    """A sliding-window counter: the previous window counts by the fraction of it that is still inside the window.

    Each of several `processes` allows its share of the maximum.

    >>> limit = RateLimit(2, 60, clock=lambda: 0.0)
    >>> [limit.hit("192.0.2.1") for _ in range(3)]
    [0, 0, 60]
    """

    def __init__(
        self,
        maximum: int,
        seconds: int,
        clock: Callable[[], float] = time.monotonic,
        processes: Callable[[], int] = lambda: 1,
    ) -> None:
        self._maximum = maximum
        self._processes = processes
        self._seconds = seconds
        self._clock = clock
        self._counts: OrderedDict[str, tuple[int, int, int]] = OrderedDict()  # window, count in it, count before it

    @property
    def maximum(self) -> int:
        """The maximum of this process."""
        return math.ceil(self._maximum / self._processes())

    def hit(self, address: str) -> int:
        """Count a request of this address and return 0; over the limit, return the seconds to wait.

        A request over the limit is not counted.
        """
        maximum = self.maximum
        if not maximum:
            return 0
        window, within = divmod(self._clock(), self._seconds)
        last_window, count, before = self._counts.pop(address, (int(window), 0, 0))
        if last_window != window:
            count, before = 0, count if last_window == window - 1 else 0
        fraction = within / self._seconds
        allowed = before * (1 - fraction) + count < maximum
        self._counts[address] = (int(window), count + allowed, before)
        if len(self._counts) > MAX_ADDRESSES:
            self._counts.popitem(last=False)
        if allowed:
            return 0
        if count < maximum:  # wait until enough of the previous window has passed
            return max(1, math.ceil(((before - maximum + count) / before - fraction) * self._seconds))
        return max(1, math.ceil(self._seconds - within))


class RateLimits:
    """The limits of a running server for each address; each of several `processes` allows its share."""

    def __init__(self, limits: Limits, processes: Callable[[], int] = lambda: 1) -> None:
        def limit(maximum: int, seconds: int) -> RateLimit:
            return RateLimit(maximum, seconds, processes=processes)

        self._streams = limit(limits.streams_per_address, 0)
        self._requests = limit(limits.requests_per_minute, 60)
        self._names = limit(limits.new_names_per_hour, 3600)
        self._openings = limit(limits.new_tables_per_hour, 3600)
        self._messages = limit(limits.messages_per_minute, 60)
        self._planning = limit(limits.plan_pages_per_minute, 60)
        self._attempts = limit(limits.test_alerts_per_hour, 3600)
        self._invitations = limit(limits.invitations_per_hour, 3600)

    def request(self, address: str) -> None:
        """Count a request. Raise PageRefusal 429 if this address has sent too many."""
        if wait := self._requests.hit(address):
            raise PageRefusal(429, "too-many-requests", message("Too many requests. Wait a moment."), wait)

    def name(self, address: str) -> None:
        """Count a new person. Raise PageRefusal 429 if this address has created too many."""
        if wait := self._names.hit(address):
            raise PageRefusal(
                429, "too-many-names", message("Too many new names from your network. Try again later."), wait
            )

    def new_table(self, address: str) -> None:
        """Count a request for a new table. Raise PageRefusal 429 if this address has sent too many."""
        if wait := self._openings.hit(address):
            raise PageRefusal(
                429, "too-many-openings", message("Too many new tables from your network. Try again later."), wait
            )

    def message(self, person: str) -> None:
        """Count a chat message of this person. Raise PageRefusal 429 if they have sent too many."""
        if wait := self._messages.hit(person):
            raise PageRefusal(
                429, "too-many-messages", message("You’re sending messages too fast. Wait a moment."), wait
            )

    def plan(self, person: str) -> None:
        """Count a step of planning by this person. Raise PageRefusal 429 if they have made too many."""
        if wait := self._planning.hit(person):
            raise PageRefusal(429, "too-many-steps", message("That was a lot at once. Wait a moment."), wait)

    def attempt(self, address: str, person: str) -> None:
        """Count a test alert, or a request for consent to alerts.

        Raise PageRefusal 429 if this address or person has caused too many.
        """
        if wait := self._attempts.hit(address) or self._attempts.hit(f"person {person}"):
            words = message("Too many test messages. Try again later.")
            raise PageRefusal(429, "too-many-tries", words, wait)

    def invite(self, address: str, person: str) -> None:
        """Count invitations sent with one form.

        Raise PageRefusal 429 if this address or person has sent too many.
        """
        if wait := self._invitations.hit(address) or self._invitations.hit(f"person {person}"):
            words = message("Too many invitations. Try again later.")
            raise PageRefusal(429, "too-many-invitations", words, wait)

    def stream(self, open_now: int) -> None:
        """Raise PageRefusal 429 if an address with this many open streams may open no other."""
        if 0 < self._streams.maximum <= open_now:
            words = message("Too many table pages open from your network ({count}). Close one.", count=open_now)
            raise PageRefusal(429, "too-many-streams", words, 60)


def address_of(request: Request) -> str:
    """Return the client's address as the limits count it."""
    return network_of(request.client.host if request.client else "")


def network_of(host: str) -> str:
    """Return the unit of counting: an IPv4 address, or an IPv6 network of 64 bits.

    >>> network_of("2001:db8::17"), network_of("::ffff:192.0.2.1")
    ('2001:db8::', '192.0.2.1')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address)


async def limit_rate(request: Request, handler: BaseRouteHandler) -> None:
    """Count every request except for a static file. A guard of the whole site that runs before any form is read.

    People behind one address load a page's style sheets and scripts again for each browser; without them the page that
    they were allowed is of no use.
    """
    if not handler.opt.get("uncounted"):
        count_request(request)


def count_request(request: Request) -> None:
    """Count a request, unless it has been counted already. Raise PageRefusal 429 if its address has sent too many."""
    state = request.scope["state"]
    if not state.get("is_counted"):
        request.rate_limits.request(address_of(request))
        state["is_counted"] = True
