"""The picture of a running table: who may see it, how long it is kept, and that it shows what spectators see."""

from __future__ import annotations

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
from spieltisch.web.pages.renderer import Renderer
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.test_table_actions import decider

Running = tuple[str, list[Visitor]]


def drawn(position: Position) -> str:
    table = SimpleNamespace(version=1, game=position.setup.game, position=position, names=["<Ada>", "B&n", "Cleo"])
    return BoardPictures(Renderer(Assets(), DrawnFiles()))._draw(cast(Table, table)).svg.decode()


@pytest.mark.parametrize("key", game_modules())
def test_a_picture_changes_with_the_boards_and_stands_alone(key: str) -> None:
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
    used, known = (set(re.findall(what, after)) for what in (r'href="#([^"]+)"', r' id="([^"]+)"'))
    assert used <= known


def test_a_picture_shows_nothing_that_is_hidden_from_spectators() -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=5)
    chance = random.Random(5)
    while position.number < 40:
        position.play(chance.choice(position.legal_moves))
    others = [position.observe(None).imagine(seed) for seed in range(8)]
    hands = {str([list(player.shares) for player in one.state.players]) for one in (position, *others)}
    assert len(hands) > 4
    assert {drawn(one) for one in others} == {drawn(position)}


def test_a_picture_is_kept_until_the_next_move(running: Running) -> None:
    path, _ = running
    decides, _ = decider(running)
    version = decides.state(path)["version"]
    first = decides.get(f"{path}/picture?v={version}")
    assert first.status_code == 200
    assert first.headers["content-type"] == "image/svg+xml"
    assert first.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert first.headers["vary"] == "Cookie"
    known = {"If-None-Match": first.headers["etag"]}
    again = decides.get(f"{path}/picture?v={version}", headers=known)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert decides.play(path, next(move for move in decides.state(path)["moves"] if "build" in move)).status_code == 200
    later = decides.get(f"{path}/picture?v={version}", headers=known)
    assert (later.status_code, later.headers["cache-control"]) == (200, "private, no-cache")
    assert later.content != first.content
    assert later.headers["etag"] != first.headers["etag"]


def test_a_picture_is_for_those_who_may_see_the_table(server: Server, ada: Visitor) -> None:
    running = ada.table("me", "here:Bo", "bot:random", watch="off")
    waiting = ada.table("me", "open", "open")
    assert ada.get(f"{running}/picture").status_code == 200
    assert ada.get(f"{waiting}/picture").status_code == 409
    tag = ada.get(f"{running}/picture").headers["etag"]
    with Visitor(server) as stranger:
        assert stranger.get(f"{running}/picture").status_code == 404
        assert stranger.get(f"{running}/picture?v=1", headers={"If-None-Match": tag}).status_code == 404


@pytest.mark.browser
def test_a_picture_has_its_colours_and_no_other_styles_are_allowed(
    person: Person, server: Server, running: Running
) -> None:
    path, (ada, *_) = running
    page = person(color_scheme="dark")
    let_in(page.context, ada)
    response = page.goto(f"{server.address}{path}/picture")
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[\w+/]{43}='", policy)
    assert page.evaluate("getComputedStyle(document.querySelector('svg > path')).fill") == "rgb(23, 21, 18)"
