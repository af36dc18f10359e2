"""The channels by which a server sends alerts."""

from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import urlsplit

import structlog

from spieltisch.alerts import mail, push, webhooks
from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.mail import MailServer
from spieltisch.alerts.ssrf_guard import SsrfGuard, ascii_host
from spieltisch.core.words import message

MAIL: Final = "mail"
PUSH: Final = "push"
SERVICE: Final = "service"
WEBHOOK: Final = "webhook"

_logger = structlog.get_logger()


def host_of(kind: str, address: Mapping[str, str]) -> str:
    """Return the host to which alerts are sent, or "" for mail and for services that many people share."""
    url = address["endpoint"] if kind == PUSH else address["address"]
    if kind == MAIL or (push.is_known_service(url) if kind == PUSH else webhooks.is_hosted(url)):
        return ""
    return ascii_host(url)


def recipient_of(kind: str, address: Mapping[str, str]) -> tuple[str, str]:
    """Return the recipient of alerts and requests for confirmation, and their domain, as limits count them.

    >>> recipient_of(SERVICE, {"address": "https://ntfy.Example.org/topic?priority=5"})
    ('ntfy.example.org/topic', 'example.org')
    """
    if kind == MAIL:
        mailbox = mail.recipient(address["address"])
        return mailbox, mail.organization(mailbox.rpartition("@")[2])
    url = address["endpoint"] if kind == PUSH else address["address"]
    host, parts = ascii_host(url), urlsplit(url)
    query = "" if kind == SERVICE else parts.query  # that of a service holds a password, priority or thread
    host = webhooks.SAME_HOSTS.get(host, host)
    return f"{host}/{parts.path.strip('/')}{query and '?'}{query}", mail.organization(host)


class Channels:
    """The channels that an operator allows: mail through `server`, if there is one, and HTTP requests through `guard`.

    Browsers know this server by its `key`, in PEM. They are reached through the push services of their makers, and
    through those at the hosts `push_services`.
    """

    def __init__(
        self, key: bytes, server: MailServer | None, guard: SsrfGuard, push_services: Collection[str] = ()
    ) -> None:
        self._key = key
        self._server = server
        self._guard = guard
        self._push_services = frozenset(push_services)
        self.public_key = push.public_key(key)

    def close(self) -> None:
        """Stop sending."""
        self._guard.close()

    @property
    def sends_mail(self) -> bool:
        """True if this server sends mail."""
        return self._server is not None

    def normalize(self, kind: str, form: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """Return the kind and the address as they are stored.

        An address that begins with http is a person's own webhook, unless it belongs to a known service. Raise
        DeliveryFailed for an invalid address.
        """
        if kind == PUSH:
            return kind, push.clean_subscription(
                self._guard, self._push_services, self._key, form["endpoint"], form["key"], form["secret"]
            )
        if kind == MAIL:
            return kind, {"address": mail.clean_address(form["address"])}
        service, address = webhooks.normalize(form["address"].strip())
        self._guard.require_public(address)
        return (SERVICE, {"address": address, "service": service}) if service else (WEBHOOK, {"address": address})

    def is_confirmed_by_link(self, kind: str, address: Mapping[str, str]) -> bool:
        """Return True if the owner of an address consents by opening a link that is sent there first.

        That is so for mail, and for topics of ntfy, whose names anyone may choose and which cannot answer a challenge.
        """
        return kind == MAIL or (kind == SERVICE and address["service"] == webhooks.NTFY)

    def requires_consent(self, kind: str, address: Mapping[str, str]) -> bool:
        """Return True if an address receives a request for consent before any alert."""
        return kind == WEBHOOK or self.is_confirmed_by_link(kind, address)

    async def require_consent(self, kind: str, address: Mapping[str, str], topic: str) -> None:
        """Ask a person's own webhook to consent to alerts from the server at the URL `topic`.

        Services cannot answer; others confirm by a link, see `is_confirmed_by_link`. Raise DeliveryFailed if it does
        not consent.
        """
        if kind == WEBHOOK:
            await webhooks.require_consent(self._guard, address["address"], topic)

    async def send(self, kind: str, address: Mapping[str, str], alert: Alert) -> None:
        """Send an alert. Raise DeliveryFailed for every error; log those that are not expected."""
        try:
            if kind == MAIL:
                if self._server is None:
                    raise DeliveryFailed(message("This server can’t send email."))
                await self._server.send(address["address"], alert)
            elif kind == PUSH:
                await push.send(self._guard, self._key, self._contact(alert), address, alert)
            else:
                await self._guard.post(*webhooks.request(address.get("service", ""), address["address"], alert))
        except DeliveryFailed:
            raise
        except Exception as problem:
            _logger.exception("an alert could not be sent", kind=kind)
            raise DeliveryFailed(message("The message could not be sent.")) from problem

    def _contact(self, alert: Alert) -> str:
        """Return the address at which a push service can contact the sender."""
        if self._server is not None:
            return f"mailto:{self._server.address}"
        parts = urlsplit(alert.link)
        return f"https://{parts.netloc}" if parts.scheme == "https" else f"mailto:host@{parts.hostname}"
