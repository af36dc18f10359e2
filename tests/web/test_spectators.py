"""Spectators see that they are watching, and players see their number."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from spieltisch.tables import NewTable
from spieltisch.web.pages.fragments import SPECTATORS
from spieltisch.web.pages.perspectives import Perspective, perspective_of
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES, on_screens, overlaps, too_wide
from tests.web.test_lobby_pushes import opened
from tests.web.test_lobby_pushes import person as owner

HEIGHTS = "['head', 'prompt'].map((id) => document.getElementById(id).getBoundingClientRect().height)"


def table_id(path: str) -> str:
    return path.rpartition("/")[2]


def counts(stream: httpx.Response) -> Iterator[int]:
    """The numbers of spectators that a player's stream sends."""
    event = ""
    for line in stream.iter_lines():
        event += f"{line}\n"
        if not line:
            if f"id: {SPECTATORS}" in event:
                found = re.search(r'title="(\d+) spectator', event)
                yield int(found[1]) if found else 0
            event = ""


def watching(visitor: Visitor, *topics: str) -> AbstractContextManager[httpx.Response]:
    """An open page that follows these topics."""
    return visitor.stream("GET", "/stream", params={"watch": [f"{topic}@0" for topic in topics]})


def test_players_see_how_many_look_on(ada: Visitor, mary: Visitor, server: Server) -> None:
    path = ada.table("me", "link", "bot:random", watch="open")
    key = table_id(path)
    with ExitStack() as pages, Visitor(server) as stranger:
        mary.table("me", "bot:random", "bot:random", name="Mary")
        numbers = counts(pages.enter_context(watching(ada, key, f"{SPECTATORS}{key}")))
        assert next(numbers) == 0
        pages.enter_context(watching(mary, key))
        assert next(numbers) == 1
        pages.enter_context(watching(mary, key))  # a second page of hers
        with watching(stranger, key):
            assert next(numbers) == 2
        assert next(numbers) == 1


def test_pages_of_one_player_do_not_all_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0

    async def look(*args: Any) -> Perspective:
        nonlocal looked
        looked += 1
        return await perspective_of(*args)

    async def main() -> None:
        async with opened(tmp_path) as house:
            ada = await house.visitor("Ada")
            table = await house.live.tables.open(
                owner(ada), NewTable("paris-connection", ("me", "bot:easy", "bot:easy"))
            )
            monkeypatch.setattr(house.fragments, "viewers", lambda table_id: [(None, table_id)] * 100)
            monkeypatch.setattr("spieltisch.web.pages.fragments.perspective_of", look)
            topics = [f"{SPECTATORS}{table.id}!{page}" for page in range(20)]
            assert all([await house.fragments.event(topic, 0, ada) for topic in topics])
            assert looked == 20 + 100
            house.fragments.recount_spectators(table.id)
            assert await house.fragments.event(topics[0], 0, ada)
            assert looked == 20 + 100 + 1 + 100

    asyncio.run(main())


def test_a_stream_follows_a_few_topics_about_one_table(ada: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random")
    key, seen = table_id(path), []
    with watching(ada, *(f"{key}!{page}" for page in range(40)), "lobby") as page:
        for line in page.iter_lines():
            if line.startswith("id: "):
                seen.append(line.partition("@")[0])
            if line.startswith("id: lobby"):
                break
    assert seen == [f"id: {key}"] * 8 + ["id: lobby"]


def test_who_may_not_see_a_table_is_not_counted_and_spectators_are_not_told(ada: Visitor, mary: Visitor) -> None:
    path = ada.table("me", "link", "bot:random", watch="off")
    key = table_id(path)
    mary.table("me", "bot:random", "bot:random", name="Mary")
    with watching(mary, key), watching(ada, f"{SPECTATORS}{key}") as page:
        assert next(counts(page)) == 0
    path = ada.table("me", "link", "bot:random")
    with watching(mary, f"{SPECTATORS}{table_id(path)}", "lobby") as page:
        for line in page.iter_lines():
            assert SPECTATORS not in line
            if line.startswith("id: lobby"):
                break


def test_spectators_are_told_that_they_watch_and_where_a_seat_is_open(ada: Visitor, grace: Visitor) -> None:
    grace.table("me", "bot:random", "bot:random", name="Grace")
    for seat, way in (("open", True), ("link", False)):
        path = ada.table("me", seat, "bot:random")
        notice = re.search(r'<p class="hint" id="watching">(.*?)</p>', grace.get(path).text)
        assert notice
        assert "You’re watching." in notice[1]
        assert ('<a href="#seat">Sit down</a>' in notice[1]) is way
        assert 'id="watching"' not in ada.get(path).text
        assert "spectators:" not in grace.get(path).text
    running = ada.table("me", "bot:random", "bot:random")
    assert "You’re watching." in grace.get(running).text


@pytest.mark.browser
def test_an_eye_in_the_menu_changes_no_size(server: Server, person: Person, ada: Visitor, mary: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random")
    mary.table("me", "bot:random", "bot:random", name="Mary")
    page = person(viewport=DESK)
    let_in(page.context, ada)
    page.goto(server.address + path)
    expect(page.locator("#choices .choice").first).to_be_visible()
    heights = page.evaluate(HEIGHTS)
    with watching(mary, table_id(path)):
        expect(page.locator("#spectators")).to_contain_text("1 spectator")
        assert page.evaluate(HEIGHTS) == heights
        for screen in on_screens(page, DESK, *PHONES):
            assert (screen, [*overlaps(page), *too_wide(page)]) == (screen, [])
    expect(page.locator("#spectators")).to_be_empty()
