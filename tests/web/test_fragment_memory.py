"""Check that only the newest fragments of viewed tables stay in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from spieltisch import tables
from spieltisch.live.byte_cache import IDLE_SECONDS
from spieltisch.tables import NewTable
from spieltisch.web.http.stream_events import StateEvent
from tests.live.live_fixture import move
from tests.web.server_inside import opened, person


def test_one_fragment_is_kept_for_each_perspective_and_language(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as house:
            people = [await house.visitor(name) for name in ("Ada", "Ben")]
            watchers = [await house.visitor(language=language) for language in ("en", "de")]
            table = await house.live.tables.open(
                person(people[0]), NewTable("paris-connection", ("me", "open", "bot:easy"))
            )
            table = await house.live.tables.run(table.id, tables.sit, person(people[1]))
            cached_tables = house.fragments._tables
            for _ in range(12):
                table = await move(house.live, table)
                for visitor in (*people, *watchers, *people):
                    event = await house.fragments.event(table.id, 0, visitor)
                    assert event is not None
                    assert event[0] == table.version
                    assert f"@{table.version}\n".encode() in event[1].plain
                assert len(cached_tables) == 4
            assert cached_tables.total_bytes < 4 * 300_000
            assert house.rendered["table_live.html"] == 12 * 4, "each version is drawn once for each of them"

    asyncio.run(main())


def test_fragments_in_memory_are_limited_by_bytes_and_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spieltisch.web.pages.fragments.MAX_FRAGMENT_BYTES", 100_000)

    async def main() -> None:
        async with opened(tmp_path) as house:
            ada, newcomer = await house.visitor("Ada"), await house.visitor()
            cached_tables, now = house.fragments._tables, 0.0
            monkeypatch.setattr(cached_tables, "_clock", lambda: now)
            for _ in range(12):
                table = await house.live.tables.open(
                    person(ada), NewTable("paris-connection", ("me", "open", "bot:easy"))
                )
                for visitor in (ada, newcomer):
                    assert await house.fragments.event(table.id, 0, visitor) is not None
            assert cached_tables.total_bytes <= 100_000
            assert 0 < len(cached_tables) < 24
            now = IDLE_SECONDS + 1
            assert True in [release() for release in house.live.releases]
            assert (len(cached_tables), cached_tables.total_bytes) == (0, 0)

    asyncio.run(main())


def test_the_size_of_a_cached_event_includes_all_its_encodings() -> None:
    before, event = StateEvent("t@1", "<p>\n1\n</p>\n"), StateEvent("t@2", "<p>\n" + "“2”\n" * 1000 + "</p>\n")
    html = len(event.html.encode())
    assert event.size == html
    gzipped = len(event.gzipped)
    assert event.size == html + gzipped
    plain_size = len(event.plain)
    assert event.size == html + gzipped + plain_size
    delta = len(event.delta_from(before.line_hashes).gzipped)
    assert event.size > html + gzipped + plain_size + delta + 1000 * 16
