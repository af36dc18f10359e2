"""Requested analyses: the people who wait for one, and the finished ones that they have not seen yet.

Each person is told once of each: by a notice on their pages until they see the analysis, and by an alert if they do not
come back. Requests are in memory, as the progress of analyses is; all processes on a database know of all of them.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from spieltisch.live.notices import Notices
from spieltisch.live.versions import next_version
from spieltisch.store import Store, WriteFailed, alert_queue
from spieltisch.tables import Table, TableRefusal, device_owner, seat_of_viewer

REQUESTED_ANALYSES: Final = "analyses"
"""The topic, on every page, of the notice of finished analyses; see `base.html`."""
MAX_FINISHED: Final = 8
"""The maximum number of finished analyses in the notice of one person, the newest."""
MAX_PEOPLE: Final = 1024
"""The maximum number of people with a notice in memory, those with the newest."""
REQUESTED, FINISHED, FAILED, SEEN = "analysis requested", "analysis finished", "analysis failed", "analysis seen"

AnalysisKey: TypeAlias = tuple[str, int | None]
"""A table, and the seat for which its game so far is analysed; None for a finished game."""


class RequestedAnalyses:
    """The people who wait for an analysis, and the finished analyses that they have not seen yet."""

    def __init__(self, store: Store, notices: Notices) -> None:
        self._store = store
        self._notices = notices
        self._waiting: dict[tuple[str, str], dict[str, str]] = {}
        """For each running analysis the people who wait for it, with the key of its game."""
        self._finished: dict[str, dict[str, str]] = {}
        """For each person the tables whose analysis they have not seen, with the keys of the games."""
        self._began = next_version()
        self._versions: dict[str, int] = {}
        self.changed: Callable[[str], object] = lambda person: None
        """Called with a person whose notice has changed."""
        self.alerted: Callable[[], object] = lambda: None
        """Called when alerts were queued."""
        notices.on(REQUESTED, self._hear_request)
        notices.on(FINISHED, self._hear_end)
        notices.on(FAILED, lambda _, *subject: self._waiting.pop(subject, None))
        notices.on(SEEN, self._hear_seen)

    def finished(self, person: str | None) -> dict[str, str]:
        """Return the tables whose analysis this person asked for and has not seen, with the keys of their games."""
        return self._finished.get(person or "", {})

    def version(self, person: str | None) -> int:
        """Return the version of this person's notice, which grows when it changes."""
        return self._versions.get(person or "", self._began)

    def add(self, key: AnalysisKey, table: Table, person: str | None) -> None:
        """Let a person wait for an analysis that is running, if they may see the table without a link.

        Players on another person's device are there to see it.
        """
        if person is not None and device_owner(person) == person and may_view(table, person):
            self._hear_request(0, *_subject(key), table.game.key, person)  # it may be finished before a notice is heard
            self._notices.announce(REQUESTED, *_subject(key), table.game.key, person)

    async def finish(self, key: AnalysisKey, table: Table) -> None:
        """Tell those who wait for an analysis that it is stored, and queue their alerts."""
        if people := set(self._waiting.get(_subject(key), ())):
            with suppress(WriteFailed):  # without an alert, they are still told on their pages
                await self._store.write(
                    partial(alert_queue.queue_analysis_alerts, table_id=table.id, version=table.version, people=people)
                )
            self._notices.announce(FINISHED, *_subject(key))
            self.alerted()

    def fail(self, key: AnalysisKey) -> None:
        """End the waiting for an analysis that has failed."""
        if _subject(key) in self._waiting:
            self._notices.announce(FAILED, *_subject(key))

    async def see(self, table: Table, person: str | None) -> None:
        """Tell a person no more of the analysis of a table, which they see."""
        if person is None or table.id not in self.finished(person):
            return
        self._notices.announce(SEEN, person, table.id)
        with suppress(WriteFailed):  # a superfluous alert is better than a page that fails
            await self._store.write(partial(alert_queue.withdraw_analysis_alerts, table_id=table.id, people={person}))

    def _hear_request(self, _: int, table_id: str, seat: str, game: str, person: str) -> None:
        self._waiting.setdefault((table_id, seat), {})[person] = game

    def _hear_end(self, _: int, table_id: str, seat: str) -> None:
        for person, game in self._waiting.pop((table_id, seat), {}).items():
            tables = self._finished.pop(person, {})  # and again at the end: those with the newest are kept
            tables.pop(table_id, None)
            self._finished[person] = {**dict([*tables.items()][1 - MAX_FINISHED :]), table_id: game}
            self._change(person)
        while len(self._finished) > MAX_PEOPLE:
            forgotten = next(iter(self._finished))
            del self._finished[forgotten]
            self._change(forgotten)

    def _hear_seen(self, _: int, person: str, table_id: str) -> None:
        tables = self._finished.get(person, {})
        if tables.pop(table_id, None) is not None:
            self._change(person)
        if not tables:
            self._finished.pop(person, None)

    def _change(self, person: str) -> None:
        if len(self._versions) > MAX_PEOPLE:
            self._began = next_version(max(self._versions.values()))
            self._versions.clear()
        self._versions[person] = next_version(self.version(person))
        self.changed(person)


def may_view(table: Table, person: str) -> bool:
    """Return True if a person sees this table without a link."""
    try:
        seat_of_viewer(table, person)
    except TableRefusal:
        return False
    return True


def _subject(key: AnalysisKey) -> tuple[str, str]:
    table_id, seat = key
    return table_id, "" if seat is None else str(seat)
