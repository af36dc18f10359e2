"""Links that make someone an administrator, once.

The database has only the hash of each. The signature keeps guesses away from it, so that a wrong link is answered like
any unknown address, and as fast.
"""

import hmac
import secrets
from typing import Final

PATH: Final = "/admin/enter/"
"""The address of a link, before its token."""
RANDOM_LETTERS: Final = 32


def new_token(key: bytes) -> str:
    """Return a new random token, signed with the key of the server."""
    start = secrets.token_urlsafe(RANDOM_LETTERS * 3 // 4)
    return start + _signature(key, start)


def is_signed(key: bytes, token: str) -> bool:
    """Return True if a token was made with this key.

    >>> token = new_token(b"key")
    >>> is_signed(b"key", token), is_signed(b"other", token), is_signed(b"key", "guess")
    (True, False, False)
    """
    start, signature = token[:RANDOM_LETTERS], token[RANDOM_LETTERS:]
    return token.isascii() and hmac.compare_digest(signature, _signature(key, start))


def _signature(key: bytes, start: str) -> str:
    return hmac.digest(key, start.encode(), "sha256").hex()[:32]
