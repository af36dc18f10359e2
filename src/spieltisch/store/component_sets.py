"""Component files that tables were opened with, and whose they are."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec
from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from spieltisch.core.components import Components
from spieltisch.core.words import Name
from spieltisch.store.schema import COMPONENT_OWNERS, COMPONENT_SETS
from spieltisch.store.store import Store


class ComponentSet(msgspec.Struct, frozen=True):
    """A component file: the digest of its values, the game's key, the text, when it was added (UTC seconds)."""

    digest: str
    game: str
    text: str
    added: float

    @property
    def title(self) -> Name:
        """What the file calls itself."""
        return msgspec.convert(tomllib.loads(self.text)["title"], Name)


async def add(
    store: Store, components: Components[Any], at: float, person: str = "", origin: bytes | None = None
) -> str:
    """Keep a file, as `person`'s if one is given, and return its digest; the same values twice are one. `origin` stands
    for the address it came from.
    """
    digest = components.digest

    def job(connection: Connection) -> str:
        row = {"digest": digest, "game": components.game, "text": components.text, "added": at}
        connection.execute(insert(COMPONENT_SETS).on_conflict_do_nothing(), row)
        if person:
            owned = {"digest": digest, "person": person, "added": at, "origin": origin}
            connection.execute(insert(COMPONENT_OWNERS).on_conflict_do_nothing(), owned)
        return digest

    return await store.write(job)


async def find(store: Store, digest: str) -> ComponentSet | None:
    """The file with this digest."""
    wanted = select(*COMPONENT_SETS.c).where(COMPONENT_SETS.c.digest == digest)
    row = await store.read(lambda connection: connection.execute(wanted).one_or_none())
    return None if row is None else ComponentSet(*row)


async def owned_by(store: Store, person: str, game: str | None = None) -> tuple[ComponentSet, ...]:
    """A person's files, those for a game if one is given, the newest first."""
    wanted = (
        select(*COMPONENT_SETS.c)
        .join(COMPONENT_OWNERS, COMPONENT_OWNERS.c.digest == COMPONENT_SETS.c.digest)
        .where(COMPONENT_OWNERS.c.person == person)
        .order_by(COMPONENT_OWNERS.c.added.desc(), COMPONENT_SETS.c.digest)
    )
    if game is not None:
        wanted = wanted.where(COMPONENT_SETS.c.game == game)
    return await store.read(lambda connection: tuple(ComponentSet(*row) for row in connection.execute(wanted)))
