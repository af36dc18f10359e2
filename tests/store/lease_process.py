"""A process that takes a short lease, or waits for it, and writes under the lease once for each line of its input."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Engine, create_engine, make_url

from spieltisch.store import LeaseEnded, leases
from spieltisch.store.dialects import insert_or_replace
from spieltisch.store.leases import Lease
from spieltisch.store.schema import SETTINGS
from spieltisch.store.sqlite_database import create_sqlite_engine

WORK: Final = Lease("alerts")
SECONDS: Final = 0.5


def engine_of(url: URL) -> Engine:
    """Return a separate engine for a database, without the lock of a server."""
    if url.database is not None and url.drivername.startswith("sqlite"):
        return create_sqlite_engine(Path(url.database), query_only=False)
    return create_engine(url)


if __name__ == "__main__":
    owner, engine = sys.argv[1], engine_of(make_url(sys.argv[2]))
    say = partial(print, flush=True)
    while True:
        with engine.begin() as connection:
            if leases.take(connection, owner, [WORK], SECONDS):
                break
    say("took")
    for _ in sys.stdin:
        try:
            with engine.begin() as connection:
                insert_or_replace(connection, SETTINGS, {"name": "done", "value": owner.encode()})
                leases.require(connection, owner, WORK)
            say("wrote")
        except LeaseEnded:
            say("ended")
