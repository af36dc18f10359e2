"""Finished games out of a database as record files, and record files into it as tables to look at."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from spieltisch import tables
from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.record import Record
from spieltisch.store.shelf import Shelf
from spieltisch.store.store import Store, StoredTable

MOST = 1 << 31


class AlreadyThere(Exception):
    """The game of a record is in the database: `table_id`."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"this game is there already, at table {table_id}")
        self.table_id = table_id


def finished(store: Store) -> tuple[StoredTable, ...]:
    """The tables whose games came to their end."""
    return store.tables("finished", limit=MOST)


def export(store: Store, games: Callable[[str], Game], folder: Path) -> Iterator[tuple[StoredTable, Path | None, str]]:
    """Write the record of each finished game into a folder that is there; answer table by table.

    Answers the table, its file, and why there is none ("" when there is one). A file that is there is left alone. Own
    component files that games were played with are written beside them. Raises `OSError`.
    """
    shelf = Shelf(store, games, lambda: 0.0)
    for stored in finished(store):
        try:
            events = [tables.Written(one.version, one.at, tables.decode(one.data)) for one in store.events(stored.id)]
            table = tables.fold(stored.id, store.secret(stored.id), events, shelf.setup)
            if table.frozen is not None:
                yield stored, None, str(table.frozen)
                continue
            record = table.record(None)
        except (ValueError, tables.TableRefusal) as problem:
            yield stored, None, str(problem)
            continue
        if table.game.components.digest != record.digest_of_components:
            text = shelf.text(record.digest_of_components)
            _write(folder / f"components-{record.digest_of_components[:12]}.toml", text)
        file = folder / f"{stored.game}-{stored.id}.record"
        _write(file, record.text)
        yield stored, file, ""


def take_in(store: Store, games: Callable[[str], Game], record: Record, own: Components[Any] | None, at: float) -> str:
    """Make a table of a finished game's record, verified; answer its id. `at`: UTC seconds; `own`: the components,
    where they are neither the game's nor in the database.

    Raises `ValueError` for a record that cannot be taken in, `AlreadyThere`, `WriteFailed`.
    """
    shelf = Shelf(store, games, lambda: at)
    game = games(record.game)
    components = own if own is not None and own.digest == record.digest_of_components else None
    if components is None:
        try:
            _, components = shelf.find(record.game, record.digest_of_components)
        except tables.TableRefusal as problem:
            missing = f"components: played with {record.components!r} ({record.digest_of_components[:12]})"
            raise ValueError(f"{missing}, which must be given") from problem
    written = [
        tables.Written(version, at, event) for version, event in enumerate(tables.import_record(record, components), 1)
    ]
    secret = bytes.fromhex(record.secret or "")
    # The same record makes the same table, so that it is taken in once.
    table_id = urlsafe_b64encode(hashlib.sha256(record.text.encode()).digest()[:9]).decode()
    there = store.with_secret(secret) if secret else next((one.id for one in store.tables(table_id=table_id)), None)
    if there is not None:
        raise AlreadyThere(there)
    shelf.keep(game, components).result()
    table = tables.fold(table_id, secret, written, shelf.setup)
    if table.status != "finished":
        raise ValueError(f"it comes out differently: {table.frozen}")
    lines = [(one.at, tables.encode(one.event)) for one in written]
    store.create(table_id, game.key, secret, lines, table.summary()).result()
    return table_id


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except FileExistsError:
        return
