"""Component files that tables were opened with, and whose they are."""

from __future__ import annotations

import tomllib
from functools import lru_cache
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

    @classmethod
    def of(cls, components: Components[Any], at: float) -> ComponentSet:
        """Components as they are kept."""
        return cls(components.digest, components.game, components.text, at)

    @property
    def title(self) -> Name:
        """What the file calls itself."""
        return _title(self.text)


@lru_cache(maxsize=64)
def _title(text: str) -> Name:
    return Name(**tomllib.loads(text)["title"])


async def add(store: Store, kept: ComponentSet, person: str = "", origin: bytes | None = None) -> str:
    """Keep a file, as `person`'s if one is given, and return its digest; the same values twice are one. `origin` stands
    for the address it came from.
    """

    def job(connection: Connection) -> str:
        connection.execute(insert(COMPONENT_SETS).on_conflict_do_nothing(), msgspec.structs.asdict(kept))
        if person:
            owned = {"digest": kept.digest, "person": person, "added": kept.added, "origin": origin}
            connection.execute(insert(COMPONENT_OWNERS).on_conflict_do_nothing(), owned)
        return kept.digest

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

    def job(connection: Connection) -> tuple[ComponentSet, ...]:
        found = tuple(ComponentSet(*row) for row in connection.execute(wanted))
        for one in found:
            one.title  # noqa: B018  # read here, in a thread, and not while a page is made
        return found

    return await store.read(job)
