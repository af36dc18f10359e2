"""Check that each icon, pattern and path used on a page is defined on the same page."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, expect

from spieltisch import Record, game
from spieltisch.core.position import Position
from spieltisch.core.record import RecordedMove
from spieltisch.games import game_modules
from spieltisch.live.records import import_game
from spieltisch.store.schema import DATABASE
from spieltisch.store.store import Store
from tests.async_wait import wait
from tests.tiers import first_alone
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

pytestmark = pytest.mark.browser

LOOK = """() => {
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
  const all = [...document.querySelectorAll('use')].map((one) => one.getAttribute('href'));
  const used = all.filter((one) => one.startsWith('#')).map((one) => one.slice(1));
  for (const one of document.querySelectorAll('[fill^="url("], [clip-path^="url("]')) {
    for (const name of ['fill', 'clip-path']) {
      const found = /^url\\(#(.*)\\)$/.exec(one.getAttribute(name) ?? '');
      if (found) used.push(found[1]);
    }
  }
  return {
    used: used.length,
    elsewhere: [...new Set(all.filter((one) => !one.startsWith('#')))],
    missing: [...new Set(used.filter((id) => !ids.includes(id)))],
    twice: [...new Set(ids.filter((id, place) => ids.indexOf(id) !== place))],
  };
}"""


def finished_game(key: str, data: Path) -> str:
    """Open a table whose game was played with random moves; return its path."""
    chance = random.Random(11)
    rules = game(key)
    position = Position.start(rules.setup(rules.seats[-1]), seed=11)
    plays: list[RecordedMove] = []
    while not position.is_over:
        move = position.play(chance.choice(list(position.legal_moves)))
        plays.append(RecordedMove(move.seat, move.move.text, move.drew))
    record = Record.of(position, plays, players=[f"Player {n}" for n in range(position.seats)], seed=11)
    store = Store(data / DATABASE)
    try:
        return f"/table/{wait(import_game(store, game, record, None, 0.0))}"
    finally:
        wait(store.close())


def looked_at(page: Page, address: str) -> dict[str, Any]:
    answer = page.goto(address)
    assert answer is not None
    assert answer.ok or "/first-round" in address, address  # not every game has one
    if page.locator("#live-part[data-map-url]:not([data-map-url=''])").count():
        expect(page.locator("#map-drawing svg").first).to_be_attached()
    references: dict[str, Any] = page.evaluate(LOOK)
    assert references["missing"] == [], address
    for file, parts in groupby(sorted(references["elsewhere"]), lambda reference: reference.partition("#")[0]):
        referenced_file = page.request.get(urljoin(address, file)).text()
        assert [part for part in parts if f'id="{part.partition("#")[2]}"' not in referenced_file] == [], address
    assert references["twice"] == [], address
    return references


@pytest.mark.parametrize("key", first_alone("paris-connection", game_modules()))
def test_every_icon_on_a_page_is_defined_on_the_same_page(
    key: str, tmp_path: Path, own_server: Callable[..., Server], chromium: Browser
) -> None:
    finished_table = finished_game(key, tmp_path / "data")
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as ben:
        path = ada.table("me", "open", *["bot:random"] * (game(key).seats[0] - 2), game=key)
        assert ben.sit(path, "Ben").status_code == 303
        while len(Record.parse(ada.get(f"{path}/record").text).moves) < 3:  # the bot moves in its own time
            for visitor in (ada, ben):
                for move in visitor.state(path)["moves"][:1]:
                    assert visitor.play(path, move).status_code == 200
        context = chromium.new_context(locale="en-GB")
        let_in(context, ada)
        page = context.new_page()
        has_drawing = game(key).drawing is not None
        for page_path in (path, finished_table):
            for subpath in ("", "/log", "/replay", "/replay?at=2", "/fairness", "/end"):
                references = looked_at(page, f"{server.address}{page_path}{subpath}")
                assert bool(references["used"]) == has_drawing, (page_path, subpath)
        for subpath in ("rules", "card", "components", "first-round"):
            looked_at(page, f"{server.address}/games/{key}/{subpath}")
        looked_at(page, f"{server.address}/")
        for language in ("de", "fr", "nl"):
            ada.submit("/preferences", language=language)
            looked_at(page, f"{server.address}{finished_table}/log")
        context.close()
