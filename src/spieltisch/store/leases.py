"""Leases: work that one process at a time does on a database that several use.

A lease ends unless its owner renews it in time, so that the work of one that has died, sleeps or has lost the database
is taken over by another. Only the clock of the database counts. An owner that wakes up and goes on finds that its lease
has ended when it writes: `require` is called in the transaction of what is written.
"""

from collections.abc import Callable, Collection
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, or_, select, tuple_, update

from spieltisch.store import dialects
from spieltisch.store.errors import LeaseEnded
from spieltisch.store.schema import LEASES
from spieltisch.store.store import Store

T = TypeVar("T")
TERM_SECONDS: Final = 15.0
"""The time after which a lease ends if it is not renewed."""
WITH_LEASES: Final = " "
"""The place of a write of several leases, before those of single ones and of tables."""
PROCESS: Final = "process"
"""The kind of the lease of each owner on itself, by which the others notice that it has ended."""
MAX_TERM_SECONDS: Final = 600.0
"""A lease that ends later than that was taken before the clock of the database was set back, and has ended, too."""


class Lease(NamedTuple):
    """A kind of work, and for which of several things, for example a table."""

    kind: str
    key: str = ""

    @property
    def order(self) -> str:
        """Its place among the writes of a transaction: all lock the rows of leases before others, in the same order."""
        return " ".join((WITH_LEASES, *self))


class FencedStore:
    """A store to which an owner writes only while it has a lease; `write` raises `LeaseEnded`."""

    def __init__(self, store: Store, owner: str, lease: Lease) -> None:
        self.read = store.read
        self._store = store
        self._owner = owner
        self._lease = lease

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Run `job` as `Store.write`, in a transaction in which no other owner takes the lease."""

        def fenced(connection: Connection) -> T:
            require(connection, self._owner, self._lease)
            return job(connection)

        return await self._store.write(fenced, order=self._lease.order)


def take(
    connection: Connection, owner: str, leases: Collection[Lease], seconds: float = TERM_SECONDS
) -> frozenset[Lease]:
    """Take or renew for an owner, in one statement, those of these leases that no other one has; return them."""
    mine, asked = LEASES.c.owner == owner, tuple_(LEASES.c.kind, LEASES.c.key).in_(leases)
    taken = connection.execute(select(LEASES.c.kind, LEASES.c.key).where(asked, ~mine, ~_has_ended(connection)))
    free = set(leases) - {Lease(*row) for row in taken}  # the statement would lock what others have
    if not free:
        return frozenset()
    now, has_ended = dialects.clock(connection), _has_ended(connection)
    row = {"owner": owner, "since": now, "until": now + seconds}
    rows = [{"kind": kind, "key": key, **row} for kind, key in sorted(free)]
    inserting = dialects.insert_into(connection, LEASES).values(rows)
    taking = inserting.on_conflict_do_update(
        index_elements=[LEASES.c.kind, LEASES.c.key],
        set_={
            "owner": inserting.excluded.owner,
            "since": case((has_ended, inserting.excluded.since), else_=LEASES.c.since),
            "until": inserting.excluded.until,
        },
        where=or_(mine, has_ended),
    )
    return frozenset(Lease(*row) for row in connection.execute(taking.returning(LEASES.c.kind, LEASES.c.key)))


def require(connection: Connection, owner: str, lease: Lease) -> None:
    """Raise `LeaseEnded` unless an owner has a lease, which no other one takes until the transaction ends."""
    query = select(LEASES.c.owner).where(_is(lease), ~_has_ended(connection)).with_for_update()
    if connection.execute(query).scalar() != owner:
        raise LeaseEnded(f"another process may do this work now: {lease.kind} {lease.key}".rstrip())


def end(connection: Connection, owner: str, lease: Lease | None = None) -> None:
    """Let a lease of an owner end now; without `lease` all of them, as if their last terms were over."""
    if lease is None:
        connection.execute(update(LEASES).where(LEASES.c.owner == owner).values(until=0.0))
    else:
        connection.execute(delete(LEASES).where(_is(lease), LEASES.c.owner == owner))


def has_other_process(connection: Connection, owner: str, seconds: float) -> bool:
    """Return True if another process has been running for these seconds, all the time."""
    other = LEASES.c.kind == PROCESS, LEASES.c.owner != owner, ~_has_ended(connection)
    query = select(LEASES.c.key).where(*other, LEASES.c.since <= dialects.clock(connection) - seconds)
    return connection.execute(query.limit(1)).first() is not None


def count_processes(connection: Connection) -> int:
    """Return the number of processes that have not ended."""
    query = select(func.count()).select_from(LEASES).where(LEASES.c.kind == PROCESS, ~_has_ended(connection))
    return connection.execute(query).scalar_one()


def remove_ended_processes(connection: Connection) -> frozenset[str]:
    """Remove the leases of processes that have ended, with or without saying so; return their owners."""
    ended = delete(LEASES).where(LEASES.c.kind == PROCESS, _has_ended(connection)).returning(LEASES.c.owner)
    owners = frozenset(connection.execute(ended).scalars())
    if owners:
        connection.execute(delete(LEASES).where(LEASES.c.owner.in_(owners), _has_ended(connection)))
    return owners


def _is(lease: Lease) -> ColumnElement[bool]:
    return and_(LEASES.c.kind == lease.kind, LEASES.c.key == lease.key)


def _has_ended(connection: Connection) -> ColumnElement[bool]:
    now = dialects.clock(connection)
    return or_(LEASES.c.until <= now, LEASES.c.until > now + MAX_TERM_SECONDS)
