"""The content of a guided first round and of worked examples: a real start, and steps with moves and their meaning.

A first round is the file `guide/guide.toml` in the folder of a game and has tasks for the learner; a worked example is
a file `examples/NAME.toml` and has none. Figures need not be typed: `figures` names the source of each, and the text
contains its name in braces. Sources are `view.`… (what the viewer may know of the position), `points.0` (of the first
seat), and `contents.`… (the component file). A step into a list is an index from 0 or an id, and a list stands for its
sum. `+` and `*` are allowed.
"""

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
    """A guide or an example that cannot be read or played. The text names the place and the reason."""


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task for the learner.

    `accept` contains moves, or the beginnings of moves; the first is the one that is shown on request.
    """

    text: Name
    accept: tuple[str, ...]

    def accepts(self, move: Move) -> bool:
        """Return True if the task accepts the move.

        >>> Task(Name("Take.", "Nimm.", "Prends.", "Neem."), ("take 1", "draw")).accepts(Move(0, "draw blue"))
        True
        """
        return any(_begins_with(move, words) for words in self.accept)

    def choose(self, moves: Sequence[Move]) -> list[Move]:
        """Return the moves that the task accepts, in the order of `accept`."""
        return list(dict.fromkeys(move for words in self.accept for move in moves if _begins_with(move, words)))


def _begins_with(move: Move, words: str) -> bool:
    return f"{move.text} ".startswith(f"{words} ")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A step: a text and the rules behind it.

    `before` are moves since the last step that appear only in the log, `moves` those that are shown. `after` are played
    when all tasks are done, and `praise` is shown then. The steps of a worked example have no tasks and no titles.
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
    """The real start of a game, and steps from there on.

    `seat` is the viewer's, from 1; `players` are the names that the texts may use; `promise` is the announcement of
    what the learner will know afterwards. `before` are the moves up to the first position that is shown.
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
        """Return the position before the first move."""
        return game.start(len(self.players), seed=self.seed, **self.options)

    def moves_before(self, step: int) -> int:
        """Return the number of moves that the learner makes before a step (from 1)."""
        return sum(len(earlier_step.asks) for earlier_step in self.steps[: step - 1])


class Guide(ScriptedGame, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A guided first round. `seat` is the learner's; `farewell` names the next steps."""

    farewell: Name
    title: ClassVar[None] = None


class Example(ScriptedGame, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A worked example."""

    title: Name


OfScript = TypeVar("OfScript", bound=ScriptedGame)


def read(file: Path) -> Guide:
    """Return the guide in a file. Raise GuideError, which names the invalid value, or OSError."""
    guide = _read(file, Guide)
    if not guide.steps or any(not step.asks or not all(ask.accept for ask in step.asks) for step in guide.steps):
        raise GuideError(f"{file}: there must be steps, and each must ask for something that is accepted")
    if any(not step.id or step.title is None or step.praise is None for step in guide.steps):
        raise GuideError(f"{file}: each step must have an id, a title and praise")
    return guide


def read_example(file: Path) -> Example:
    """Return the worked example in a file. Raise GuideError, which names the invalid value, or OSError."""
    example = _read(file, Example)
    if any(step.asks or step.after for step in example.steps):
        raise GuideError(f"{file}: a worked example asks for nothing")
    return example


def _read(file: Path, kind: type[OfScript]) -> OfScript:
    try:
        script = msgspec.convert(tomllib.loads(file.read_text("utf-8")), kind)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise GuideError(f"{file}: {error}") from error
    if not 1 <= script.seat <= len(script.players):
        raise GuideError(f"{file}: seat {script.seat} is none of {len(script.players)}")
    return script


def guide_of(game: Game) -> Guide | None:
    """Return the guided first round of a game, or None. It is read once. Raise GuideError.

    >>> import spieltisch
    >>> len(guide_of(spieltisch.game("paris-connection")).steps)
    5
    """
    return _guide_in(game.folder / "guide" / "guide.toml")


@cache
def _guide_in(file: Path) -> Guide | None:
    return read(file) if file.exists() else None


def examples(game: Game) -> dict[str, Example]:
    """Return the worked examples of a game by their names. They are read once. Raise GuideError.

    >>> import spieltisch
    >>> sorted(examples(spieltisch.game("paris-connection")))
    ['shares', 'the-end']
    """
    return _examples_in(game.folder / "examples")


@cache
def _examples_in(folder: Path) -> dict[str, Example]:
    return {file.stem: read_example(file) for file in sorted(folder.glob("*.toml"))}
