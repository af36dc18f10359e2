"""The listeners of tables: functions that are called when a table has changed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog

from spieltisch.tables import Table

Listener = Callable[[Table], None]
"""A function called with a table that has changed."""

_logger = structlog.get_logger()


class TableListeners:
    """Functions that are called after each change of a table, or of any table."""

    def __init__(self) -> None:
        self._listeners: dict[str | None, list[Listener]] = {}

    def subscribe(self, table_id: str | None, listener: Listener) -> Callable[[], None]:
        """Call `listener`, in the event loop, after each saved change of this table; with None, of any table.

        Return a function that ends the subscription. An error in a listener is logged and does not affect the others.
        """
        self._listeners.setdefault(table_id, []).append(listener)

        def leave() -> None:
            listeners = self._listeners.get(table_id, [])
            if listener in listeners:
                listeners.remove(listener)
            if not listeners:
                self._listeners.pop(table_id, None)

        return leave

    @contextmanager
    def listening(self, listener: Listener) -> Iterator[None]:
        """Call `listener` with each table that has changed until the context ends."""
        leave = self.subscribe(None, listener)
        try:
            yield
        finally:
            leave()

    def notify(self, table: Table) -> None:
        """Call all listeners with a table that has changed."""
        for key in (table.id, None):
            for listener in tuple(self._listeners.get(key, ())):
                try:
                    listener(table)
                except Exception:
                    _logger.exception("a listener failed", table=table.id, version=table.version)
