"""Fork child processes, and kill them one after another at random moments."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Coroutine, Iterator
from typing import Any

from tests.paths import ROOT


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def fork_children(work: Callable[[int], Coroutine[Any, Any, None]]) -> None:
    """Fork a child for each line of the input; the child gets its number and works until it is killed."""
    for number, _ in enumerate(sys.stdin, 1):
        child = os.fork()
        if not child:
            say("child", os.getpid())
            asyncio.run(work(number))
        os.waitpid(child, 0)
        say("gone")


def kill_children(
    module: str, *arguments: object, kills: int, seed: int, most_done: int, written_names: Collection[str]
) -> Iterator[list[str]]:
    """Run a module that forks children; yield what each child prints when it is ready, and then kill it at work.

    A child is killed after it has reported up to `most_done` results on disk, each by one of the words `done`.
    """
    chance = random.Random(seed)
    command = [sys.executable, "-m", module, *map(str, arguments)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": ROOT, "text": True, "bufsize": 1}
    with subprocess.Popen(command, **pipes) as parent:  # type: ignore[call-overload]  # as many as it takes
        for _ in range(kills):
            parent.stdin.write("\n")
            child = int(parent.stdout.readline().split()[1])
            stands, *words = parent.stdout.readline().split()
            assert stands == "stands"
            yield words
            for _ in range(chance.randint(0, most_done)):
                assert parent.stdout.readline().strip() in written_names
            killer = threading.Timer(chance.uniform(0.0, 0.03), os.kill, (child, signal.SIGKILL))
            killer.start()
            killer.join()
            while parent.stdout.readline() != "gone\n":
                assert parent.poll() is None
        parent.stdin.close()
        parent.wait(timeout=60)
