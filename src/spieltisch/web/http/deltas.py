"""Differences between two texts, line by line: pages send and receive only the lines that are new."""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

MAX_SESSIONS: Final = 64
"""Maximum number of sessions whose fragments are remembered as digests: some megabytes at most."""
MAX_TRACES: Final = 4
"""Maximum number of fragments remembered for a session: one for each of a few pages with a replay."""

DIGEST_BYTES: Final = 12
Trace = tuple[bytes, ...]
"""A digest of each line of a text."""


def trace_of(lines: Sequence[str]) -> Trace:
    """Return the digests of these lines."""
    return tuple(blake2b(line.encode(), digest_size=DIGEST_BYTES).digest() for line in lines)


def changed_lines(lines: Sequence[str], hashes: Trace, trace: Trace) -> Iterator[str]:
    """Yield the instructions that make `lines`, with the digests `hashes`, of a text with this trace.

    Each new line follows a "+", and known ones are written as a run: "0 4" are four lines from the first.

    >>> before, now = ["<p>", "1", "</p>"], ["<p>", "2", "</p>"]
    >>> list(changed_lines(now, trace_of(now), trace_of(before)))
    ['0 1', '+2', '2 1']
    """
    line_numbers = {line_hash: number for number, line_hash in reversed(list(enumerate(trace)))}
    start = end = 0  # a run
    for line_hash, line in zip(hashes, lines, strict=True):
        if start < end < len(trace) and trace[end] == line_hash:
            end += 1
            continue
        if start < end:
            yield f"{start} {end - start}"
        start = line_numbers.get(line_hash, 0)
        end = start + (line_hash in line_numbers)
        if line_hash not in line_numbers:
            yield f"+{line}"
    if start < end:
        yield f"{start} {end - start}"


class Delta(NamedTuple):
    """A fragment as sent: its tag, and its text, or its difference from the fragment whose tag is `base`."""

    tag: str
    text: str
    base: str


class Deltas:
    """Fragments as differences from those that the same session has; digests of its newest are kept in memory.

    A tag is an HMAC of session and content with a key of this process. So no one can ask by a tag, computed or copied,
    whether someone else was sent some content.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._sessions: OrderedDict[str, OrderedDict[str, bytes]] = OrderedDict()
        """By session the newest traces, joined, by their tags."""

    def encode(self, html: str, session: str, base: str) -> Delta:
        """Return a fragment for a page of this session that has the fragment with the tag `base`.

        It is whole if this session was not sent that lately.
        """
        lines = html.splitlines()
        trace, traces = trace_of(lines), self._sessions.setdefault(session, OrderedDict())
        joined, known = b"".join(trace), traces.get(base)
        tag = hmac.digest(self._key, session.encode() + b" " + joined, "sha256").hex()[:32]
        traces[tag] = joined
        traces.move_to_end(tag)
        if len(traces) > MAX_TRACES:
            traces.popitem(last=False)
        self._sessions.move_to_end(session)
        if len(self._sessions) > MAX_SESSIONS:
            self._sessions.popitem(last=False)
        if known is None:
            return Delta(tag, "\n".join(lines), "")
        had = tuple(known[start : start + DIGEST_BYTES] for start in range(0, len(known), DIGEST_BYTES))
        return Delta(tag, "\n".join(changed_lines(lines, trace, had)), base)
