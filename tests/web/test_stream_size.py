"""A turn, and a step of a replay, sends little to spectators in a whole game."""

from __future__ import annotations

import asyncio

import pytest

from spieltisch import game, tables
from spieltisch.core.record import Record
from spieltisch.tables import RecordedEvent
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.deltas import Deltas
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS
from spieltisch.web.http.stream import StateEvent
from spieltisch.web.pages import replay, table_page
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from tests.tables.harness import setup
from tests.test_docs import ROOT
from tests.web.test_stream import put_together

MAX_PUSH_BYTES = 10_000
"""The size of one push, compressed."""

GOLDEN = {
    "era-of-inventions": "4-easy-secret",
    "legendary-inventors": "4-easy-secret",
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
    for recorded in written[half:]:
        table = tables.apply(table, [recorded])
        if table.status != "running":
            continue
        shown = table_page.fragment(pages, table, seat, "de", {}, NO_SHARE_ADDRESS, 0, 0)
        now = StateEvent(f"t@{table.version}", shown)
        sizes.append(len(now.delta_from(before.line_hashes).gzipped))
        before = now
    assert len(sizes) > 50
    assert [size for size in sizes[1:] if size > MAX_PUSH_BYTES] == []


@pytest.mark.parametrize("key", GOLDEN)
def test_a_step_of_a_replay_sends_what_has_changed(key: str) -> None:
    """The list of moves is longest at the end of a game, and is not sent again."""
    record = Record.read(ROOT / "tests" / "golden" / key / f"{GOLDEN[key]}.txt")
    events = tables.import_record(record, game(key).components)
    written = [RecordedEvent(version, 1.0, event) for version, event in enumerate(events, 1)]
    table = tables.fold("t", bytes.fromhex(record.secret or ""), written, setup)
    pages, deltas, seat, tag, lines_shown = (
        Renderer(Assets(), DrawnFiles()),
        Deltas(),
        Perspective(None, False),
        "",
        [""],
    )
    whole, sent = [], []
    for step in range(len(table.moves) - 21, len(table.moves)):
        eyes = replay.Viewpoint(None, shows_everything=True)
        html = asyncio.run(replay.step_fragment(pages, table, seat, eyes, step, None, "de", "https://table.example"))
        delta = deltas.encode(html, "session", tag)
        assert delta.base == tag
        lines_shown = put_together(lines_shown, delta.text.split("\n")) if delta.base else delta.text.split("\n")
        assert lines_shown == html.splitlines()
        whole.append(len(html))
        sent.append(len(delta.text))
        tag = delta.tag
    assert sum(sent[1:]) < sum(whole[1:]) / 4
    assert len(deltas.encode(html, "session", "unknown").text) == len("\n".join(lines_shown)), (
        "whole, for whoever has something else"
    )
