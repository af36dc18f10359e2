"""Web Push: to a browser that has given its address, by whoever made it (RFC 8030, 8188, 8291, 8292)."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
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

DAY: Final = 86_400
MOST_LETTERS: Final = 700
"""Of the text: whatever carries a message takes four kilobytes at least, and a letter may take four bytes."""
GONE: Final = frozenset({404, 410})
"""What is said of a browser that is not there any more."""
POINT, SECRET = 65, 16
"""Bytes of a browser's public key, and of the secret it shares with us."""


def new_key() -> bytes:
    """A private key by which browsers know this server again, as PEM."""
    vapid = Vapid02()
    vapid.generate_keys()
    return bytes(vapid.private_pem())


def public_key(pem: bytes) -> str:
    """What a browser is told of the key."""
    encoding, form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    return _encoded(Vapid02.from_pem(pem).public_key.public_bytes(encoding, form))


def checked(guard: SsrfGuard, pem: bytes, endpoint: str, key: str, secret: str) -> dict[str, str]:
    """A browser's address as it is kept. Raises Undelivered for what is none, and where nothing can be signed for."""
    guard.check(endpoint)
    try:
        _signature(pem, endpoint, "mailto:host@example.org")
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(key, POINT))
        _decoded(secret, SECRET)
    except (ValueError, VapidException) as problem:
        raise DeliveryFailed(message("This is not what a browser says of itself.")) from problem
    return {"endpoint": endpoint, "key": key, "secret": secret}


async def send(guard: SsrfGuard, pem: bytes, contact: str, address: Mapping[str, str], alert: Alert) -> None:
    """Send an alert to a browser; `contact` is where whoever carries it finds us. Raises Undelivered."""
    endpoint = address["endpoint"]
    told = {"id": alert.id, "title": alert.title, "url": alert.path, "turns": alert.turns, "language": alert.language}
    body = http_ece.encrypt(
        msgspec.json.encode({**told, "body": alert.text[:MOST_LETTERS]}),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decoded(address["key"], POINT),
        auth_secret=_decoded(address["secret"], SECRET),
        version="aes128gcm",
    )
    signed = _signature(pem, endpoint, contact)
    await guard.post(
        endpoint,
        body,
        {
            **signed,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(DAY),
            "Urgency": "normal",
            "Topic": _encoded(hashlib.sha256(alert.path.encode()).digest())[:32],
        },
        GONE,
    )


def _signature(pem: bytes, endpoint: str, contact: str) -> dict[str, str]:
    parts = urlsplit(endpoint)
    headers = Vapid02.from_pem(pem).sign({"aud": f"{parts.scheme}://{parts.netloc}", "sub": contact})
    return {str(name): str(value) for name, value in headers.items()}


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _decoded(text: str, size: int) -> bytes:
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as problem:
        raise ValueError(f"{text!r} is no base64url") from problem
    if len(found) != size:
        raise ValueError(f"{text!r} has {len(found)} bytes, not {size}")
    return found
