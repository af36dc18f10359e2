"""The whole state of a running server on one database file."""

import hmac
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from spieltisch.alerts.channels import Channels
from spieltisch.alerts.mail import MailServer
from spieltisch.alerts.push import new_key
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.core.game import Game
from spieltisch.games import game as find_game
from spieltisch.live.advice import AdviceWorker
from spieltisch.live.alert_sender import AlertSender
from spieltisch.live.alert_subscriptions import Subscriptions
from spieltisch.live.analysis import AnalysisWorkers
from spieltisch.live.chat import Chat
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.game_history import GameHistory
from spieltisch.live.health import StoreHealth
from spieltisch.live.invitations import Invitations
from spieltisch.live.limits import UNLIMITED, Limits
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.people import People
from spieltisch.live.person_data import PersonData
from spieltisch.live.plan_runner import PlanRunner
from spieltisch.live.presence import Presence
from spieltisch.live.quotas import Quotas
from spieltisch.live.records import UploadedRecords
from spieltisch.live.server_clock import ServerClock
from spieltisch.live.timekeeper import PAUSES_DECODER, Timekeeper, encode_corrections
from spieltisch.store import Store
from spieltisch.store.schema import CORRECTIONS_KEY, LAST_ALIVE_KEY, PAUSES_KEY


class Live:
    """Tables, people, components, invitations and all other parts of a running server.

    Open it with `await Live.open(path)`, close it with `await live.close()`. Everything here runs in one asyncio loop
    and never blocks it: reads and writes of the file are awaited.
    """

    def __init__(
        self,
        store: Store,
        link_key: bytes,
        address_key: bytes,
        recovery_key: bytes,
        presence: Presence,
        games: Callable[[str], Game],
        clock: ServerClock,
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
        self.health = StoreHealth(store)
        self.people = People(store, quotas, clock, recovery_key)
        self.components = ComponentLibrary(store, games, quotas, clock)
        self.tables = LiveTables(store, self.components, quotas, clock, outside)
        self.game_history = GameHistory(store, games, self.components)
        self.tables.subscribe(None, self.game_history.changed)
        self.person_data = PersonData(store, games, self.tables, self.people, self.presence, self.game_history, clock)
        self.timekeeper = Timekeeper(store, self.tables, clock)
        self.chat = Chat(store, limits, clock)
        self.advice = AdviceWorker(self.tables)
        self.analysis = AnalysisWorkers(store, self.tables, limits)
        self.uploads = UploadedRecords(store, games, self.tables, quotas, clock)
        self.invitations = Invitations(link_key, self.tables.get)
        self.drawing_key = hmac.digest(link_key, b"drawings", "sha256")
        self.subscriptions = Subscriptions(store, quotas, channels, link_key, clock, address)
        self.subscriptions.changed = self.people.forget_access
        self.alert_sender = AlertSender(store, self.tables, presence, self.subscriptions, clock)
        self.chat.on_mention = self.alert_sender.wake
        self.plan_runner = PlanRunner(store, self.tables, limits, clock, self.alert_sender.wake)

    @classmethod
    async def open(
        cls,
        path: Path,
        games: Callable[[str], Game] = find_game,
        clock: Callable[[], float] = time.time,
        limits: Limits = UNLIMITED,
        mail: MailServer | None = None,
        guard: SsrfGuard | None = None,
        push_services: Collection[str] = (),
        address: Callable[[], str] = lambda: "http://localhost",
        outside: Mapping[str, str] = MappingProxyType({}),
        *,
        steady: Callable[[], float] = time.monotonic,
    ) -> "Live":
        """Open the file (created if there is none) and start to replay its tables.

        `outside` are the bots admitted in addition to the included ones, see `external_bots`. Alerts are sent by `mail`
        and through the `guard`, to browsers also at the hosts `push_services`, with links to the server's `address`,
        once `alert_sender` is started. `clock` gives UTC seconds, `steady` those of a monotonic clock; see
        `live.server_clock`. Raise `StoreError` as `Store.open`.
        """
        store = await Store.open(path)
        try:
            last_alive = msgspec.json.decode(
                await store.get_setting(LAST_ALIVE_KEY, lambda: msgspec.json.encode(clock())), type=float
            )
            pauses = PAUSES_DECODER.decode(await store.get_setting(PAUSES_KEY, lambda: b"[]"))
            corrections = PAUSES_DECODER.decode(await store.get_setting(CORRECTIONS_KEY, lambda: b"[]"))
            server_clock = ServerClock(clock, steady, last=last_alive, earlier=pauses, corrections=corrections)
            if server_clock.was_set_back:
                await store.begin_epoch({CORRECTIONS_KEY: encode_corrections(server_clock)})
            presence = await Presence.open(store, limits.away_hours, server_clock)
            push_key = await store.get_setting("push key", new_key)
            channels = Channels(push_key, mail, guard or SsrfGuard(), push_services)
            keys = [await store.get_setting(f"{name} key") for name in ("link", "address", "recovery")]
            live = cls(
                store, keys[0], keys[1], keys[2], presence, games, server_clock, limits, channels, address, outside
            )
            await live.tables.report_losses()
            await live.game_history.repair()
            return live
        except BaseException:
            await store.close()
            raise

    async def close(self) -> None:
        """Finish writes and close the file."""
        await self.health.stop()
        await self.plan_runner.stop()
        await self.alert_sender.stop()
        self.subscriptions.channels.close()
        await self.person_data.close()
        await self.game_history.stop()
        await self.timekeeper.stop()
        await self.advice.stop()
        await self.analysis.stop()
        await self.uploads.stop()
        await self.tables.close()
        await self.components.close()
        await self.presence.close()
        await self.store.close()
