"""Worker processes in which bots think, so that the loop that serves pages never waits for one.

A worker gets the bytes of an observation and returns the text of a move. One that dies, or takes too long, is
replaced; only the question it was asked fails.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from typing import Any, Final, Literal, TypeAlias

import structlog

Choose: TypeAlias = Callable[[str, bytes, int], str]
"""A bot's decision: its name, the bytes of its observation, a seed; returns the text of a move. A function of a
module.
"""

Question: TypeAlias = tuple[str, bytes, int]
Answer: TypeAlias = tuple[Literal["move"], str] | tuple[Literal["raised"], str, str]

SECONDS_TO_THINK: Final = 60.0

ENDINGS: Final = (signal.SIGINT, signal.SIGTERM)
"""Signals that tell the server to stop. Ctrl-C in a terminal and systemd send them to its workers too."""

_logger = structlog.get_logger()
spawn = multiprocessing.get_context("spawn")


class ThinkingFailed(Exception):
    """No move came of it. The text is fit to be shown at the table: it holds nothing that the bot knows."""


class BotWorkers:
    """A few worker processes. Each answers one question at a time."""

    def __init__(self, choose: Choose, workers: int, seconds: float = SECONDS_TO_THINK) -> None:
        self._choose = choose
        self._seconds = seconds
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers = [_Worker(choose) for _ in range(workers)]
        for worker in self._workers:
            self._free.put_nowait(worker)

    async def start(self) -> None:
        """Start the processes, so that the first question need not wait for them."""
        await asyncio.gather(*(asyncio.to_thread(worker.ready) for worker in self._workers))

    async def think(self, bot: str, observation: bytes, seed: int) -> str:
        """The text of the move that the bot chooses. Raises `ThinkingFailed`."""
        worker = await self._free.get()
        asking = asyncio.ensure_future(asyncio.to_thread(worker.ask, (bot, observation, seed), self._seconds))
        try:
            answer = await asyncio.shield(asking)
        except asyncio.CancelledError:
            # Nobody waits for the answer any more; the next question must not get it.
            worker.kill()
            await asyncio.wait([asking])
            asking.exception()
            raise
        finally:
            self._free.put_nowait(worker)
        if answer[0] == "move":
            return answer[1]
        _logger.warning("a bot raised", bot=bot, error=answer[1], trace=answer[2])
        raise ThinkingFailed(f"it raised {answer[1]}")

    async def stop(self) -> None:
        """End the processes, also in the middle of a thought."""
        for worker in self._workers:
            worker.stop()
        await asyncio.gather(*(asyncio.to_thread(worker.join) for worker in self._workers))

    @property
    def processes(self) -> tuple[int, ...]:
        """The numbers of the processes that are alive now."""
        return tuple(pid for worker in self._workers if (pid := worker.pid) is not None)


class _Worker:
    """One process and the pipe to it. The process is started when there is none that lives."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._starting = threading.RLock()
        self._process: Any = None
        self._killed: Any = None
        self._pipe: Any = None
        self._stopped = False

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def ready(self) -> None:
        """Start a process if there is none."""
        with self._starting:
            if self._stopped:
                raise ThinkingFailed("the server is stopping")
            if self.pid is not None:
                return
            self._pipe, theirs = spawn.Pipe()
            self._process = spawn.Process(target=_work, args=(theirs, self._choose), name="bot", daemon=True)
            with unheard():
                self._process.start()
            theirs.close()

    def ask(self, question: Question, seconds: float) -> Answer:
        """Ask, and wait at most so long for the answer. Raises `ThinkingFailed` when the process dies or is too
        slow.
        """
        self.ready()
        process, pipe = self._process, self._pipe
        deadline = time.monotonic() + seconds
        try:
            pipe.send(question)
            if not connection.wait([pipe], deadline - time.monotonic()):
                process.kill()
                process.join()
                _logger.warning("a bot took too long", bot=question[0], seconds=seconds)
                raise ThinkingFailed("it took too long")
            answer: Answer = pipe.recv()
        except (EOFError, OSError) as problem:
            process.join()
            if process is not self._killed:
                _logger.warning("a bot's process died", bot=question[0], exit_code=process.exitcode)
            raise ThinkingFailed("its process died") from problem
        return answer

    def kill(self) -> None:
        """End the process now; the next question starts another one."""
        with self._starting:
            if self._process is not None:
                self._killed = self._process
                self._process.kill()

    def stop(self) -> None:
        """End the process now and start none any more."""
        with self._starting:
            self._stopped = True
            self.kill()

    def join(self) -> None:
        if self._process is not None:
            self._process.join()
            self._pipe.close()


@contextmanager
def unheard() -> Iterator[None]:
    """A process started in here hears nothing of the signals that end a server: not even before it can say so itself,
    while it is importing.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # started with the first process, it would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: connection.Connection, choose: Choose) -> None:
    """What a worker does: answer questions until the server ends."""
    for number in ENDINGS:  # the server says when it is over
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    while True:
        try:
            bot, observation, seed = pipe.recv()
        except EOFError:
            return
        answer: Answer
        try:
            answer = ("move", choose(bot, observation, seed))
        except Exception as problem:
            answer = ("raised", type(problem).__name__, traceback.format_exc())
        try:
            pipe.send(answer)
        except OSError:
            return


def end_with_parent() -> None:
    """A server that was killed leaves no worker behind, not even one whose bot never comes to an end."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
