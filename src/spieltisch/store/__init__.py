"""Tables, people and their sessions in one SQLite file. Whatever reads or writes is awaited.

`schema.py` and `migrations/` say what the file looks like; `lock.py` keeps a second server out; `writer.py` is the one
thread that writes, and `journal.py` notes beside the file what it has written; `store.py` has the tables, `turns.py`
the alerts that a move causes, `people.py`, `component_sets.py`, `lobby.py`, `counts.py`, `analyses.py`, `results.py`,
`recovery.py`, `ways.py`, `outbox.py` and `plans.py` the rest; `removal.py` takes out what is to be gone. `inspect.py`
and `backup.py` look at a file, and copy it, while a server works on it.
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
    StoreTooNew,
    WriteFailed,
)
from spieltisch.store.journal import LostEvents
from spieltisch.store.people import AlertSettings, Person, Preferences
from spieltisch.store.store import UPLOADED_PREFIX, ExtraWrite, Store, StoredEvent, StoredTable

__all__ = [
    "UPLOADED_PREFIX",
    "AlertSettings",
    "ComponentSet",
    "ExtraWrite",
    "LostEvents",
    "NoSuchTable",
    "Person",
    "Preferences",
    "StaleVersion",
    "Store",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreExists",
    "StoreInUse",
    "StoreLost",
    "StoreTooNew",
    "StoredEvent",
    "StoredTable",
    "WriteFailed",
]
