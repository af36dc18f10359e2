"""Component files that tables were opened with, and their owners."""

import tomllib
from functools import lru_cache
from typing import Any, Self

import msgspec
from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from spieltisch.core.components import Components
from spieltisch.core.words import Name
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


async def add(store: Store, component_set: ComponentSet, person: str = "", origin: bytes | None = None) -> str:
    """Store a component file and return its digest; files with the same values are stored once.

    `person` becomes an owner, if given. `origin` is the keyed hash of the address the file came from.
    """

    def job(connection: Connection) -> str:
        connection.execute(insert(COMPONENT_SETS).on_conflict_do_nothing(), msgspec.structs.asdict(component_set))
        if person:
            owned = {"digest": component_set.digest, "person": person, "added": component_set.added, "origin": origin}
            connection.execute(insert(COMPONENT_OWNERS).on_conflict_do_nothing(), owned)
        return component_set.digest

    return await store.write(job)


async def find(store: Store, digest: str) -> ComponentSet | None:
    """Return the file with this digest, or None."""
    query = select(*COMPONENT_SETS.c).where(COMPONENT_SETS.c.digest == digest)
    row = await store.read(lambda connection: connection.execute(query).one_or_none())
    return None if row is None else ComponentSet(*row)


async def is_owner(store: Store, person: str, digest: str) -> bool:
    """Return True if a person has uploaded the file with this digest."""
    query = select(COMPONENT_OWNERS.c.digest).where(
        COMPONENT_OWNERS.c.person == person, COMPONENT_OWNERS.c.digest == digest
    )
    return await store.read(lambda connection: connection.execute(query).first() is not None)


async def owned_by(store: Store, person: str, game: str | None = None) -> tuple[ComponentSet, ...]:
    """Return the files of a person, newest first; with `game`, only those for this game."""
    query = (
        select(*COMPONENT_SETS.c)
        .join(COMPONENT_OWNERS, COMPONENT_OWNERS.c.digest == COMPONENT_SETS.c.digest)
        .where(COMPONENT_OWNERS.c.person == person)
        .order_by(COMPONENT_OWNERS.c.added.desc(), COMPONENT_SETS.c.digest)
    )
    if game is not None:
        query = query.where(COMPONENT_SETS.c.game == game)

    def job(connection: Connection) -> tuple[ComponentSet, ...]:
        component_files = tuple(ComponentSet(*row) for row in connection.execute(query))
        for file in component_files:
            file.title  # noqa: B018  # parse it in this thread, not while a page is rendered
        return component_files

    return await store.read(job)
