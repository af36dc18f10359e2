"""Check work that is done once for each request."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import httpx
import pytest

from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.invitations import Invitations
from spieltisch.web.app import create_app
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.sessions import Site
from spieltisch.web.http.stream import Streams
from tests.live.live_fixture import running


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # of all routes
def test_each_request_verifies_its_link_once_and_an_accepted_form_creates_no_refusal(tmp_path: Path) -> None:
    links: list[str] = []
    refusals: list[str] = []
    read_invitation, refuse = Invitations.read, PageRefusal.__init__

    async def reading(invitations: Invitations, link: str) -> Any:
        links.append(link)
        return await read_invitation(invitations, link)

    def refusing(refusal: PageRefusal, status: int, code: str, *args: Any) -> None:
        refusals.append(code)
        refuse(refusal, status, code, *args)

    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        site = Site(port=8080)
        transport = httpx.ASGITransport(app=cast(Any, create_app(live, Streams(), site)))
        origin = {"Origin": site.local, "Sec-Fetch-Site": "same-origin"}
        try:
            ada, session = await live.people.create("Ada")
            ben, _ = await live.people.create("Ben")
            table = await running(live, ada, ben)
            link = live.invitations.spectator_link(table)
            async with httpx.AsyncClient(transport=transport, base_url=site.local, headers=origin) as browser:
                page = await browser.get(f"/table/{table.id}?link={link}", headers={"Accept": "text/html"})
                assert page.status_code == 200
                assert links == [link]
                browser.cookies.set("session", session)
                page = await browser.get(f"/table/{table.id}", headers={"Accept": "text/html"})
                token = re.search(r'name="token" value="([0-9a-f]+)"', page.text)
                assert token is not None
                form = {"token": token[1], "theme": "dark", "back": "/"}
                assert (await browser.post("/preferences", data=form)).status_code == 303
                assert not refusals
                assert (await browser.post("/preferences", data=form | {"token": ""})).status_code == 403
                assert refusals == ["form"]
        finally:
            await live.close()

    with patch.object(Invitations, "read", reading), patch.object(PageRefusal, "__init__", refusing):
        asyncio.run(job())
