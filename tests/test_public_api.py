"""The public interface: what docs/stability.md lists, typed, and known to type checkers."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

import pytest

import spieltisch
from spieltisch.games import GAMES

STABILITY = (Path(__file__).parent.parent / "docs" / "stability.md").read_text(encoding="utf-8")
LISTED = {
    module: re.findall(r"`(\w+)`", names)
    for module, names in re.findall(r"^\| `([\w.]+)` \| (.*) \|$", STABILITY, re.M)
}
PLAYED_WITH = (
    *(spieltisch.Position, spieltisch.Observation, spieltisch.LegalMoves, spieltisch.Move, spieltisch.MoveResult),
    *(spieltisch.Preview, spieltisch.Outcome, spieltisch.Option, spieltisch.Refusal),
)


@pytest.mark.parametrize("module", LISTED)
def test_the_public_names_are_those_that_the_page_lists(module: str) -> None:
    public = importlib.import_module(module)
    assert sorted(public.__all__) == sorted(LISTED[module])
    assert [name for name in public.__all__ if not inspect.getdoc(getattr(public, name))] == []


def test_the_page_lists_every_public_module() -> None:
    assert {"spieltisch", "spieltisch.bots", "spieltisch.testing"} < set(LISTED)


def members(kind: type) -> Iterator[Callable[..., Any]]:
    """The public methods and properties of a class, as functions."""
    for name, member in vars(kind).items():
        if not name.startswith("_"):
            function = member.fget if isinstance(member, property) else getattr(member, "func", member)
            function = getattr(function, "__func__", function)
            if inspect.isfunction(function):
                yield function


CALLED: Final[dict[type, tuple[str, ...]]] = {spieltisch.Game: ("start", "setup", "position", "read_components")}
"""The methods of a class that callers use, where it also has others: those that authors of a game override."""


def is_exempt(public: object) -> bool:
    """Exceptions are shown by what raises them, and a list of names or the type of a value is no callable."""
    return not (inspect.isclass(public) or inspect.isfunction(public)) or (
        inspect.isclass(public) and issubclass(public, BaseException)
    )


def without_example(public: Any) -> Iterator[str]:
    """Yield a public name without a runnable example, and its methods that neither their own docstring nor that of the
    class calls in one. A property needs none: it is read, not called.
    """
    examples = "\n".join(re.findall(r"^(?:>>>|\.\.\.) .*$", inspect.getdoc(public) or "", re.M))
    if not examples:
        yield public.__name__
    for name, member in vars(public).items() if inspect.isclass(public) else ():
        method = getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(method) and name in CALLED.get(public, (name,)):
            own = re.findall(r"^(?:>>>|\.\.\.) .*$", inspect.getdoc(method) or "", re.M)
            if not re.search(rf"\.{name}\(", "\n".join([examples, *own])):
                yield method.__qualname__


@pytest.mark.parametrize("module", LISTED)
def test_every_public_function_class_and_method_has_an_example(module: str) -> None:
    names = importlib.import_module(module)
    public = [getattr(names, name) for name in names.__all__]
    assert [missing for item in public if not is_exempt(item) for missing in without_example(item)] == []


def test_a_missing_example_is_found() -> None:
    class Example:
        """A class. `hidden` is not called.

        >>> Example().called()
        """

        def called(self) -> None: ...

        def hidden(self) -> None: ...

    def bare() -> None: ...

    assert [*without_example(Example), *without_example(bare)] == [Example.hidden.__qualname__, "bare"]


OF_PLAYERS = [
    *(function for kind in PLAYED_WITH for function in members(kind)),
    *(spieltisch.game, spieltisch.Game.start, spieltisch.Game.setup, spieltisch.Game.position),
]


@pytest.mark.parametrize("function", OF_PLAYERS, ids=lambda function: function.__qualname__)
def test_whoever_plays_meets_no_any(function: Callable[..., Any]) -> None:
    assert [name for name, hint in function.__annotations__.items() if re.search(r"\bAny\b", str(hint))] == []


def test_a_structure_has_typed_fields() -> None:
    for kind in PLAYED_WITH:
        assert [name for name, hint in vars(kind).get("__annotations__", {}).items() if "Any" in str(hint)] == []


@pytest.mark.parametrize("key", GAMES)
def test_type_checkers_know_the_options_that_the_game_declares(key: str) -> None:
    game = spieltisch.game(key)
    known = typing.get_type_hints(importlib.import_module(f"{GAMES[key]}.options").SetupOptions)
    choices = {name: (True, False) if hint is bool else get_args(hint) for name, hint in known.items()}
    assert choices == {option.name: tuple(value for value, _ in option.choices) for option in game.options}


SNIPPET = """
import spieltisch

game = spieltisch.game("paris-connection")
game.start(4, seed=7, cut_off="weak").state.seat
game.start(4, sed=7)
game.start(4, cut_off="week")
spieltisch.game("own-game").start(4, seed=7, pace="slow")
game.start(4).scroes
"""


@pytest.mark.build
def test_mypy_finds_the_mistakes_of_a_caller(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(SNIPPET)
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n")
    call = [sys.executable, "-m", "mypy", "caller.py"]
    checked = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True)
    assert checked.stderr == ""
    assert re.findall(r"^caller.py:(\d+): error: .*\[([a-z-]+)\]$", checked.stdout, re.M) == [
        ("6", "call-arg"),
        ("7", "arg-type"),
        ("9", "attr-defined"),
    ]
