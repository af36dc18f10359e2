"""Long pages are rendered with pauses for other requests, and those that never change are rendered once."""

from __future__ import annotations

import asyncio
from unittest.mock import patch

from spieltisch import game
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages import renderer
from spieltisch.web.pages.component_values import ComponentValues
from spieltisch.web.pages.renderer import Renderer

ERA, PARIS = game("era-of-inventions"), game("paris-connection")


def test_others_go_on_while_a_long_page_is_rendered() -> None:
    """Two long pages in different languages, rendered side by side, are the same as one after the other."""

    async def job() -> None:
        values, turns = ComponentValues(Renderer(Assets(), DrawnFiles())), list[object]()
        alone = [(await ComponentValues(values._pages).of(ERA, ERA.components, tag)).tables for tag in ("de", "fr")]

        async def count() -> None:
            while not together.done():
                turns.append(together)
                await asyncio.sleep(0)

        with patch.object(renderer, "PAUSE_INTERVAL_SECONDS", 0):
            rendered = (values.of(ERA, ERA.components, tag) for tag in ("de", "fr"))
            together = asyncio.gather(*rendered)
            await count()
        assert [each.tables for each in await together] == alone
        assert alone[0] != alone[1]
        assert len(turns) > 100

    asyncio.run(job())


def test_values_of_components_are_rendered_once_for_each_file_and_language() -> None:
    async def job() -> None:
        values = ComponentValues(Renderer(Assets(), DrawnFiles()))
        first = await values.of(ERA, ERA.components, "de")
        assert await values.of(ERA, ERA.components, "de") is first
        assert await values.of(ERA, ERA.components, "en") is not first
        assert await values.of(PARIS, PARIS.components, "de") is not first

    asyncio.run(job())
