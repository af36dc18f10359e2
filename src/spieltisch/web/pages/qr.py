"""Addresses as QR codes, for a telephone to look at."""

from __future__ import annotations

import segno
from markupsafe import Markup


def qr_code(address: str) -> Markup:
    """An SVG to stand in a page; its dark modules have the class `dark`.

    >>> "<svg" in qr_code("http://192.0.2.1:8000/device?code=7KDMPQ2X")
    True
    """
    code = segno.make(address, micro=False, error="m")
    return Markup(code.svg_inline(scale=5, border=3, dark="#000", light="#fff", svgclass="qr", lineclass="dark"))  # noqa: S704 (our own drawing)
