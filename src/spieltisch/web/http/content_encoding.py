"""Compression that a browser asks for."""

import struct
import zlib
from collections.abc import Iterable
from typing import Final

COMPRESSION_LEVEL: Final = 6
"""The zlib level of pages and events: a board of 100 kB becomes one of 12 kB in about two milliseconds."""
GZIP: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""The gzip header (RFC 1952)."""


def accepts_gzip(accepted: str) -> bool:
    """Return True if a browser accepts gzip; `accepted` is its Accept-Encoding header (RFC 9110, section 12.5.3).

    >>> accepts_gzip("gzip, deflate, br"), accepts_gzip("gzip;q=0, br"), accepts_gzip("")
    (True, False, False)
    """
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def press(content: bytes, level: int = COMPRESSION_LEVEL) -> bytes:
    """Return a part of a gzip stream, after its header, that refers to nothing before it; at level 0 not compressed.

    It ends with a full flush (RFC 1951), so the same bytes fit into every stream.
    """
    pressing = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return pressing.compress(content) + pressing.flush(zlib.Z_FULL_FLUSH)


def press_parts(text: str, public_parts: Iterable[str]) -> bytes:
    """Return a text in the gzip format in which only these parts of it, in this order, are compressed, each by itself.

    All else takes its own length, so the size tells nothing about how well a secret there matches any other text.

    >>> page, part = "secret " + "public " * 100 + "secret", "public " * 100
    >>> pressed = press_parts(page, ["", part, "not there"])
    >>> zlib.decompress(pressed, 31).decode() == page, len(pressed) < 80, pressed.count(b"secret")
    (True, True, 2)
    """
    content, pressed, rest = text.encode(), [GZIP], text
    for part in filter(None, public_parts):  # a game without icons has an empty part
        before, found, after = rest.partition(part)
        if found:
            pressed += press(before.encode(), 0), press(part.encode())
            rest = after
    end = b"\x03\x00" + struct.pack("<II", zlib.crc32(content), len(content) & 0xFFFFFFFF)
    return b"".join([*pressed, press(rest.encode(), 0), end])
