"""Check the picture of a running table: who may see it, how long it is cached, and what it shows."""

from __future__ import annotations

import asyncio
import random
import re
import xml.etree.ElementTree as ET
from types import SimpleNamespace
from typing import cast

import pytest

import spieltisch
from spieltisch.core.position import Position
from spieltisch.games import game_modules
from spieltisch.tables import Table
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.board_pictures import BoardPictures
from spieltisch.web.pages.puzzles import PLAYERS, days, puzzle_at
from spieltisch.web.pages.renderer import Renderer
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.table_moves import decider
from tests.web.visitors import Visitor, let_in

Running = tuple[str, list[Visitor]]


def drawn(position: Position) -> str:
    table = SimpleNamespace(version=1, game=position.setup.game, position=position, names=["<Ada>", "B&n", "Cleo"])
    return BoardPictures(Renderer(Assets(), DrawnFiles()))._draw(cast(Table, table)).svg.decode()


@pytest.mark.parametrize("key", game_modules())
def test_a_board_picture_changes_with_the_boards_and_needs_no_other_file(key: str) -> None:
    position, chance = spieltisch.game(key).start(seats=3, seed=5), random.Random(5)
    before = drawn(position)
    assert len(re.findall("<(?:circle|path|rect|use)", before)) > 20
    while position.number < 40:
        position.play(chance.choice(position.legal_moves))
    after = drawn(position)
    assert after != before
    assert len(after) < 40_000
    assert {part.attrib.get("href", "#")[0] for part in ET.fromstring(after).iter()} == {"#"}  # noqa: S314  # our own
    assert not re.search(r"<script|style=|http(?!://www.w3.org/2000/svg)|@import|<text", after)
    used_ids, defined_ids = (
        set(re.findall(id_pattern, after)) for id_pattern in (r'href="#([^"]+)"', r' id="([^"]+)"')
    )
    assert used_ids <= defined_ids


def test_a_board_picture_shows_nothing_hidden_from_spectators() -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=5)
    chance = random.Random(5)
    while position.number < 40:
        position.play(chance.choice(position.legal_moves))
    other_positions = [position.observe(None).imagine(seed) for seed in range(8)]
    hands = {
        str([list(player.shares) for player in other_position.state.players])
        for other_position in (position, *other_positions)
    }
    assert len(hands) > 4
    assert {drawn(other_position) for other_position in other_positions} == {drawn(position)}


def test_a_board_picture_is_cached_until_the_next_move(running_table: Running) -> None:
    path, _ = running_table
    deciding_visitor, _ = decider(running_table)
    version = deciding_visitor.state(path)["version"]
    first = deciding_visitor.get(f"{path}/picture?v={version}")
    assert first.status_code == 200
    assert first.headers["content-type"] == "image/svg+xml"
    assert first.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert first.headers["vary"] == "Cookie"
    etag_header = {"If-None-Match": first.headers["etag"]}
    second_picture = deciding_visitor.get(f"{path}/picture?v={version}", headers=etag_header)
    assert (second_picture.status_code, second_picture.content, second_picture.headers["etag"]) == (
        304,
        b"",
        first.headers["etag"],
    )
    assert (
        deciding_visitor.play(
            path, next(move for move in deciding_visitor.state(path)["moves"] if "build" in move)
        ).status_code
        == 200
    )
    later_picture = deciding_visitor.get(f"{path}/picture?v={version}", headers=etag_header)
    assert (later_picture.status_code, later_picture.headers["cache-control"]) == (200, "private, no-cache")
    assert later_picture.content != first.content
    assert later_picture.headers["etag"] != first.headers["etag"]


def test_the_picture_of_a_puzzle_requested_concurrently_is_drawn_once() -> None:
    async def ask() -> None:
        pictures = BoardPictures(Renderer(Assets(), DrawnFiles()))
        posed = puzzle_at("paris-connection", days()[0].isoformat())
        first, *other_pictures = await asyncio.gather(
            *(pictures.of_puzzle(posed, PLAYERS[: posed.setup.seats]) for _ in range(5))
        )
        assert first is not None
        assert all(picture is first for picture in other_pictures)
        assert not pictures._drawing

    asyncio.run(ask())


def test_only_visitors_with_access_to_the_table_get_its_board_picture(server: Server, ada: Visitor) -> None:
    running_table = ada.table("me", "here:Bo", "bot:random", watch="off")
    waiting_table = ada.table("me", "open", "open")
    assert ada.get(f"{running_table}/picture").status_code == 200
    assert ada.get(f"{waiting_table}/picture").status_code == 409
    tag = ada.get(f"{running_table}/picture").headers["etag"]
    with Visitor(server) as stranger:
        assert stranger.get(f"{running_table}/picture").status_code == 404
        assert stranger.get(f"{running_table}/picture?v=1", headers={"If-None-Match": tag}).status_code == 404


@pytest.mark.browser
def test_the_security_policy_of_a_board_picture_allows_only_its_own_styles(
    open_page: Person, server: Server, running_table: Running
) -> None:
    path, (ada, *_) = running_table
    page = open_page(color_scheme="dark")
    let_in(page.context, ada)
    response = page.goto(f"{server.address}{path}/picture")
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[\w+/]{43}='", policy)
    assert page.evaluate("getComputedStyle(document.querySelector('svg > path')).fill") == "rgb(23, 21, 18)"
