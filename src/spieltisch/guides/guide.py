"""What stands in a guide: its file, `guide/guide.toml` in the folder of a game."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.core.words import Name


class GuideError(ValueError):
    """A guide that cannot be read or walked; its text says where and why."""


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to try. `accept` holds moves, or words that moves begin with; the first is the one that is shown to
    who asks for it.
    """

    text: Name
    accept: tuple[str, ...]

    def takes(self, move: Move) -> bool:
        """Whether the move is one of those asked for.

        >>> Ask(Name("Take.", "Nimm.", "Prends.", "Neem."), ("take 1", "draw")).takes(Move(0, "draw blue"))
        True
        """
        return any(_begins(move, words) for words in self.accept)

    def choose(self, moves: Sequence[Move]) -> list[Move]:
        """Those of the moves that are asked for, in the order of `accept`."""
        return list(dict.fromkeys(move for words in self.accept for move in moves if _begins(move, words)))


def _begins(move: Move, words: str) -> bool:
    return f"{move.text} ".startswith(f"{words} ")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step. `before` are moves played when it begins, `after` those when everything it asks has been tried;
    `praise` is said then.
    """

    id: str
    rules: tuple[str, ...]
    title: Name
    text: Name
    asks: tuple[Ask, ...]
    praise: Name
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The real start of a game that something is shown in. `seat` is the one that looks on, from 1; `players` are the
    names that the texts may use; `promise` says beforehand what one will have learnt.
    """

    game: str
    seed: int
    players: tuple[str, ...]
    seat: int
    promise: Name
    options: dict[str, Any] = {}

    def start(self, game: Game) -> Position:
        """The game as it stands before the first move."""
        return game.start(len(self.players), seed=self.seed, **self.options)


OfStart = TypeVar("OfStart", bound=Start)


class Guide(Start, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole guide. `seat` is the learner's; `farewell` says what comes next."""

    farewell: Name
    steps: tuple[Step, ...]

    def moves_before(self, step: int) -> int:
        """How many moves of the learner lie before a step (from 1)."""
        return sum(len(known.asks) for known in self.steps[: step - 1])


def read(file: Path) -> Guide:
    """The guide in a file. Raises GuideError naming the value that is wrong, OSError."""
    guide = read_start(file, Guide)
    if not guide.steps or any(not step.asks or not all(ask.accept for ask in step.asks) for step in guide.steps):
        raise GuideError(f"{file}: there must be steps, and each must ask for something that is accepted")
    return guide


def read_start(file: Path, kind: type[OfStart]) -> OfStart:
    """What is shown in a game, as it stands in a file. Raises GuideError naming the value that is wrong, OSError."""
    try:
        found = msgspec.convert(tomllib.loads(file.read_text("utf-8")), kind)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as problem:
        raise GuideError(f"{file}: {problem}") from problem
    if not 1 <= found.seat <= len(found.players):
        raise GuideError(f"{file}: seat {found.seat} is none of {len(found.players)}")
    return found


def of(game: Game) -> Guide | None:
    """The guided first round of a game, read once; None for a game without one. Raises GuideError.

    >>> import spieltisch
    >>> len(of(spieltisch.game("paris-connection")).steps)
    5
    """
    return _read_once(game.folder / "guide" / "guide.toml")


@cache
def _read_once(file: Path) -> Guide | None:
    return read(file) if file.exists() else None
