"""Open streams, the topics they follow, and what is sent on them.

A stream sends the current state of its topics, so a slow reader simply skips versions. The first state is sent in full;
then, to clients that can apply it, only the difference from the state last sent on this stream. `Fragments` renders
each state once per perspective and language, and all streams share it.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice

from spieltisch.web.http.after_response import call_after_response
from spieltisch.web.http.content_encoding import GZIP
from spieltisch.web.http.deltas import Trace
from spieltisch.web.http.stream_events import HEARTBEAT, StreamEvent, heartbeat

HEARTBEAT_SECONDS = 15.0
"""Seconds without an event after which a heartbeat is sent."""
BATCH = 32
"""Number of streams notified in one go."""
FINAL_VERSION = 10**15 - 1
"""The version of an event after which its topic never changes again."""

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


class StreamClient:
    """One open stream: the topics it follows, and those that have changed since it last sent them."""

    def __init__(self, known: dict[str, int], person: str | None, address: str, idle: StreamEvent) -> None:
        self.known = known
        self.person = person
        self.address = address
        self._idle = idle
        self._must_send_heartbeat = False
        self._changed = set(known)
        self._heard = 0.0
        self._waiting: asyncio.Future[None] | None = None
        self._ended = False

    def change(self, topic: str) -> None:
        """Mark a topic as changed."""
        self._changed.add(topic)
        self._wake()

    def send_heartbeat(self, idle: StreamEvent) -> None:
        """Send a heartbeat, now and whenever one is due."""
        self._idle = idle
        self._must_send_heartbeat = True
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
        heartbeat_timer = loop.call_at(self._heard + HEARTBEAT_SECONDS, self._wake)
        try:
            await self._waiting
        finally:
            heartbeat_timer.cancel()
            self._waiting = None

    async def send(self, fragment: Fragment, first: StreamEvent, *, changes: bool) -> AsyncIterator[StreamEvent]:
        """Yield the events: a heartbeat, states newer than the browser's, then every change, and heartbeats when idle.

        `changes`: the browser stores the states sent on this stream, so that differences suffice.
        """
        sent: dict[str, Trace] = {}
        now = asyncio.get_running_loop().time
        yield first
        self._heard = now()
        while not self._ended:
            if self._must_send_heartbeat or now() >= self._heard + HEARTBEAT_SECONDS:
                self._must_send_heartbeat = False
                yield self._idle
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
                    await asyncio.sleep(0)  # so that others wait for one topic, not for all of this stream
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
        self.announcement = ""
        """The text that the operator shows on all pages."""
        self._idle = HEARTBEAT
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

    def is_followed(self, subject: str) -> bool:
        """Return True if a stream follows this subject."""
        return (subject, None) in self._by_subject

    def look_again(self) -> None:
        """Send to all streams whatever has changed: this may not have been heard.

        Streams of people end, because their session may have ended unheard; browsers with a session open theirs again.
        """
        self.end_where(lambda person, _: person is not None)
        for subject, person in tuple(self._by_subject):
            if person is None:
                self.publish(subject)

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
        self._send_heartbeats()

    def announce(self, text: str) -> None:
        """Show a text on all open pages; "" ends that."""
        if text != self.announcement:
            self.announcement = text
            self._send_heartbeats()

    def _send_heartbeats(self) -> None:
        self._idle = heartbeat(is_unsaved=self.is_unsaved, announcement=self.announcement)
        for client in self._all:
            client.send_heartbeat(self._idle)

    def owners(self) -> list[tuple[str | None, str]]:
        """Return the person (None: without a name) and the address of each open stream."""
        return [(client.person, client.address) for client in self._all]

    def end_where(self, is_ended: Callable[[str | None, str], bool]) -> None:
        """End the streams of the persons and addresses for which a function returns True."""
        for client in self._all:
            if is_ended(client.person, client.address):
                client.end()

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
        client = StreamClient(known, person, address, self._idle)
        first = heartbeat(build, is_unsaved=self.is_unsaved, announcement=self.announcement)
        self._add(client)
        self._addresses[address] += 1
        try:
            if self._ended or (is_allowed is not None and not await is_allowed()):
                client.end()
            with while_open or nullcontext():
                if pressed:
                    yield GZIP
                async for event in client.send(fragment, first, changes=changes):
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
