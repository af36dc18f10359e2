"""Check that a request of a copied session that is signed out while waiting is not answered and stores nothing."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Awaitable, Callable
from contextvars import ContextVar, copy_context
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import httpx
import msgspec
import pytest
from litestar.routes import HTTPRoute
from sqlalchemy import Connection, select

from spieltisch.bots.advice import Advice, AdvisedMove
from spieltisch.bots.best_line import Line
from spieltisch.bots.search import native_library
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.store import Person, removal
from spieltisch.store.schema import ANALYSES_SO_FAR, METADATA, SESSIONS, SETTINGS
from spieltisch.tables import NewTable, Table, TableSettings
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.app import create_app
from spieltisch.web.http.sessions import Site
from spieltisch.web.http.stream import Streams
from tests.live.live_fixture import move, running, signed_in, to_the_end

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # of all routes

AGAINST_BOTS: Final = NewTable(
    "paris-connection", ("me", "bot:random", "bot:random"), charter=TableSettings(hints="bots")
)
SITE: Final = Site(port=8080)
NEW: Final = "n" * 43
"""The token of a session that goes on."""
ENDING_THEIR_OWN: Final = {"/device", "/devices/sign-out", "/me/log-out"}
"""Forms that end the session in which they are sent."""


IS_HELD: Final = ContextVar("is_held", default=False)
"""True in the request that is held back, and in what it starts; the server's own jobs use the store meanwhile."""


class Hold:
    """Holds back the first read or write of the store for one request until it is released."""

    def __init__(self, live: Live) -> None:
        self._store, self._is_armed = live.store, True
        self.reached, self.released = asyncio.Event(), asyncio.Event()
        for name in ("read", "write"):
            setattr(live.store, name, partial(self._call, getattr(live.store, name)))

    async def _call(self, call: Callable[..., Awaitable[Any]], *args: Any, **kwargs: Any) -> Any:
        if self._is_armed and IS_HELD.get():
            self._is_armed = False
            self.reached.set()
            await self.released.wait()
        return await call(*args, **kwargs)

    def end(self) -> None:
        self._is_armed = False
        self.released.set()
        for name in ("read", "write"):
            delattr(self._store, name)


class House:
    """An application, and a person at a table with bots whose turn it is."""

    def __init__(self, live: Live, ada: Person, ben: Person, session: str, table: Table) -> None:
        self.live, self.ada, self.session, self.table = live, ada, session, table
        self.ben = ben
        self.app = create_app(live, Streams(), SITE)

    async def request(self, method: str, path: str, session: str, **form: str) -> httpx.Response:
        token = hmac.digest(session.encode(), b"spieltisch form", hashlib.sha256).hex()
        transport = httpx.ASGITransport(app=cast(Any, self.app))
        headers = {"Accept": "application/json", "Origin": SITE.local}
        cookies = {"session": session}
        async with httpx.AsyncClient(
            transport=transport, base_url=SITE.local, headers=headers, cookies=cookies
        ) as client:
            return await client.request(method, path, data={"token": token, **form} if method == "POST" else None)

    async def rows(self) -> dict[str, list[Any]]:
        """Return all stored rows except sessions, settings and partial analyses."""

        def job(connection: Connection) -> dict[str, list[Any]]:
            tables = [table for table in METADATA.sorted_tables if table not in (SESSIONS, SETTINGS, ANALYSES_SO_FAR)]
            return {table.name: [tuple(row) for row in connection.execute(select(table))] for table in tables}

        return await self.live.store.read(job)

    async def signed_out_while_waiting(self, method: str, path: str, **form: str) -> httpx.Response | None:
        """Send a request in a copied session, which is signed out while it waits for the database.

        Return the response; None if it did not wait. Then nothing may have changed in the database.
        """
        copied, key = await signed_in(self.live, self.ada), f"{self.session}+"
        await self.request("GET", f"/table/{self.table.id}", copied)  # so that its guards have all they need
        hold, context = Hold(self.live), copy_context()
        context.run(IS_HELD.set, True)
        try:
            asked = asyncio.create_task(self.request(method, path, copied, **form), context=context)
            reached = asyncio.create_task(hold.reached.wait())
            await asyncio.wait([asked, reached], return_when=asyncio.FIRST_COMPLETED)
            if not hold.reached.is_set():
                reached.cancel()
                await asked
                return None
            await self.live.people.log_out_others(self.ada.id, self.session, key)
            self.session = key
            before = await self.rows()
        finally:
            hold.end()
        response = await asked
        assert await self.rows() == before, path
        assert await self.live.people.by_token(key) == self.ada, path
        return response


def play(path: Path, job: Callable[[House], Awaitable[None]]) -> None:
    async def main() -> None:
        live = await Live.open(path / "house.sqlite3", features=FEATURES)
        try:
            await live.tables.replaying
            (ada, session), (ben, _) = await live.people.create("Ada"), await live.people.create("Ben")
            table = await live.tables.open(ada, AGAINST_BOTS)
            while table.to_decide != 0:
                table = await move(live, table)
            await asyncio.wait_for(job(House(live, ada, ben, session, table)), 120)
        finally:
            await live.close()

    asyncio.run(main())


WAITING: Final = {
    "GET /me/export",
    "GET /table/{table_id}/chat",
    "POST /me/leave",
    "POST /me/recovery",
    "POST /preferences",
    "POST /new/{key}",
    "POST /table/{table_id}/analysis",
    "POST /table/{table_id}/chat",
    "POST /table/{table_id}/leave",
    "POST /table/{table_id}/play",
}
"""Some of the routes that certainly wait for the database, if they are sent the fields of `any_form`."""


class Parameters(dict[str, str]):
    """Provides values for the parameters of paths."""

    def __missing__(self, name: str) -> str:
        return "1"


def any_form(table: Table) -> dict[str, str]:
    """Return the fields that many forms have."""
    assert table.position is not None
    return {
        "move": str(table.position.legal_moves[0]),
        "version": str(table.version),
        "confirmed": "yes",
        "sure": "on",
        "name": "Eve",
        "text": "by a copied session",
        "room": "note",
        "seat-0": "me",
        "seat-1": "bot:random",
        "seat-2": "bot:random",
        "language": "fr",
        "kind": "service",
        "address": "https://discord.com/api/webhooks/1/eve",
    }


def test_no_route_answers_or_stores_anything_for_a_session_that_ended_while_waiting(tmp_path: Path) -> None:
    """The test requests every route of the server."""
    waited: set[str] = set()
    codes: dict[str, object] = {}

    async def job(house: House) -> None:
        values = Parameters(
            key=house.table.game.key,
            table_id=house.table.id,
            day=datetime.now(UTC).date().isoformat(),
            question="ask-undo",
            room="note",
            bot="random",
        )
        for route in house.app.routes:
            assert isinstance(route, HTTPRoute)
            if route.path == "/stream":  # it asks by itself, before it sends anything
                continue
            for method in sorted(route.methods & {"GET", "POST"}):
                path = route.path_format.format_map(values)
                response = await house.signed_out_while_waiting(method, path, **any_form(house.table))
                if response is not None:
                    waited.add(f"{method} {route.path_format}")
                    if route.path not in ENDING_THEIR_OWN:
                        codes[f"{method} {route.path_format}"] = code_of(response)

    play(tmp_path, job)
    assert {route: code for route, code in codes.items() if code != RefusalCode.SIGNED_OUT} == {}
    assert waited >= WAITING


def code_of(response: httpx.Response) -> object:
    return response.json()["code"] if response.status_code >= 400 else response.status_code


def test_a_file_uploaded_by_a_session_that_ended_while_reading_is_not_stored(tmp_path: Path) -> None:
    async def job(house: House) -> None:
        game = house.table.game
        ended = await to_the_end(house.live, await running(house.live, house.ada, house.ben))
        for path, text in (
            (f"/games/{game.key}/components", game.components.text.replace('name = "', 'name = "my-', 1)),
            ("/records", ended.record(None).text),
        ):
            response = await house.signed_out_while_waiting("POST", path, text=text)
            assert response is not None, path
            assert code_of(response) == RefusalCode.SIGNED_OUT
            response = await house.request("POST", path, house.session, text=text)
            assert response.status_code == 303, response.text

    play(tmp_path, job)


def test_a_session_that_ended_while_a_hint_was_queued_or_computed_gets_no_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_library, "find", lambda game: Path(game.key))

    async def job(house: House) -> None:
        position, copied = house.table.position, await signed_in(house.live, house.ada)
        assert position is not None
        begins, goes_on = asyncio.Event(), asyncio.Event()
        move = AdvisedMove(str(position.legal_moves[0]), 40, 0.9, 0.05, 9.0, Line((), (), (), ()))

        async def advise(*_: object) -> bytes:
            begins.set()
            await goes_on.wait()
            return msgspec.json.encode(Advice(0.3, 1.0, (move,)))

        monkeypatch.setattr(house.live.advice._workers, "run", advise)
        path, version = f"/table/{house.table.id}/hint", str(house.table.version)
        asked = [asyncio.create_task(house.request("POST", path, copied, version=version)) for _ in range(2)]
        await begins.wait()
        await house.live.people.log_out_others(house.ada.id, house.session, NEW)
        goes_on.set()
        for response in await asyncio.gather(*asked):
            assert code_of(response) == RefusalCode.SIGNED_OUT
        assert (await house.request("POST", path, NEW, version=version)).status_code == 200

    play(tmp_path, job)


def test_a_queued_deletion_of_a_person_is_dropped_after_the_session_was_signed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, begins = removal.tables_mentioning, asyncio.Event()

    async def find_tables(*arguments: Any) -> Any:
        begins.set()
        return await find(*arguments)

    monkeypatch.setattr(removal, "tables_mentioning", find_tables)

    async def job(house: House) -> None:
        copied = await signed_in(house.live, house.ada)
        async with house.live.game_history.lock:
            asked = asyncio.create_task(house.request("POST", "/me/leave", copied, sure="on"))
            await begins.wait()
            await house.live.people.log_out_others(house.ada.id, house.session, NEW)
            assert not asked.done()
        assert code_of(await asked) == RefusalCode.SIGNED_OUT
        assert await house.live.people.by_token(NEW) == house.ada
        assert (await house.request("POST", "/me/leave", NEW, sure="on")).status_code == 200
        assert await house.live.people.by_token(NEW) is None

    play(tmp_path, job)


def test_a_double_click_on_the_form_that_signs_others_out_is_answered_twice(tmp_path: Path) -> None:
    """The first request ends the session before the second request is handled."""

    async def job(house: House) -> None:
        form = {"next-session": "a" * 43}
        answers = [house.request("POST", "/devices/sign-out", house.session, **form) for _ in range(2)]
        assert [answer.status_code for answer in await asyncio.gather(*answers)] == [303, 303]

    play(tmp_path, job)
