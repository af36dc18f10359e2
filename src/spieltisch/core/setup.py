"""A setup: one game on one set of components with one choice of options, ready to be played."""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.errors import OptionError, UnknownMove
from spieltisch.core.moves import Move, MoveWord

if TYPE_CHECKING:
    from spieltisch.core.components import Components
    from spieltisch.core.documents import Codec
    from spieltisch.core.game import Game


class Setup:
    """What a game is played with. Positions, observations and records share it; it never changes. `Game.setup` makes
    it, with a value for every option.
    """

    def __init__(self, game: Game, components: Components[Any], seats: int, options: dict[str, Any]) -> None:
        self.game = game
        self.components = components
        self.seats = seats
        self.options = options
        if components.game != game.key:
            raise OptionError(f"components: those of {components.game}, not of {game.key}")
        self.board = game.board(components)
        self.plain_params = game.params(self.board, seats, self.options)
        """Components and options as a plain twin of the game's `Params`."""
        engine = game.engine
        self.params = (
            self.plain_params
            if not game.compiled
            else engine.unpack(game.Params, twin.pack(game.Params, self.plain_params))
        )
        """The same as the engine reads them."""
        self._here = threading.local()

    def same_as(self, other: Setup) -> bool:
        """Whether the same is played with, on whichever engine."""
        return self is other or (
            (self.game.key, self.components.digest, self.seats, self.options)
            == (other.game.key, other.components.digest, other.seats, other.options)
        )

    @property
    def custom_components(self) -> str:
        """The text of the component file, where it is not the one that comes with the game; else ""."""
        return "" if self.components.digest == self.game.components.digest else self.components.text

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.game, self.custom_components, self.seats, self.options)

    @property
    def work(self) -> Any:
        """Working memory, shared by this setup's positions in one thread: nothing in it outlives a call."""
        work = getattr(self._here, "work", None)
        if work is None:
            work = self._here.work = self.game.engine.blank_record(self.game.Work)
        return work

    @property
    def move_buffer(self) -> Any:
        """Room for a list of legal moves, shared likewise."""
        room = getattr(self._here, "room", None)
        if room is None:
            room = self._here.room = self.game.engine.move_buffer(self.game.moves)
        return room

    def rng(self, state: int) -> Any:
        """A state of the generator as the engine holds it."""
        return np.uint64(state) if self.game.compiled else state

    @cached_property
    def document_form(self) -> Codec:
        """How the fields of the state appear in documents."""
        return self.game.document_form(self)

    @cached_property
    def draw_codes(self) -> dict[str, int]:
        """The code of every text that chance can give."""
        return {text: code for code, text in enumerate(self.game.draw_texts(self))}

    @cached_property
    def _texts(self) -> dict[str, Move]:
        """Every move of the space by its text, folded."""
        found = {}
        for number in range(self.game.moves):
            words = self.game.words(self, number)
            if words:
                text = " ".join(word.text for word in words)
                found[_folded(text)] = Move(number, text, *self.game.parts(number))
        return found

    @cached_property
    def _numbers(self) -> dict[int, Move]:
        return {move.number: move for move in self._texts.values()}

    @property
    def moves(self) -> tuple[Move, ...]:
        """The whole move space on this board, in the order of the numbers."""
        return tuple(self._numbers.values())

    def move(self, move: Move | str | SupportsIndex) -> Move:
        """The move with this text or number. Case, accents and repeated spaces of a typed text do not matter. Raises
        UnknownMove, and TypeError for what is neither.
        """
        if isinstance(move, Move):
            found = self._numbers.get(move.number)
        elif isinstance(move, str):
            found = self._texts.get(_folded(move))
        else:
            found = self._numbers.get(require_int("move", move))
        if found is None:
            shown = move.text if isinstance(move, Move) else move
            raise UnknownMove(f"{str(shown)[:80]!r} is no move of {self.game.key}")
        return found

    def words(self, move: Move | str | SupportsIndex) -> tuple[MoveWord, ...]:
        """The words of a move."""
        return self.game.words(self, self.move(move).number)

    def phrasings(self, move: Move | str | SupportsIndex) -> tuple[tuple[MoveWord, ...], ...]:
        """The words of a move in every order in which it may be chosen; first the one that is its text."""
        return (self.words(move), *self.game.alternative_phrasings(self, self.move(move).number))


def restored_setup(key: str, compiled: bool, own_components: str, seats: int, options: Mapping[str, Any]) -> Setup:
    """The setup that another process told of. Raises ValueError."""
    from spieltisch.core.registry import game

    return _restored(game(key, compiled=compiled), own_components, seats, options)


def _restored(game: Game, own_components: str, seats: int, options: Mapping[str, Any]) -> Setup:
    return game.setup(seats, game.read_components(own_components) if own_components else None, **options)


def _folded(text: str) -> str:
    """A text as it is compared: without case, accents and repeated spaces."""
    plain = unicodedata.normalize("NFKD", text)
    return " ".join("".join(ch for ch in plain if not unicodedata.combining(ch)).casefold().split())
