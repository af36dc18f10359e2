"""Messages to webhooks: those of Discord, Slack and ntfy, and JSON for programs of people's own."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.core.words import message

DISCORD: Final = "Discord"
SLACK: Final = "Slack"
NTFY: Final = "ntfy"
MOST_LETTERS: Final = 1000
"""Of a text: Discord takes 2000 in all, ntfy 4 kilobytes, and a letter may take four bytes."""


class Service(NamedTuple):
    """How the addresses of a service look: hosts, the path, and what may stand behind the question mark."""

    hosts: frozenset[str]
    path: str
    query: frozenset[str] = frozenset()


SERVICES: Final = {
    DISCORD: Service(
        frozenset({"discord.com", "discordapp.com"}), r"/api/webhooks/[0-9]+/[\w-]+/?", frozenset({"thread_id"})
    ),
    SLACK: Service(frozenset({"hooks.slack.com", "hooks.slack-gov.com"}), r"/services/\w+/\w+/\w+/?"),
    NTFY: Service(frozenset({"ntfy.sh"}), r"/[\w-]{1,64}/?", frozenset({"auth", "priority"})),
}
OWN_NTFY: Final = {"ntfy": "http", "ntfys": "https"}
"""How people write the address of an ntfy server of their own, and what is asked there."""


def normalize(address: str) -> tuple[str, str]:
    """Return the service at an address that a person typed, "" for a webhook of their own, and the address to send to.
    Raises Undelivered for an address of no service, or a part of one.

    >>> normalize("ntfys://ntfy.example.org/topic")
    ('ntfy', 'https://ntfy.example.org/topic')
    """
    try:
        parts = urlsplit(address)
        known = (name for name, service in SERVICES.items() if parts.hostname in service.hosts)
        name = NTFY if parts.scheme in OWN_NTFY else next(known, "")
    except ValueError:
        return "", address
    if not name and parts.scheme not in ("http", "https"):
        words = message("No service is known at this address. Known are: {services}.", services=", ".join(SERVICES))
        raise DeliveryFailed(words)
    if name:
        asked = {key for key, _ in parse_qsl(parts.query, keep_blank_values=True)}
        if odd := asked - SERVICES[name].query:
            words = message("In this address “{words}” cannot be used here.", words=", ".join(sorted(odd)))
            raise DeliveryFailed(words)
        if not re.fullmatch(SERVICES[name].path, parts.path) or parts.fragment:
            raise DeliveryFailed(message("This address of {service} is not whole.", service=name))
    return name, OWN_NTFY.get(parts.scheme, parts.scheme) + address[len(parts.scheme) :]


def request(service: str, address: str, alert: Alert) -> tuple[str, bytes, dict[str, str]]:
    """Return where an alert for a service, "" for a webhook of somebody's own, is sent: address, content and header."""
    parts, text = urlsplit(address), alert.text[:MOST_LETTERS]
    content: dict[str, Any]
    if service == DISCORD:
        title, text = (re.sub(r"([\\*_~`|\[\]<>#])", r"\\\1", words)[:MOST_LETTERS] for words in (alert.title, text))
        content = {"content": f"**{title}**\n{text}\n\n{alert.link}", "allowed_mentions": {"parse": []}}
    elif service == SLACK:
        title, text = (_escaped(words) for words in (alert.title, text))
        content = {"text": f"*{title}*\n{text}\n\n{alert.link}"}
        if parts.fragment:  # a channel, in an address of an earlier version
            content["channel"] = unquote(parts.fragment)
    elif service == NTFY:
        content = {"topic": parts.path.strip("/"), "title": alert.title, "message": text, "click": alert.link}
        address = parts._replace(path="/").geturl()
    else:
        content = {name: getattr(alert, name) for name in ("id", "title", "text", "link", "turns", "about")}
    header = {"Content-Type": "application/json", "Idempotency-Key": alert.id}
    return address, msgspec.json.encode(content), header


def _escaped(text: str) -> str:
    """A text in which nothing is a mention or a link for Slack."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
