"""Waiting until data is on disk, so that a power failure cannot undo it."""

from __future__ import annotations

import os
from pathlib import Path


def fsync_path(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk.

    Windows has no such call for folders.
    """
    if path.is_dir() and os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
