"""Rows that are written together with the result of a game: games, totals and ratings of its players."""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Integer, Table, cast, delete, func, insert, select, update

from spieltisch.store.dialects import contains, insert_or_replace, take_turns
from spieltisch.store.schema import LADDERS, PERSON_TOTALS, PLAYED_GAMES, RATINGS, RESULTS, TABLES
from spieltisch.tables.names import device_owner
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.tables.ratings import Ladder, PersonRating
from spieltisch.tables.results import GameResult

RESULTS_LOCK: Final = 0x5B1E18
"""The number for `take_turns`: a result changes totals and ratings that others change, too."""
TOTALS: Final = msgspec.json.Decoder(PersonTotals)
WITHHELD: Final = '"is_withheld":true'
"""A part of the JSON of a summary. No name contains it, because a quotation mark in a name is escaped there."""


def counts_for_ratings(connection: Connection) -> ColumnElement[bool]:
    """Return the condition on tables whose results count for ratings: finished, and no deal that is still played.

    The rating of a player of one table would otherwise show the result to those who still play at another.
    """
    is_shown = TABLES.c.duplicate.is_(None) | ~contains(connection, TABLES.c.summary, WITHHELD)
    return (TABLES.c.status == "finished") & is_shown


def forget_result(connection: Connection, table_id: str) -> None:
    """Delete the result of a table, if it has one, and all that counts it."""
    take_turns(connection, RESULTS_LOCK)
    row = connection.execute(
        select(RESULTS.c.game, RESULTS.c.seats).where(RESULTS.c.table_id == table_id)
    ).one_or_none()
    if row is None:
        return
    people = select(PLAYED_GAMES.c.person).where(PLAYED_GAMES.c.table_id == table_id)
    connection.execute(delete(PERSON_TOTALS).where(PERSON_TOTALS.c.person.in_(people)))
    connection.execute(delete(PLAYED_GAMES).where(PLAYED_GAMES.c.table_id == table_id))
    _forget_ladder(connection, row.game, row.seats)
    connection.execute(delete(RESULTS).where(RESULTS.c.table_id == table_id))
    connection.execute(
        update(TABLES).where(TABLES.c.id == table_id).values(uncounted=cast(TABLES.c.status == "finished", Integer))
    )


def add_result(connection: Connection, table_id: str, result: GameResult) -> None:
    """Store the result of a table that has none, and count it."""
    take_turns(connection, RESULTS_LOCK)
    data = {"table_id": table_id, "game": result.game, "seats": len(result.players)}
    connection.execute(insert(RESULTS), {**data, "data": msgspec.json.encode(result)})
    connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(uncounted=0))
    for person in sorted({device_owner(player.person) for player in result.players if player.kind == "person"}):
        connection.execute(insert(PLAYED_GAMES), {"person": person, "at": result.at, "table_id": table_id})
        own = PERSON_TOTALS.c.person == person
        stored = connection.execute(select(PERSON_TOTALS.c.data).where(own)).scalar()
        if stored is not None:
            totals = TOTALS.decode(stored)
            totals.add(person, result)
            connection.execute(update(PERSON_TOTALS).where(own).values(data=msgspec.json.encode(totals)))
    _add_to_ladder(connection, table_id, result)


def repair_counts(connection: Connection) -> None:
    """Find tables whose results were deleted without `forget_result`, for example manually."""
    take_turns(connection, RESULTS_LOCK)
    counted = select(RESULTS.c.table_id)
    missing = TABLES.c.status == "finished", TABLES.c.uncounted == 0, TABLES.c.id.not_in(counted)
    if connection.execute(update(TABLES).where(*missing).values(uncounted=1)).rowcount:
        connection.execute(delete(PLAYED_GAMES).where(PLAYED_GAMES.c.table_id.not_in(counted)))
        for table in (PERSON_TOTALS, LADDERS, RATINGS):
            connection.execute(delete(table))


def save_totals(connection: Connection, person: str, totals: PersonTotals) -> bool:
    """Store the totals of a person. Return False and change nothing if they have another number of games by now."""
    take_turns(connection, RESULTS_LOCK)
    count = select(func.count()).select_from(PLAYED_GAMES).where(PLAYED_GAMES.c.person == person)
    if connection.execute(count).scalar_one() != totals.games:
        return False
    insert_or_replace(connection, PERSON_TOTALS, {"person": person, "data": msgspec.json.encode(totals)})
    return True


def save_ratings(
    connection: Connection, game: str, seats: int, people: Sequence[tuple[str, PersonRating]], *, first: bool
) -> None:
    """Store ratings; the `first` of them replace all earlier ones. They take effect when `save_ladder` is called."""
    take_turns(connection, RESULTS_LOCK)
    kind = {"game": game, "seats": seats}
    if first:
        _forget_ladder(connection, game, seats)
    if people:
        rows = [{**kind, "person": person, **msgspec.structs.asdict(rating)} for person, rating in people]
        connection.execute(insert(RATINGS), rows)


def save_ladder(connection: Connection, game: str, seats: int, last: tuple[float, str], games: int) -> None:
    """Let the stored ratings count, up to the game `last`, unless there are more or fewer results than `games`."""
    take_turns(connection, RESULTS_LOCK)
    results = RESULTS.c.game == game, RESULTS.c.seats == seats, counts_for_ratings(connection)
    count = select(func.count()).select_from(RESULTS.join(TABLES, TABLES.c.id == RESULTS.c.table_id)).where(*results)
    if connection.execute(count).scalar_one() == games:
        _save_last(connection, game, seats, last)


def _add_to_ladder(connection: Connection, table_id: str, result: GameResult) -> None:
    if (
        connection.execute(select(TABLES.c.id).where(TABLES.c.id == table_id, counts_for_ratings(connection))).first()
        is None
    ):
        return
    game, seats = result.game, len(result.players)
    last = connection.execute(
        select(LADDERS.c.at, LADDERS.c.table_id).where(*_kind(LADDERS, game, seats))
    ).one_or_none()
    if last is None:
        return
    people = RATINGS.c.person.in_([player.person for player in result.players if player.person])
    rows = connection.execute(select(RATINGS).where(people, *_kind(RATINGS, game, seats)))
    ratings = {row.person: PersonRating(row.mu, row.sigma, row.games) for row in rows}
    ladder = Ladder(people=ratings, last=(last.at, last.table_id))
    if ladder.add(table_id, result):
        _save_ladder(connection, game, seats, ladder)
    else:
        _forget_ladder(connection, game, seats)


def _save_ladder(connection: Connection, game: str, seats: int, ladder: Ladder) -> None:
    _save_last(connection, game, seats, ladder.last)
    for person, rating in ladder.people.items():
        row = {"game": game, "seats": seats, "person": person, **msgspec.structs.asdict(rating)}
        insert_or_replace(connection, RATINGS, row)


def _save_last(connection: Connection, game: str, seats: int, last: tuple[float, str]) -> None:
    at, table_id = last
    insert_or_replace(connection, LADDERS, {"game": game, "seats": seats, "at": at, "table_id": table_id})


def _forget_ladder(connection: Connection, game: str, seats: int) -> None:
    for table in (LADDERS, RATINGS):
        connection.execute(delete(table).where(*_kind(table, game, seats)))


def _kind(table: Table, game: str, seats: int) -> tuple[ColumnElement[bool], ...]:
    return table.c.game == game, table.c.seats == seats
