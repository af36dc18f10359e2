"""Who is watching what, and the bytes they are sent.

A stream carries the current state of what it follows, so a slow reader simply skips versions: first whole, then, for
who can put it together, what is other than in what this stream sent last. What is sent is rendered once per perspective
and language by `Fragments` and shared between all streams.
"""

from __future__ import annotations

import asyncio
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from hashlib import blake2b
from itertools import islice

BEAT_SECONDS = 15.0
BATCH = 32
"""Streams that are told of a change at once."""
FINAL_VERSION = 10**15 - 1
"""The version of an event after which there is nothing more to know of its topic."""
LEVEL = 6
"""How hard events are compressed: a board of 100 kB becomes one of 12 in about two milliseconds."""
GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""What a compressed stream begins with (RFC 1952)."""


Trace = tuple[bytes, ...]
"""A digest of each line that was sent."""


class StreamEvent:
    """An event as it goes over the wire, to be shared by all who are sent it.

    Compressed it refers to nothing before it (a full flush of RFC 1951), so that the same bytes fit into every stream.
    What holds secrets of one reader beside words of others is not made smaller (`level` 0): its length would tell.

    >>> import zlib
    >>> one, two = StreamEvent(b"state " * 100), StreamEvent(b"beat")
    >>> len(one.gzipped) < 50
    True
    >>> zlib.decompressobj(31).decompress(GZIP + one.gzipped + two.gzipped) == one.plain + two.plain
    True
    """

    def __init__(self, plain: bytes, *, level: int = LEVEL) -> None:
        self.plain = plain
        self._level = level

    @cached_property
    def gzipped(self) -> bytes:
        """The event in a gzip stream."""
        press = zlib.compressobj(self._level, zlib.DEFLATED, -zlib.MAX_WBITS)
        return press.compress(self.plain) + press.flush(zlib.Z_FULL_FLUSH)

    @property
    def line_hashes(self) -> Trace:
        """By what its lines are known again in the next one; none where the next one is to be whole."""
        return ()

    def delta_from(self, trace: Trace) -> StreamEvent:
        """The same for a reader who has the lines of this trace."""
        return self


class StateEvent(StreamEvent):
    r"""A fragment, with its topic and version as the event's id.

    For who has an older one a board of 100 kB becomes some 10 kB: the lines they lack, each after a "+", and by number
    those that they have ("0 4": four, from the first on).

    >>> before, now = StateEvent("t@1", "<p>\n1\n</p>\n"), StateEvent("t@2", "<p>\n2\n</p>\n")
    >>> now.plain
    b'event: state\nid: t@2\ndata: <p>\ndata: 2\ndata: </p>\n\n'
    >>> now.delta_from(before.line_hashes).plain
    b'event: change\nid: t@2\ndata: 0 1\ndata: +2\ndata: 2 1\n\n'
    """

    def __init__(self, number: str, html: str, *, level: int = LEVEL) -> None:
        self._number = number
        self._lines = html.splitlines()
        self._since: dict[Trace, StreamEvent] = {}
        super().__init__(_wired("state", number, self._lines), level=level)

    @cached_property
    def line_hashes(self) -> Trace:
        if not self._level:
            return ()
        return tuple(blake2b(line.encode(), digest_size=12).digest() for line in self._lines)

    def delta_from(self, trace: Trace) -> StreamEvent:
        if not (self.line_hashes and trace):
            return self
        if trace not in self._since:
            self._since[trace] = StreamEvent(_wired("change", self._number, self._changed(trace)), level=self._level)
        return self._since[trace]

    def _changed(self, trace: Trace) -> Iterator[str]:
        """What to put together: runs of lines of the trace, and lines that are not in it."""
        where = {mark: number for number, mark in reversed(list(enumerate(trace)))}
        start = end = 0  # a run
        for mark, line in zip(self.line_hashes, self._lines, strict=True):
            if start < end < len(trace) and trace[end] == mark:
                end += 1
                continue
            if start < end:
                yield f"{start} {end - start}"
            start = where.get(mark, 0)
            end = start + (mark in where)
            if mark not in where:
                yield f"+{line}"
        if start < end:
            yield f"{start} {end - start}"


def _wired(kind: str, number: str, lines: Iterable[str]) -> bytes:
    data = "".join(f"data: {line}\n" for line in lines)
    return f"event: {kind}\nid: {number}\n{data}\n".encode()


HEARTBEAT = StreamEvent(b"event: beat\ndata:\n\n")

Fragment = Callable[[str, int], Awaitable[tuple[int, StreamEvent] | None]]
"""Called with a topic and the version that the browser has: the version and the finished event of the topic, as the
stream's person may see it; None when there is nothing to show, or nothing newer. What is not newer is not rendered.
"""


DUPLICATE = "deal:"
"""How the topic of a deal's page begins; the id of the deal follows."""

END = "end:"
"""How the topic of the page about the end of a table begins."""


def topic_subject(topic: str) -> str:
    """What a topic is about: a table's id; a spectator by link follows "id~link", one of several on a device "id!me".
    `END` stands before all of that.

    >>> topic_subject("k3J~a.link")
    'k3J'
    """
    return topic.removeprefix(END).partition("!")[0].partition("~")[0]


class StreamClient:
    """One open stream: the topics it follows and those that changed since it last sent."""

    def __init__(self, known: dict[str, int], build: str = "") -> None:
        self.known = known
        self._build = build
        self._changed = dict.fromkeys(known)
        self._waiting: asyncio.Future[None] | None = None
        self._ended = False

    def change(self, topic: str) -> None:
        self._changed[topic] = None
        self._wake()

    def end(self) -> None:
        self._ended = True
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def _wait(self) -> None:
        """Until something happens, or until it is time for a beat. A bare future: a push wakes a thousand of these."""
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        beat = loop.call_later(BEAT_SECONDS, self._wake)
        try:
            await self._waiting
        finally:
            beat.cancel()
            self._waiting = None

    async def send(self, fragment: Fragment, *, changes: bool) -> AsyncIterator[StreamEvent]:
        """The stream's events: what is newer than what the browser knows, then each change, and a beat when nothing
        happens. `changes`: the browser has kept what it was sent on this stream.
        """
        sent: dict[str, Trace] = {}
        yield StreamEvent(f"event: beat\ndata: {self._build}\n\n".encode()) if self._build else HEARTBEAT
        while not self._ended:
            if not self._changed:
                await self._wait()
                if not self._changed and not self._ended:
                    yield HEARTBEAT
                continue
            changed, self._changed = self._changed, {}
            for topic in changed:
                state = await fragment(topic, self.known[topic])
                if state is not None and state[0] > self.known[topic]:
                    self.known[topic], data = state
                    yield data.delta_from(sent.get(topic, ()))
                    if changes:
                        sent[topic] = data.line_hashes
                    if all(version == FINAL_VERSION for version in self.known.values()):
                        return


class Streams:
    """All open streams. Lives on the server's event loop; nothing here may be called from another thread."""

    def __init__(self) -> None:
        self._by_subject: dict[tuple[str, str | None], dict[StreamClient, set[str]]] = {}
        self._all: set[StreamClient] = set()
        self._addresses: Counter[str] = Counter()
        self._ended = False

    def __len__(self) -> int:
        return len(self._all)

    @property
    def ended(self) -> bool:
        """Whether the server is stopping."""
        return self._ended

    def count_of(self, address: str) -> int:
        """How many are open to an address."""
        return self._addresses[address]

    def publish(self, about: str, person: str | None = None) -> None:
        """Something happened: everybody who follows a topic about this, or only this person, is sent its new state.

        Those who came first, the players, come first, and between a few of them and the next the server answers others:
        whoever clicked does not wait until a thousand watchers have the board.
        """
        self._tell(iter(list(self._by_subject.get((about, person), {}).items())))

    def _tell(self, watching: Iterator[tuple[StreamClient, set[str]]]) -> None:
        few = list(islice(watching, BATCH))
        for watcher, topics in few:
            for topic in topics:
                watcher.change(topic)
        if few:
            asyncio.get_running_loop().call_soon(self._tell, watching)

    def end(self) -> None:
        """End every stream, now and those still to come: the server is stopping."""
        self._ended = True
        for watcher in self._all:
            watcher.end()

    async def open(
        self,
        known: dict[str, int],
        fragment: Fragment,
        address: str = "",
        *,
        pressed: bool = False,
        changes: bool = False,
        person: str | None = None,
        meanwhile: AbstractContextManager[None] | None = None,
        build: str = "",
    ) -> AsyncGenerator[bytes, None]:
        """A stream over the topics in `known`, which maps each to the version the browser has. `pressed`: as gzip;
        `changes`: what was sent on it before is sent no more; `person`: whose it is; `meanwhile`: what holds as long as
        it is open; `build`: what its first beat names, so that a page of another build reloads. To be closed by the
        caller.
        """
        watcher = StreamClient(known, build)
        self._add(watcher, person)
        self._addresses[address] += 1
        try:
            if self._ended:
                watcher.end()
            with meanwhile or nullcontext():
                if pressed:
                    yield GZIP
                async for sent in watcher.send(fragment, changes=changes):
                    yield sent.gzipped if pressed else sent.plain
        finally:
            self._drop(watcher, person)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def _add(self, watcher: StreamClient, person: str | None) -> None:
        self._all.add(watcher)
        for topic in watcher.known:
            for key in {(topic_subject(topic), None), (topic_subject(topic), person)}:
                self._by_subject.setdefault(key, {}).setdefault(watcher, set()).add(topic)

    def _drop(self, watcher: StreamClient, person: str | None) -> None:
        self._all.discard(watcher)
        for topic in watcher.known:
            for key in {(topic_subject(topic), None), (topic_subject(topic), person)}:
                watchers = self._by_subject.get(key, {})
                watchers.pop(watcher, None)
                if not watchers:
                    self._by_subject.pop(key, None)
