"""Streams: the current state first, then changes, versions skipped by a slow reader, and an end when the server
stops.
"""

from __future__ import annotations

import asyncio
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spieltisch.web.http.stream import HEARTBEAT, StateEvent, StreamEvent, Streams, stream_response


def test_an_event_keeps_its_lines_and_carries_its_number() -> None:
    assert (
        StateEvent("table-a@7", "<b>\nä</b>").plain
        == "id: table-a@7\n".join(("event: state\n", "data: <b>\ndata: ä</b>\n\n")).encode()
    )


def test_a_stream_sends_what_is_new_skips_what_is_old_and_ends() -> None:
    async def follow() -> list[bytes]:
        streams, version = Streams(), 3
        seen: list[bytes] = []

        async def fragment(topic: str, known: int) -> tuple[int, StreamEvent]:
            return version, StreamEvent(f"{topic}{version}".encode())

        stream = streams.open({"t": 2, "u": 9}, fragment)
        async for data in stream:
            seen.append(data)
            if data == b"t3":
                for version in (4, 5):  # noqa: B007  (read by `fragment`)
                    streams.publish("t")
                streams.publish("elsewhere")
            elif data == b"t5":
                streams.end()
        assert len(streams) == 0
        return seen

    assert asyncio.run(follow()) == [HEARTBEAT.plain, b"t3", b"t5"]


def test_a_heartbeat_comes_when_it_is_due_whatever_changes_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its time would tell of a change that the reader may not know."""
    monkeypatch.setattr("spieltisch.web.http.stream.BEAT_SECONDS", 0.05)

    async def follow() -> list[bytes]:
        streams, seen = Streams(), []

        async def fragment(topic: str, known: int) -> None:
            await asyncio.sleep(0)  # as if it had to be looked up
            streams.publish(topic)

        async for data in streams.open({"t": 0}, fragment):
            seen.append(data)
            if len(seen) == 3:
                streams.end()
        return seen

    assert asyncio.run(asyncio.wait_for(follow(), 60)) == [HEARTBEAT.plain] * 3


def test_others_are_answered_between_watchers() -> None:
    """Whoever clicked has the answer long before the last of many watchers has the board."""

    async def follow() -> tuple[int, int]:
        streams, versions, version = Streams(), [0], 1

        async def fragment(topic: str, known: int) -> tuple[int, StreamEvent]:
            return version, StreamEvent(b"board")

        async def watch() -> None:
            async for data in streams.open({"t": 0}, fragment):
                versions[0] += data == b"board"

        watching = [asyncio.create_task(watch()) for _ in range(1000)]
        while versions[0] < 1000:
            await asyncio.sleep(0)
        version = 2
        streams.publish("t")
        await asyncio.sleep(0)
        behind = versions[0] - 1000
        while versions[0] < 2000:
            await asyncio.sleep(0)
        streams.end()
        await asyncio.gather(*watching)
        return behind, len(streams)

    behind, left = asyncio.run(follow())
    assert behind < 100
    assert left == 0


def test_a_stream_opened_while_the_server_stops_ends_at_once() -> None:
    async def late(topic: str, known: int) -> tuple[int, StreamEvent]:
        return 1, StreamEvent(b"late")

    async def follow() -> list[bytes]:
        streams = Streams()
        streams.end()
        return [data async for data in streams.open({"t": 0}, late)]

    assert asyncio.run(follow()) == [HEARTBEAT.plain]


def test_a_stream_cut_during_a_send_is_closed_with_its_response() -> None:
    async def fragment(topic: str, known: int) -> None:
        return None

    async def cut() -> tuple[int, int]:
        streams = Streams()
        stream = streams.open({"t": 0}, fragment)
        await anext(stream)  # a send is cut between two events, and the generator is still referred to
        open_before, response = len(streams), stream_response(stream, {})
        assert response.background is not None
        await response.background()
        return open_before, len(streams)

    assert asyncio.run(cut()) == (1, 0)


def test_a_pressed_stream_can_be_read_as_it_comes_and_shares_its_bytes() -> None:
    board = StreamEvent(b"board " * 5000)

    async def fragment(topic: str, known: int) -> tuple[int, StreamEvent]:
        return 2, board

    async def follow() -> list[list[bytes]]:
        streams, received = Streams(), []
        for _ in range(2):
            read, seen = zlib.decompressobj(16 + zlib.MAX_WBITS), []
            async for data in streams.open({"t": 0}, fragment, pressed=True):
                seen.append(read.decompress(data))
                if seen[-1] == board.plain:
                    break
            received.append(seen)
        return received

    assert asyncio.run(follow()) == [[b"", HEARTBEAT.plain, board.plain]] * 2
    assert len(board.gzipped) < len(board.plain) / 20


def test_what_holds_secrets_is_not_made_smaller() -> None:
    assert len(StateEvent("t@1", "a" * 5000, level=0).gzipped) > 5000


def together(lines_before: list[str], event: StreamEvent) -> list[str]:
    """Return an event as the browser reads it (`stream-connection.js`)."""
    kind, _, *data = event.plain.decode().rstrip("\n").split("\n")
    lines = [line.removeprefix("data: ") for line in data]
    return lines if kind == "event: state" else put_together(lines_before, lines)


def put_together(lines_before: list[str], changes: list[str]) -> list[str]:
    """Return the lines that the browser makes of a delta (`deltas.js`)."""
    lines: list[str] = []
    for line in changes:
        if line.startswith("+"):
            lines.append(line[1:])
        else:
            start, many = map(int, line.split())
            lines += lines_before[start : start + many]
    return lines


TEXTS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "+d", "0 1", "e e"]), min_size=1), min_size=1)


@given(TEXTS)
def test_who_has_what_was_sent_before_puts_the_same_together_from_what_is_new(texts: list[list[str]]) -> None:
    lines_shown: list[str] = []
    before = StateEvent("t@0", "")
    for version, lines in enumerate(texts, 1):
        now = StateEvent(f"t@{version}", "\n".join(lines))
        lines_shown = together(lines_shown, now.delta_from(before.line_hashes))
        assert lines_shown == lines
        before = now


def test_only_who_asks_for_changes_is_sent_changes_and_the_first_is_whole() -> None:
    lines = [f"line {number}" for number in range(40)]

    async def follow(changes: bool) -> list[bytes]:
        streams, version, seen = Streams(), 1, []

        async def fragment(topic: str, known: int) -> tuple[int, StreamEvent]:
            return version, StateEvent(f"{topic}@{version}", "\n".join([*lines, str(version)]))

        async for data in streams.open({"t": 0}, fragment, changes=changes):
            seen.append(data)
            if data.startswith(b"event: beat"):
                continue
            version += 1
            if version == 3:
                streams.end()
            streams.publish("t")
        return seen[1:]

    whole = [StateEvent(f"t@{version}", "\n".join([*lines, str(version)])).plain for version in (1, 2)]
    assert asyncio.run(follow(False)) == whole
    assert asyncio.run(follow(True)) == [whole[0], b"event: change\nid: t@2\ndata: 0 40\ndata: +2\n\n"]


def test_what_holds_secrets_is_sent_whole_and_nothing_refers_to_it() -> None:
    """Neither its length nor that of what comes after it tells what is in it."""
    secret, plain = StateEvent("t@1", "a\nb", level=0), StateEvent("t@2", "a\nb")
    assert plain.delta_from(secret.line_hashes) is plain
    assert secret.delta_from(plain.line_hashes) is secret
