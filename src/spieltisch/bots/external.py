"""External bots: a function or class in a file, `mine.py:Bot`, or one from an installed package.

Packages name their bots in the group `spieltisch.bots` of their entry points. A bot is called with the observation of
the seat that decides, a seed and its budget for the turn in seconds (None: no limit). It returns a move, as its text,
its number or a `Move`, or a list of moves of its turn. A class is instantiated once in each process, without arguments,
and the instance is called.
"""

import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from itertools import dropwhile
from pathlib import Path
from typing import Any, Final, Protocol, SupportsIndex, TypeAlias

from spieltisch.bots.turns import Answer, play_ahead, single
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation

GROUP: Final = "spieltisch.bots"
"""The group of entry points in which installed packages name their bots."""

AnyMove: TypeAlias = Move | str | SupportsIndex
"""A move as an external bot may name it."""


class Bot(Protocol):
    """A bot of your own: from an observation, a seed and a budget in seconds (None: no limit) to a move.

    It may also return several moves of the turn. Equal arguments must give equal moves.

    >>> def first(seen: Observation, seed: int, seconds: float | None) -> Move:
    ...     return seen.legal_moves[0]
    >>> bot: Bot = first
    """

    def __call__(self, seen: Observation, seed: int, seconds: float | None, /) -> AnyMove | Sequence[AnyMove]:
        """Return the move, as its text, its number or a `Move`."""
        ...


ANSWER_SECONDS: Final = 60.0
"""The time after which an answer is given up."""


class UnknownBot(ValueError):
    """No bot has this name, or the object of that name is not a bot."""


class BotFailed(RuntimeError):
    """An external bot raised an exception or returned something that is not a move."""


def installed_bots() -> list[str]:
    """Return the names of the bots of installed packages."""
    return sorted(entry_points(group=GROUP).names)


def is_file(name: str) -> bool:
    """Return True if the name is that of a bot in a file.

    >>> is_file("bots/mine.py:Bot"), is_file("easy")
    (True, False)
    """
    return ".py:" in name


def absolute_bot_name(name: str) -> str:
    """Return the name with the absolute path of a file, for processes with another working directory."""
    file, _, attribute = name.rpartition(":")
    return f"{Path(file).resolve()}:{attribute}" if is_file(name) else name


@lru_cache(maxsize=64)
def load(name: str) -> Bot:
    """Return the bot of that name, which contains no budget. Runs the bot's code. Raise UnknownBot."""
    target = _load_from_file(name) if is_file(name) else _load_installed(name)
    try:
        bot = target() if isinstance(target, type) else target
    except (Exception, SystemExit) as error:
        raise UnknownBot(f"{name} cannot be created: {_error_text(error)}") from error
    try:
        inspect.signature(bot).bind(None, 1, None)
    except (TypeError, ValueError) as error:
        words = f"{name} is not a bot: it cannot be called with an observation, a seed, seconds ({error})"
        raise UnknownBot(words) from None  # nothing of its own failed
    return bot  # type: ignore[no-any-return]  # its result is checked by `answer`


def answer(name: str, seen: Observation, seed: int, seconds: float | None) -> Answer:
    """Return the answer of the bot of that name. Raise as `answer_of` does, and UnknownBot."""
    return answer_of(load(name), name, seen, seed, seconds)


def answer_of(bot: Bot, name: str, seen: Observation, seed: int, seconds: float | None) -> Answer:
    """Return the bot's answer. Of several moves it has those that can be foreseen (`play_ahead`).

    Raise whatever the bot raises, BotFailed if it returned no move, UnknownMove if there is no such move.
    """
    try:
        returned: Any = bot(seen, seed, seconds)
    except SystemExit as error:
        raise BotFailed(f"{name} ended the program ({_error_text(error)})") from error
    listed = list(returned) if isinstance(returned, list | tuple) else [returned]
    if not listed:
        raise BotFailed(f"{name} returned no move")
    for move in listed:
        if isinstance(move, bool) or not isinstance(move, Move | str | SupportsIndex):
            raise BotFailed(f"{name} returned {type(move).__name__}, not a move")
    numbers = [seen.setup.move(move).number for move in listed]
    if len(numbers) == 1:
        return single(seen, numbers[0])
    return play_ahead(seen, seed, lambda world, played: numbers[len(played)] if len(played) < len(numbers) else None)


def traceback_of(problem: BaseException | None) -> str:
    """Return the traceback of an external bot from its own first line on, or "" if it did not raise."""
    if problem is None:
        return ""
    ours = Path(__file__).parents[1]
    frames = traceback.extract_tb(problem.__traceback__)
    own = dropwhile(lambda frame: frame.filename.startswith(("<frozen importlib", f"{ours}{os.sep}")), frames)
    return "".join(traceback.format_list(own)).rstrip()


def _load_installed(name: str) -> Any:
    points = entry_points(group=GROUP, name=name)
    if len(points) != 1:
        raise UnknownBot(f"{len(points) or 'no'} installed packages have a bot {name!r}")
    try:
        return next(iter(points)).load()
    except (Exception, SystemExit) as error:
        raise UnknownBot(f"{name} cannot be loaded: {_error_text(error)}") from error


def _load_from_file(name: str) -> Any:
    text, _, attribute = name.rpartition(":")
    file = Path(text).resolve()
    if not file.is_file():
        raise UnknownBot(f"{text}: file not found")
    module = _import_file(file)
    if not hasattr(module, attribute):
        raise UnknownBot(f"{text} has no {attribute!r}")
    return getattr(module, attribute)


@lru_cache(maxsize=64)
def _import_file(file: Path) -> Any:
    name = f"spieltisch bot in {file}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None  # noqa: S101  # the name ends in .py
    assert spec.loader is not None  # noqa: S101  # likewise
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise UnknownBot(f"{file} cannot be loaded: {_error_text(error)}") from error
    return module


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
