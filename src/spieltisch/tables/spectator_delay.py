"""Running games as spectators see them: with the delay that was chosen when the table was opened.

Spectators see the table as it was after its first events. Only its seats are those of now: who sits where says nothing
about the game, and a host without a seat has to fill the empty ones.
"""

from collections.abc import Callable
from dataclasses import replace

from spieltisch.core.setup import Setup
from spieltisch.tables.events import Opened, Started
from spieltisch.tables.fold import apply, fold
from spieltisch.tables.table import Table
from spieltisch.tables.table_settings import MINUTE, UNTIL_END


def is_delayed(table: Table) -> bool:
    """Return True if people without a seat see less of this table than there is."""
    return bool(table.opened.settings.watch_delay) and table.status != "open" and not table.is_over


def seen_version(table: Table, seconds_since: Callable[[float], float], known: int = 0) -> tuple[int, float | None]:
    """Return the version of a table that spectators see, and the seconds until they see a newer one.

    None: no newer one before the end, or there is none yet. They see the deal at once, and all that was played before
    the version `known`. An event is not seen before those that precede it, whatever their times.
    """
    started = (recorded.version for recorded in table.events if isinstance(recorded.event, Started))
    version, delay = max(known, next(started, table.version)), table.opened.settings.watch_delay
    if delay == UNTIL_END:
        return version, None
    for recorded in table.events[version:]:
        remaining = delay * MINUTE - seconds_since(recorded.at)
        if remaining > 0:
            return version, remaining
        version = recorded.version
    return version, None


def at_version(table: Table, version: int, earlier: Table | None = None) -> Table:
    """Return a table as it was after its first events, also from an `earlier` state of it."""
    if earlier is not None:
        return apply(earlier, table.events[earlier.version : version])

    def setup(_: Opened) -> Setup:
        if table.setup is None:
            raise ValueError("the game cannot be loaded")
        return table.setup

    return fold(table.id, table._secret, table.events[:version], setup)


def with_seats_of(earlier: Table, table: Table) -> Table:
    """Return an earlier state of a table with its seats, host and links as they are now."""
    return replace(
        earlier,
        seats=table.seats,
        host=table.host,
        frozen=earlier.frozen and table.frozen,
        table_link_version=table.table_link_version,
        spectator_link_version=table.spectator_link_version,
    )
