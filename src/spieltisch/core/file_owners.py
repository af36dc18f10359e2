"""Files and folders that root creates for somebody else: they belong to the owner of the folder they are in.

A command that root runs would otherwise leave files that the server, which runs as another user, cannot open.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def create(path: Path, flags: int, mode: int = 0o666) -> int:
    """Open a file, create it if it is missing, and return its descriptor. Raise OSError."""
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        if flags & os.O_EXCL:
            raise
        return os.open(path, flags | os.O_CREAT, mode)  # whoever made it keeps it: a link may lead anywhere
    _give_to_owner_of_folder(path)
    return descriptor


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Create a folder and its parents where they are missing. Raise OSError."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(mode, parents=True, exist_ok=True)
    for path in reversed(missing):
        _give_to_owner_of_folder(path)


def _give_to_owner_of_folder(path: Path) -> None:
    if _is_root():
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid, follow_symlinks=False)


@contextmanager
def acting_as_owner(path: Path) -> Iterator[int]:
    """Have the rights of the owner of a file or folder, if root asks: with its own, root may do everything.

    Yield the number of the owner, 0 if the user stays the same.
    """
    status = path.stat()
    if not _is_root() or not status.st_uid:
        yield 0
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups([])
    os.setegid(status.st_gid)
    os.seteuid(status.st_uid)
    try:
        yield status.st_uid
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def _is_root() -> bool:
    return os.name == "posix" and os.geteuid() == 0
