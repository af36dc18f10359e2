"""What a turn costs those who watch: what they are sent stays below 10 kB, compressed, in a whole game."""

from __future__ import annotations

import pytest

from spieltisch import game, tables
from spieltisch.core.record import Record
from spieltisch.tables import Written
from spieltisch.web.http.assets import Assets, Drawn
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS
from spieltisch.web.http.stream import State
from spieltisch.web.pages import views
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.templates import Pages
from tests.tables.sitting import setup
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
    written = [Written(version, 1.0, event) for version, event in enumerate(events, 1)]
    half = len(written) // 2
    table = tables.fold("t", bytes.fromhex(record.secret or ""), written[:half], setup)
    pages, seat, before, sizes = Pages(Assets(), Drawn()), Perspective(0, False), State("t@0", ""), []
    for one in written[half:]:
        table = tables.then(table, [one])
        if table.status != "running":
            continue
        shown = views.fragment(pages, table, seat, "de", {}, NO_SHARE_ADDRESS, 0, 0)
        now = State(f"t@{table.version}", shown)
        sizes.append(len(now.since(before.trace).pressed))
        before = now
    assert len(sizes) > 50
    assert [size for size in sizes[1:] if size > MOST] == []
