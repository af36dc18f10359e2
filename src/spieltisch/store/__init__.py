"""Tables, people and their sessions in one SQLite file.

`schema.py` and `migrations/` say what the file looks like; `lock.py` keeps a second server out; `writer.py` is the
one thread that writes; `store.py`, `people.py` and `components.py` read and write; `house.py` is the front that the
web uses. `inspect.py` and `backup.py` look at a file, and copy it, while a server works on it.
"""

from spieltisch.store.components import ComponentSet
from spieltisch.store.errors import (
    NoSuchTable,
    StaleVersion,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreExists,
    StoreInUse,
    StoreTooNew,
    WriteFailed,
)
from spieltisch.store.house import House
from spieltisch.store.links import Invitation
from spieltisch.store.lobby import Lobby
from spieltisch.store.people import Person, Preferences
from spieltisch.store.store import Store, StoredEvent, StoredTable
from spieltisch.tables import Plan

__all__ = [
    "ComponentSet",
    "House",
    "Invitation",
    "Lobby",
    "NoSuchTable",
    "Person",
    "Plan",
    "Preferences",
    "StaleVersion",
    "Store",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreExists",
    "StoreInUse",
    "StoreTooNew",
    "StoredEvent",
    "StoredTable",
    "WriteFailed",
]
