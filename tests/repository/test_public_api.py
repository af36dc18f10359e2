"""Check the public interface: the list in docs/stability.md, its types, and its examples."""

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
from spieltisch import kit
from spieltisch.games import GAMES
from tests.repository.public_names import LISTED

PLAYED_WITH = (
    *(spieltisch.Position, spieltisch.Observation, spieltisch.LegalMoves, spieltisch.Move, spieltisch.MoveResult),
    *(spieltisch.Preview, spieltisch.Outcome, spieltisch.Option, spieltisch.PlayedMove, spieltisch.Refusal),
)


@pytest.mark.parametrize("module", LISTED)
def test_the_public_names_match_the_list_in_the_docs(module: str) -> None:
    public = importlib.import_module(module)
    assert sorted(public.__all__) == sorted(LISTED[module])
    assert [name for name in public.__all__ if not inspect.getdoc(getattr(public, name))] == []


def test_the_docs_list_every_public_module() -> None:
    assert {"spieltisch", "spieltisch.bots", "spieltisch.testing"} < set(LISTED)


def own_and_inherited(kind: type) -> Iterator[tuple[str, Any]]:
    """Return the names and values of a class and of its base classes in this package."""
    own_bases = (base for base in kind.__mro__ if base is kind or base.__module__.startswith("spieltisch."))
    return (pair for base in own_bases for pair in vars(base).items())


def members(kind: type) -> Iterator[Callable[..., Any]]:
    """Return the public methods and properties of a class and its base classes in this package, as functions."""
    for name, member in own_and_inherited(kind):
        if not name.startswith("_"):
            function = member.fget if isinstance(member, property) else getattr(member, "func", member)
            function = getattr(function, "__func__", function)
            if inspect.isfunction(function):
                yield function


CALLED: Final[dict[type, tuple[str, ...]]] = {
    spieltisch.Game: ("start", "setup", "position", "read_components"),
    **dict.fromkeys((kit.Drawing, kit.EventKinds, kit.MoveKind, kit.MoveSpace, kit.Reasons, kit.Scene), ()),
}
"""The methods of a class that callers use, where it also has others: those that authors of a game override."""


def is_exempt(public: object) -> bool:
    """Return True for exceptions, lists of names and types of values, which need no example."""
    return not (inspect.isclass(public) or inspect.isfunction(public)) or (
        inspect.isclass(public) and issubclass(public, BaseException)
    )


def without_example(public: Any) -> Iterator[str]:
    """Yield a public name that has no runnable example, and those of its methods that no example calls.

    Examples are in the docstring of the method or of its class. Properties need none, since they are read and not
    called.
    """
    examples = "\n".join(re.findall(r"^(?:>>>|\.\.\.) .*$", inspect.getdoc(public) or "", re.M))
    if not examples:
        yield public.__name__
    for name, member in own_and_inherited(public) if inspect.isclass(public) else ():
        method = getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(method) and name in CALLED.get(public, (name,)):
            own_examples = re.findall(r"^(?:>>>|\.\.\.) .*$", inspect.getdoc(method) or "", re.M)
            if not re.search(rf"\.{name}\(", "\n".join([examples, *own_examples])):
                yield method.__qualname__


@pytest.mark.parametrize("module", LISTED)
def test_every_public_function_class_and_method_has_an_example(module: str) -> None:
    names = importlib.import_module(module)
    public = [getattr(names, name) for name in names.__all__]
    assert [missing for item in public if not is_exempt(item) for missing in without_example(item)] == []


def test_the_check_finds_a_public_function_without_an_example() -> None:
    class Example:
        """A class. `hidden` is not called.

        >>> Example().called()
        """

        def called(self) -> None: ...

        def hidden(self) -> None: ...

    def undocumented() -> None: ...

    assert [*without_example(Example), *without_example(undocumented)] == [Example.hidden.__qualname__, "undocumented"]
    assert {"play", "observe"} < dict(own_and_inherited(spieltisch.Position)).keys(), "its queries are inherited"


OF_PLAYERS = [
    *(function for kind in PLAYED_WITH for function in members(kind)),
    *(spieltisch.game, spieltisch.Game.start, spieltisch.Game.setup, spieltisch.Game.position),
]


@pytest.mark.parametrize("function", OF_PLAYERS, ids=lambda function: function.__qualname__)
def test_no_public_annotation_contains_any(function: Callable[..., Any]) -> None:
    assert [name for name, hint in function.__annotations__.items() if re.search(r"\bAny\b", str(hint))] == []


def test_public_structures_have_no_fields_of_type_any() -> None:
    for kind in PLAYED_WITH:
        assert [name for name, hint in vars(kind).get("__annotations__", {}).items() if "Any" in str(hint)] == []


@pytest.mark.parametrize("key", GAMES)
def test_typed_options_match_the_options_declared_by_the_game(key: str) -> None:
    game = spieltisch.game(key)
    typed_options = typing.get_type_hints(importlib.import_module(f"{GAMES[key]}.options").SetupOptions)
    choices = {name: (True, False) if hint is bool else get_args(hint) for name, hint in typed_options.items()}
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
def test_mypy_reports_wrong_calls_of_the_public_api(tmp_path: Path) -> None:
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
