"""Storage of tables, people and their sessions in SQLite or PostgreSQL; every read and write is awaited.

Belongs here: the format of the database, and every read and write of it. Does not belong here: what may happen at a
table (`tables`), and when something is read or written (`live`).

- Format of the database: `schema.py` and `migrations/`.
- Connections, and what keeps a second server out: `sqlite_database.py` with `lock.py`, and `postgres_database.py`.
  `dialects.py` has what they say differently in SQL, `leases.py` what one of several processes does alone.
- Writing: `writer.py` is the only thread that writes; `journal.py` records next to the file what it has written.
- Content: tables in `store.py` and `table_rows.py`; the features that a move concerns in `hooks.py`, its alerts in
  `alert_queue.py`; the rest in `people.py`, `sessions.py`, `component_sets.py`, `lobby.py`, `quota_counts.py`,
  `analyses.py`, `results.py`, `recovery_codes.py`, `passkeys.py`, `alert_subscriptions.py`,
  `confirmation_requests.py` and `outbox.py`. `removal.py` deletes, `person_rows.py` exports.
- Operation: `database_check.py` and `backup.py` inspect and copy a file while a server uses it.
"""

from sqlalchemy import Connection

from spieltisch.store.component_sets import ComponentSet
from spieltisch.store.errors import (
    LeaseEnded,
    NoSuchTable,
    ReadFailed,
    StaleVersion,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreExists,
    StoreInUse,
    StoreLost,
    StoreUnsupported,
    WriteFailed,
)
from spieltisch.store.journal import LostEvents
from spieltisch.store.people import AlertSettings, Person, Preferences
from spieltisch.store.store import Store
from spieltisch.store.table_rows import UPLOADED_PREFIX, ExtraWrite, StoredEvent, StoredTable
