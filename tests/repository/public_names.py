"""Read the names listed in docs/stability.md."""

from __future__ import annotations

import re

from tests.paths import ROOT

STABILITY = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
LISTED = {
    module: re.findall(r"`(\w+)`", names)
    for module, names in re.findall(r"^\| `([\w.]+)` \| (.*) \|$", STABILITY, re.M)
}
