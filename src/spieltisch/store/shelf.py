"""Games and component files, as tables need them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import lru_cache
from typing import Any

from spieltisch.core.components import Components, ComponentsError
from spieltisch.core.game import Game
from spieltisch.core.refusal import UnknownGame
from spieltisch.core.setup import Setup
from spieltisch.store.components import ComponentSet, ComponentSets
from spieltisch.store.store import Store
from spieltisch.tables import refusals
from spieltisch.tables.events import Opened

MOST_READ = 64
"""Component files kept read."""


class Shelf:
    """Finds a game and its components: those that come with it, or a file that somebody brought."""

    def __init__(self, store: Store, games: Callable[[str], Game], clock: Callable[[], float]) -> None:
        self._sets = ComponentSets(store)
        self._games = games
        self._clock = clock
        self._read = lru_cache(maxsize=MOST_READ)(self._read_stored)

    def game(self, key: str) -> Game:
        """The game with this key. Raises `TableRefusal` game."""
        try:
            return self._games(key)
        except UnknownGame as problem:
            raise refusals.no_game() from problem

    def find(self, key: str, digest: str = "") -> tuple[Game, Components[Any]]:
        """A game and components for it, its own for "". Raises `TableRefusal` game, components;
        no-components.
        """
        game = self.game(key)
        if digest in ("", game.components.digest):
            return game, game.components
        stored = self._sets.find(digest)
        if stored is None or stored.game != key:
            raise refusals.no_components()
        return game, self.check(game, stored.text)

    def check(self, game: Game, text: str) -> Components[Any]:
        """The components in a file. Raises `TableRefusal` components, with all that is wrong, line by line."""
        try:
            return game.read_components(text)
        except ComponentsError as problem:
            raise refusals.bad_components(str(problem)) from problem

    def add(self, person_id: str, key: str, text: str) -> Future[str]:
        """Keep a person's component file, once it is found to be sound. Raises as `check` and `game`."""
        return self._sets.add(self.check(self.game(key), text), self._clock(), person_id)

    def of(self, person_id: str, key: str) -> tuple[ComponentSet, ...]:
        """A person's files for a game, the newest first."""
        return self._sets.of(person_id, key)

    def text(self, digest: str) -> str:
        """The text of a stored file. Raises `TableRefusal` no-components."""
        stored = self._sets.find(digest)
        if stored is None:
            raise refusals.no_components()
        return stored.text

    def keep(self, game: Game, components: Components[Any]) -> Future[str]:
        """Store what a table is opened with, so that it goes on with it after an upgrade."""
        return self._sets.add(components, self._clock())

    def setup(self, opened: Opened) -> Setup:
        """What a stored table is played with. Raises ValueError when it cannot be had any more."""
        game = self._games(opened.game)
        if opened.components == game.components.digest:
            components: Components[Any] = game.components
        else:
            components = self._read(game, opened.components)
        return game.setup(len(opened.places), components, **opened.options)

    def _read_stored(self, game: Game, digest: str) -> Components[Any]:
        stored = self._sets.find(digest)
        if stored is None:
            raise ValueError(f"the component file {digest[:12]} is not there")
        return game.read_components(stored.text)
