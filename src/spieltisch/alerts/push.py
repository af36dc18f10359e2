"""Web Push to browsers, through the push service of the browser's maker (RFC 8030, 8188, 8291, 8292)."""

import base64
import binascii
import hashlib
import re
from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import urlsplit

import http_ece
import msgspec
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02, VapidException

from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.core.words import message

MESSAGE_TTL_SECONDS: Final = 86_400
"""Seconds for which a push service stores a message."""
MAX_TEXT_LENGTH: Final = 700
"""The maximum length of a text: push services take at least four kilobytes, and a character can take four bytes."""
GONE_STATUSES: Final = frozenset({404, 410})
"""Statuses of a subscription that no longer exists."""
SERVICES: Final = frozenset({"fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"})
"""The hosts of the push services of Google, Mozilla and Apple."""
WINDOWS_SERVICE: Final = re.compile(r"[a-z0-9-]+\.notify\.windows\.com")
"""The hosts of Microsoft's push service: they differ by region, and only their domain is documented."""
_HOST: Final = re.compile(r"[a-z0-9.-]+(:[0-9]{1,5})?")
PUBLIC_KEY_BYTES, SHARED_SECRET_BYTES = 65, 16
"""The sizes of a browser's public key and of the secret that it shares with this server."""


def new_key() -> bytes:
    """Return a new private key by which browsers identify this server, as PEM."""
    vapid = Vapid02()
    vapid.generate_keys()
    return bytes(vapid.private_pem())


def public_key(pem: bytes) -> str:
    """Return the public key as browsers receive it."""
    encoding, key_format = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    return _encode(Vapid02.from_pem(pem).public_key.public_bytes(encoding, key_format))


class BadPushService(ValueError):
    """An invalid setting for push services."""


def service_host(text: str) -> str:
    """Return the host of another push service, as an operator gives it. Raise BadPushService for anything else.

    >>> service_host("Push.example.org:8443")
    'push.example.org:8443'
    """
    host = text.lower()
    if not _HOST.fullmatch(host):
        raise BadPushService(f"--push-service {text}: give a host, such as push.example.org")
    return host


def is_known_service(endpoint: str) -> bool:
    """Return True if an endpoint belongs to the push service of a maker of browsers.

    >>> is_known_service("https://fcm.googleapis.com/x"), is_known_service("https://storage.googleapis.com/x")
    (True, False)
    """
    host = urlsplit(endpoint).netloc.lower()
    return host in SERVICES or WINDOWS_SERVICE.fullmatch(host) is not None


def clean_subscription(
    guard: SsrfGuard, services: Collection[str], pem: bytes, endpoint: str, key: str, secret: str
) -> dict[str, str]:
    """Return a browser's subscription as it is stored. Raise DeliveryFailed for one that cannot be used.

    Its endpoint belongs to a maker of browsers, or to one of the other `services` that the operator admits.
    """
    guard.require_public(endpoint)
    if not is_known_service(endpoint) and urlsplit(endpoint).netloc.lower() not in services:
        host = urlsplit(endpoint).hostname or ""
        raise DeliveryFailed(message("This server doesn’t send browser notifications through {host}.", host=host))
    try:
        _signature(pem, endpoint, "mailto:host@example.org")
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(key, PUBLIC_KEY_BYTES))
        _decode(secret, SHARED_SECRET_BYTES)
    except (ValueError, VapidException) as problem:
        raise DeliveryFailed(message("This browser subscription is not valid. Turn alerts on again.")) from problem
    return {"endpoint": endpoint, "key": key, "secret": secret}


async def send(guard: SsrfGuard, pem: bytes, contact: str, address: Mapping[str, str], alert: Alert) -> None:
    """Send an alert to a browser. Raise DeliveryFailed if it was not taken.

    `contact` is the address at which the push service can reach the operator.
    """
    endpoint = address["endpoint"]
    payload = {
        "id": alert.id,
        "title": alert.title,
        "url": urlsplit(alert.link)._replace(scheme="", netloc="").geturl(),
        "turns": alert.turns,
        "language": alert.language,
    }
    body = http_ece.encrypt(
        msgspec.json.encode({**payload, "body": alert.text[:MAX_TEXT_LENGTH]}),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decode(address["key"], PUBLIC_KEY_BYTES),
        auth_secret=_decode(address["secret"], SHARED_SECRET_BYTES),
        version="aes128gcm",
    )
    vapid_headers = _signature(pem, endpoint, contact)
    await guard.post(
        endpoint,
        body,
        {
            **vapid_headers,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(MESSAGE_TTL_SECONDS),
            "Urgency": "normal",
            "Topic": _encode(hashlib.sha256(alert.path.encode()).digest())[:32],
        },
        GONE_STATUSES,
    )


def _signature(pem: bytes, endpoint: str, contact: str) -> dict[str, str]:
    parts = urlsplit(endpoint)
    headers = Vapid02.from_pem(pem).sign({"aud": f"{parts.scheme}://{parts.netloc}", "sub": contact})
    return {str(name): str(value) for name, value in headers.items()}


def _encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _decode(text: str, size: int) -> bytes:
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"{text!r} is no base64url") from error
    if len(content) != size:
        raise ValueError(f"{text!r} has {len(content)} bytes, not {size}")
    return content
