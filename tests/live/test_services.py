"""Check background services, which restart after a failure and end before the store is closed."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any, Final

import pytest
from structlog.testing import capture_logs

from spieltisch.bots.search import native_library
from spieltisch.core.registry import game_modules
from spieltisch.features import FEATURES
from spieltisch.features.planned_turns.service import Planner
from spieltisch.live import BotTurns, Live, SearchCompiler, daily_removal, services
from spieltisch.live.alert_sender import AlertSender
from spieltisch.live.game_history import GameHistory
from spieltisch.live.health import StoreHealth
from spieltisch.live.limits import DEFAULT
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.presence import Presence
from spieltisch.live.timekeeper import Timekeeper
from spieltisch.store import Store
from spieltisch.web import server

PAUSE: Final = 1e-6
SECONDS: Final = 20.0
WORK: Final[dict[str, tuple[object, str]]] = {
    "bots": (BotTurns, "_begin"),
    "planned turns": (Planner, "_begin"),
    "alerts": (AlertSender, "send_due"),
    "search compiler": (SearchCompiler, "_compile"),
    "timekeeper": (Timekeeper, "run_due"),
    "health": (StoreHealth, "_check_if_failing"),
    "presence": (Presence, "_save"),
    "expiry": (LiveTables, "expire"),
    "removal": (daily_removal, "remove_due"),
    "game history": (GameHistory, "_missing_results"),
    "caches": (server, "release_all"),
}
"""For each service what it calls in a round."""
BRIEF: Final = frozenset({"bots", "planned turns"})
"""Those whose task may have ended already: from then on they listen."""


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "FIRST_PAUSE_SECONDS", PAUSE)
    monkeypatch.setattr(daily_removal, "FIRST_SECONDS", PAUSE)


def _running_services() -> set[str]:
    return {task.get_name() for task in asyncio.all_tasks()} & {*WORK}


@pytest.mark.parametrize("name", WORK)
def test_a_background_service_restarts_after_a_failure_and_ends_before_the_store_closes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service fails in its first run, and takes long to end in its second run."""
    calls: list[str] = []
    has_restarted = asyncio.Event()

    async def work(*_: Any) -> None:
        calls.append("begun")
        if len(calls) == 1:
            raise RuntimeError(name)
        has_restarted.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.to_thread(calls.append, "ended")

    async def close_store(store: Store) -> None:
        calls.append("store closed")
        assert not _running_services()
        await close(store)

    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        with monkeypatch.context() as patched:
            patched.setattr(*WORK[name], work)
            patched.setattr(native_library, "find", lambda _: None)
            for service in server.services(live, DEFAULT, gc.collect, [*game_modules()][:1]):
                await live.start(service)
            assert {*WORK} - BRIEF | {name} <= _running_services() <= {*WORK}
            await has_restarted.wait()
        await live.close()

    close = Store.close
    monkeypatch.setattr(Store, "close", close_store)
    with capture_logs() as log:
        asyncio.run(asyncio.wait_for(main(), SECONDS))
    assert calls == ["begun", "begun", "ended", "store closed"]
    assert [line for line in log if line["event"] == "a service failed"] == [
        {"event": "a service failed", "log_level": "error", "exc_info": True, "service": name, "pause": PAUSE}
    ]


def test_a_task_that_ignores_its_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "CANCEL_SECONDS", PAUSE)
    calls: list[str] = []

    async def deaf() -> None:
        calls.append("begun")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.Event().wait()

    async def main() -> None:
        tasks = services.Tasks[str]()
        tasks.start("deaf", deaf)
        await asyncio.sleep(0)
        await tasks.end()
        assert "deaf" not in tasks

    asyncio.run(asyncio.wait_for(main(), SECONDS))
    assert calls == ["begun"]


def test_the_pause_before_a_restart_grows_with_each_failure() -> None:
    calls: list[int] = []
    is_done = asyncio.Event()

    async def work() -> None:
        calls.append(len(calls))
        if len(calls) < 4:
            raise RuntimeError("again")
        is_done.set()

    async def main() -> None:
        async with services.running("clumsy", work):
            await is_done.wait()

    with capture_logs() as log:
        asyncio.run(asyncio.wait_for(main(), SECONDS))
    assert [line["pause"] for line in log] == [PAUSE, 2 * PAUSE, 4 * PAUSE]
