"""For how long the server keeps what is over, and what of it is older than that.

A clock that is wrong must remove nothing. So what is old has not changed for a period of the seconds that have really
passed, as far as a server saw its clock being set (`ServerClock.seconds_since`). No server sees that while none
runs, so the time of the daily removals (`advance`) goes on by two days each at most.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, Self, TypeVar

import msgspec

from spieltisch.live.limits import DAY, read_numbers
from spieltisch.live.server_clock import ServerClock
from spieltisch.store import Store, removal, retention

K = TypeVar("K")
KEY: Final = "retention time"
"""The setting with the latest time of a daily removal, in UTC seconds."""
MAX_ADVANCE_SECONDS: Final = 2.0 * DAY
"""The time by which a removal is later than the one before at most, whatever the clock shows."""


@dataclass(frozen=True)
class Retention:
    """The days for which things are kept; 0: for ever."""

    finished_tables: int = 0
    """Days since the last change of a table that is over, with its game, chat, notes, analyses and result."""
    unbegun_tables: int = 90
    """Days since a table was closed before its game began."""
    chats: int = 0
    """Days since a message or note was written, and since the last change of its table, which is over."""
    unused_people: int = 90
    """Days since the last visit of a person who has nothing here: no seat at any table, file, passkey, code, alert."""
    admin_log: int = 365
    """Days since an act of an administrator."""

    @classmethod
    def read(cls, settings: Iterable[str]) -> Self:
        """Return the days of settings such as "chats=365". Raise `BadLimit` if one is invalid.

        >>> Retention.read(["finished_tables=730"]).finished_tables
        730
        """
        return read_numbers(cls, "--keep-days", "kind", settings)


KEPT_BY_DEFAULT: Final = Retention()
"""The retention of a server without `--keep-days`."""
FOR_EVER: Final = Retention(0, 0, 0, 0, 0)
"""The retention of what no server runs on: everything is kept."""


class Due(NamedTuple):
    """Things old enough to be removed: by the id of each, the time (UTC seconds) since which it has not changed.

    `chats` has the tables that stay and have old messages, each with the time of the newest of these; `admin_log` has
    numbers of entries, oldest first.
    """

    tables: Mapping[str, float]
    chats: Mapping[str, float]
    people: Mapping[str, float]
    admin_log: Sequence[int]


async def find_due(store: Store, kept: Retention, clock: ServerClock, now: float) -> Due:
    """Return what is old enough at a time that the clock has shown; nothing is changed."""

    async def old(days: int, find: Callable[[Store, float], Awaitable[Mapping[K, float]]]) -> dict[K, float]:
        times = await find(store, now - days * DAY) if days else {}
        return {key: at for key, at in times.items() if clock.seconds_since(at) >= days * DAY}

    tables = await old(kept.finished_tables, retention.tables_over)
    tables |= await old(kept.unbegun_tables, partial(retention.tables_over, is_unbegun=True))
    messages = await old(kept.chats, retention.messages_over)  # oldest first, so that the newest of a table counts
    people = {
        person: at
        for person, at in (await old(kept.unused_people, retention.people_unused)).items()
        # They may have left a table before its game began, or been replaced there: its events name them.
        if not await removal.tables_mentioning(store, person)
    }
    entries = await old(kept.admin_log, retention.log_entries)
    return Due(tables, {table: at for table, at in messages if table not in tables}, people, tuple(entries))


async def advance(store: Store, now: float) -> float:
    """Return the time of a daily removal: now, or two days after the latest one before if that is earlier."""
    last = msgspec.json.decode(await store.get_setting(KEY, lambda: msgspec.json.encode(now)), type=float)
    counted = min(now, last + MAX_ADVANCE_SECONDS)
    await store.set_setting(KEY, msgspec.json.encode(max(last, counted)))
    return counted
