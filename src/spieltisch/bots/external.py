"""Bots from outside: a function in a file, `mine.py:Bot`, or what an installed package names in the group
`spieltisch.bots` of its entry points.

A bot is called with the observation of the seat that decides, a seed and its budget in seconds (None: as it likes) and
returns the text of a move. A class is made once in each process, without arguments, and its instance is called.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, TypeAlias

from spieltisch.core.observation import Observation

GROUP: Final = "spieltisch.bots"
"""The group of entry points in which installed packages name their bots."""

Bot: TypeAlias = Callable[[Observation, int, float | None], str]


class UnknownBot(ValueError):
    """There is no bot of that name, or it is none."""


class BotFailed(RuntimeError):
    """A bot from outside raised, or returned what is no move."""


def installed_bots() -> list[str]:
    """The names of the bots of installed packages."""
    return sorted(entry_points(group=GROUP).names)


def is_file(name: str) -> bool:
    """Whether the name is that of a bot in a file.

    >>> is_file("bots/mine.py:Bot"), is_file("greedy")
    (True, False)
    """
    return ".py:" in name


def absolute_bot_name(name: str) -> str:
    """The same name, with the whole path of a file: for processes that work elsewhere."""
    file, _, what = name.rpartition(":")
    return f"{Path(file).resolve()}:{what}" if is_file(name) else name


@lru_cache(maxsize=64)
def load(name: str) -> Bot:
    """The bot of that name, which has no budget in it. Runs the code that it comes from. Raises UnknownBot."""
    found = _in_file(name) if is_file(name) else _installed(name)
    try:
        bot = found() if isinstance(found, type) else found
    except Exception as error:
        raise UnknownBot(f"{name} cannot be made: {_words(error)}") from error
    try:
        inspect.signature(bot).bind(None, 1, None)
    except (TypeError, ValueError) as error:
        raise UnknownBot(f"{name} is no bot: it cannot be called with an observation, a seed, seconds") from error
    return bot  # type: ignore[no-any-return]  # what it returns is looked at when it does


def decide(name: str, seen: Observation, seed: int, seconds: float | None) -> int:
    """The number of the move that it plays. Raises what it raises, BotFailed for what is no text, UnknownMove."""
    text: Any = load(name)(seen, seed, seconds)
    if not isinstance(text, str):
        raise BotFailed(f"{name} returned {type(text).__name__}, not the text of a move")
    return seen.setup.move(text).number


def _installed(name: str) -> Any:
    found = entry_points(group=GROUP, name=name)
    if len(found) != 1:
        raise UnknownBot(f"{len(found) or 'no'} installed packages have a bot {name!r}")
    try:
        return next(iter(found)).load()
    except Exception as error:
        raise UnknownBot(f"{name} cannot be loaded: {_words(error)}") from error


def _in_file(name: str) -> Any:
    text, _, what = name.rpartition(":")
    file = Path(text).resolve()
    if not file.is_file():
        raise UnknownBot(f"{text}: there is no such file")
    module = _module(file)
    if not hasattr(module, what):
        raise UnknownBot(f"{text} has no {what!r}")
    return getattr(module, what)


@lru_cache(maxsize=64)
def _module(file: Path) -> Any:
    name = f"spieltisch bot in {file}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None  # noqa: S101  # the name ends in .py
    assert spec.loader is not None  # noqa: S101  # likewise
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UnknownBot(f"{file} cannot be loaded: {_words(error)}") from error
    return module


def _words(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"
