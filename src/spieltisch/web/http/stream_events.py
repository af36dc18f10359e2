"""The bytes of the events in a stream, shared by all who may see the same."""

from collections.abc import Iterable
from functools import cached_property

from spieltisch.web.http.content_encoding import COMPRESSION_LEVEL, press
from spieltisch.web.http.deltas import Trace, changed_lines, trace_of

HASH_BYTES = 64
"""The memory that the digest of a line takes."""


class StreamEvent:
    """An event as sent, shared by all its recipients.

    Its compressed form fits into every stream. An event that contains secrets of one reader next to text of other
    people is not compressed (`level` 0): its length would reveal the secrets.

    >>> import zlib
    >>> from spieltisch.web.http.content_encoding import GZIP
    >>> one, two = StreamEvent(b"state " * 100), StreamEvent(b"ping")
    >>> len(one.gzipped) < 50
    True
    >>> zlib.decompressobj(31).decompress(GZIP + one.gzipped + two.gzipped) == one.plain + two.plain
    True
    """

    def __init__(self, content: bytes, *, level: int = COMPRESSION_LEVEL) -> None:
        self._content = content
        self._level = level

    def _encode(self) -> bytes:
        return self._content

    @cached_property
    def plain(self) -> bytes:
        """The event as a part of a stream that is not compressed."""
        return self._encode()

    @cached_property
    def gzipped(self) -> bytes:
        """The event as a part of a gzip stream."""
        return press(self._encode(), self._level)

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

    def _encode(self) -> bytes:
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


def heartbeat(build: str = "", *, is_unsaved: bool = False, announcement: str = "") -> StreamEvent:
    r"""Return a heartbeat that names the build, says whether nothing can be saved, and has the operator's announcement.

    >>> heartbeat("1f", is_unsaved=True).plain
    b'event: heartbeat\ndata: 1f\ndata: unsaved\n\n'
    """
    values = [build, UNSAVED if is_unsaved else "", announcement]
    while len(values) > 1 and not values[-1]:
        del values[-1]
    lines = [f"data: {value}".rstrip() for value in values]
    return StreamEvent("\n".join(["event: heartbeat", *lines, "", ""]).encode())


HEARTBEAT = heartbeat()
