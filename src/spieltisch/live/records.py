"""Finished games out of a database as record files, and record files into it as tables to look at."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from spieltisch import tables
from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.record import Record
from spieltisch.core.setup import Setup
from spieltisch.live.component_library import ComponentLibrary
from spieltisch.live.limits import UNLIMITED
from spieltisch.live.quotas import Quotas
from spieltisch.live.replaying import replay
from spieltisch.store import ComponentSet, Store, StoredTable, component_sets

MOST = 1 << 31


class AlreadyThere(Exception):
    """The game of a record is in the database: `table_id`."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"this game is there already, at table {table_id}")
        self.table_id = table_id


async def finished(store: Store) -> tuple[StoredTable, ...]:
    """The tables whose games came to their end."""
    return await store.tables("finished", limit=MOST)


async def export(
    store: Store, games: Callable[[str], Game], folder: Path
) -> AsyncIterator[tuple[StoredTable, Path | None, str]]:
    """Write the record of each finished game into a folder that is there, table by table.

    Yields the table, its file, and why there is none ("" when there is one). A file that is there is left alone. Own
    component files that games were played with are written beside them. Raises `OSError`.
    """
    own = library(store, games, 0.0)
    for stored in await finished(store):
        try:
            table = await replay(store, own, stored.id)
            if table.frozen is not None:
                yield stored, None, str(table.frozen)
                continue
            record = table.record(None)
        except (ValueError, tables.TableRefusal) as problem:
            yield stored, None, str(problem)
            continue
        if table.game.components.digest != record.digest_of_components:
            text = await own.text(record.digest_of_components)
            _write(folder / f"components-{record.digest_of_components[:12]}.toml", text)
        file = folder / f"{stored.game}-{stored.id}.record"
        _write(file, record.text)
        yield stored, file, ""


async def import_game(
    store: Store, games: Callable[[str], Game], record: Record, own: Components[Any] | None, at: float
) -> str:
    """Make a table of a finished game's record, verified, and return its id. `at`: UTC seconds; `own`: the components,
    where they are neither the game's nor in the database.

    Raises `ValueError` for a record that cannot be imported, `AlreadyThere`, `WriteFailed`.
    """
    game = games(record.game)
    components = own if own is not None and own.digest == record.digest_of_components else None
    if components is None:
        try:
            _, components = await library(store, games, at).find(record.game, record.digest_of_components)
        except tables.TableRefusal as problem:
            missing = f"components: played with {record.components!r} ({record.digest_of_components[:12]})"
            raise ValueError(f"{missing}, which must be given") from problem
    written = [
        tables.Written(version, at, event) for version, event in enumerate(tables.import_record(record, components), 1)
    ]
    secret = bytes.fromhex(record.secret or "")
    # The same record makes the same table, so that it is imported once.
    table_id = urlsafe_b64encode(hashlib.sha256(record.text.encode()).digest()[:9]).decode()
    if secret:
        there = await store.with_secret(secret)
    else:
        there = next((one.id for one in await store.tables(table_id=table_id)), None)
    if there is not None:
        raise AlreadyThere(there)

    def setup(opened: tables.Opened) -> Setup:
        return game.setup(len(opened.places), components, **opened.options)

    table = tables.fold(table_id, secret, written, setup)
    if table.status != "finished":
        raise ValueError(f"it comes out differently: {table.frozen}")
    lines = [(one.at, tables.encode(one.event)) for one in written]
    await component_sets.add(store, ComponentSet.of(components, at))
    await store.create(table_id, game.key, secret, lines, table.summary())
    return table_id


def library(store: Store, games: Callable[[str], Game], at: float) -> ComponentLibrary:
    """The component files of a database that no server works on; `at` is what stands with a file that is added."""
    return ComponentLibrary(store, games, Quotas(store, UNLIMITED), lambda: at)


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except FileExistsError:
        return
