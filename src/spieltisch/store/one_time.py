"""Secrets that are valid once and for minutes: codes for another device, and challenges that passkeys have signed.

They end by a clock that is never set while a server runs: `now` is the time by it, in UTC seconds.
"""

from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select

from spieltisch.store import dialects
from spieltisch.store.schema import DEVICE_CODES, USED_CHALLENGES
from spieltisch.store.sessions import lock_access
from spieltisch.store.store import Store

SKEW_SECONDS: Final = 60.0
"""The longest time by which the clocks of processes that share a database may differ."""


class DeviceCode(NamedTuple):
    """A code that opens another session for a person.

    They asked for it in the `session` (the hash of its token), and it is valid only as long as that lasts. Its page has
    `shown` what was added to the person's access until a time in UTC seconds.
    """

    code: bytes
    person: str
    session: bytes
    shown: float


async def add_code(store: Store, code: DeviceCode, hashed: bytes, now: float, seconds: float) -> None:
    """Store a code, and the time for which it is valid, in place of the person's earlier one."""

    def job(connection: Connection) -> None:
        lock_access(connection, code.person)  # a person has one code, and another process may be storing one
        is_void = or_(DEVICE_CODES.c.person == code.person, ~_is_valid(now, seconds))
        connection.execute(delete(DEVICE_CODES).where(is_void))
        connection.execute(insert(DEVICE_CODES).values(code_hash=hashed, until=now + seconds, **code._asdict()))

    await store.write(job)


async def code_of(store: Store, person: str, now: float, seconds: float) -> DeviceCode | None:
    """Return the valid code of a person, or None."""

    def job(connection: Connection) -> DeviceCode | None:
        columns = (DEVICE_CODES.c[name] for name in DeviceCode._fields)
        query = select(*columns).where(DEVICE_CODES.c.person == person, _is_valid(now, seconds))
        row = connection.execute(query).one_or_none()
        return None if row is None else DeviceCode(*row)

    return await store.read(job)


async def take_code(store: Store, hashed: bytes, now: float, seconds: float) -> DeviceCode | None:
    """Use up a code and return it; None if there is no valid one with this hash."""

    def job(connection: Connection) -> DeviceCode | None:
        columns = (DEVICE_CODES.c[name] for name in DeviceCode._fields)
        taking = delete(DEVICE_CODES).where(DEVICE_CODES.c.code_hash == hashed, _is_valid(now, seconds))
        row = connection.execute(taking.returning(*columns)).one_or_none()
        return None if row is None else DeviceCode(*row)

    return await store.write(job)


async def use_challenge(store: Store, challenge: bytes, now: float, seconds: float) -> bool:
    """Use up a challenge, which is valid for at most `seconds`; return False if it was used before."""

    def job(connection: Connection) -> bool:
        connection.execute(delete(USED_CHALLENGES).where(USED_CHALLENGES.c.until < now))
        row = dialects.insert_into(connection, USED_CHALLENGES).values(challenge=challenge, until=now + 2 * seconds)
        added = row.on_conflict_do_nothing().returning(USED_CHALLENGES.c.challenge)
        return connection.execute(added).first() is not None

    return await store.write(job)


async def forget_codes(store: Store) -> None:
    """Revoke all codes: the clock may have been set back since they were issued."""
    await store.write(lambda connection: connection.execute(delete(DEVICE_CODES)))


def _is_valid(now: float, seconds: float) -> ColumnElement[bool]:
    """Return the condition of a code that has not ended, also if the clock of a shared database was set back since."""
    return (DEVICE_CODES.c.until > now) & (DEVICE_CODES.c.until <= now + seconds + SKEW_SECONDS)
