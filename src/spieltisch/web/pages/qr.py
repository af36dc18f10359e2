"""Addresses as QR codes, for a telephone to look at."""

from __future__ import annotations

from io import BytesIO

import segno
from markupsafe import Markup


def qr_code(address: str) -> Markup:
    """An SVG: to stand in a page, or an image of its own.

    >>> qr_code("http://192.0.2.1:8000/device")[:39]
    Markup('<svg xmlns="http://www.w3.org/2000/svg"')
    """
    drawn = BytesIO()
    code = segno.make(address, micro=False, error="m")
    code.save(drawn, kind="svg", xmldecl=False, nl=False, omitsize=True, border=3, light="#fff", svgclass="qr")
    return Markup(drawn.getvalue().decode())  # noqa: S704 (our own drawing)
