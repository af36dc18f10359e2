"""Games and component files, as tables need them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final
from weakref import WeakValueDictionary

import structlog

from spieltisch.core.components import Components, ComponentsError, Finding
from spieltisch.core.errors import UnknownGame
from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.live.disk_errors import await_write
from spieltisch.live.quotas import Quotas
from spieltisch.store import ComponentSet, Store, component_sets
from spieltisch.tables import refusals
from spieltisch.tables.events import Opened
from spieltisch.workers import ResourceLimits, Workers, WorkFailed

MOST_READ: Final = 64
"""Component files kept read."""

READ_LIMITS: Final = ResourceLimits(seconds=4.0, bytes=256 << 20)
"""What reading a file may cost; the worst that keeps the bounds of `spieltisch.core.toml_limits` takes a third of it
on a slow machine.
"""
SECONDS_TO_READ: Final = 15.0

_logger = structlog.get_logger()


def read(games: Callable[[str], Game], key: str, text: str) -> str | tuple[Finding, ...]:
    """The digest of a component file, or what is wrong with it. Run in a process of its own."""
    try:
        return games(key).read_components(text).digest
    except ComponentsError as problem:
        return problem.findings


class ComponentLibrary:
    """Finds a game and its components: those that come with it, or a file that somebody brought."""

    def __init__(self, store: Store, games: Callable[[str], Game], quotas: Quotas, clock: Callable[[], float]) -> None:
        self._store = store
        self._games = games
        self._quotas = quotas
        self._clock = clock
        self._storing = asyncio.Lock()
        self._read: OrderedDict[tuple[str, str], Components[Any]] = OrderedDict()
        self._readers = Workers("reader", read, 1, SECONDS_TO_READ, READ_LIMITS)
        self._adding: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def close(self) -> None:
        """End what is being read."""
        await self._readers.stop()

    def game(self, key: str) -> Game:
        """The game with this key. Raises `TableRefusal` game."""
        try:
            return self._games(key)
        except UnknownGame as problem:
            raise refusals.no_game() from problem

    async def find(self, key: str, digest: str = "") -> tuple[Game, Components[Any]]:
        """A game and components for it, its own for "". Raises `TableRefusal` game, no-components; components for a
        file that was sound once and can no longer be read.
        """
        game, own = await asyncio.to_thread(self._own, self.game, key)
        if digest in ("", own.digest):
            return game, own
        try:
            return game, await self._stored(game, digest)
        except ComponentsError as problem:
            raise refusals.bad_components(str(problem)) from problem
        except LookupError as problem:
            raise refusals.no_components() from problem

    async def add(self, person_id: str, key: str, text: str, address: str = "") -> str:
        """Keep a person's component file, once it is found to be sound; returns its digest. Raises `TableRefusal`
        too-many-component-files, game, components with what is wrong, line by line; not-written.
        """
        game, origin = self.game(key), self._quotas.hash_address(address)
        async with self._adding.setdefault(address, asyncio.Lock()):  # nobody waits for all the files from one address
            await self._quotas.component_file(person_id, origin)
            try:
                found = await self._readers.run(self._games, game.key, text)
            except WorkFailed as problem:
                _logger.warning("a component file could not be read", person=person_id, why=str(problem))
                raise refusals.components_too_slow() from problem
            if not isinstance(found, str):
                raise refusals.bad_components("\n".join(map(str, found)))
            added = ComponentSet(found, game.key, text, self._clock())
            async with self._storing:  # who sends many at once, under many names, has no more than the others
                await self._quotas.component_file(person_id, origin)
                return await await_write(component_sets.add(self._store, added, person_id, origin))

    async def owned_by(self, person_id: str, key: str) -> tuple[ComponentSet, ...]:
        """A person's files for a game, the newest first."""
        return await component_sets.owned_by(self._store, person_id, key)

    async def text(self, digest: str) -> str:
        """The text of a stored file. Raises `TableRefusal` no-components."""
        stored = await component_sets.find(self._store, digest)
        if stored is None:
            raise refusals.no_components()
        return stored.text

    async def store_copy(self, components: Components[Any]) -> None:
        """Store what a table is opened with, so that it goes on with it after an upgrade. Raises `TableRefusal`
        not-written.
        """
        await await_write(component_sets.add(self._store, ComponentSet.of(components, self._clock())))

    async def setup(self, opened: Opened) -> Setup:
        """What a stored table is played with. Raises ValueError when it cannot be had any more."""
        game, components = await asyncio.to_thread(self._own, self._games, opened.game)
        if opened.components != components.digest:
            try:
                components = await self._stored(game, opened.components)
            except LookupError as problem:
                raise ValueError(str(problem)) from problem
        return await asyncio.to_thread(game.setup_from_record, len(opened.seat_offers), components, opened.options)

    @staticmethod
    def _own(games: Callable[[str], Game], key: str) -> tuple[Game, Components[Any]]:
        """A game and the components that come with it: read from files when it is asked for first."""
        game = games(key)
        return game, game.components

    async def _stored(self, game: Game, digest: str) -> Components[Any]:
        """A stored file for a game, read once. Raises LookupError where there is none, ComponentsError."""
        key = (game.key, digest)
        if key not in self._read:
            stored = await component_sets.find(self._store, digest)
            if stored is None or stored.game != game.key:
                raise LookupError(f"the component file {digest[:12]} is not there")
            self._read[key] = await asyncio.to_thread(game.read_components, stored.text)
        self._read.move_to_end(key)
        found = self._read[key]
        while len(self._read) > MOST_READ:
            self._read.popitem(last=False)
        return found
