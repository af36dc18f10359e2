"""Check streams: the current state first, then changes, and an end when the server stops."""

from __future__ import annotations

import asyncio
import zlib
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar.datastructures import MultiDict

from spieltisch.web.http.responses import stream_response
from spieltisch.web.http.stream import Streams
from spieltisch.web.http.stream_events import HEARTBEAT, StateEvent, StreamEvent
from spieltisch.web.routes.stream import changes
from tests.web.delta_lines import apply_delta

TOPICS = 20


def test_a_stream_event_keeps_its_lines_and_has_its_number() -> None:
    assert (
        StateEvent("table-a@7", "<b>\nä</b>").plain
        == "id: table-a@7\n".join(("event: state\n", "data: <b>\ndata: ä</b>\n\n")).encode()
    )


def test_a_stream_sends_the_newest_version_and_skips_older_versions() -> None:
    async def follow_topic() -> list[bytes]:
        streams, version = Streams(), 3
        stream_events: list[bytes] = []

        async def fragment(topic: str, known_version: int) -> tuple[int, StreamEvent]:
            return version, StreamEvent(f"{topic}{version}".encode())

        stream = streams.open({"t": 2, "u": 9}, fragment)
        async for data in stream:
            stream_events.append(data)
            if data == b"t3":
                for version in (4, 5):  # noqa: B007  (read by `fragment`)
                    streams.publish("t")
                streams.publish("elsewhere")
            elif data == b"t5":
                streams.end()
        assert len(streams) == 0
        return stream_events

    assert asyncio.run(follow_topic()) == [HEARTBEAT.plain, b"t3", b"t5"]


def test_hidden_changes_do_not_shift_the_heartbeat_of_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the time of a heartbeat would reveal a change hidden from the reader."""
    monkeypatch.setattr("spieltisch.web.http.stream.HEARTBEAT_SECONDS", 0.05)

    async def follow_topic() -> list[bytes]:
        streams, stream_events = Streams(), []

        async def fragment(topic: str, known_version: int) -> None:
            await asyncio.sleep(0)  # as if it had to be looked up
            streams.publish(topic)

        async for data in streams.open({"t": 0}, fragment):
            stream_events.append(data)
            if len(stream_events) == 3:
                streams.end()
        return stream_events

    assert asyncio.run(asyncio.wait_for(follow_topic(), 60)) == [HEARTBEAT.plain] * 3


def test_requests_are_answered_between_sends_to_many_watchers() -> None:
    """The player who moved gets the response long before the last watcher gets the board."""

    async def follow_topic() -> tuple[int, int]:
        streams, versions, version = Streams(), [0], 1

        async def fragment(topic: str, known_version: int) -> tuple[int, StreamEvent]:
            return version, StreamEvent(b"board")

        async def watch_stream() -> None:
            async for data in streams.open({"t": 0}, fragment):
                versions[0] += data == b"board"

        watching = [asyncio.create_task(watch_stream()) for _ in range(1000)]
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

    behind, is_closed = asyncio.run(follow_topic())
    assert behind < 100
    assert is_closed == 0


class LoopTurns:
    """Counts the turns of the event loop, and notes in which one each topic is rendered."""

    def __init__(self) -> None:
        self.count = 0
        self.of_topics: list[int] = []

    async def run(self) -> None:
        while True:
            self.count += 1
            await asyncio.sleep(0)

    async def event(self, topic: str, known: int, *_: object, **__: object) -> tuple[int, StateEvent]:
        self.of_topics.append(self.count)
        return known + 1, StateEvent(f"{topic}@{known + 1}", topic)


def test_other_requests_are_served_between_the_topics_of_a_stream() -> None:
    async def job() -> None:
        turns = LoopTurns()
        counting = asyncio.create_task(turns.run())
        sent = Streams().open({f"t{number}": 0 for number in range(TOPICS)}, turns.event)
        for _ in range(TOPICS + 1):
            await anext(sent)
        await sent.aclose()
        counting.cancel()
        assert len(set(turns.of_topics)) == TOPICS

    asyncio.run(job())


def test_other_requests_are_served_between_the_topics_of_one_request() -> None:
    async def job() -> None:
        turns = LoopTurns()
        counting = asyncio.create_task(turns.run())
        query = MultiDict([("watch", f"t{number}@0") for number in range(TOPICS)])
        request = SimpleNamespace(
            query_params=query,
            visitor=None,
            fragments=turns,
            pages=SimpleNamespace(build=""),
            streams=SimpleNamespace(is_unsaved=False, announcement=""),
        )
        assert len((await changes.fn(request)).content) == TOPICS
        counting.cancel()
        assert len(set(turns.of_topics)) == TOPICS

    asyncio.run(job())


def test_a_stream_opened_while_the_server_stops_ends_at_once() -> None:
    async def render_late(topic: str, known_version: int) -> tuple[int, StreamEvent]:
        return 1, StreamEvent(b"late")

    async def follow_topic() -> list[bytes]:
        streams = Streams()
        streams.end()
        return [data async for data in streams.open({"t": 0}, render_late)]

    assert asyncio.run(follow_topic()) == [HEARTBEAT.plain]


def test_a_stream_cut_during_a_send_is_closed_with_its_response() -> None:
    async def fragment(topic: str, known_version: int) -> None:
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


def test_a_compressed_event_can_be_read_when_it_arrives_and_is_compressed_once_for_all_viewers() -> None:
    board = StreamEvent(b"board " * 5000)

    async def fragment(topic: str, known_version: int) -> tuple[int, StreamEvent]:
        return 2, board

    async def follow_topic() -> list[list[bytes]]:
        streams, received_events = Streams(), []
        for _ in range(2):
            decompressor, stream_events = zlib.decompressobj(16 + zlib.MAX_WBITS), []
            async for data in streams.open({"t": 0}, fragment, pressed=True):
                stream_events.append(decompressor.decompress(data))
                if stream_events[-1] == board.plain:
                    break
            received_events.append(stream_events)
        return received_events

    assert asyncio.run(follow_topic()) == [[b"", HEARTBEAT.plain, board.plain]] * 2
    assert len(board.gzipped) < len(board.plain) / 20


def test_secret_content_of_a_stream_is_not_compressed() -> None:
    assert len(StateEvent("t@1", "a" * 5000, level=0).gzipped) > 5000


def event_as_in_browser(lines_before: list[str], event: StreamEvent) -> list[str]:
    """Return an event as parsed by the browser (`stream-connection.js`)."""
    kind, _, *data = event.plain.decode().rstrip("\n").split("\n")
    lines = [line.removeprefix("data: ") for line in data]
    return lines if kind == "event: state" else apply_delta(lines_before, lines)


TEXTS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "+d", "0 1", "e e"]), min_size=1), min_size=1)


@given(TEXTS)
def test_a_browser_rebuilds_a_fragment_from_its_last_version_and_a_delta(texts: list[list[str]]) -> None:
    lines_shown: list[str] = []
    before = StateEvent("t@0", "")
    for version, lines in enumerate(texts, 1):
        now = StateEvent(f"t@{version}", "\n".join(lines))
        lines_shown = event_as_in_browser(lines_shown, now.delta_from(before.line_hashes))
        assert lines_shown == lines
        before = now


def test_deltas_are_sent_only_on_request_and_only_after_a_whole_fragment() -> None:
    lines = [f"line {number}" for number in range(40)]

    async def follow_topic(changes: bool) -> list[bytes]:
        streams, version, stream_events = Streams(), 1, []

        async def fragment(topic: str, known_version: int) -> tuple[int, StreamEvent]:
            return version, StateEvent(f"{topic}@{version}", "\n".join([*lines, str(version)]))

        async for data in streams.open({"t": 0}, fragment, changes=changes):
            stream_events.append(data)
            if data.startswith(b"event: heartbeat"):
                continue
            version += 1
            if version == 3:
                streams.end()
            streams.publish("t")
        return stream_events[1:]

    whole_fragments = [StateEvent(f"t@{version}", "\n".join([*lines, str(version)])).plain for version in (1, 2)]
    assert asyncio.run(follow_topic(False)) == whole_fragments
    assert asyncio.run(follow_topic(True)) == [whole_fragments[0], b"event: change\nid: t@2\ndata: 0 40\ndata: +2\n\n"]


def test_secret_fragments_are_sent_whole_and_are_never_the_base_of_a_delta() -> None:
    """Otherwise the length of a delta could reveal their content."""
    secret, plain_event = StateEvent("t@1", "a\nb", level=0), StateEvent("t@2", "a\nb")
    assert plain_event.delta_from(secret.line_hashes) is plain_event
    assert secret.delta_from(plain_event.line_hashes) is secret
