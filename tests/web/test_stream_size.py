"""Check that a turn and a replay step send little data to spectators."""

from __future__ import annotations

import asyncio

import pytest

from spieltisch import game, tables
from spieltisch.tables import RecordedEvent
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.deltas import Deltas
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS
from spieltisch.web.http.stream_events import StateEvent
from spieltisch.web.pages import replay, table_page
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from tests.tables.harness import setup
from tests.web.delta_lines import apply_delta
from tests.web.golden_games import GOLDEN, golden_record

MAX_PUSH_BYTES = 10_000
"""The size of one push, compressed."""


@pytest.mark.parametrize("key", GOLDEN)
def test_pushes_to_spectators_stay_small_in_the_second_half_of_a_game(key: str) -> None:
    record = golden_record(key)
    events = tables.import_record(record, game(key).components)
    written_events = [RecordedEvent(version, 1.0, event) for version, event in enumerate(events, 1)]
    half_length = len(written_events) // 2
    table = tables.fold("t", bytes.fromhex(record.secret or ""), written_events[:half_length], setup)
    pages, seat, before, sizes = Renderer(Assets(), DrawnFiles()), Perspective(0, False), StateEvent("t@0", ""), []
    for recorded in written_events[half_length:]:
        table = tables.apply(table, [recorded])
        if table.status != "running":
            continue
        fragment_html = table_page.fragment(pages, table, seat, "de", {}, NO_SHARE_ADDRESS, 0, 0)
        now = StateEvent(f"t@{table.version}", fragment_html)
        sizes.append(len(now.delta_from(before.line_hashes).gzipped))
        before = now
    assert len(sizes) > 50
    assert [size for size in sizes[1:] if size > MAX_PUSH_BYTES] == []


@pytest.mark.parametrize("key", GOLDEN)
def test_a_replay_step_sends_only_changed_fragments(key: str) -> None:
    """The list of moves, which is long at the end of a game, is not sent with each step."""
    record = golden_record(key)
    events = tables.import_record(record, game(key).components)
    written_events = [RecordedEvent(version, 1.0, event) for version, event in enumerate(events, 1)]
    table = tables.fold("t", bytes.fromhex(record.secret or ""), written_events, setup)
    pages, deltas, seat, tag, lines_shown = (
        Renderer(Assets(), DrawnFiles()),
        Deltas(),
        Perspective(None, False),
        "",
        [""],
    )
    whole_sizes, sent_sizes = [], []
    for step in range(len(table.moves) - 21, len(table.moves)):
        eyes = replay.Viewpoint(None, shows_everything=True)
        html = asyncio.run(replay.step_fragment(pages, table, seat, eyes, step, None, "de", "https://table.example"))
        delta = deltas.encode(html, "session", tag)
        assert delta.base == tag
        lines_shown = apply_delta(lines_shown, delta.text.split("\n")) if delta.base else delta.text.split("\n")
        assert lines_shown == html.splitlines()
        whole_sizes.append(len(html))
        sent_sizes.append(len(delta.text))
        tag = delta.tag
    assert sum(sent_sizes[1:]) < sum(whole_sizes[1:]) / 4
    assert len(deltas.encode(html, "session", "unknown").text) == len("\n".join(lines_shown)), (
        "whole, for whoever has something else"
    )
