"""Games and component files as tables need them."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from weakref import WeakValueDictionary

import structlog

from spieltisch.core.components import Components, ComponentsError, Finding
from spieltisch.core.components import read as read_components
from spieltisch.core.errors import UnknownGame
from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.live.disk_errors import await_write
from spieltisch.live.quotas import Quotas
from spieltisch.store import ComponentSet, Store, component_sets
from spieltisch.tables import refusals
from spieltisch.tables.events import Opened
from spieltisch.workers import ResourceLimits, Workers, WorkFailed

MAX_PARSED_FILES: Final = 64
"""The maximum number of parsed component files in memory."""

READ_LIMITS: Final = ResourceLimits(seconds=4.0, bytes=256 << 20)
"""The limits of a process that reads a file.

The worst file within the limits of `spieltisch.core.toml_limits` needs a third of them on a slow machine.
"""
READ_TIMEOUT_SECONDS: Final = 15.0
"""The time after which reading a file is given up."""

_logger = structlog.get_logger()


def read(games: Callable[[str], Game], key: str, text: str) -> str | tuple[Finding, ...]:
    """Return the digest of a component file, or its errors. Runs in a separate process."""
    try:
        return games(key).read_components(text).digest
    except ComponentsError as error:
        return error.findings


class ComponentLibrary:
    """Games and their components: those that come with a game, and files uploaded by people."""

    def __init__(self, store: Store, games: Callable[[str], Game], quotas: Quotas, clock: Callable[[], float]) -> None:
        self._store = store
        self._games = games
        self._quotas = quotas
        self._clock = clock
        self._read: OrderedDict[tuple[str, ...], Components[Any]] = OrderedDict()
        self._readers = Workers("reader", read, 1, READ_TIMEOUT_SECONDS, READ_LIMITS)
        self._adding: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def close(self) -> None:
        """Stop reading files."""
        await self._readers.stop()

    def game(self, key: str) -> Game:
        """Return the game with this key.

        Raise `TableRefusal` `game` if there is none.
        """
        try:
            return self._games(key)
        except UnknownGame as error:
            raise refusals.no_game() from error

    async def find(self, key: str, digest: str = "") -> tuple[Game, Components[Any]]:
        """Return a game and components for it; an empty `digest` selects the game's own.

        Raise `TableRefusal` `game` or `no-components`, or `components` for a file that was valid once and can no longer
        be read.
        """
        game, own = await asyncio.to_thread(self._own_components, self.game, key)
        if digest in ("", own.digest):
            return game, own
        try:
            return game, await self._read_stored(game, digest)
        except ComponentsError as error:
            raise refusals.bad_components(str(error)) from error
        except LookupError as error:
            raise refusals.no_components() from error

    async def find_own(self, person_id: str | None, key: str, digest: str = "") -> tuple[Game, Components[Any]]:
        """Return the same for a person (None: a visitor without a name), with their own text; no other file is found.

        Raise as `find`.
        """
        game, own = await asyncio.to_thread(self._own_components, self.game, key)
        if digest in ("", own.digest):
            return game, own
        file = await component_sets.find_owned(self._store, person_id or "", digest)
        if file is None or file.game != game.key:
            raise refusals.no_components()
        try:
            return game, await self._parse((game.key, digest, person_id or ""), game, file.text)
        except ComponentsError as error:
            raise refusals.bad_components(str(error)) from error

    async def add(self, person_id: str, key: str, text: str, address: str = "") -> str:
        """Check and store a person's component file; return its digest.

        Raise `TableRefusal` `too-many-component-files`, `game`, `not-written`, or `components` with the errors line by
        line.
        """
        game, origin = self.game(key), self._quotas.hash_address(address)
        async with self._adding.setdefault(address, asyncio.Lock()):  # one file at a time from one address
            check = partial(self._quotas.component_file, person=person_id, origin=origin)
            await self._store.read(check)
            try:
                result = await self._readers.run(self._games, game.key, text)
            except WorkFailed as error:
                _logger.warning("a component file could not be read", person=person_id, why=str(error))
                raise refusals.components_too_slow() from error
            if not isinstance(result, str):
                raise refusals.bad_components("\n".join(map(str, result)))
            component_set = ComponentSet(result, game.key, text, self._clock())
            return await await_write(component_sets.add(self._store, component_set, person_id, origin, check))

    async def owned_by(self, person_id: str, key: str) -> tuple[ComponentSet, ...]:
        """Return a person's files for a game, newest first."""
        return await component_sets.owned_by(self._store, person_id, key)

    async def text(self, digest: str) -> str:
        """Return the text of a stored file.

        Raise `TableRefusal` `no-components` if there is none.
        """
        stored = await component_sets.find(self._store, digest)
        if stored is None:
            raise refusals.no_components()
        return stored.text

    async def store_copy(self, components: Components[Any]) -> None:
        """Store the components that a table is opened with, so that it continues with them after an upgrade.

        Raise `TableRefusal` `not-written`.
        """
        await await_write(component_sets.add(self._store, ComponentSet.of(components, self._clock())))

    async def setup(self, opened: Opened) -> Setup:
        """Return the setup that a stored table is played with.

        Raise ValueError if it is no longer available.
        """
        game, components = await asyncio.to_thread(self._own_components, self._games, opened.game)
        if opened.components != components.digest:
            try:
                components = await self._read_stored(game, opened.components)
            except LookupError as error:
                raise ValueError(str(error)) from error
        return await asyncio.to_thread(partial(game.setup, len(opened.seat_offers), components, **opened.options))

    @staticmethod
    def _own_components(games: Callable[[str], Game], key: str) -> tuple[Game, Components[Any]]:
        """Return a game and the components that come with it, read from files on first use."""
        game = games(key)
        return game, game.components

    async def _read_stored(self, game: Game, digest: str) -> Components[Any]:
        """Return a stored file for a game.

        Raise LookupError if there is none, or `ComponentsError` for invalid content.
        """
        key = (game.key, digest)
        if key in self._read:
            self._read.move_to_end(key)
            return self._read[key]
        stored = await component_sets.find(self._store, digest)
        if stored is None or stored.game != game.key:
            raise LookupError(f"the component file {digest[:12]} is not there")
        return await self._parse(key, game, stored.text)

    async def _parse(self, key: tuple[str, ...], game: Game, text: str) -> Components[Any]:
        """Return the components in a stored text, parsed once for each key. Raise `ComponentsError`.

        The checks of the game are not repeated: they passed when the file was added, and stricter ones of a later
        version must not end a running game.
        """
        if key not in self._read:
            self._read[key] = await asyncio.to_thread(read_components, text, game.Contents)
        self._read.move_to_end(key)
        components = self._read[key]
        while len(self._read) > MAX_PARSED_FILES:
            self._read.popitem(last=False)
        return components
