"""Counts and measurements of the server. Nothing here has the name of a person or the id of a table."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import func, select

from spieltisch import __version__
from spieltisch.commit import commit
from spieltisch.live import Live
from spieltisch.live.log_counts import LOG_COUNTS
from spieltisch.live.services import running
from spieltisch.store.dialects import database_bytes
from spieltisch.store.schema import OUTBOX, PEOPLE, TABLES
from spieltisch.tables import Table

LAG_INTERVAL_SECONDS: Final = 0.5
"""The time between two measurements of the event loop."""
LAG_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds, in seconds."""


class _LogLines(Collector):
    """The lines of the log, which are counted before there is a registry."""

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily("spieltisch_log_lines", "Lines logged since the start", labels=["level"])
        for level, count in LOG_COUNTS.items():
            family.add_metric([level], count)
        yield family


class _OfProcess(Collector):
    """Metrics with the label `process`: of those that share a port, another one may answer each time."""

    def __init__(self, registry: CollectorRegistry, process: str) -> None:
        self._registry = registry
        self._process = process

    def collect(self) -> Iterator[Metric]:
        for family in self._registry.collect():
            family.samples = [
                sample._replace(labels={**sample.labels, "process": self._process}) for sample in family.samples
            ]
            yield family


class Metrics:
    """The metrics of one running server, in a registry of its own."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._shown = registry = CollectorRegistry()
        if live.store.is_shared:
            registry = CollectorRegistry()
            self._shown.register(_OfProcess(registry, live.store.process))
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        build = Info("spieltisch_build", "Version and commit of the server", registry=registry)
        build.info({"version": __version__, "commit": commit()})
        self._changes = Counter(
            "spieltisch_table_changes", "Events stored, by game: moves and all else", ["game"], registry=registry
        )
        self._streams = Gauge("spieltisch_open_streams", "Pages that follow a table or the lobby", registry=registry)
        self._tables = Gauge("spieltisch_tables", "Tables, by status", ["status"], registry=registry)
        self._bots = Gauge("spieltisch_tables_with_bot_to_move", "Tables that wait for a bot", registry=registry)
        self._people = Gauge("spieltisch_people", "People who have a name here", registry=registry)
        self._outbox = Gauge("spieltisch_outbox_alerts", "Alerts that are not delivered yet", registry=registry)
        self._bytes = Gauge("spieltisch_database_bytes", "Size of the database", registry=registry)
        registry.register(_LogLines())
        self.lag = Histogram(
            "spieltisch_loop_lag_seconds",
            "How late the event loop runs what is due",
            buckets=LAG_BUCKETS,
            registry=registry,
        )

    def count_change(self, table: Table) -> None:
        """Count a change of a table."""
        self._changes.labels(table.opened.game).inc()  # its game may be no longer there

    async def exposition(self, open_streams: int) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        store = self._live.store
        statuses, people, outbox, size = await store.read(
            lambda connection: (
                connection.execute(select(TABLES.c.status, func.count()).group_by(TABLES.c.status)).all(),
                connection.execute(select(func.count()).select_from(PEOPLE)).scalar_one(),
                connection.execute(select(func.count()).select_from(OUTBOX)).scalar_one(),
                database_bytes(connection),
            )
        )
        self._tables.clear()
        for status, count in statuses:
            self._tables.labels(status).set(count)
        self._people.set(people)
        self._outbox.set(outbox)
        self._bots.set(len(await self._live.tables.with_bot_to_move()))
        self._bytes.set(size)
        self._streams.set(open_streams)
        return generate_latest(self._shown)


@asynccontextmanager
async def measure(live: Live) -> AsyncIterator[None]:
    """Count the changes of tables and measure the lag of the event loop until the context ends."""
    metrics = live.service(Metrics)

    async def watch_loop() -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_INTERVAL_SECONDS
            await asyncio.sleep(LAG_INTERVAL_SECONDS)
            metrics.lag.observe(max(0.0, loop.time() - due))

    with live.tables.listening(metrics.count_change):
        async with running("metrics", watch_loop):
            yield
