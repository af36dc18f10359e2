"""Provide visitors with passkeys."""

from __future__ import annotations

from typing import Any, NamedTuple

import httpx

from tests.web.authenticator import Authenticator
from tests.web.visitors import Visitor


class Local(NamedTuple):
    """A server under the local name for which browsers store passkeys."""

    address: str


class Device(Visitor):
    """A visitor whose browser can add passkeys and sign in with them."""

    def request_options(self, path: str) -> dict[str, Any]:
        answer = self.submit(path)
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"
        options: dict[str, Any] = answer.json()
        return options

    def add(self, passkey: Authenticator, name: str = "Telephone") -> httpx.Response:
        credential = passkey.make(self.request_options("/me/passkeys/offer"))
        return self.submit("/me/passkeys", name=name, passkey=credential)

    def come_in(self, passkey: Authenticator, **fields: str) -> httpx.Response:
        return self.submit("/device", passkey=passkey.sign(self.request_options("/device/passkey")), **fields)
