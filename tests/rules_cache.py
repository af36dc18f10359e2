"""The folder of compiled rules that all test processes share, in this run and in later ones.

What is in it is found by a hash of all that it was made from (`spieltisch.core.compiled`), so nothing in it is ever out
of date; what is no longer asked for is thrown away.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path

KEPT = 4
"""How many versions of the same rules stay: those used last. One may go to and fro between two changes, and rules with
checked bounds count for themselves.
"""


def sweep(cache: Path, kept: int = KEPT) -> None:
    """Of each game's compiled rules, remove all folders but those used last."""
    versions: dict[str, list[Path]] = defaultdict(list)
    for folder in (cache / "rules").glob("*"):
        versions[folder.name.rpartition("-")[0]].append(folder)
    for folders in versions.values():
        for folder in sorted(folders, key=last_used, reverse=True)[kept:]:
            shutil.rmtree(folder, ignore_errors=True)


def last_used(folder: Path) -> float:
    """When somebody last looked for a compiled entry point there."""
    return max((lock.stat().st_mtime for lock in folder.glob("*.lock")), default=0.0)
