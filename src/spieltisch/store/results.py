"""Results of finished games: those that are stored, and the tables whose result is still missing.

Results of tables that are no longer finished, because they were frozen or removed, do not count.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, Select, delete, select
from sqlalchemy.dialects.sqlite import insert

from spieltisch.store.schema import RESULTS, SEAT_HOLDERS, TABLES
from spieltisch.store.store import Store
from spieltisch.tables.results import GameResult

Results = tuple[tuple[str, GameResult], ...]
"""Results with the ids of their tables."""

RESULT = msgspec.json.Decoder(GameResult)
FINISHED = TABLES.c.status == "finished"


async def uncounted(store: Store, *, person: str | None = None, table_id: str | None = None) -> tuple[str, ...]:
    """Return the finished tables without a result, newest first.

    With `person`, only tables where they have a seat; with `table_id`, only this table.
    """
    query = select(TABLES.c.id).where(FINISHED, TABLES.c.id.not_in(select(RESULTS.c.table_id)))
    if person is not None:
        query = query.where(TABLES.c.id.in_(_tables_of(person)))
    if table_id is not None:
        query = query.where(TABLES.c.id == table_id)
    query = query.order_by(TABLES.c.changed.desc(), TABLES.c.id)
    return await store.read(lambda connection: tuple(connection.execute(query).scalars()))


async def save(store: Store, table_id: str, result: GameResult) -> None:
    """Store the result of a table, replacing an earlier one; ignore a table that is no longer finished.

    Raise `WriteFailed` if it cannot be written.
    """
    row = {"game": result.game, "seats": len(result.players), "data": msgspec.json.encode(result)}

    def job(connection: Connection) -> None:
        if connection.execute(select(TABLES.c.id).where(TABLES.c.id == table_id, FINISHED)).scalar() is not None:
            statement = insert(RESULTS).values(table_id=table_id, **row)
            connection.execute(statement.on_conflict_do_update(index_elements=[RESULTS.c.table_id], set_=row))

    await store.write(job)


async def drop(store: Store, table_id: str) -> None:
    """Delete the result of a table.

    Raise `WriteFailed` if it cannot be written.
    """
    await store.write(lambda connection: connection.execute(delete(RESULTS).where(RESULTS.c.table_id == table_id)))


async def of_person(store: Store, person: str) -> Results:
    """Return the results of games in which this person had a seat at the end, newest first."""
    stored = await _read(store, _query().where(RESULTS.c.table_id.in_(_tables_of(person))))
    own_results = ((table_id, result) for table_id, result in stored if result.seat_of(person) is not None)
    return tuple(sorted(own_results, key=lambda item: (-item[1].at, item[0])))


async def of_game(store: Store, game: str, seats: int) -> Results:
    """Return all results of a game with this number of seats."""
    return await _read(store, _query().where(RESULTS.c.game == game, RESULTS.c.seats == seats))


async def of_tables(store: Store, table_ids: Sequence[str]) -> dict[str, GameResult]:
    """Return the results of these tables, by id."""
    return dict(await _read(store, _query().where(RESULTS.c.table_id.in_(table_ids))))


async def all_results(store: Store) -> Results:
    """Return all stored results, including those of tables that are no longer finished."""
    return await _read(store, select(RESULTS.c.table_id, RESULTS.c.data).order_by(RESULTS.c.table_id))


def _query() -> Select[tuple[str, bytes]]:
    return select(RESULTS.c.table_id, RESULTS.c.data).join(TABLES, TABLES.c.id == RESULTS.c.table_id).where(FINISHED)


def _tables_of(person: str) -> Select[tuple[str]]:
    return select(SEAT_HOLDERS.c.table_id).where(SEAT_HOLDERS.c.person == person)


async def _read(store: Store, query: Select[tuple[str, bytes]]) -> Results:
    def job(connection: Connection) -> Results:
        rows = connection.execute(query)
        return tuple((row.table_id, RESULT.decode(row.data)) for row in rows)

    return await store.read(job)
