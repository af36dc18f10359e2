"""Storage of tables, people and their sessions in one SQLite file; every read and write is awaited.

Belongs here: the format of the database, and every read and write of it. Does not belong here: what may happen at a
table (`tables`), and when something is read or written (`live`).

- Format of the file: `schema.py` and `migrations/`. `lock.py` keeps a second server out.
- Connections: `connections.py`.
- Writing: `writer.py` is the only thread that writes; `journal.py` records next to the file what it has written.
- Content: tables in `store.py` and `table_rows.py`; the alerts that a move causes in `alert_queue.py`; the rest in
  `people.py`, `component_sets.py`, `lobby.py`, `quota_counts.py`, `analyses.py`, `results.py`, `recovery_codes.py`,
  `passkeys.py`, `chat.py`, `alert_subscriptions.py`, `confirmation_requests.py`, `outbox.py` and `plans.py`.
  `removal.py` deletes.
- Operation: `database_check.py` and `backup.py` inspect and copy a file while a server uses it.
"""

from spieltisch.store.component_sets import ComponentSet
from spieltisch.store.errors import (
    NoSuchTable,
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
from spieltisch.store.store import ExtraWrite, Store
from spieltisch.store.table_rows import UPLOADED_PREFIX, StoredEvent, StoredTable
