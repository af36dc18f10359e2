"""The ways on which alerts go out from a server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec

from spieltisch.alerts import mail, push, services
from spieltisch.alerts.alert import Alert, Undelivered
from spieltisch.alerts.guard import Guard
from spieltisch.alerts.mail import MailServer
from spieltisch.core.words import message

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
        self.public_key = push.public_key(key)

    @property
    def mails(self) -> bool:
        """Whether mail is sent from here."""
        return self._server is not None

    async def checked(self, kind: str, given: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """The kind and the address as they are kept: whatever begins with http is a webhook of somebody's own, where no
        service is known there. Raises Undelivered for what is none.
        """
        return await asyncio.to_thread(self._checked, kind, given)

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
            await asyncio.to_thread(push.send, self._guard, self._key, self._contact(alert), dict(address), alert)
        elif kind == SERVICE:
            await asyncio.to_thread(services.send, self._guard, address["address"], alert)
        else:
            told = {name: getattr(alert, name) for name in ("id", "title", "text", "link", "turns", "about")}
            headers = {"Content-Type": "application/json", "User-Agent": "Spieltisch", "Idempotency-Key": alert.id}
            content = msgspec.json.encode(told)
            await asyncio.to_thread(self._guard.post, address["address"], content, headers)

    def _contact(self, alert: Alert) -> str:
        """Where whoever carries a message finds its sender."""
        if self._server is not None:
            return f"mailto:{self._server.address}"
        parts = urlsplit(alert.link)
        return f"https://{parts.netloc}" if parts.scheme == "https" else f"mailto:host@{parts.hostname}"
