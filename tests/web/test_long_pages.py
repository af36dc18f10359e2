"""Check that long pages are rendered with pauses for other requests, and constant pages only once."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from spieltisch import game
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.tables import ScoreHistory, Table
from spieltisch.tables import table as table_module
from spieltisch.tables.score_history import score_history_of
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.sessions import Site, Visitor
from spieltisch.web.pages import renderer
from spieltisch.web.pages.component_values import ComponentValues
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.result import ResultPages
from tests.live.live_fixture import play, running, to_the_end

ERA, PARIS = game("era-of-inventions"), game("paris-connection")


def test_other_requests_are_served_while_a_long_page_is_rendered() -> None:
    """Two long pages rendered at the same time must equal the same pages rendered one after the other."""

    async def job() -> None:
        values, turns = ComponentValues(Renderer(Assets(), DrawnFiles())), list[object]()
        alone = [(await ComponentValues(values._pages).of(ERA, ERA.components, tag)).tables for tag in ("de", "fr")]

        async def count() -> None:
            while not rendered_pages.done():
                turns.append(rendered_pages)
                await asyncio.sleep(0)

        with patch.object(renderer, "PAUSE_INTERVAL_SECONDS", 0):
            rendered = (values.of(ERA, ERA.components, tag) for tag in ("de", "fr"))
            rendered_pages = asyncio.gather(*rendered)
            await count()
        assert [page.tables for page in await rendered_pages] == alone
        assert alone[0] != alone[1]
        assert len(turns) > 100

    asyncio.run(job())


def test_component_values_are_rendered_once_for_each_file_and_language() -> None:
    async def job() -> None:
        values = ComponentValues(Renderer(Assets(), DrawnFiles()))
        first = await values.of(ERA, ERA.components, "de")
        assert await values.of(ERA, ERA.components, "de") is first
        assert await values.of(ERA, ERA.components, "en") is not first
        assert await values.of(PARIS, PARIS.components, "de") is not first

    asyncio.run(job())


def test_the_course_of_a_finished_game_is_computed_in_a_thread(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = replace(await to_the_end(live, await running(live, ada, ben)))
        pages, visitor = Renderer(Assets(), DrawnFiles()), Visitor(Site(), ada, "k" * 20, False, "en", "", "")
        with patch.object(table_module, "score_history_of", wraps=in_thread) as computed:
            html = await ResultPages(live, pages).html(table, Perspective(0, is_host=True), visitor)
        assert html
        assert computed.call_count == 1

    def in_thread(table: Table) -> ScoreHistory | None:
        assert threading.current_thread() is not threading.main_thread()
        return score_history_of(table)

    play(tmp_path, job)
