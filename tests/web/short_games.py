"""Open a table whose game ends soon."""

from __future__ import annotations

import re

from tests.web.visitors import Visitor


def open_short_game(host: Visitor) -> str:
    """Open a table whose game ends after some forty moves, with few locomotives in the box; return its path."""
    address = "/games/paris-connection/components"
    text = host.get(f"{address}.toml").text
    for name, small_limit in (("locomotives", 8), ("portfolio", 2)):
        text = re.sub(rf"(?m)^{name} = \d+$", f"{name} = {small_limit}", text)
    host.table("me", "open", "open", name="Grace")  # component files are kept with a name
    digest = host.submit(address, text=text).headers["location"].rpartition("=")[2]
    return host.table("open", "bot:random", "bot:random", components=digest)
