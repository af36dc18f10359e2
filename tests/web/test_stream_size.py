"""What a turn costs those who watch: what they are sent stays below 10 kB, compressed, in a whole game."""

from __future__ import annotations

import pytest

from spieltisch import game, tables
from spieltisch.core.record import Record
from spieltisch.tables import RecordedEvent
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS
from spieltisch.web.http.stream import StateEvent
from spieltisch.web.pages import table_page
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from tests.tables.harness import setup
from tests.test_docs import ROOT

MOST = 10_000
"""Bytes."""

GOLDEN = {
    "era-of-inventions": "4-greedy-secret",
    "legendary-inventors": "4-greedy-secret",
    "paris-connection": "4-depots-secret",
}


@pytest.mark.parametrize("key", GOLDEN)
def test_no_push_of_the_second_half_of_a_game_is_large(key: str) -> None:
    record = Record.read(ROOT / "tests" / "golden" / key / f"{GOLDEN[key]}.txt")
    events = tables.import_record(record, game(key).components)
    written = [RecordedEvent(version, 1.0, event) for version, event in enumerate(events, 1)]
    half = len(written) // 2
    table = tables.fold("t", bytes.fromhex(record.secret or ""), written[:half], setup)
    pages, seat, before, sizes = Renderer(Assets(), DrawnFiles()), Perspective(0, False), StateEvent("t@0", ""), []
    for one in written[half:]:
        table = tables.apply(table, [one])
        if table.status != "running":
            continue
        shown = table_page.fragment(pages, table, seat, "de", {}, NO_SHARE_ADDRESS, 0, 0)
        now = StateEvent(f"t@{table.version}", shown)
        sizes.append(len(now.delta_from(before.line_hashes).gzipped))
        before = now
    assert len(sizes) > 50
    assert [size for size in sizes[1:] if size > MOST] == []
