"""Compression that a browser asks for."""


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
