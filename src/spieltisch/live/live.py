"""The whole of what lives while a server runs, on one database file."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from spieltisch.alerts.channels import Channels
from spieltisch.alerts.mail import MailServer
from spieltisch.alerts.push import new_key
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.core.game import Game
from spieltisch.games import game as find_game
from spieltisch.live.advising import Advisers
from spieltisch.live.alerting import Alerting
from spieltisch.live.analysing import Analysts
from spieltisch.live.clock import Clock
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.health import Health
from spieltisch.live.history import History
from spieltisch.live.invitations import Invitations
from spieltisch.live.limits import UNLIMITED, Limits
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.people import People
from spieltisch.live.person_data import PersonData
from spieltisch.live.planning import Planning
from spieltisch.live.presence import Presence
from spieltisch.live.quotas import Quotas
from spieltisch.live.records import UploadedRecords
from spieltisch.live.talk import Talk
from spieltisch.live.timekeeper import Timekeeper
from spieltisch.live.ways import Ways
from spieltisch.store import Store
from spieltisch.store.schema import UP


class Live:
    """Tables, people, components and invitations. Made by `await Live.open(path)`, ended by `await live.close()`.

    Everything here runs in one asyncio loop, and nothing holds it up: what reads or writes the file is awaited.
    """

    def __init__(
        self,
        store: Store,
        link_key: bytes,
        address_key: bytes,
        recovery_key: bytes,
        presence: Presence,
        games: Callable[[str], Game],
        clock: Clock,
        limits: Limits,
        channels: Channels,
        address: Callable[[], str],
        outside: Mapping[str, str],
    ) -> None:
        quotas = Quotas(store, limits, address_key)
        self.now = clock
        self.store = store
        self.quotas = quotas
        self.presence = presence
        self.clock = clock
        self.health = Health(store)
        self.people = People(store, quotas, clock, recovery_key)
        self.components = ComponentLibrary(store, games, quotas, clock)
        self.tables = LiveTables(store, self.components, quotas, clock, outside)
        self.history = History(store, self.components)
        self.tables.subscribe(None, self.history.changed)
        self.person_data = PersonData(store, games, self.tables, self.people, self.presence, self.history, clock)
        self.timekeeper = Timekeeper(store, self.tables, clock)
        self.talk = Talk(store, limits, clock)
        self.advisers = Advisers(self.tables)
        self.analysts = Analysts(store, self.tables, limits)
        self.brought = UploadedRecords(store, games, self.tables, clock)
        self.invitations = Invitations(link_key, self.tables.get)
        self.ways = Ways(store, quotas, channels, link_key, clock, address)
        self.alerting = Alerting(store, self.tables, presence, self.ways, clock)
        self.talk.told = self.alerting.wake
        self.planning = Planning(store, self.tables, limits, clock, self.alerting.wake)

    @classmethod
    async def open(
        cls,
        path: Path,
        games: Callable[[str], Game] = find_game,
        clock: Callable[[], float] = time.time,
        limits: Limits = UNLIMITED,
        mail: MailServer | None = None,
        guard: SsrfGuard | None = None,
        address: Callable[[], str] = lambda: "http://localhost",
        outside: Mapping[str, str] = MappingProxyType({}),
        *,
        steady: Callable[[], float] = time.monotonic,
    ) -> Live:
        """Open the file (made when there is none) and begin to replay its tables. `outside` are the bots that may sit
        down beside the own ones, see `outside_bots`. Alerts go out by `mail` and through the `guard`, with links to the
        server's `address`, once `alerting` was started. `clock` gives UTC seconds, `steady` those of a clock that
        nobody sets; see `live.clock`. Raises `StoreError`; see there.
        """
        store = await Store.open(path)
        try:
            last = msgspec.json.decode(await store.setting(UP, lambda: msgspec.json.encode(clock())), type=float)
            clock = ticking = Clock(clock, steady, last=last)
            presence = await Presence.open(store, limits.away, clock)
            channels = Channels(await store.setting("push key", new_key), mail, guard or SsrfGuard())
            keys = [await store.setting(f"{name} key") for name in ("link", "address", "recovery")]
            live = cls(store, keys[0], keys[1], keys[2], presence, games, ticking, limits, channels, address, outside)
            await live.tables.tell_of_loss()
            return live
        except BaseException:
            await store.close()
            raise

    async def close(self) -> None:
        """Finish what is being written, and let the file go."""
        await self.planning.stop()
        await self.alerting.stop()
        self.ways.channels.close()
        await self.person_data.close()
        await self.timekeeper.stop()
        await self.advisers.stop()
        await self.analysts.stop()
        await self.brought.stop()
        await self.tables.close()
        await self.components.close()
        await self.presence.close()
        await self.store.close()
