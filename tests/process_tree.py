"""Find child processes and wait for their end."""

from __future__ import annotations

import os
import select
from contextlib import suppress
from pathlib import Path


def children_of(process: int) -> list[int]:
    """Return the ids of running child processes of a process and its threads."""
    children: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has ended meanwhile
            children += map(int, task.read_text().split())
    return sorted(children)


def wait_for_end(process: int) -> None:
    """Wait until a process that is no child of this one has ended."""
    with suppress(ProcessLookupError):
        descriptor = os.pidfd_open(process)
        try:
            assert select.select([descriptor], [], [], 30)[0]
        finally:
            os.close(descriptor)
