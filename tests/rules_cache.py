"""Keep the folder of compiled rules that all test processes share, in this run and in later runs.

Compiled rules are found by a hash of all their sources (`spieltisch.core.compiled`), so they are never out of date.
Rules that are no longer used are removed.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path

KEPT = 4
"""The number of versions of the same rules that are kept, those used last: one may switch between two changes, and
rules with bounds checking are versions of their own.
"""


def sweep(cache: Path, kept_count: int = KEPT) -> None:
    """Remove all folders of each game's compiled rules except those used last."""
    versions: dict[str, list[Path]] = defaultdict(list)
    for folder in (cache / "rules").glob("*"):
        versions[folder.name.rpartition("-")[0]].append(folder)
    for folders in versions.values():
        for folder in sorted(folders, key=last_used, reverse=True)[kept_count:]:
            shutil.rmtree(folder, ignore_errors=True)


def last_used(folder: Path) -> float:
    """Return the time at which a compiled entry point of a folder was last looked up."""
    return max((lock.stat().st_mtime for lock in folder.glob("*.lock")), default=0.0)
