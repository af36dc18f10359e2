"""Imitate a device with passkeys: create and sign what a browser sends."""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

USER_PRESENT, USER_VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


class Authenticator:
    """One passkey for the pages of an `origin`, with a count of its signatures."""

    def __init__(self, origin: str, name: str = "localhost") -> None:
        self.origin = origin
        self.name = name
        self.count = 0
        self.id = secrets.token_bytes(16)
        self._key = ec.generate_private_key(ec.SECP256R1())

    def make(self, options: dict[str, Any]) -> str:
        """Return the answer to `navigator.credentials.create`."""
        point = self._key.public_key().public_numbers()
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")})
        data = self._data(HAS_KEY) + bytes(16) + struct.pack(">H", len(self.id)) + self.id + key
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer({"clientDataJSON": self._client("create", options), "attestationObject": attestation})

    def sign(self, options: dict[str, Any]) -> str:
        """Return the answer to `navigator.credentials.get`."""
        self.count += 1
        client, data = self._client("get", options), self._data(0)
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer({"clientDataJSON": client, "authenticatorData": data, "signature": signature})

    def _data(self, flags: int) -> bytes:
        head = hashlib.sha256(self.name.encode()).digest()
        return head + struct.pack(">BI", USER_PRESENT | USER_VERIFIED | flags, self.count)

    def _client(self, act: str, options: dict[str, Any]) -> bytes:
        client_data = {"type": f"webauthn.{act}", "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(client_data).encode()

    def _answer(self, parts: dict[str, bytes]) -> str:
        response = {name: text(content) for name, content in parts.items()}
        return json.dumps({"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": response})


def text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def content(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
