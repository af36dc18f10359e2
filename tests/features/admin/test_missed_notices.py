"""Check bans and announcements in a process that may have missed notices of other processes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from spieltisch.features import FEATURES
from spieltisch.features.admin import rows
from spieltisch.features.admin.rows import Ban
from spieltisch.features.admin.service import Administration
from spieltisch.live import Live
from spieltisch.store import Preferences, Store
from spieltisch.store.notices import ANNOUNCED, BANNED
from tests.features.admin.administrators import administrator


def test_missed_bans_and_a_missed_announcement_take_effect_when_a_process_reconnects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the process reads the missed bans, another notice may arrive."""

    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        root, _ = await administrator(live, "Root")
        (ben, _), (cleo, _) = [await live.people.create(name, "en", Preferences()) for name in ("Ben", "Cleo")]
        ban = Ban("a ban", ben.id, None, live.clock())
        administration, read = live.service(Administration), rows.bans
        ended: list[bool] = []
        announced: list[str] = []

        async def ban_after_reading(store: Store) -> tuple[Ban, ...]:
            monkeypatch.setattr(rows, "bans", read)
            bans = await read(store)
            await administration.ban(root, cleo.id, None)
            return bans

        live.notices.on(BANNED, lambda *_: ended.append(administration.is_banned(ben.id, "")))
        live.notices.on(ANNOUNCED, lambda _, text: announced.append(text))
        async with administration.running():
            await live.store.write(lambda connection: rows.add_ban(connection, ban))
            await live.store.set_setting(rows.ANNOUNCEMENT, b"Back at nine")
            monkeypatch.setattr(rows, "bans", ban_after_reading)
            for missed in live.notices.missed:
                missed()
        assert ended[-1]
        assert announced == ["", "Back at nine"]
        assert administration.is_banned(cleo.id, "")
        await live.close()

    asyncio.run(job())
