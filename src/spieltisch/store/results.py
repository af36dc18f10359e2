"""Results of finished games: those that are stored, and the tables whose result is still missing.

Results of tables that are no longer finished, because they were frozen or removed, do not count.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import msgspec
from sqlalchemy import Connection, Select, select, tuple_

from spieltisch.store.result_rows import TOTALS, add_result, forget_result, repair_counts, save_ladder, save_totals
from spieltisch.store.schema import (
    IS_UNCOUNTED,
    LADDERS,
    PERSON_TOTALS,
    PLAYED_GAMES,
    RATINGS,
    RESULTS,
    SEAT_HOLDERS,
    TABLES,
)
from spieltisch.store.store import Store
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.tables.ratings import Ladder, PersonRating, Rating, displayed_rating
from spieltisch.tables.results import GameResult

Results = tuple[tuple[str, GameResult], ...]
"""Results with the ids of their tables."""

RESULT = msgspec.json.Decoder(GameResult)
FINISHED = TABLES.c.status == "finished"


async def uncounted(store: Store, *, person: str | None = None, table_id: str | None = None) -> tuple[str, ...]:
    """Return the finished tables without a result, newest first.

    With `person`, only tables where they have a seat; with `table_id`, only this table.
    """
    query = select(TABLES.c.id).where(IS_UNCOUNTED)
    if person is not None:
        seat = SEAT_HOLDERS.c.table_id == TABLES.c.id, SEAT_HOLDERS.c.person == person
        query = query.where(select(SEAT_HOLDERS.c.seat).where(*seat).exists())
    if table_id is not None:
        query = query.where(TABLES.c.id == table_id)
    query = query.order_by(TABLES.c.changed.desc(), TABLES.c.id.desc())
    return await store.read(lambda connection: tuple(connection.execute(query).scalars()))


async def repair(store: Store) -> None:
    """Find finished tables whose results were deleted by hand, so that they are computed again.

    Raise `WriteFailed` if that cannot be written.
    """
    await store.write(repair_counts)


async def save(store: Store, table_id: str, result: GameResult) -> None:
    """Store the result of a table, replacing an earlier one; ignore a table that is no longer finished.

    Raise `WriteFailed` if it cannot be written.
    """

    def job(connection: Connection) -> None:
        if connection.execute(select(TABLES.c.id).where(TABLES.c.id == table_id, FINISHED)).scalar() is not None:
            forget_result(connection, table_id)
            add_result(connection, table_id, result)

    await store.write(job)


async def drop(store: Store, table_id: str) -> None:
    """Delete the result of a table.

    Raise `WriteFailed` if it cannot be written.
    """
    await store.write(lambda connection: forget_result(connection, table_id))


async def of_person(store: Store, person: str, first: int = 0, count: int = -1) -> Results:
    """Return the results of games in which this person had a seat at the end, newest first.

    `count` of them from the `first` on; all if it is -1.
    """
    order = PLAYED_GAMES.c.at.desc(), PLAYED_GAMES.c.table_id.desc()
    played = select(PLAYED_GAMES).where(PLAYED_GAMES.c.person == person).order_by(*order).limit(count).offset(first)
    page = played.subquery()
    query = select(RESULTS.c.table_id, RESULTS.c.data).join(page, page.c.table_id == RESULTS.c.table_id)
    return await _read(store, query.order_by(page.c.at.desc(), page.c.table_id.desc()))


async def before(store: Store, person: str, table_id: str, result: GameResult) -> tuple[GameResult, ...]:
    """Return the result of this person's last game of the same kind before the given one, if there is one."""
    played = PLAYED_GAMES.c.at, PLAYED_GAMES.c.table_id
    query = _query().join(PLAYED_GAMES, PLAYED_GAMES.c.table_id == RESULTS.c.table_id)
    query = query.where(PLAYED_GAMES.c.person == person, RESULTS.c.game == result.game)
    query = query.where(tuple_(*played) < tuple_(result.at, table_id)).order_by(*(column.desc() for column in played))
    return tuple(earlier for _, earlier in await _read(store, query.limit(1)))


async def totals_of(store: Store, person: str) -> PersonTotals:
    """Return the totals of a person's results; compute and store them if they are missing.

    Raise `WriteFailed` if they cannot be written.
    """
    query = select(PERSON_TOTALS.c.data).where(PERSON_TOTALS.c.person == person)
    while True:
        data = await store.read(lambda connection: connection.execute(query).scalar())
        if data is not None:
            return TOTALS.decode(data)
        totals = PersonTotals()
        for _, result in await of_person(store, person):
            totals.add(person, result)
        if not totals.games:
            return totals
        await store.write(partial(save_totals, person=person, totals=totals))


async def ratings_of(store: Store, person: str, kinds: Sequence[tuple[str, int]]) -> list[Rating]:
    """Return the ratings of a person at these games and numbers of seats; compute all if there are none yet.

    Raise `WriteFailed` if they cannot be written.
    """

    def read(connection: Connection) -> tuple[set[tuple[str, int]], dict[tuple[str, int], PersonRating]]:
        ladders = connection.execute(select(LADDERS.c.game, LADDERS.c.seats))
        rows = connection.execute(select(RATINGS).where(RATINGS.c.person == person))
        ratings = {(row.game, row.seats): PersonRating(row.mu, row.sigma, row.games) for row in rows}
        return {(row.game, row.seats) for row in ladders}, ratings

    while True:
        ladders, ratings = await store.read(read)
        missing = [kind for kind in kinds if kind not in ladders]
        if not missing:
            return [displayed_rating(ratings.get(kind)) for kind in kinds]
        for game, seats in missing:
            results = await of_game(store, game, seats)
            ladder = await asyncio.to_thread(Ladder, results)
            await store.write(partial(save_ladder, game=game, seats=seats, ladder=ladder, games=len(results)))


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


async def _read(store: Store, query: Select[tuple[str, bytes]]) -> Results:
    def job(connection: Connection) -> Results:
        rows = connection.execute(query)
        return tuple((row.table_id, RESULT.decode(row.data)) for row in rows)

    return await store.read(job)
