"""Setups: a game with its components, number of seats and options, ready to be played."""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Mapping
from functools import cached_property
from heapq import nlargest
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from spieltisch.core import twin
from spieltisch.core.arguments import require_int
from spieltisch.core.errors import OptionError, UnknownMove
from spieltisch.core.moves import Move, MoveWord
from spieltisch.core.suggestions import did_you_mean
from spieltisch.core.words import LANGUAGES, Name

if TYPE_CHECKING:
    from spieltisch.core.components import Components
    from spieltisch.core.documents import Codec
    from spieltisch.core.game import Game


MAX_COMPARED = 100
"""The number of moves that are compared with a text that is no move, letter by letter."""
MAX_SPOKEN_WORDS = 40
"""The number of words of the longest text that is compared with displayed names."""


class Setup:
    """A game with its components, number of seats and options.

    A setup never changes; positions, observations and records share it. `Game.setup` makes it, with a value for every
    option.

    >>> import spieltisch
    >>> setup = spieltisch.game("paris-connection").setup(seats=3, cut_off="weak")
    >>> setup.seats, setup.options["cut_off"], setup.options["stations"]
    (3, 'weak', 'closed')
    """

    def __init__(
        self, game: Game, components: Components[Any], seats: int, options: dict[str, str | bool | int]
    ) -> None:
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
        """The same in the form that the engine reads."""
        self._here = threading.local()

    def __repr__(self) -> str:
        return f"<Setup {self.game.key}, {self.seats} seats>"

    def same_as(self, other: Setup) -> bool:
        """Return True if the other setup is equal, on whichever engine.

        >>> import spieltisch
        >>> setup = spieltisch.game("paris-connection").setup(seats=3)
        >>> setup.same_as(spieltisch.game("paris-connection").setup(seats=3)), setup.same_as(setup.game.setup(seats=4))
        (True, False)
        """
        return self is other or (
            (self.game.key, self.components.digest, self.seats, self.options)
            == (other.game.key, other.components.digest, other.seats, other.options)
        )

    @property
    def custom_components(self) -> str:
        """The text of the component file; "" if it is the one that comes with the game."""
        return "" if self.components.digest == self.game.components.digest else self.components.text

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_setup, (self.game, self.custom_components, self.seats, self.options)

    @property
    def work(self) -> Any:
        """The working memory, shared by the positions of this setup in one thread. Nothing in it outlives a call."""
        work = getattr(self._here, "work", None)
        if work is None:
            work = self._here.work = self.game.engine.blank_record(self.game.Work)
        return work

    @property
    def move_buffer(self) -> Any:
        """A buffer for the legal moves, shared in the same way."""
        buffer = getattr(self._here, "room", None)
        if buffer is None:
            buffer = self._here.room = self.game.engine.move_buffer(self.game.moves)
        return buffer

    def rng(self, state: int) -> Any:
        """Return a state of the generator in the type that the engine uses.

        >>> import spieltisch
        >>> setup = spieltisch.game("paris-connection").setup(seats=3)
        >>> setup.rng(7)
        7
        """
        return np.uint64(state) if self.game.compiled else state

    @cached_property
    def document_form(self) -> Codec:
        """The codec that writes states to documents and reads them."""
        return self.game.document_form(self)

    @cached_property
    def draw_texts(self) -> tuple[str, ...]:
        """The text of every draw, by its code."""
        return tuple(self.game.draw_texts(self))

    @cached_property
    def draw_codes(self) -> dict[str, int]:
        """The code of every draw, by its text."""
        return {text: code for code, text in enumerate(self.draw_texts)}

    @cached_property
    def _moves_by_text(self) -> dict[str, Move]:
        """Every move of the space by its folded text."""
        moves = {}
        for number in range(self.game.moves):
            words = self.game.words(self, number)
            if words:
                text = " ".join(word.text for word in words)
                moves[_fold_text(text)] = Move(number, text, *self.game.parts(number))
        return moves

    @cached_property
    def _moves_by_number(self) -> dict[int, Move]:
        return {move.number: move for move in self._moves_by_text.values()}

    @cached_property
    def _continuations(self) -> dict[str, dict[str, set[str]]]:
        """The beginnings of all moves, as folded texts, and the ways to say the next word of each.

        A word may be said as in the text of the move or as it is displayed: names in every language, phrases in
        English.
        """
        continuations: dict[str, dict[str, set[str]]] = {}
        for number in self._moves_by_number:
            beginning = ""
            for word in self.game.words(self, number):
                label = word.label
                spoken = [label.text(language) for language in LANGUAGES] if isinstance(label, Name) else [str(label)]
                longer = f"{beginning} {_fold_text(word.text)}".lstrip()
                for form in {_fold_text(word.text), *map(_fold_text, spoken)}:
                    continuations.setdefault(beginning, {}).setdefault(form, set()).add(longer)
                beginning = longer
        return continuations

    def _move_by_labels(self, text: str) -> Move | None:
        """Return the move that a folded text names by displayed words; None if there is none or more than one."""
        words = text.split()
        if len(words) > MAX_SPOKEN_WORDS:
            return None
        reached: list[set[str]] = [{""}, *(set() for _ in words)]
        for start, beginnings in enumerate(reached):
            for beginning in beginnings:
                forms = self._continuations.get(beginning, {})
                for end in range(start + 1, len(words) + 1):
                    reached[end] |= forms.get(" ".join(words[start:end]), set())
        texts = [self._moves_by_text[whole] for whole in reached[-1] if whole in self._moves_by_text]
        return texts[0] if len(texts) == 1 else None

    def _suggestion(self, text: str) -> str:
        """Return the question whether the closest move was meant; "" if none is close."""
        words = set(_fold_text(text).split())
        likely = nlargest(MAX_COMPARED, self._moves_by_text, key=lambda other: len(words.intersection(other.split())))
        return did_you_mean(_fold_text(text), [self._moves_by_text[folded].text for folded in likely], 0.75)

    def _unknown_number(self, number: int) -> UnknownMove:
        """Return the error for a number that is no move."""
        size = self.game.moves
        if 0 <= number < size:
            return UnknownMove(f"{number} is no move of {self.game.key} with these components")
        return UnknownMove(f"{number} is no move of {self.game.key}; the numbers are from 0 to {size - 1}")

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves that exist on this board, in ascending order of their numbers."""
        return tuple(self._moves_by_number.values())

    def move(self, move: Move | str | SupportsIndex) -> Move:
        """Return the move with this text or number.

        Case, accents and repeated spaces in a text do not matter, and its words may be those that people read
        ("build amethyst Calais" for "build purple Calais"). Raise UnknownMove, which names the closest move, if there
        is no such move, and TypeError for an argument that is neither.

        >>> import spieltisch
        >>> setup = spieltisch.game("paris-connection").setup(seats=3)
        >>> setup.move("build purple Calais") == setup.move("Build Amethyst calais") == setup.move(0)
        True
        >>> setup.move("build purple Calias")
        Traceback (most recent call last):
            ...
        spieltisch.core.errors.UnknownMove: ...did you mean 'build purple Calais'?
        """
        if isinstance(move, Move):
            known_move = self._moves_by_number.get(move.number)
        elif isinstance(move, str):
            folded = _fold_text(move)
            known_move = self._moves_by_text.get(folded) or self._move_by_labels(folded)
        else:
            number = require_int("move", move)
            known_move = self._moves_by_number.get(number)
            if known_move is None:
                raise self._unknown_number(number)
        if known_move is None:
            text = move.text if isinstance(move, Move) else move
            quoted = str(text)[:80]
            raise UnknownMove(f"{quoted!r} is no move of {self.game.key}{self._suggestion(quoted)}")
        return known_move

    def words(self, move: Move | str | SupportsIndex) -> tuple[MoveWord, ...]:
        """Return the words of a move.

        >>> import spieltisch
        >>> setup = spieltisch.game("paris-connection").setup(seats=3)
        >>> [word.text for word in setup.words("build purple Calais")]
        ['build', 'purple', 'Calais']
        """
        return self.game.words(self, self.move(move).number)

    def phrasings(self, move: Move | str | SupportsIndex) -> tuple[tuple[MoveWord, ...], ...]:
        """Return the words of a move in every order in which it may be chosen. The first is the order of its text.

        >>> import spieltisch
        >>> setup = spieltisch.game("era-of-inventions").setup(seats=3)
        >>> longest = max(setup.moves, key=lambda move: len(setup.phrasings(move)))
        >>> longest.text, len(setup.phrasings(longest))
        ('exchange wood coal for wood', 2)
        """
        return (self.words(move), *self.game.alternative_phrasings(self, self.move(move).number))


def restored_setup(key: str, compiled: bool, custom_components: str, seats: int, options: Mapping[str, Any]) -> Setup:
    """Return the setup that another process described. Raise ValueError if there is none."""
    from spieltisch.core.registry import game

    return _restore_setup(game(key, compiled=compiled), custom_components, seats, options)


def _restore_setup(game: Game, custom_components: str, seats: int, options: Mapping[str, Any]) -> Setup:
    return game.setup(seats, game.read_components(custom_components) if custom_components else None, **options)


def _fold_text(text: str) -> str:
    """Return the form in which texts are compared: without case, accents and repeated spaces."""
    plain = unicodedata.normalize("NFKD", text)
    return " ".join("".join(char for char in plain if not unicodedata.combining(char)).casefold().split())
