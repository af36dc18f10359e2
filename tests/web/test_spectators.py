"""Check that spectators see that they are watching, and that players see their number."""

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
from spieltisch.web.pages.perspectives import Perspective, perspective_of
from spieltisch.web.pages.table_viewers import VIEWERS, TableViewers
from tests.sentences import sentence_after
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES, on_screens, overlaps, too_wide
from tests.web.server_inside import opened
from tests.web.server_inside import person as owner
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

WATCHING = sentence_after("web/templates/table_live.html", 'id="spectator-note"')

HEIGHTS = "['table-head', 'prompt'].map((id) => document.getElementById(id).getBoundingClientRect().height)"


def table_id(path: str) -> str:
    return path.rpartition("/")[2]


def spectator_counts(stream: httpx.Response) -> Iterator[int]:
    """Yield the numbers of spectators that a player's stream sends."""
    event = ""
    for line in stream.iter_lines():
        event += f"{line}\n"
        if not line:
            if f"id: {VIEWERS}" in event:
                match = re.search(r'title="(\d+) spectator', event)
                yield int(match[1]) if match else 0
            event = ""


def open_watching_page(visitor: Visitor, *topics: str) -> AbstractContextManager[httpx.Response]:
    """Open a page that follows these topics."""
    return visitor.stream("GET", "/stream", params={"watch": [f"{topic}@0" for topic in topics]})


def test_players_see_the_number_of_spectators(ada: Visitor, mary: Visitor, server: Server) -> None:
    path = ada.table("me", "link", "bot:random", watch="open")
    key = table_id(path)
    with ExitStack() as pages, Visitor(server) as stranger:
        mary.table("me", "bot:random", "bot:random", name="Mary")
        numbers = spectator_counts(pages.enter_context(open_watching_page(ada, key, f"{VIEWERS}{key}")))
        assert next(numbers) == 0
        pages.enter_context(open_watching_page(mary, key))
        assert next(numbers) == 1
        pages.enter_context(open_watching_page(mary, key))  # a second page of hers
        with open_watching_page(stranger, key):
            assert next(numbers) == 2
        assert next(numbers) == 1


def present_seats(stream: httpx.Response) -> Iterator[str]:
    """Yield the seats of present players that a player's stream sends."""
    for line in stream.iter_lines():
        if (found := re.search(r'data-present-seats=\\?"([\d ]*)', line)) is not None:
            yield found[1]


def test_players_see_which_players_have_the_table_open(ada: Visitor, grace: Visitor, mary: Visitor) -> None:
    path = ada.table("me", "open", "bot:random", watch="open")
    grace.sit(path, "Grace")
    key = table_id(path)
    with open_watching_page(ada, key, f"{VIEWERS}{key}") as page:
        seats = present_seats(page)
        assert next(seats) == "0"
        with open_watching_page(grace, key):
            assert next(seats) == "0 1"
        assert next(seats) == "0"


@pytest.mark.browser
def test_a_player_who_has_the_table_open_is_marked(
    ada: Visitor, grace: Visitor, server: Server, open_page: Person
) -> None:
    path = ada.table("me", "open", "bot:random")
    grace.sit(path, "Grace")
    pages = [open_page(locale="en") for _ in range(2)]
    for page, visitor in zip(pages, (ada, grace), strict=True):
        let_in(page.context, visitor)
        page.goto(server.address + path)
    own_page, other_page = pages
    expect(own_page.locator("#player-list > [data-is-present] .presence")).to_have_count(2)
    other_page.close()
    expect(own_page.locator("#seat-1")).not_to_have_attribute("data-is-present", "")
    expect(own_page.locator("#seat-0")).to_have_attribute("data-is-present", "")


def test_the_count_of_spectators_is_not_recomputed_for_each_page_of_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view_count = 0

    async def count_viewers(*args: Any) -> Perspective:
        nonlocal view_count
        view_count += 1
        return await perspective_of(*args)

    async def main() -> None:
        async with opened(tmp_path) as house:
            ada = await house.visitor("Ada")
            table = await house.live.tables.open(
                owner(ada), NewTable("paris-connection", ("me", "bot:easy", "bot:easy"))
            )
            monkeypatch.setattr(
                house.fragments.part(TableViewers), "viewers", lambda table_id: [(None, table_id)] * 100
            )
            for module in ("perspectives", "table_viewers"):
                monkeypatch.setattr(f"spieltisch.web.pages.{module}.perspective_of", count_viewers)
            topics = [f"{VIEWERS}{table.id}!{page}" for page in range(20)]
            assert all([await house.fragments.event(topic, 0, ada) for topic in topics])
            assert view_count == 20 + 100
            house.fragments.part(TableViewers).recount(table.id)
            assert await house.fragments.event(topics[0], 0, ada)
            assert view_count == 20 + 100 + 1 + 100

    asyncio.run(main())


def test_a_page_opened_while_viewers_are_counted_is_included_in_the_next_push(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with opened(tmp_path) as house:
            ada = await house.visitor("Ada")
            table = await house.live.tables.open(
                owner(ada), NewTable("paris-connection", ("me", "bot:easy", "bot:easy"))
            )
            counter, pages = house.fragments.part(TableViewers), [(None, table.id)]

            async def open_page_meanwhile(*args: Any) -> Perspective:
                if len(pages) == 1:
                    pages.append((None, table.id))
                    counter.recount(table.id)
                return await perspective_of(*args)

            monkeypatch.setattr(counter, "viewers", lambda _: tuple(pages))
            monkeypatch.setattr("spieltisch.web.pages.table_viewers.perspective_of", open_page_meanwhile)
            counts = [(await counter._counted(table)).viewers for _ in range(2)]
            assert [viewers and viewers.spectators for viewers in counts] == [1, 2]

    asyncio.run(main())


def test_a_stream_is_limited_to_a_few_topics_of_one_table(ada: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random")
    key, stream_events = table_id(path), []
    with open_watching_page(ada, *(f"{key}!{page}" for page in range(40)), "lobby") as page:
        for line in page.iter_lines():
            if line.startswith("id: "):
                stream_events.append(line.partition("@")[0])
            if line.startswith("id: lobby"):
                break
    assert stream_events == [f"id: {key}"] * 8 + ["id: lobby"]


def test_visitors_without_access_are_not_counted_and_spectators_see_no_number(ada: Visitor, mary: Visitor) -> None:
    path = ada.table("me", "link", "bot:random", watch="off")
    key = table_id(path)
    mary.table("me", "bot:random", "bot:random", name="Mary")
    with open_watching_page(mary, key), open_watching_page(ada, f"{VIEWERS}{key}") as page:
        assert next(spectator_counts(page)) == 0
    path = ada.table("me", "link", "bot:random")
    with open_watching_page(mary, f"{VIEWERS}{table_id(path)}", "lobby") as page:
        for line in page.iter_lines():
            assert VIEWERS not in line
            if line.startswith("id: lobby"):
                break


def test_pages_of_spectators_say_that_they_watch_and_show_open_seats(ada: Visitor, grace: Visitor) -> None:
    grace.table("me", "bot:random", "bot:random", name="Grace")
    for seat, is_watchable in (("open", True), ("link", False)):
        path = ada.table("me", seat, "bot:random")
        notice = re.search(r'<p class="hint" id="spectator-note">(.*?)</p>', grace.get(path).text)
        assert notice
        assert WATCHING in notice[1]
        assert ('<a href="#seat-form">Sit down</a>' in notice[1]) is is_watchable
        assert 'id="spectator-note"' not in ada.get(path).text
        assert "viewers:" not in grace.get(path).text
    running_table = ada.table("me", "bot:random", "bot:random")
    assert WATCHING in grace.get(running_table).text


@pytest.mark.browser
def test_the_spectator_icon_does_not_resize_the_menu(
    server: Server, open_page: Person, ada: Visitor, mary: Visitor
) -> None:
    path = ada.table("me", "bot:random", "bot:random")
    mary.table("me", "bot:random", "bot:random", name="Mary")
    page = open_page(viewport=DESK)
    let_in(page.context, ada)
    page.goto(server.address + path)
    expect(page.locator("#choices .choice").first).to_be_visible()
    heights = page.evaluate(HEIGHTS)
    with open_watching_page(mary, table_id(path)):
        expect(page.locator("#viewers")).to_contain_text("1 spectator")
        assert page.evaluate(HEIGHTS) == heights
        for screen in on_screens(page, DESK, *PHONES):
            assert (screen, [*overlaps(page), *too_wide(page)]) == (screen, [])
    expect(page.locator("#viewers")).to_be_empty()
