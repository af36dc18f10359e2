"""Two people of a database turn out to be one, in one transaction."""

from __future__ import annotations

from collections.abc import Set
from itertools import product

import msgspec
from sqlalchemy import Connection, delete, func, literal, select, update
from sqlalchemy.dialects.sqlite import insert

from spieltisch.store.people import Preferences, on_device_of
from spieltisch.store.results import RESULT
from spieltisch.store.schema import (
    COMPONENT_OWNERS,
    EVENTS,
    MUTES,
    PASSKEYS,
    PEOPLE,
    PLANS,
    REACTIONS,
    RECOVERY_CODES,
    RESULTS,
    SESSIONS,
    SETTINGS,
    SITTERS,
    TABLES,
    WAYS,
    WORDS,
)
from spieltisch.store.store import SUMMARY, Store
from spieltisch.tables import decode, encode
from spieltisch.tables.selves import OneSelf, seats_of


class Merging(msgspec.Struct, frozen=True):
    """What stands against it: tables of the other self that were not `held`; tables at which `both` sat, apart; they
    sat at different tables of a `deal` of which not all are over; the person is `gone`.
    """

    unheld: frozenset[str] = frozenset()
    both: tuple[str, ...] = ()
    deal: bool = False
    gone: bool = False


async def merge(store: Store, person: str, other: str, held: Set[str]) -> Merging:
    """Let the person be the other one, too: their seats, sessions, passkeys, ways to be told, component files, and
    what they prefer where the person prefers nothing. The other one is gone then; what has come in their name since
    moves, too. Nothing is changed where something stands against it. Raises `WriteFailed`.
    """

    def job(connection: Connection) -> Merging:
        tables = _mentioning(connection, other)
        if not tables <= held:
            return Merging(unheld=frozenset(tables - held))
        both = tuple(one for one in sorted(tables) if _apart(connection, one, person, other))
        deal = _at_one_deal(connection, tables, person, other)
        gone = person not in _people(connection, person)
        if both or deal or gone:
            return Merging(both=both, deal=deal, gone=gone)
        one_self = OneSelf(other, person)
        for table_id in tables:
            _rewrite(connection, table_id, one_self, other)
        _move(connection, person, other)
        return Merging()

    return await store.write(job)


def _mentioning(connection: Connection, person: str) -> set[str]:
    stands = func.instr(EVENTS.c.data, person.encode()) > 0
    return set(connection.execute(select(EVENTS.c.table_id).distinct().where(stands)).scalars())


def _people(connection: Connection, *ids: str) -> dict[str, bytes]:
    wanted = select(PEOPLE.c.id, PEOPLE.c.preferences).where(PEOPLE.c.id.in_(ids))
    return {row.id: row.preferences for row in connection.execute(wanted)}


def _apart(connection: Connection, table_id: str, person: str, other: str) -> bool:
    """Whether the two were at this table in different seats. One seat after the other is what happens to a person who
    loses a device and takes their seat again.
    """
    one, two = (_seats(connection, table_id, who) for who in (person, other))
    return bool(one and two) and len(one | two) > 1


def _at_one_deal(connection: Connection, tables: Set[str], person: str, other: str) -> bool:
    """Whether the other one sits, or sat, at one of these tables, and the person at another of its deal, of which not
    all are over: each person plays a deal once.
    """
    deals = select(TABLES.c.deal).where(TABLES.c.id.in_(tables))
    rows = connection.execute(select(TABLES.c.id, TABLES.c.deal, TABLES.c.summary).where(TABLES.c.deal.in_(deals)))
    going = [row for row in rows.all() if SUMMARY.decode(row.summary).kept_back]
    mine = {(row.id, row.deal) for row in going if _seats(connection, row.id, person)}
    theirs = {(row.id, row.deal) for row in going if _seats(connection, row.id, other)}
    return any(one != two and deal == same for (one, deal), (two, same) in product(theirs, mine))


def _seats(connection: Connection, table_id: str, person: str) -> set[int]:
    rows = connection.execute(select(EVENTS.c.data).where(EVENTS.c.table_id == table_id)).scalars()
    return seats_of(person, [decode(data) for data in rows if person.encode() in data])


def _rewrite(connection: Connection, table_id: str, one_self: OneSelf, other: str) -> None:
    here = EVENTS.c.table_id == table_id
    stands = func.instr(EVENTS.c.data, other.encode()) > 0
    for row in connection.execute(select(EVENTS.c.version, EVENTS.c.data).where(here, stands)).all():
        data = encode(one_self.event(decode(row.data)))
        connection.execute(update(EVENTS).where(here, EVENTS.c.version == row.version).values(data=data))
    told = connection.execute(select(TABLES.c.summary).where(TABLES.c.id == table_id)).scalar_one()
    summary = one_self.summary(SUMMARY.decode(told))
    shown = {"summary": msgspec.json.encode(summary), "host": summary.host}
    connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(shown))
    kept = connection.execute(select(RESULTS.c.data).where(RESULTS.c.table_id == table_id)).scalar()
    if kept is not None:
        result = one_self.result(RESULT.decode(kept))
        connection.execute(
            update(RESULTS).where(RESULTS.c.table_id == table_id).values(data=msgspec.json.encode(result))
        )


def _move(connection: Connection, person: str, other: str) -> None:
    for owned in (SITTERS, SESSIONS, PASSKEYS, WAYS):
        connection.execute(update(owned).where(owned.c.person == other).values(person=person))
    files = select(COMPONENT_OWNERS).where(COMPONENT_OWNERS.c.person == other)
    for row in connection.execute(files).mappings().all():
        connection.execute(insert(COMPONENT_OWNERS).on_conflict_do_nothing(), {**row, "person": person})
    for column in (WORDS.c.person, REACTIONS.c.person, MUTES.c.person, MUTES.c.muted, PLANS.c.person):
        moved = {column.name: literal(person) + func.substr(column, len(other) + 1)}
        connection.execute(
            update(column.table).prefix_with("OR IGNORE").where(on_device_of(column, other)).values(moved)
        )
        if column.table is not WORDS:  # what both had done stands once
            connection.execute(delete(column.table).where(on_device_of(column, other)))
    kept = _people(connection, person, other)
    preferences = _both(msgspec.json.decode(kept.get(other, b"{}")), msgspec.json.decode(kept[person]))
    connection.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(preferences=preferences))
    for owned in (COMPONENT_OWNERS, RECOVERY_CODES):
        connection.execute(delete(owned).where(owned.c.person == other))
    connection.execute(delete(PEOPLE).where(PEOPLE.c.id == other))
    seen = connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == "seen")).scalar()
    if seen is not None:
        others = {one: at for one, at in msgspec.json.decode(seen).items() if one != other}
        value = msgspec.json.encode(others)
        connection.execute(update(SETTINGS).where(SETTINGS.c.name == "seen").values(value=value))


def _both(other: dict[str, object], own: dict[str, object]) -> bytes:
    """What one prefers; where that is what everybody begins with, what the other self prefers."""
    usual = msgspec.to_builtins(Preferences())
    chosen = {name: value for name, value in own.items() if value != usual.get(name)}
    return msgspec.json.encode({**usual, **other, **chosen})
