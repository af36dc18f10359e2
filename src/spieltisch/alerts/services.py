"""Services that Apprise knows, from a fixed list, each through the guard.

Apprise's senders call `requests`. Where that stands in their modules, the guarded session of the message that is being
sent is put; without one nothing is sent.
"""

from __future__ import annotations

import sys
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import requests
from apprise import AppriseAsset, NotifyBase

from spieltisch.alerts.alert import Alert, Undelivered
from spieltisch.alerts.guard import LONGEST, Guard, Session
from spieltisch.core.words import message

SERVICES: Final = {
    "Discord": ("discord", "NotifyDiscord"),
    "Telegram": ("telegram", "NotifyTelegram"),
    "ntfy": ("ntfy", "NotifyNtfy"),
    "Matrix": ("matrix", "NotifyMatrix"),
    "Signal": ("signal_api", "NotifySignalAPI"),
    "Slack": ("slack", "NotifySlack"),
    "Mattermost": ("mattermost", "NotifyMattermost"),
    "Gotify": ("gotify", "NotifyGotify"),
    "Pushover": ("pushover", "NotifyPushover"),
    "Zulip": ("zulip", "NotifyZulip"),
}
"""Where Apprise has what sends to each."""

QUESTIONS: Final = frozenset({"from", "mode", "priority", "thread", "to", "topic", "v", "version"})
"""What may stand behind the question mark; other words there may name files of this machine."""

JOINER: Final = "\u2060"
"""After each "@", unseen: else "@everyone", said at a table, would ring for everybody where the alert is read."""

_session: ContextVar[Session] = ContextVar("session")


class _Requests:
    """Stands in Apprise's modules for `requests`."""

    def __getattr__(self, name: str) -> Any:
        if name in ("request", "get", "post", "put", "patch", "delete", "head"):
            return getattr(_session.get(), name)
        if name in ("Session", "session"):
            raise AttributeError(name)
        return getattr(requests, name)


@cache
def senders() -> dict[str, type[NotifyBase]]:
    """What sends to each service, guarded."""
    found = {}
    for name, (module, sender) in SERVICES.items():
        found[name] = getattr(import_module(f"apprise.plugins.{module}"), sender)
    for name, loaded in tuple(sys.modules.items()):
        if name.startswith("apprise.plugins.") and getattr(loaded, "requests", None) is requests:
            loaded.requests = _Requests()  # type: ignore[attr-defined]  # a module's global
    return found


def service_of(address: str) -> str:
    """The name of the service at an address as Apprise writes it, or as the service does; "" for none of ours."""
    try:
        scheme = urlsplit(address).scheme.lower()
    except ValueError:
        return ""
    for name, sender in senders().items():
        schemes = {one for kind in (sender.protocol, sender.secure_protocol) if kind for one in _texts(kind)}
        if scheme in schemes or (scheme == "https" and sender.parse_native_url(address)):
            return name
    return ""


def check(address: str) -> str:
    """The name of the service. Raises Undelivered for an address that is none of our services, or not whole."""
    name = service_of(address) if len(address) <= LONGEST and address.isprintable() else ""
    if not name:
        words = message("No service is known at this address. Known are: {services}.", services=", ".join(SERVICES))
        raise Undelivered(words)
    _sender(name, address)
    return name


def send(guard: Guard, address: str, alert: Alert) -> None:
    """Send an alert to the service at an address, in a thread. Raises Undelivered."""
    sender = _sender(check(address), address)
    with guard.session() as session:
        before = _session.set(session)
        try:
            body, title = (text.replace("@", f"@{JOINER}") for text in (f"{alert.text}\n\n{alert.link}", alert.title))
            taken = sender.notify(body=body, title=title)
        finally:
            _session.reset(before)
        if not taken:
            raise session.fault or Undelivered(message("The service did not take the message."))


def _sender(name: str, address: str) -> NotifyBase:
    sender = senders()[name]
    incomplete = Undelivered(message("This address of {service} is not whole.", service=name))
    try:
        asked = {key.lower().lstrip("+-:") for key, _ in parse_qsl(urlsplit(address).query, keep_blank_values=True)}
        if not asked <= QUESTIONS:
            odd = ", ".join(sorted(asked - QUESTIONS))
            raise Undelivered(message("In this address “{words}” cannot be used here.", words=odd))
        parts = sender.parse_native_url(address) or sender.parse_url(address)
        if not parts:
            raise incomplete
        asset = AppriseAsset(app_id="Spieltisch", app_desc="Spieltisch", app_url="", image_url_mask="")
        return sender(**{**parts, "include_image": False}, asset=asset)
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        raise incomplete from problem


def _texts(kind: Any) -> tuple[str, ...]:
    return (kind,) if isinstance(kind, str) else tuple(kind)
