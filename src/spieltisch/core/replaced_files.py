"""Files that commands write: whole or not at all, and through whatever a path leads to."""

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def open_replaced(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file to replace its content, which stays until everything is written. Follow links.

    Anything but a regular file, such as a named pipe or a device, is written directly. Raise OSError.
    """
    if not is_regular_or_new(path):
        with Path(path).open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            yield file
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def replace_text(path: str | Path, text: str) -> None:
    """Replace the content of a text file as `open_replaced` does, without changing line ends."""
    with open_replaced(path) as file:
        file.write(text.encode())


def is_regular_or_new(path: str | Path) -> bool:
    """Return True if a path leads to a regular file, or to nothing yet. Raise OSError."""
    try:
        return stat.S_ISREG(Path(path).stat().st_mode)
    except FileNotFoundError:
        return True
