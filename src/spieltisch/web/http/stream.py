"""Open streams, the topics they follow, and the bytes they are sent.

A stream sends the current state of its topics, so a slow reader simply skips versions. The first state is sent in full;
then, to clients that can apply it, only the difference from the state last sent on this stream. `Fragments` renders
each state once per perspective and language, and all streams share it.
"""

import asyncio
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from itertools import islice

from litestar.background_tasks import BackgroundTask
from litestar.response import Stream

from spieltisch.web.http.after_response import call_after_response
from spieltisch.web.http.deltas import Trace, changed_lines, trace_of

BEAT_SECONDS = 15.0
"""Seconds without an event after which a heartbeat is sent."""
BATCH = 32
"""Number of streams notified in one go."""
FINAL_VERSION = 10**15 - 1
"""The version of an event after which its topic never changes again."""
COMPRESSION_LEVEL = 6
"""The zlib level of events: a board of 100 kB becomes one of 12 kB in about two milliseconds."""
GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""The gzip header at the start of a compressed stream (RFC 1952)."""
HASH_BYTES = 64
"""The memory that the digest of a line takes."""


class StreamEvent:
    """An event as sent, shared by all its recipients.

    Its compressed form ends with a full flush (RFC 1951) and refers to nothing before it, so the same bytes fit into
    every stream. An event that contains secrets of one reader next to text of other people is not compressed (`level`
    0): its length would reveal the secrets.

    >>> import zlib
    >>> one, two = StreamEvent(b"state " * 100), StreamEvent(b"beat")
    >>> len(one.gzipped) < 50
    True
    >>> zlib.decompressobj(31).decompress(GZIP + one.gzipped + two.gzipped) == one.plain + two.plain
    True
    """

    def __init__(self, content: bytes, *, level: int = COMPRESSION_LEVEL) -> None:
        self._content = content
        self._level = level

    def _wire(self) -> bytes:
        return self._content

    @cached_property
    def plain(self) -> bytes:
        """The event as a part of a stream that is not compressed."""
        return self._wire()

    @cached_property
    def gzipped(self) -> bytes:
        """The event as a part of a gzip stream."""
        press = zlib.compressobj(self._level, zlib.DEFLATED, -zlib.MAX_WBITS)
        return press.compress(self._wire()) + press.flush(zlib.Z_FULL_FLUSH)

    @property
    def size(self) -> int:
        """The memory in bytes that its encodings made so far take."""
        made = self.__dict__
        return len(self._content) + len(made.get("plain", b"")) + len(made.get("gzipped", b""))

    @property
    def line_hashes(self) -> Trace:
        """Digests of its lines, for the difference to the next event; empty if that must be sent in full."""
        return ()

    def delta_from(self, trace: Trace) -> "StreamEvent":
        """Return the event for a reader who has the lines of this trace."""
        return self


class StateEvent(StreamEvent):
    r"""A fragment, with topic and version as the id of the event.

    For a reader who has an older version, a board of 100 kB becomes some 10 kB; see `changed_lines`.

    >>> before, now = StateEvent("t@1", "<p>\n1\n</p>\n"), StateEvent("t@2", "<p>\n2\n</p>\n")
    >>> now.plain
    b'event: state\nid: t@2\ndata: <p>\ndata: 2\ndata: </p>\n\n'
    >>> now.delta_from(before.line_hashes).plain
    b'event: change\nid: t@2\ndata: 0 1\ndata: +2\ndata: 2 1\n\n'
    """

    def __init__(self, event_id: str, html: str, *, level: int = COMPRESSION_LEVEL) -> None:
        self._event_id = event_id
        self._since: dict[Trace, StreamEvent] = {}
        super().__init__(html.encode(), level=level)

    @property
    def html(self) -> str:
        """The fragment."""
        return self._content.decode()

    def _wire(self) -> bytes:
        return _encode_event("state", self._event_id, self.html.splitlines())

    @property
    def size(self) -> int:
        """The memory in bytes that its encodings made so far take."""
        traces = sum(map(len, (*self._since, self.__dict__.get("line_hashes", ()))))
        return super().size + traces * HASH_BYTES + sum(event.size for event in self._since.values())

    @cached_property
    def line_hashes(self) -> Trace:
        """Digests of its lines; empty if the event is not compressed."""
        if not self._level:
            return ()
        return trace_of(self.html.splitlines())

    def delta_from(self, trace: Trace) -> StreamEvent:
        """Return the difference from this trace; the event itself if there is nothing to compare."""
        if not (self.line_hashes and trace):
            return self
        if trace not in self._since:
            changes = changed_lines(self.html.splitlines(), self.line_hashes, trace)
            self._since[trace] = StreamEvent(_encode_event("change", self._event_id, changes), level=self._level)
        return self._since[trace]


def _encode_event(kind: str, event_id: str, lines: Iterable[str]) -> bytes:
    data = "".join(f"data: {line}\n" for line in lines)
    return f"event: {kind}\nid: {event_id}\n{data}\n".encode()


UNSAVED = "unsaved"
"""The second line of heartbeats while the server cannot save anything."""


def heartbeat(build: str = "", *, is_unsaved: bool = False) -> StreamEvent:
    r"""Return a heartbeat that names the build, and says whether the server cannot save anything.

    >>> heartbeat("1f", is_unsaved=True).plain
    b'event: beat\ndata: 1f\ndata: unsaved\n\n'
    """
    lines = [f"data: {build}" if build else "data:", *([f"data: {UNSAVED}"] if is_unsaved else [])]
    return StreamEvent("\n".join(["event: beat", *lines, "", ""]).encode())


HEARTBEAT = heartbeat()
UNSAVED_HEARTBEAT = heartbeat(is_unsaved=True)

Fragment = Callable[[str, int], Awaitable[tuple[int, StreamEvent] | None]]
"""Return version and event of a topic, as the person of the stream may see it.

Called with the topic and the version that the browser has. None if there is nothing to show, or nothing newer, which is
then not rendered.
"""


DUPLICATE = "duplicate:"
"""Prefix of the topic of a duplicate's page; the id of the duplicate follows."""

END = "end:"
"""Prefix of the topic of a table's result page."""


def topic_subject(topic: str) -> str:
    """Return the subject of a topic: for a table its id.

    The topic of a spectator by link is "id~link", that of a hot-seat player "id!me"; `END` may precede them.

    >>> topic_subject("k3J~a.link")
    'k3J'
    """
    return topic.removeprefix(END).partition("!")[0].partition("~")[0]


def stream_response(stream_bytes: AsyncGenerator[bytes, None], headers: Mapping[str, str]) -> Stream:
    """Return the response that sends a stream and then closes it.

    If the connection is cut during a send, the generator stays suspended, so it must be closed explicitly.
    """

    async def close() -> None:  # given the bound method itself, the framework calls it in a thread and never awaits it
        await stream_bytes.aclose()

    closing = BackgroundTask(close)
    return Stream(stream_bytes, media_type="text/event-stream", headers=dict(headers), background=closing)


class StreamClient:
    """One open stream: the topics it follows, and those that have changed since it last sent them."""

    def __init__(
        self, known: dict[str, int], build: str = "", person: str | None = None, *, is_unsaved: bool = False
    ) -> None:
        self.known = known
        self.person = person
        self._build = build
        self._is_unsaved = is_unsaved
        self._must_beat = False
        self._changed = set(known)
        self._heard = 0.0
        self._waiting: asyncio.Future[None] | None = None
        self._ended = False

    def change(self, topic: str) -> None:
        """Mark a topic as changed."""
        self._changed.add(topic)
        self._wake()

    def tell_whether_unsaved(self, is_unsaved: bool) -> None:
        """Send a heartbeat that says whether the server cannot save anything."""
        self._is_unsaved = is_unsaved
        self._must_beat = True
        self._wake()

    def end(self) -> None:
        """End the stream."""
        self._ended = True
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def _wait(self) -> None:
        """Wait until a topic changes, the stream ends, or a heartbeat is due.

        The heartbeat is due by the last event that was sent, so that it does not reveal a change of which nothing is
        shown. It uses a bare future, because a push wakes a thousand of these.
        """
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        beat = loop.call_at(self._heard + BEAT_SECONDS, self._wake)
        try:
            await self._waiting
        finally:
            beat.cancel()
            self._waiting = None

    async def send(self, fragment: Fragment, *, changes: bool) -> AsyncIterator[StreamEvent]:
        """Yield the events: states newer than the browser's, then every change, and a heartbeat when idle.

        `changes`: the browser stores the states sent on this stream, so that differences suffice.
        """
        sent: dict[str, Trace] = {}
        now = asyncio.get_running_loop().time
        yield heartbeat(self._build, is_unsaved=self._is_unsaved)
        self._heard = now()
        while not self._ended:
            if self._must_beat or now() >= self._heard + BEAT_SECONDS:
                self._must_beat = False
                yield UNSAVED_HEARTBEAT if self._is_unsaved else HEARTBEAT
                self._heard = now()
            if not self._changed:
                await self._wait()
                continue
            changed, self._changed = self._changed, set()
            for topic in [topic for topic in self.known if topic in changed]:  # not in the order of their changes
                state = await fragment(topic, self.known[topic])
                if self._ended:
                    return
                if state is not None and state[0] > self.known[topic]:
                    self.known[topic], data = state
                    yield data.delta_from(sent.get(topic, ()))
                    self._heard = now()
                    if changes:
                        sent[topic] = data.line_hashes
                    if all(version == FINAL_VERSION for version in self.known.values()):
                        return


class Streams:
    """All open streams.

    They live on the server's event loop; no method may be called from another thread.
    """

    def __init__(self) -> None:
        self._by_subject: dict[tuple[str, str | None], dict[StreamClient, set[str]]] = {}
        self._all: set[StreamClient] = set()
        self._addresses: Counter[str] = Counter()
        self._ended = False
        self.is_unsaved = False
        """True while the server cannot save anything."""
        self.followers_changed: Callable[[str], None] = lambda subject: None
        """Called with each subject of a stream that has been opened or closed."""

    def __len__(self) -> int:
        return len(self._all)

    @property
    def have_ended(self) -> bool:
        """True if the server is stopping."""
        return self._ended

    def count_of(self, address: str) -> int:
        """Return the number of streams open to an address."""
        return self._addresses[address]

    def viewers(self, subject: str) -> list[tuple[str | None, str]]:
        """Return the person (None: without a name) and a topic of each stream that follows this subject."""
        followers = self._by_subject.get((subject, None), {})
        return [(client.person, min(topics)) for client, topics in followers.items()]

    def publish(self, about: str, person: str | None = None) -> None:
        """Send the new state to all followers of topics about this subject, or only to this person.

        It begins when the request that caused it has been answered, so that a click does not wait for others' pages.
        Streams are served in the order in which they were opened, so usually players first. Between two batches the
        server responds to other requests: no one waits until a thousand spectators have the board.
        """
        call_after_response(lambda: self._notify(iter(list(self._by_subject.get((about, person), {}).items()))))

    def _notify(self, remaining: Iterator[tuple[StreamClient, set[str]]]) -> None:
        batch = list(islice(remaining, BATCH))
        for client, topics in batch:
            for topic in topics:
                client.change(topic)
        if batch:
            asyncio.get_running_loop().call_soon(self._notify, remaining)

    def tell_whether_unsaved(self, is_unsaved: bool) -> None:
        """Tell all streams whether the server cannot save anything."""
        self.is_unsaved = is_unsaved
        for client in self._all:
            client.tell_whether_unsaved(is_unsaved)

    def end_of(self, person: str) -> None:
        """End the streams of a person, some of whose sessions have ended; browsers with a session open theirs again."""
        for client in self._all:
            if client.person == person:
                client.end()

    def end(self) -> None:
        """End all streams, open or still to be opened: the server is stopping."""
        self._ended = True
        for client in self._all:
            client.end()

    async def open(
        self,
        known: dict[str, int],
        fragment: Fragment,
        address: str = "",
        *,
        pressed: bool = False,
        changes: bool = False,
        person: str | None = None,
        while_open: AbstractContextManager[None] | None = None,
        build: str = "",
        is_allowed: Callable[[], Awaitable[bool]] | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """Yield the bytes of a stream over the topics in `known`, which maps each to the version that the browser has.

        `pressed`: as gzip; `changes`: send differences from states sent before on this stream; `person`: the owner of
        the stream; `while_open`: a context manager to hold while the stream is open; `build`: the build named in the
        first heartbeat, so that pages of another build, or from before a backup was restored, reload; `is_allowed`:
        asked once when `end_of` can end the stream, which ends at once if it is not. The caller must close the
        generator.
        """
        client = StreamClient(known, build, person, is_unsaved=self.is_unsaved)
        self._add(client)
        self._addresses[address] += 1
        try:
            if self._ended or (is_allowed is not None and not await is_allowed()):
                client.end()
            with while_open or nullcontext():
                if pressed:
                    yield GZIP
                async for event in client.send(fragment, changes=changes):
                    yield event.gzipped if pressed else event.plain
        finally:
            self._drop(client)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def _add(self, client: StreamClient) -> None:
        self._all.add(client)
        for topic in client.known:
            for key in {(topic_subject(topic), None), (topic_subject(topic), client.person)}:
                self._by_subject.setdefault(key, {}).setdefault(client, set()).add(topic)
        self._tell_subjects(client)

    def _drop(self, client: StreamClient) -> None:
        self._all.discard(client)
        for topic in client.known:
            for key in {(topic_subject(topic), None), (topic_subject(topic), client.person)}:
                clients = self._by_subject.get(key, {})
                clients.pop(client, None)
                if not clients:
                    self._by_subject.pop(key, None)
        self._tell_subjects(client)

    def _tell_subjects(self, client: StreamClient) -> None:
        for subject in {topic_subject(topic) for topic in client.known}:
            self.followers_changed(subject)
