"""The server under load: the normal one without limits for one address, which notes each change.

`python -m bench.server PLACE NOTES PORT [WORKERS]` writes a line "table version nanoseconds" into NOTES for every
change when it is on disk and about to be pushed, by the clock that all processes of the machine share; each of several
workers that has the table writes one. PLACE is a data folder or the URL of a PostgreSQL database.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from litestar import Litestar

from spieltisch.live import Live
from spieltisch.live.limits import UNLIMITED
from spieltisch.store.postgres_database import is_postgres
from spieltisch.store.schema import DATABASE
from spieltisch.tables import Table
from spieltisch.web import server
from spieltisch.web.app import publish_changes


def note_changes(notes: Path) -> Callable[..., Callable[[], None]]:
    """Return a listener that is called before the streams."""

    def announce_noted(live: Live, app: Litestar) -> Callable[[], None]:
        file = notes.open("a", buffering=1, encoding="utf-8")

        def note(table: Table) -> None:
            file.write(f"{table.id} {table.version} {time.monotonic_ns()}\n")

        live.tables.subscribe(None, note)
        return publish_changes(live, app)

    return announce_noted


if __name__ == "__main__":
    place, notes, port, *workers = sys.argv[1:]
    server.publish_changes = note_changes(Path(notes))  # type: ignore[attr-defined]  # where the server looks it up
    server.serve(
        port=int(port),
        database=place if is_postgres(place) else Path(place, DATABASE),
        open_browser=False,
        workers=int(workers[0]) if workers else None,
        limits=UNLIMITED,
    )
