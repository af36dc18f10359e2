"""What stands in a guided first round, `guide/guide.toml` in the folder of a game, and in its worked examples,
`examples/NAME.toml`: a real start, and steps with moves that are played and what they mean.

A first round asks its learner for moves; a worked example asks for none. Figures need not be typed: `figures` names
where each stands, and the text has it in braces. Places are `view.`… (what who looks on may know of the position),
`points.0` (of the first seat), and `contents.`… (the component file); a step into a list is an index from 0 or an id,
and a list stands for its sum. `+` and `*` reckon.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import msgspec

from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.core.words import Name


class GuideError(ValueError):
    """A guide or an example that cannot be read or walked; its text says where and why."""


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to try. `accept` holds moves, or words that moves begin with; the first is the one that is shown to
    who asks for it.
    """

    text: Name
    accept: tuple[str, ...]

    def accepts(self, move: Move) -> bool:
        """Whether the move is one of those asked for.

        >>> Task(Name("Take.", "Nimm.", "Prends.", "Neem."), ("take 1", "draw")).accepts(Move(0, "draw blue"))
        True
        """
        return any(_begins(move, words) for words in self.accept)

    def choose(self, moves: Sequence[Move]) -> list[Move]:
        """Those of the moves that are asked for, in the order of `accept`."""
        return list(dict.fromkeys(move for words in self.accept for move in moves if _begins(move, words)))


def _begins(move: Move, words: str) -> bool:
    return f"{move.text} ".startswith(f"{words} ")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step: a text and the rules that it comes from. `before` are moves since the last step that are in the log
    alone, `moves` those that are shown; `after` are played when everything has been tried that is asked, and `praise`
    is said then. In a worked example nothing is asked, and steps have no titles of their own.
    """

    rules: tuple[str, ...]
    text: Name
    id: str = ""
    title: Name | None = None
    asks: tuple[Task, ...] = ()
    praise: Name | None = None
    before: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    figures: dict[str, str] = {}


class ScriptedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The real start of a game, and steps from it on. `seat` is the one that looks on, from 1; `players` are the names
    that the texts may use; `promise` says beforehand what one will have learnt. `before` are the moves up to the
    position that it begins with.
    """

    game: str
    seed: int
    players: tuple[str, ...]
    seat: int
    promise: Name
    steps: tuple[Step, ...]
    options: dict[str, Any] = {}
    before: tuple[str, ...] = ()

    def start(self, game: Game) -> Position:
        """The game as it stands before the first move."""
        return game.start(len(self.players), seed=self.seed, **self.options)

    def moves_before(self, step: int) -> int:
        """How many moves are asked for before a step (from 1)."""
        return sum(len(known.asks) for known in self.steps[: step - 1])


class Guide(ScriptedGame, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A guided first round. `seat` is the learner's; `farewell` says what comes next."""

    farewell: Name
    title: ClassVar[None] = None


class Example(ScriptedGame, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A worked example."""

    title: Name


OfScript = TypeVar("OfScript", bound=ScriptedGame)


def read(file: Path) -> Guide:
    """The guide in a file. Raises GuideError naming the value that is wrong, OSError."""
    guide = _read(file, Guide)
    if not guide.steps or any(not step.asks or not all(ask.accept for ask in step.asks) for step in guide.steps):
        raise GuideError(f"{file}: there must be steps, and each must ask for something that is accepted")
    if any(not step.id or step.title is None or step.praise is None for step in guide.steps):
        raise GuideError(f"{file}: each step must have an id, a title and praise")
    return guide


def read_example(file: Path) -> Example:
    """The worked example in a file. Raises GuideError naming the value that is wrong, OSError."""
    example = _read(file, Example)
    if any(step.asks or step.after for step in example.steps):
        raise GuideError(f"{file}: a worked example asks for nothing")
    return example


def _read(file: Path, kind: type[OfScript]) -> OfScript:
    try:
        found = msgspec.convert(tomllib.loads(file.read_text("utf-8")), kind)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as problem:
        raise GuideError(f"{file}: {problem}") from problem
    if not 1 <= found.seat <= len(found.players):
        raise GuideError(f"{file}: seat {found.seat} is none of {len(found.players)}")
    return found


def guide_of(game: Game) -> Guide | None:
    """The guided first round of a game, read once; None for a game without one. Raises GuideError.

    >>> import spieltisch
    >>> len(guide_of(spieltisch.game("paris-connection")).steps)
    5
    """
    return _guide_in(game.folder / "guide" / "guide.toml")


@cache
def _guide_in(file: Path) -> Guide | None:
    return read(file) if file.exists() else None


def examples(game: Game) -> dict[str, Example]:
    """The worked examples of a game by their names, read once. Raises GuideError.

    >>> import spieltisch
    >>> sorted(examples(spieltisch.game("paris-connection")))
    ['shares', 'the-end']
    """
    return _examples_in(game.folder / "examples")


@cache
def _examples_in(folder: Path) -> dict[str, Example]:
    return {file.stem: read_example(file) for file in sorted(folder.glob("*.toml"))}
