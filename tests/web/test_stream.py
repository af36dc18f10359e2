"""Streams: the current state first, then changes, versions skipped by a slow reader, and an end when the server
stops.
"""

import asyncio

from spieltisch.web.stream import BEAT, Streams, event


def test_an_event_keeps_its_lines_and_carries_its_number() -> None:
    assert (
        event("table-a", 7, "<b>\nä</b>")
        == "id: table-a@7\n".join(("event: state\n", "data: <b>\ndata: ä</b>\n\n")).encode()
    )


def test_a_stream_sends_what_is_new_skips_what_is_old_and_ends() -> None:
    async def follow() -> list[bytes]:
        streams, version = Streams(), 3
        seen: list[bytes] = []

        async def fragment(topic: str) -> tuple[int, bytes]:
            return version, f"{topic}{version}".encode()

        stream = streams.open({"t": 2, "u": 9}, fragment)
        async for data in stream:
            seen.append(data)
            if data == b"t3":
                for version in (4, 5):  # noqa: B007  (read by `fragment`)
                    streams.announce("t")
                streams.announce("elsewhere")
            elif data == b"t5":
                streams.end()
        assert len(streams) == 0
        return seen

    assert asyncio.run(follow()) == [BEAT, b"t3", b"t5"]


def test_others_are_answered_between_watchers() -> None:
    """Whoever clicked has the answer long before the last of many watchers has the board."""

    async def follow() -> tuple[int, int]:
        streams, told, version = Streams(), [0], 1

        async def fragment(topic: str) -> tuple[int, bytes]:
            return version, b"board"

        async def watch() -> None:
            async for data in streams.open({"t": 0}, fragment):
                told[0] += data == b"board"

        watching = [asyncio.create_task(watch()) for _ in range(1000)]
        while told[0] < 1000:
            await asyncio.sleep(0)
        version = 2
        streams.announce("t")
        await asyncio.sleep(0)
        then = told[0] - 1000
        while told[0] < 2000:
            await asyncio.sleep(0)
        streams.end()
        await asyncio.gather(*watching)
        return then, len(streams)

    then, left = asyncio.run(follow())
    assert then < 100
    assert left == 0


def test_a_stream_opened_while_the_server_stops_ends_at_once() -> None:
    async def late(topic: str) -> tuple[int, bytes]:
        return 1, b"late"

    async def follow() -> list[bytes]:
        streams = Streams()
        streams.end()
        return [data async for data in streams.open({"t": 0}, late)]

    assert asyncio.run(follow()) == [BEAT]
