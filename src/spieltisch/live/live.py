"""The whole state of a running server on one database."""

import hmac
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeVar

import structlog

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
from spieltisch.live.clock_pauses import open_clock, settle_doubtful
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.delayed_tables import DelayedTables
from spieltisch.live.game_history import GameHistory
from spieltisch.live.health import StoreHealth
from spieltisch.live.invitations import Invitations
from spieltisch.live.leases import Leases
from spieltisch.live.limits import UNLIMITED, Limits
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.notices import Notices
from spieltisch.live.people import People
from spieltisch.live.person_data import PersonData
from spieltisch.live.presence import Presence
from spieltisch.live.process_states import ProcessStates
from spieltisch.live.quotas import Quotas
from spieltisch.live.records import UploadedRecords
from spieltisch.live.requested_analyses import REQUESTED_ANALYSES, RequestedAnalyses
from spieltisch.live.retention import FOR_EVER, Retention
from spieltisch.live.server_clock import ServerClock
from spieltisch.live.timekeeper import Timekeeper, encode_corrections
from spieltisch.store import Store, one_time
from spieltisch.store.hooks import StoredFeature
from spieltisch.store.schema import CORRECTIONS_KEY, EPOCH_KEY, HEAD
from spieltisch.tables import Table

T = TypeVar("T")
_logger = structlog.get_logger("spieltisch.live")


class Closable(Protocol):
    """A part that has to be closed before what it uses."""

    async def close(self) -> None:
        """Finish what it does."""


C = TypeVar("C", bound=Closable)


class ServedParts(Protocol):
    """The parts of a feature on a running server, as far as they are known here."""

    @property
    def service(self) -> "Callable[[Live], object] | None":
        """The function that makes its service; None if it has none."""


class ServedFeature(StoredFeature, Protocol):
    """The part of a feature that is known here."""

    @property
    def served(self) -> Callable[[], ServedParts]:
        """The function that imports and returns its parts on a running server."""


class Live:
    """Tables, people, components, invitations and all other parts of a running server.

    Open it with `await Live.open(path)`, close it with `await live.close()`. Everything here runs in one asyncio loop
    and never blocks it: reads and writes of the file are awaited.
    """

    def __init__(
        self,
        stack: AsyncExitStack,
        store: Store,
        notices: Notices,
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
        retention: Retention,
    ) -> None:
        def closed(part: C) -> C:
            stack.push_async_callback(part.close)
            return part

        quotas = Quotas(store, limits, address_key)
        self.stack = stack
        """All that is closed at the end, from the newest part to the oldest, the store."""
        self.releases: list[Callable[[], bool]] = []
        """Functions that drop from caches what no one has asked for in some minutes; True if there was any."""
        self.now = clock
        self.store = store
        self.notices = notices
        self.limits = limits
        self.retention = retention
        self.quotas = quotas
        self.presence = closed(presence)
        self.clock = clock
        self.health = StoreHealth(store)
        self.leases = Leases(store, is_shared=store.is_shared)
        self.people = People(store, quotas, clock, recovery_key, notices)
        self.components = closed(ComponentLibrary(store, games, quotas, clock))
        self.tables = closed(LiveTables(store, self.components, quotas, clock, notices, outside))
        self.releases.append(self.tables.release)
        self.game_history = closed(GameHistory(store, games, self.components, self.leases))
        self.tables.subscribe(None, self.game_history.changed)
        self.timekeeper = closed(Timekeeper(store, self.tables, clock, self.leases))
        self.person_data = closed(
            PersonData(store, games, self.tables, self.people, self.presence, self.game_history, clock, notices)
        )
        self.advice = closed(AdviceWorker(self.tables))
        self.analysis = closed(
            AnalysisWorkers(
                store,
                self.tables,
                limits,
                ProcessStates("analysis", notices, self.leases),
                requested := RequestedAnalyses(store, notices),
            )
        )
        requested.changed = lambda person: self.publish(REQUESTED_ANALYSES, person)
        requested.alerted = lambda: self.alert_sender.wake()
        self.tables.subscribe(None, self.analysis.game_changed)
        upload_key = hmac.digest(link_key, b"uploads", "sha256")
        self.uploads = closed(UploadedRecords(store, games, self.tables, quotas, clock, upload_key))
        self.invitations = Invitations(link_key, self.tables.get)
        self.delayed_tables = closed(DelayedTables(clock, lambda table_id: self.publish(table_id, None)))
        self.releases.append(self.delayed_tables.release)
        self.people_key = hmac.digest(link_key, b"people", "sha256")
        """The key of the names that people have in the forms of others."""
        self.deal_key = hmac.digest(link_key, b"deals", "sha256")
        """The key of the deals that features open at several tables."""
        self.drawing_key = hmac.digest(link_key, b"drawings", "sha256")
        stack.callback(channels.close)
        self.subscriptions = Subscriptions(store, quotas, channels, link_key, clock, address)
        self.subscriptions.changed = self.people.announce_access
        self.alert_sender = closed(AlertSender(store, self.tables, presence, self.subscriptions, clock, self.leases))
        if store.is_shared:  # it may wait for what another process has written
            for kind in ("table", "chat"):
                notices.on(kind, lambda *_: self.alert_sender.wake())
        self.publish: Callable[[str, str | None], None] = lambda topic, person: None
        """Called with a topic of pages that has changed, and the person for whom (None: for all)."""
        self.admissions: list[Callable[[Table, str], Awaitable[bool]]] = []
        """Functions by which features let a person watch a table that others need a link for."""
        self._services: dict[type[object], object] = {}

    @classmethod
    async def open(
        cls,
        place: Path | str,
        games: Callable[[str], Game] = find_game,
        clock: Callable[[], float] = time.time,
        limits: Limits = UNLIMITED,
        mail: MailServer | None = None,
        guard: SsrfGuard | None = None,
        push_services: Collection[str] = (),
        address: Callable[[], str] = lambda: "http://localhost",
        outside: Mapping[str, str] = MappingProxyType({}),
        retention: Retention = FOR_EVER,
        *,
        features: Sequence[ServedFeature] = (),
        steady: Callable[[], float] = time.monotonic,
        is_shared: bool = False,
    ) -> "Live":
        """Open the file (created if there is none) or the database of a URL, and start to replay its tables.

        `features` are those whose rows the file may hold, and that have services. `outside` are the bots admitted in
        addition to the included ones, see `external_bots`. Alerts are sent by `mail` and through the `guard`, to
        browsers also at the hosts `push_services`, with links to the server's `address`, once `alert_sender` runs. If
        the database `is_shared`, other processes may open it, too. `retention` is for how long it keeps things. `clock`
        gives UTC seconds, `steady` those of a monotonic clock; see `live.server_clock`. Raise `StoreError` as
        `Store.open`.
        """
        async with AsyncExitStack() as stack:
            store = await Store.open(place, features, is_shared=is_shared)
            stack.push_async_callback(store.close)
            if store.upgraded_from is not None:
                _logger.info("the database was brought up to date", before=store.upgraded_from, now=HEAD)
            if not is_shared:
                await one_time.forget_codes(store)
            notices = await Notices.open(store)
            stack.push_async_callback(notices.close)
            server_clock = await open_clock(store, clock, steady)
            await settle_doubtful(store, server_clock)
            if server_clock.was_set_back:
                await store.begin_epoch({CORRECTIONS_KEY: encode_corrections(server_clock)})
            presence = await Presence.open(store, limits.away_hours, server_clock, notices)
            push_key = await store.get_setting("push key", new_key)
            channels = Channels(push_key, mail, guard or SsrfGuard(), push_services)
            keys = [await store.get_setting(f"{name} key") for name in ("link", "address", "recovery")]
            live = cls(
                stack,
                store,
                notices,
                keys[0],
                keys[1],
                keys[2],
                presence,
                games,
                server_clock,
                limits,
                channels,
                address,
                outside,
                retention,
            )
            await live.tables.report_losses()
            await live.game_history.repair()
            for feature in features:
                if (make := feature.served().service) is not None:
                    service = make(live)
                    live._services[type(service)] = service
            live.stack = stack.pop_all()
        return live

    async def admits(self, table: Table, person: str | None) -> bool:
        """Return True if a feature lets a person watch a table that others need a link for."""
        if person is None or table.opened.spectators != "link":
            return False
        for is_admitted in self.admissions:
            if await is_admitted(table, person):
                return True
        return False

    def service(self, kind: type[T]) -> T:
        """Return the service of this class that a feature has made when the data were opened."""
        service = self._services[kind]
        assert isinstance(service, kind)  # noqa: S101  # it is stored by its class
        return service

    async def start(self, service: AbstractAsyncContextManager[T]) -> T:
        """Start a service, which ends before all that was there before it; return what it yields."""
        return await self.stack.enter_async_context(service)

    async def look_again(self) -> None:
        """Read what other processes on the database may have changed unheard."""
        await self.tables.look_again()
        self.store.epoch = (await self.store.get_setting(EPOCH_KEY)).hex()

    async def close(self) -> None:
        """End all services, finish writes and close the file."""
        await self.stack.aclose()
