"""Results of finished games: those that are stored, and the tables whose result is still missing.

Results of tables that are no longer finished, because they were frozen or removed, do not count.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Select, bindparam, select

from spieltisch.store import result_rows
from spieltisch.store.leases import FencedStore
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
ALL: Final = (1 << 31) - 1
"""A number of rows that no database reaches."""
LadderKey = tuple[str, int]
"""A game and its number of seats, for which there is a ladder."""

RESULT = msgspec.json.Decoder(GameResult)
FINISHED = TABLES.c.status == "finished"
RATINGS_PER_WRITE: Final = 2000
"""The maximum number of ratings that are stored while other writes wait."""


def _person_games(*, of_game: bool = False) -> Select[Any]:
    order = PLAYED_GAMES.c.at.desc(), PLAYED_GAMES.c.table_id.desc()
    played = select(PLAYED_GAMES).where(PLAYED_GAMES.c.person == bindparam("person")).order_by(*order)
    if of_game:
        played = played.join(RESULTS, RESULTS.c.table_id == PLAYED_GAMES.c.table_id)
        played = played.where(RESULTS.c.game == bindparam("game"))
    page = played.limit(bindparam("count")).offset(bindparam("first")).subquery()
    query = select(RESULTS.c.table_id, RESULTS.c.data).join(page, page.c.table_id == RESULTS.c.table_id)
    return query.order_by(page.c.at.desc(), page.c.table_id.desc())


# These queries are built once, because that takes longer than running them.
UNCOUNTED: Final = select(TABLES.c.id).where(IS_UNCOUNTED).order_by(TABLES.c.changed.desc(), TABLES.c.id.desc())
HAS_SEAT: Final = SEAT_HOLDERS.c.table_id == TABLES.c.id, SEAT_HOLDERS.c.person == bindparam("person")
UNCOUNTED_OF_PERSON: Final = UNCOUNTED.where(select(SEAT_HOLDERS.c.seat).where(*HAS_SEAT).exists())
PERSON_GAMES: Final = _person_games()
PERSON_GAMES_OF_GAME: Final = _person_games(of_game=True)
TOTALS_OF_PERSON: Final = select(PERSON_TOTALS.c.data).where(PERSON_TOTALS.c.person == bindparam("person"))
PERSON_RATINGS: Final = select(RATINGS).where(RATINGS.c.person == bindparam("person"))
PLAYED_KINDS: Final = select(RESULTS.c.game, RESULTS.c.seats).distinct()
ALL_LADDERS: Final = select(LADDERS.c.game, LADDERS.c.seats)


async def uncounted(store: Store, *, person: str | None = None, table_id: str | None = None) -> tuple[str, ...]:
    """Return the finished tables without a result, newest first.

    With `person`, only tables where they have a seat; with `table_id`, only this table.
    """
    query = UNCOUNTED if person is None else UNCOUNTED_OF_PERSON
    if table_id is not None:
        query = query.where(TABLES.c.id == table_id)
    return await store.read(lambda connection: tuple(connection.execute(query, {"person": person}).scalars()))


async def repair(store: Store) -> None:
    """Find finished tables whose results were deleted manually, so that they are computed again.

    Raise `WriteFailed` if that cannot be written.
    """
    await store.write(result_rows.repair_counts)


async def save(store: Store, table_id: str, result: GameResult) -> None:
    """Store the result of a table, replacing an earlier one; ignore a table that is no longer finished.

    Raise `WriteFailed` if it cannot be written.
    """

    def job(connection: Connection) -> None:
        if connection.execute(select(TABLES.c.id).where(TABLES.c.id == table_id, FINISHED)).scalar() is not None:
            result_rows.forget_result(connection, table_id)
            result_rows.add_result(connection, table_id, result)

    await store.write(job)


async def drop(store: Store, table_id: str) -> None:
    """Delete the result of a table.

    Raise `WriteFailed` if it cannot be written.
    """
    await store.write(lambda connection: result_rows.forget_result(connection, table_id))


async def of_person(store: Store, person: str, first: int = 0, count: int = ALL) -> Results:
    """Return the results of games in which this person had a seat at the end, newest first.

    `count` of them from the `first` on; all by default.
    """
    return await store.read(lambda connection: _of_person(connection, person, first, count))


async def history(
    store: Store, person: str, first: int, count: int, game: str = ""
) -> tuple[tuple[str, ...], Results, PersonTotals | None]:
    """Return in one reading the same as `uncounted`, `of_person` and, if they are stored, the person's totals.

    The results are those of a `game`, unless it is "".
    """

    def read(connection: Connection) -> tuple[tuple[str, ...], Results, PersonTotals | None]:
        missing = tuple(connection.execute(UNCOUNTED_OF_PERSON, {"person": person}).scalars())
        return missing, _of_person(connection, person, first, count, game), _stored_totals(connection, person)

    return await store.read(read)


async def totals_of(store: Store, person: str) -> PersonTotals:
    """Return the totals of a person's results; compute and store them if they are missing.

    Raise `WriteFailed` if they cannot be written.
    """

    def read(connection: Connection) -> tuple[bool, PersonTotals]:
        stored = _stored_totals(connection, person)
        if stored is not None:
            return True, stored
        totals = PersonTotals()
        for _, result in _of_person(connection, person):
            totals.add(person, result)
        return not totals.games, totals

    while True:
        is_stored, totals = await store.read(read)
        if is_stored:
            return totals
        await store.write(partial(result_rows.save_totals, person=person, totals=totals))


async def ratings_of(
    store: Store, person: str, kinds: Sequence[LadderKey], build: Callable[[LadderKey], Awaitable[None]] | None = None
) -> list[Rating]:
    """Return the ratings of a person at these games and numbers of seats.

    A missing ladder is computed by `build`, by default here. Raise `WriteFailed` if it cannot be written.
    """

    def read(connection: Connection) -> tuple[list[LadderKey], list[Rating]]:
        rows = connection.execute(PERSON_RATINGS, {"person": person})
        ratings = {(row.game, row.seats): PersonRating(row.mu, row.sigma, row.games) for row in rows}
        ladders = {(row.game, row.seats) for row in connection.execute(ALL_LADDERS)}
        return [kind for kind in kinds if kind not in ladders], [displayed_rating(ratings.get(kind)) for kind in kinds]

    while True:
        missing, ratings = await store.read(read)
        if not missing:
            return ratings
        for kind in missing:
            await (build_ladder(store, kind) if build is None else build(kind))


async def missing_ladders(store: Store, kinds: Sequence[LadderKey] | None = None) -> list[LadderKey]:
    """Return the kinds without a stored ladder, by default among all that have results."""

    def read(connection: Connection) -> list[LadderKey]:
        played = kinds if kinds is not None else [(row.game, row.seats) for row in connection.execute(PLAYED_KINDS)]
        ladders = {(row.game, row.seats) for row in connection.execute(ALL_LADDERS)}
        return [kind for kind in played if kind not in ladders]

    return await store.read(read)


async def in_thread(job: Callable[[], Ladder], games: int) -> Ladder:
    """Return the result of a job with this number of games, computed in a thread."""
    return await asyncio.to_thread(job)


async def build_ladder(
    store: Store | FencedStore,
    kind: LadderKey,
    run: Callable[[Callable[[], Ladder], int], Awaitable[Ladder]] = in_thread,
) -> None:
    """Compute a ladder in `run`, and store it in pieces, between which others can write.

    Nothing is stored if a game has been added or removed in the meantime. Raise `WriteFailed` if it cannot be written.
    """
    game, seats = kind
    query = _select_results().where(RESULTS.c.game == game, RESULTS.c.seats == seats)

    def read(connection: Connection) -> list[tuple[str, bytes]]:
        ranked = connection.execute(query.where(result_rows.counts_for_ratings(connection)))
        return [(row.table_id, row.data) for row in ranked]

    rows = await store.read(read)
    ladder = await run(partial(_ladder, rows), len(rows))
    people = list(ladder.people.items())
    for start in range(0, max(1, len(people)), RATINGS_PER_WRITE):
        piece = people[start : start + RATINGS_PER_WRITE]
        await store.write(partial(result_rows.save_ratings, game=game, seats=seats, people=piece, first=not start))
    await store.write(partial(result_rows.save_ladder, game=game, seats=seats, last=ladder.last, games=len(rows)))


def _ladder(rows: Sequence[tuple[str, bytes]]) -> Ladder:
    return Ladder((table_id, RESULT.decode(data)) for table_id, data in rows)


async def of_game(store: Store, game: str, seats: int) -> Results:
    """Return all results of a game with this number of seats."""
    return await _read(store, _select_results().where(RESULTS.c.game == game, RESULTS.c.seats == seats))


async def of_tables(store: Store, table_ids: Sequence[str]) -> dict[str, GameResult]:
    """Return the results of these tables, by id."""
    return dict(await _read(store, _select_results().where(RESULTS.c.table_id.in_(table_ids))))


async def all_results(store: Store) -> Results:
    """Return all stored results, including those of tables that are no longer finished."""
    return await _read(store, select(RESULTS.c.table_id, RESULTS.c.data).order_by(RESULTS.c.table_id))


def _of_person(connection: Connection, person: str, first: int = 0, count: int = ALL, game: str = "") -> Results:
    values: dict[str, str | int] = {"person": person, "first": first, "count": count}
    if game:
        values["game"] = game
    rows = connection.execute(PERSON_GAMES_OF_GAME if game else PERSON_GAMES, values)
    return tuple((row.table_id, RESULT.decode(row.data)) for row in rows)


def _stored_totals(connection: Connection, person: str) -> PersonTotals | None:
    data = connection.execute(TOTALS_OF_PERSON, {"person": person}).scalar()
    return None if data is None else result_rows.TOTALS.decode(data)


def _select_results() -> Select[tuple[str, bytes]]:
    return select(RESULTS.c.table_id, RESULTS.c.data).join(TABLES, TABLES.c.id == RESULTS.c.table_id).where(FINISHED)


async def _read(store: Store, query: Select[tuple[str, bytes]]) -> Results:
    def job(connection: Connection) -> Results:
        rows = connection.execute(query)
        return tuple((row.table_id, RESULT.decode(row.data)) for row in rows)

    return await store.read(job)
