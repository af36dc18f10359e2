"""Check that a click is answered before the pages of other visitors are rendered."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import httpx
import pytest

from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.web.app import create_app, publish_changes
from spieltisch.web.http import after_response
from spieltisch.web.http.after_response import call_after_response, respond_first
from spieltisch.web.http.sessions import Site
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages import table_page
from tests.live.live_fixture import move, running
from tests.web.server_inside import House


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # of all routes
def test_a_click_is_answered_before_the_pages_of_other_visitors_are_drawn(tmp_path: Path) -> None:
    """Each of four open pages is drawn once, after the response has been sent."""
    drawn_pages: list[str] = []
    at_the_answer: list[int] = []
    draw = table_page.fragment

    def drawing(*args: Any) -> str:
        drawn_pages.append(args[3])
        return draw(*args)

    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        house = House(live)
        streams, site = Streams(), Site(port=8080)
        app = create_app(live, streams, site)
        publish_changes(live, app)
        fragments = app.state.parts.fragments

        async def counting(scope: Any, receive: Any, send: Any) -> None:
            async def counting_send(message: Any) -> None:
                if message["type"] == "http.response.body":
                    at_the_answer.append(len(drawn_pages))
                await send(message)

            await app(scope, receive, counting_send)

        async def follow_topic(visitor: Any, topic: str, known_version: int, received_enough: asyncio.Event) -> None:
            fragment = partial(fragments.event, visitor=visitor)
            async for data in streams.open({topic: known_version}, fragment, person=visitor.person_id):
                if b"state" in data:
                    received_enough.set()

        try:
            ada, session = await live.people.create("Ada")
            ben, _ = await live.people.create("Ben")
            table = await running(live, ada, ben)
            while table.to_decide != 0:
                table = await move(live, table)
            pages = [await house.visitor("", language) for language in ("en", "de", "fr", "nl")]
            arrived = [asyncio.Event() for _ in pages]
            following = [
                asyncio.create_task(follow_topic(page, table.id, table.version, event))
                for page, event in zip(pages, arrived, strict=True)
            ]
            while len(streams) < len(pages):
                await asyncio.sleep(0)
            transport = httpx.ASGITransport(app=counting)
            origin = {"Origin": site.local, "Accept-Language": "en"}
            async with httpx.AsyncClient(transport=transport, base_url=site.local, headers=origin) as browser:
                browser.cookies.set("session", session)
                form = await browser.get(f"/table/{table.id}")
                token = re.search(r'name="token" value="([0-9a-f]+)"', form.text)
                assert token is not None, form.text
                assert table.position is not None
                play_fields = {
                    "token": token[1],
                    "move": str(table.position.legal_moves[0]),
                    "version": str(table.version),
                }
                drawn_pages.clear()
                at_the_answer.clear()
                answer = await browser.post(f"/table/{table.id}/play?confirmed={table.version}", data=play_fields)
            assert answer.status_code in (200, 303), answer.text
            assert at_the_answer == [0]
            await asyncio.gather(*(event.wait() for event in arrived))
            assert sorted(drawn_pages) == ["de", "en", "fr", "nl"]
            streams.end()
            await asyncio.gather(*following)
        finally:
            house.streams.end()
            await live.close()

    with patch.object(table_page, "fragment", drawing):
        asyncio.run(job())


async def respond(app: Any, send: Any) -> None:
    """Answer a request without reading it."""
    await respond_first(app)(cast(Any, {}), cast(Any, None), send)


def test_deferred_work_runs_right_after_the_response() -> None:
    done: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        call_after_response(lambda: done.append("work"))
        await send({"type": "http.response.start"})
        done.append("answer")
        await send({"type": "http.response.body"})
        call_after_response(lambda: done.append("later work"))
        done.append("end")

    async def job() -> None:
        async def send(message: Any) -> None:
            done.append(message["type"].rpartition(".")[2])

        await respond(app, send)
        call_after_response(lambda: done.append("outside"))

    asyncio.run(job())
    assert done == ["start", "answer", "body", "work", "later work", "end", "outside"]


def test_a_client_that_reads_no_response_delays_no_other_client() -> None:
    async def job() -> None:
        worked, reading = asyncio.Event(), asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            call_after_response(worked.set)
            await send({"type": "http.response.body"})

        async def send(message: Any) -> None:
            await reading.wait()

        with patch.object(after_response, "MAX_WAIT_SECONDS", 0):
            answering: asyncio.Task[None] = asyncio.create_task(respond(app, send))
            await worked.wait()
        assert not answering.done()
        reading.set()
        await answering

    asyncio.run(job())
