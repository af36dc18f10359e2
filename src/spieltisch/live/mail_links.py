"""A link by mail, by which somebody comes in on any device who is told of their turns at that address.

It is good once, for a quarter of an hour, and is kept in memory: a restart makes it void. It belongs to the way to be
told, so it goes with that and with its person, and follows who becomes one with another self.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import structlog

from spieltisch.alerts import mail
from spieltisch.alerts.alert import Alert, Undelivered
from spieltisch.alerts.channels import Channels
from spieltisch.core.words import Words, message
from spieltisch.store import Person, Store, people, ways
from spieltisch.store.people import token_hash
from spieltisch.store.schema import ON
from spieltisch.store.ways import Way
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode

SECONDS: Final = 900.0
MOST_LINKS: Final = 10_000
"""Those that were sent first are forgotten first."""
MOST_SELVES: Final = 3
"""Who has confirmed one address as several people gets a mail for each of the newest of them."""

_logger = structlog.get_logger()


class MailLinks:
    """The links that are good now. `address` gives where this server is reached, `steady` a time that nobody sets."""

    def __init__(
        self, store: Store, channels: Channels, address: Callable[[], str], steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._channels = channels
        self._address = address
        self._steady = steady
        self._by_hash: OrderedDict[bytes, tuple[str, float]] = OrderedDict()
        self._sending: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Send nothing more."""
        for task in self._sending:
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)

    def ask(self, address: str) -> None:
        """Send a link to an address at which somebody is told, and nothing to any other. Who asks does not learn which
        it is, nor by the time that it takes. Raises `TableRefusal` address for what is no mail address.
        """
        try:
            address = mail.checked(address)
        except Undelivered as problem:
            raise TableRefusal(RefusalCode.ADDRESS, problem.reason) from problem
        task = asyncio.get_running_loop().create_task(self._send(address))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def person(self, token: str) -> Person:
        """Whose link this is; it stays good. Raises `TableRefusal` no-code."""
        way_id, until = self._by_hash.get(token_hash(token), ("", 0.0))
        way = await ways.find(self._store, way_id) if until > self._steady() else None
        person = await people.by_id(self._store, way.person) if way is not None and way.state == ON else None
        if person is None:
            raise TableRefusal(
                RefusalCode.NO_CODE, message("This link was used already, or is older than a quarter of an hour.")
            )
        return person

    async def take(self, token: str) -> Person:
        """Whose link this is, once; no other that was sent to that address for them is good any more. Raises as
        `person`.
        """
        person = await self.person(token)
        way_id, _ = self._by_hash.get(token_hash(token), ("", 0.0))
        if not way_id:  # somebody was quicker
            return await self.person("")
        self._by_hash = OrderedDict((key, one) for key, one in self._by_hash.items() if one[0] != way_id)
        return person

    async def _send(self, address: str) -> None:
        try:
            for way in (await ways.by_mail(self._store, address))[-MOST_SELVES:]:
                await self._send_to(way)
        except Undelivered as problem:
            _logger.warning("a link was not taken", why=str(problem))
        except Exception:
            _logger.exception("a link could not be sent")

    async def _send_to(self, way: Way) -> None:
        person = await people.by_id(self._store, way.person)
        if person is None:
            return
        token, words = secrets.token_urlsafe(32), Words(person.language)
        self._by_hash[token_hash(token)] = way.id, self._steady() + SECONDS
        if len(self._by_hash) > MOST_LINKS:
            self._by_hash.popitem(last=False)
        text = message(
            "You, or somebody else, want to be {name} on one more device. If it is you, open the address below there,"
            " within a quarter of an hour; it is good once. If not, do nothing, and hand it to nobody.",
            name=person.name,
        )
        path = f"/device?link={token}"
        title = words.say(message("Spieltisch: your link for another device"))
        alert = Alert(
            secrets.token_urlsafe(12), title, words.say(text), self._address() + path, path, 0, person.language
        )
        await self._channels.send(way.kind, way.address, alert)
