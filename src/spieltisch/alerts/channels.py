"""The ways on which alerts go out from a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar
from urllib.parse import urlsplit

import msgspec

from spieltisch.alerts import mail, push, services
from spieltisch.alerts.alert import Alert, Undelivered
from spieltisch.alerts.guard import Guard
from spieltisch.alerts.mail import MailServer
from spieltisch.core.words import message

P = ParamSpec("P")
T = TypeVar("T")
THREADS: Final = 12
"""As many messages at once, and some addresses that are looked at."""
MAIL: Final = "mail"
PUSH: Final = "push"
SERVICE: Final = "service"
WEBHOOK: Final = "webhook"


class Channels:
    """What a host lets out: mail by their `server`, where there is one, and to the internet by the `guard`. Browsers
    know this server by its `key`, a PEM.
    """

    def __init__(self, key: bytes, server: MailServer | None, guard: Guard) -> None:
        self._key = key
        self._server = server
        self._guard = guard
        self._threads = ThreadPoolExecutor(THREADS, "alerts")
        self.public_key = push.public_key(key)

    async def close(self) -> None:
        """Cut what is under way: a server that stops waits for nobody outside."""
        self._guard.stop()
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    @property
    def mails(self) -> bool:
        """Whether mail is sent from here."""
        return self._server is not None

    async def checked(self, kind: str, given: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """The kind and the address as they are kept: whatever begins with http is a webhook of somebody's own, where no
        service is known there. Raises Undelivered for what is none.
        """
        return await self._in_thread(self._checked, kind, given)

    def _checked(self, kind: str, given: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        if kind == PUSH:
            return kind, push.checked(self._guard, given["endpoint"], given["key"], given["secret"])
        address = given["address"].strip()
        if kind == MAIL:
            return kind, {"address": mail.checked(address)}
        if address.lower().startswith(("http://", "https://")) and not services.service_of(address):
            self._guard.check(address)
            return WEBHOOK, {"address": address}
        return SERVICE, {"address": address, "service": services.check(address)}

    async def send(self, kind: str, address: Mapping[str, str], alert: Alert) -> None:
        """Send an alert. Raises Undelivered."""
        if kind == MAIL:
            if self._server is None:
                raise Undelivered(message("This server sends no mail."))
            await self._server.send(address["address"], alert)
        elif kind == PUSH:
            await self._in_thread(push.send, self._guard, self._key, self._contact(alert), dict(address), alert)
        elif kind == SERVICE:
            await self._in_thread(services.send, self._guard, address["address"], alert)
        else:
            told = {name: getattr(alert, name) for name in ("id", "title", "text", "link", "turns", "about")}
            headers = {"Content-Type": "application/json", "User-Agent": "Spieltisch", "Idempotency-Key": alert.id}
            content = msgspec.json.encode(told)
            await self._in_thread(self._guard.post, address["address"], content, headers)

    async def _in_thread(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """On threads of their own: who hangs outside holds up nothing else here."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(job, *args, **kwargs))

    def _contact(self, alert: Alert) -> str:
        """Where whoever carries a message finds its sender."""
        if self._server is not None:
            return f"mailto:{self._server.address}"
        parts = urlsplit(alert.link)
        return f"https://{parts.netloc}" if parts.scheme == "https" else f"mailto:host@{parts.hostname}"
