"""Check that a chat with many messages and links to moves delays no other requests."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import httpx
import pytest

from spieltisch.features.chat import pages as chat_pages
from spieltisch.features.chat import routes
from spieltisch.features.chat.commands import ChatReader
from spieltisch.features.chat.pages import ChatPages
from spieltisch.features.chat.service import Chat
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.web.app import FOLDERS, create_app
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.sessions import Site, Visitor
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages import renderer, replay
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from tests.live.live_fixture import move, play, running

MESSAGES, LINKS = 20, 250


def test_other_requests_are_served_while_a_long_chat_is_rendered(tmp_path: Path) -> None:
    """A message with as many links as fit must not look through all moves for each of them."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await move(live, await running(live, ada, ben))
        reader, turns = ChatReader(ada.id, 0, is_host=True, is_player=True), list[object]()
        for _ in range(MESSAGES):
            await live.service(Chat).post(table, reader, "Ada", "table", "#1" * LINKS)
        rendering = ChatPages(live, Renderer(Assets(), DrawnFiles(), folders=FOLDERS)).state(
            table, Perspective(0, is_host=True), Visitor(Site(), ada, "k" * 20, False, "en", "", ""), -1
        )
        with (
            patch.object(renderer, "PAUSE_INTERVAL_SECONDS", 0),
            patch.object(chat_pages, "first_step", wraps=replay.first_step) as first_step,
        ):
            rendered = asyncio.ensure_future(rendering)
            while not rendered.done():
                turns.append(rendered)
                await asyncio.sleep(0)
        state = await rendered
        assert state is not None
        assert state.html.count("/replay?at=1") == MESSAGES * LINKS
        assert len(turns) > MESSAGES
        assert first_step.call_count == 1

    play(tmp_path, job)


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # of all routes
def test_the_page_of_a_long_chat_leads_to_older_messages(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await running(live, ada, ben)
        reader = ChatReader(ada.id, 0, is_host=True, is_player=True)
        for number in range(5):
            await live.service(Chat).post(table, reader, "Ada", "table", f"text{number}")
        transport = httpx.ASGITransport(app=cast(Any, create_app(live, Streams(), Site())))
        address, shown = f"/table/{table.id}/chat", list[list[str]]()
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as visitor:
            with patch.object(routes, "PAGE_MESSAGES", 2):
                while address:
                    page = (await visitor.get(address)).text
                    shown.append(re.findall(r"text\d", page))
                    link = re.search(r'id="older-messages-link" href="([^"]+)"', page)
                    address = link[1] if link else ""
                as_json = await visitor.get(f"/table/{table.id}/chat?from=1", headers={"Accept": "application/json"})
        assert shown == [["text3", "text4"], ["text1", "text2"], ["text0"]]
        assert [message["text"] for message in as_json.json()] == ["text2", "text3"]

    play(tmp_path, job)
