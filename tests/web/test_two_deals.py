"""Check that two games that differ only in secrets send the same bytes to a viewer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from itertools import product

import msgspec
import pytest

from spieltisch import tables
from spieltisch.core.errors import DrawError, IllegalMove
from spieltisch.core.position import Position
from spieltisch.tables import Table, TableRefusal
from spieltisch.tables.events import Started
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS
from spieltisch.web.pages import replay, table_page
from spieltisch.web.pages.board_pictures import BoardPictures
from spieltisch.web.pages.move_tree import why_blocked
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from tests.games.paris_connection.positions import COLOURS
from tests.tables.harness import ADA, BEN, CLEO, SECRET, Sitting, setup

PEOPLE = (ADA, BEN, CLEO)
TRADES = [
    f"trade {company_to_give} for {count} {company_to_take}"
    for company_to_give, company_to_take in product(COLOURS, COLOURS)
    for count in (1, 2)
]


def everything_sent(pages: Renderer, table: Table, seat: int | None) -> dict[str, object]:
    """Return everything that a viewer can get of a running table."""
    perspective = Perspective(seat, is_host=False)
    other_seat = None if seat is None else 0
    page_contents: dict[str, object] = {
        "page": table_page.fragment(pages, table, perspective, "en", {}, NO_SHARE_ADDRESS, 24, other_seat),
        "log": repr(table_page.full_log(table, perspective)),
        "picture": BoardPictures(pages)._draw(table),
        "summary": table.summary(),
    }
    for step in range(replay.first_step(table), len(table.moves) + 1, 5):
        viewpoint = replay.viewpoint_of(table, seat, "")
        step_html = replay.step_fragment(pages, table, perspective, viewpoint, step, None, "en", "")
        page_contents[f"step {step}"] = asyncio.run(step_html)
    try:
        page_contents["record"] = table.record(seat).text
    except TableRefusal as refusal:
        page_contents["record"] = refusal.code
    for move in TRADES if seat is not None else ():
        page_contents[f"why not {move}"] = why_blocked(table, seat, move.split(), "")
        observation_data = tables.observation_after(table, seat, move)
        page_contents[f"after {move}"] = observation_data and observation_data.bytes
        try:
            page_contents[move] = tables.play(table, PEOPLE[seat or 0].id, move, table.version)
        except TableRefusal as refusal:
            page_contents[move] = refusal.code, refusal.rule, refusal.message
    return page_contents


def other_deal(table: Table, draws: Sequence[str], viewer: int | None, chance: random.Random) -> tuple[str, ...]:
    """Return the draws of a deal in which the same moves lead to the same view but another state."""
    assert table.setup is not None
    second = list(draws)

    def after(drew: Sequence[str]) -> Position:
        position = Position.start(table.setup, seed=0, drew=drew)  # type: ignore[arg-type]  # asserted above
        for play in table.moves:
            position.play(play.move)
        return position

    real = last = after(draws)
    for _ in range(60):
        changed = second.copy()
        i, j = chance.sample(range(len(draws)), 2)
        changed[i], changed[j] = changed[j], changed[i]
        try:
            imagined = after(changed)
        except (DrawError, IllegalMove):
            continue
        # The order of the viewer's own draws is no secret.
        if imagined.observe(viewer).data == real.observe(viewer).data and imagined.digest() != last.digest():
            second, last = changed, imagined
    assert last.digest() != real.digest()
    return tuple(second)


@pytest.mark.parametrize(("memory_aid", "viewer", "moves"), [(True, 1, 21), (False, 0, 13), (False, None, 21)])
def test_a_viewer_gets_the_same_bytes_for_deals_that_differ_only_in_secrets(
    memory_aid: bool, viewer: int | None, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, chance = Renderer(Assets(), DrawnFiles()), random.Random(moves)
    sitting = Sitting.running(memory_aid=memory_aid)
    for _ in range(moves):
        position = sitting.table.position
        assert position is not None
        assert position.seat is not None
        legal = [move.text for move in position.legal_moves]
        liked = [move for move in legal if move.startswith("trade")] if chance.random() < 0.5 else legal
        sitting.does(tables.play, PEOPLE[position.seat].id, chance.choice(liked or legal), sitting.table.version)
    table = sitting.table
    (started_event,) = (recorded.event for recorded in sitting.written if isinstance(recorded.event, Started))
    draws = other_deal(table, started_event.setup_draws, viewer, chance)
    written_events = [
        msgspec.structs.replace(recorded, event=Started(setup_draws=draws))
        if recorded.event is started_event
        else recorded
        for recorded in sitting.written
    ]
    with monkeypatch.context() as patch:
        patch.setattr(Table, "deal", lambda table: Position.start(table.setup, seed=0, drew=draws))
        other = tables.fold("t", SECRET, written_events, setup)
        assert other.status == "running"
        assert everything_sent(pages, other, viewer) == everything_sent(pages, table, viewer)
