"""Results of finished games: what is known of them, and which are still to be worked out.

Nothing here counts for a table that is not finished any more, because it was frozen or removed.
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
    """The finished tables without a result, the newest first; of a person: where they sit; or whether it is this."""
    wanted = select(TABLES.c.id).where(FINISHED, TABLES.c.id.not_in(select(RESULTS.c.table_id)))
    if person is not None:
        wanted = wanted.where(TABLES.c.id.in_(_of(person)))
    if table_id is not None:
        wanted = wanted.where(TABLES.c.id == table_id)
    wanted = wanted.order_by(TABLES.c.changed.desc(), TABLES.c.id)
    return await store.read(lambda connection: tuple(connection.execute(wanted).scalars()))


async def save(store: Store, table_id: str, result: GameResult) -> None:
    """Keep the result of a table in the place of an earlier one; of one that is gone nothing is kept. Raises
    `WriteFailed`.
    """
    row = {"game": result.game, "seats": len(result.players), "data": msgspec.json.encode(result)}

    def job(connection: Connection) -> None:
        if connection.execute(select(TABLES.c.id).where(TABLES.c.id == table_id, FINISHED)).scalar() is not None:
            kept = insert(RESULTS).values(table_id=table_id, **row)
            connection.execute(kept.on_conflict_do_update(index_elements=[RESULTS.c.table_id], set_=row))

    await store.write(job)


async def drop(store: Store, table_id: str) -> None:
    """Forget a result. Raises `WriteFailed`."""
    await store.write(lambda connection: connection.execute(delete(RESULTS).where(RESULTS.c.table_id == table_id)))


async def of_person(store: Store, person: str) -> Results:
    """The results of the games that this person sat at to the end, the newest first."""
    found = await _read(store, _wanted().where(RESULTS.c.table_id.in_(_of(person))))
    mine = ((table_id, result) for table_id, result in found if result.seat_of(person) is not None)
    return tuple(sorted(mine, key=lambda one: (-one[1].at, one[0])))


async def of_game(store: Store, game: str, seats: int) -> Results:
    """All results of a game with so many players."""
    return await _read(store, _wanted().where(RESULTS.c.game == game, RESULTS.c.seats == seats))


async def of_tables(store: Store, table_ids: Sequence[str]) -> dict[str, GameResult]:
    """The results of these tables, by their ids."""
    return dict(await _read(store, _wanted().where(RESULTS.c.table_id.in_(table_ids))))


async def all_results(store: Store) -> Results:
    """All that is kept, also of tables that are not finished any more."""
    return await _read(store, select(RESULTS.c.table_id, RESULTS.c.data).order_by(RESULTS.c.table_id))


def _wanted() -> Select[tuple[str, bytes]]:
    return select(RESULTS.c.table_id, RESULTS.c.data).join(TABLES, TABLES.c.id == RESULTS.c.table_id).where(FINISHED)


def _of(person: str) -> Select[tuple[str]]:
    return select(SEAT_HOLDERS.c.table_id).where(SEAT_HOLDERS.c.person == person)


async def _read(store: Store, wanted: Select[tuple[str, bytes]]) -> Results:
    def job(connection: Connection) -> Results:
        rows = connection.execute(wanted)
        return tuple((row.table_id, RESULT.decode(row.data)) for row in rows)

    return await store.read(job)
