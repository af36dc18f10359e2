"""URLs as QR codes."""

from io import BytesIO

import segno
from markupsafe import Markup


def qr_code(address: str) -> Markup:
    """Return a QR code as SVG, for use in a page or as an image file.

    >>> qr_code("http://192.0.2.1:8000/device")[:39]
    Markup('<svg xmlns="http://www.w3.org/2000/svg"')
    """
    buffer = BytesIO()
    code = segno.make(address, micro=False, error="m")
    code.save(buffer, kind="svg", xmldecl=False, nl=False, omitsize=True, border=3, light="#fff", svgclass="qr")
    return Markup(buffer.getvalue().decode())  # noqa: S704 (our own drawing)
