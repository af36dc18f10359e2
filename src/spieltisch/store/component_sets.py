"""Component files that tables were opened with, and their owners."""

import tomllib
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, Self

import msgspec
from sqlalchemy import Connection, select

from spieltisch.core.components import Components
from spieltisch.core.words import Name
from spieltisch.store.dialects import insert_new, take_turns
from spieltisch.store.quota_counts import QUOTA_LOCK
from spieltisch.store.schema import COMPONENT_OWNERS, COMPONENT_SETS
from spieltisch.store.store import Store


class ComponentSet(msgspec.Struct, frozen=True):
    """A component file: digest of its values, key of the game, text, and time of storage (UTC seconds)."""

    digest: str
    game: str
    text: str
    added: float

    @classmethod
    def of(cls, components: Components[Any], at: float) -> Self:
        """Return the components in their stored form."""
        return cls(components.digest, components.game, components.text, at)

    @property
    def title(self) -> Name:
        """The title given in the file."""
        return _title(self.text)


@lru_cache(maxsize=64)
def _title(text: str) -> Name:
    return Name(**tomllib.loads(text)["title"])


_OWNED: Final = select(
    COMPONENT_SETS.c.digest, COMPONENT_SETS.c.game, COMPONENT_OWNERS.c.text, COMPONENT_OWNERS.c.added
).join(COMPONENT_OWNERS, COMPONENT_OWNERS.c.digest == COMPONENT_SETS.c.digest)
"""The columns of a `ComponentSet` with the text of an owner."""


async def add(
    store: Store,
    component_set: ComponentSet,
    person: str = "",
    origin: bytes | None = None,
    check: Callable[[Connection], None] = lambda connection: None,
) -> str:
    """Store a component file and return its digest; files with the same values are stored once for all tables.

    `person` becomes an owner of this text, if given. `origin` is the keyed hash of the address the file came from. What
    `check` raises in the same transaction is raised here, and nothing is stored.
    """

    def job(connection: Connection) -> str:
        if person:
            take_turns(connection, QUOTA_LOCK)
        check(connection)
        insert_new(connection, COMPONENT_SETS, msgspec.structs.asdict(component_set))
        if person:
            owned = {name: getattr(component_set, name) for name in ("digest", "added", "text")}
            insert_new(connection, COMPONENT_OWNERS, {**owned, "person": person, "origin": origin})
        return component_set.digest

    return await store.write(job)


async def find(store: Store, digest: str) -> ComponentSet | None:
    """Return the file with this digest, or None."""
    query = select(*COMPONENT_SETS.c).where(COMPONENT_SETS.c.digest == digest)
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else ComponentSet(*row)


async def find_owned(store: Store, person: str, digest: str) -> ComponentSet | None:
    """Return the file with this digest as a person has uploaded it, or None."""
    query = _OWNED.where(COMPONENT_OWNERS.c.person == person, COMPONENT_OWNERS.c.digest == digest)
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else ComponentSet(*row)


async def owned_by(store: Store, person: str, game: str | None = None) -> tuple[ComponentSet, ...]:
    """Return the files of a person as they uploaded them, newest first; with `game`, only those for this game."""
    query = _OWNED.where(COMPONENT_OWNERS.c.person == person).order_by(
        COMPONENT_OWNERS.c.added.desc(), COMPONENT_SETS.c.digest
    )
    if game is not None:
        query = query.where(COMPONENT_SETS.c.game == game)

    def job(connection: Connection) -> tuple[ComponentSet, ...]:
        component_files = tuple(ComponentSet(*row) for row in connection.execute(query))
        for file in component_files:
            file.title  # noqa: B018  # parse it in this thread, not while a page is rendered
        return component_files

    return await store.read(job)
