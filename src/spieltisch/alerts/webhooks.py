"""Messages to webhooks: those of Discord, Slack and ntfy, and JSON for people's own programs."""

import hmac
import re
import secrets
from html import escape
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx
import msgspec

from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.ssrf_guard import SsrfGuard, ascii_host
from spieltisch.core.words import message

DISCORD: Final = "Discord"
SLACK: Final = "Slack"
NTFY: Final = "ntfy"
FIELD: Final = "hub.challenge"
"""The field of the query that a person's own webhook returns to consent."""
MAX_ANSWER_BYTES: Final = 200
"""The number of bytes read of the answer to a challenge."""
MAX_TEXT_LENGTH: Final = 1000
"""The maximum length of a text: Discord takes 2000 in all, ntfy 4 kilobytes, and a character can take four bytes."""


class Service(NamedTuple):
    """The form of the URLs of a service: hosts, path, and the parameters allowed in the query."""

    hosts: frozenset[str]
    path: str
    query: frozenset[str] = frozenset()


SERVICES: Final = {
    DISCORD: Service(
        frozenset({"discord.com", "discordapp.com"}), r"/api/webhooks/[1-9][0-9]*/[\w-]+/?", frozenset({"thread_id"})
    ),
    SLACK: Service(frozenset({"hooks.slack.com", "hooks.slack-gov.com"}), r"/services/\w+/\w+/\w+/?"),
    NTFY: Service(frozenset({"ntfy.sh"}), r"/[\w-]{1,64}/?", frozenset({"auth", "priority"})),
}
SAME_HOSTS: Final = {"discordapp.com": "discord.com"}
"""Hosts of a service whose addresses are also those of another host."""
OWN_NTFY: Final = {"ntfy": "http", "ntfys": "https"}
"""Schemes of the URLs of people's own ntfy servers, and those of the requests."""


def is_hosted(address: str) -> bool:
    """Return True if a URL belongs to a service that many people share, which bounds requests itself.

    >>> is_hosted("https://ntfy.sh/topic"), is_hosted("https://ntfy.sh:8443/topic")
    (True, False)
    """
    return bool(_service_at(address))


def _service_at(address: str) -> str:
    """Return the service at the host of a URL, however that is spelled; "" for any other."""
    host = ascii_host(address) if urlsplit(address).port in (None, 443) else ""
    return next((name for name, service in SERVICES.items() if host in service.hosts), "")


def normalize(address: str) -> tuple[str, str]:
    """Return the service of a URL that a person entered, "" for their own webhook, and the URL to send to.

    Raise DeliveryFailed for a URL of no known service, or an incomplete one.

    >>> normalize("ntfys://ntfy.example.org/topic")
    ('ntfy', 'https://ntfy.example.org/topic')
    """
    try:
        parts = urlsplit(address)
        name = _service_at(address) or (NTFY if parts.scheme in OWN_NTFY else "")
    except (ValueError, httpx.InvalidURL):
        return "", address
    if not name and parts.scheme not in ("http", "https"):
        words = message("Unknown service. Supported services: {services}.", services=", ".join(SERVICES))
        raise DeliveryFailed(words)
    if name:
        parameters = {key for key, _ in parse_qsl(parts.query, keep_blank_values=True)}
        if unknown := parameters - SERVICES[name].query:
            words = message("Not supported in this address: {words}.", words=", ".join(sorted(unknown)))
            raise DeliveryFailed(words)
        if not re.fullmatch(SERVICES[name].path, parts.path) or parts.fragment:
            raise DeliveryFailed(message("This {service} address is incomplete.", service=name))
    elif "hub." in unquote(parts.query).lower():  # or it could consent to alerts from another server
        raise DeliveryFailed(message("Not supported in this address: {words}.", words="hub."))
    return name, OWN_NTFY.get(parts.scheme, parts.scheme) + address[len(parts.scheme) :]


async def require_consent(guard: SsrfGuard, address: str, topic: str) -> None:
    """Ask a person's own webhook to consent to alerts from the server at the URL `topic`, as in WebSub.

    It consents by returning the challenge. Raise DeliveryFailed if it does not.
    """
    challenge = secrets.token_urlsafe(24)
    query = {"hub.mode": "subscribe", "hub.topic": topic, FIELD: challenge}
    answer = await guard.get(address, query, MAX_ANSWER_BYTES)
    if not hmac.compare_digest(answer.strip(), challenge.encode()):
        host = urlsplit(address).hostname or ""
        words = message("{host} must first answer a GET request with the value of {field}.", host=host, field=FIELD)
        raise DeliveryFailed(words)


def request(service: str, address: str, alert: Alert) -> tuple[str, bytes, dict[str, str]]:
    """Return the request for an alert to a service, "" for a person's own webhook: URL, content and header."""
    parts, text = urlsplit(address), alert.text[:MAX_TEXT_LENGTH]
    content: dict[str, Any]
    if service == DISCORD:
        title, text = (re.sub(r"([\\*_~`|\[\]<>#])", r"\\\1", words)[:MAX_TEXT_LENGTH] for words in (alert.title, text))
        content = {"content": f"**{title}**\n{text}\n\n{alert.link}", "allowed_mentions": {"parse": []}}
    elif service == SLACK:
        title, text = (escape(words, quote=False) for words in (alert.title, text))  # no mentions, no links
        content = {"text": f"*{title}*\n{text}\n\n{alert.link}"}
    elif service == NTFY:
        content = {"topic": parts.path.strip("/"), "title": alert.title, "message": text, "click": alert.link}
        address = parts._replace(path="/").geturl()
    else:
        content = {name: getattr(alert, name) for name in ("id", "title", "text", "link", "turns", "about")}
    header = {"Content-Type": "application/json", "Idempotency-Key": alert.id}
    return address, msgspec.json.encode(content), header
