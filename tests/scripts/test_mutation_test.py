"""Check that `scripts/mutation_test` finds all possible mutants of rules and changes one place in each."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.tools

SCRIPT = ROOT / "scripts" / "mutation_test"
RULES = """
from spieltisch.core.compiled import rule
K1, K2, K3, OVER = 1, 2, 3, 9

@rule
def one(n):
    "K1: not one."
    return K1 if n == 1 else 0

@rule
def two(n):
    "K2, K3: not two."
    return K2 if n == 2 else 0

@rule
def refusal(n):
    return one(n) or two(n) or (n == 3 and K3) or n == 4

@rule
def play(s):
    if s.left or s.late:
        s.over = K3
    return s.over or 0
"""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    loader = SourceFileLoader("mutants", str(SCRIPT))
    spec = importlib.util.spec_from_loader("mutants", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a game with a few rules."""
    (tmp_path / "chained.py").write_text(RULES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "chained", raising=False)
    module = importlib.import_module("chained")
    names = ("start", "legal", "refusal", "play", "points", "observe")
    rules = SimpleNamespace(**{name: getattr(module, name, None) for name in names})
    return SimpleNamespace(rules=rules, rule_names={1: "K1", 2: "K2", 3: "K3"})


def test_every_statement_that_can_be_mutated_is_found(script: ModuleType, game: Any) -> None:
    mutants = {
        (mutant.function.partition(":")[2], mutant.words, mutant.numbers)
        for mutant in script.mutants(game, statements=False)
    }
    assert mutants == {
        ("one", "allows everything", ("K1",)),
        ("two", "allows everything", ("K2", "K3")),
        ("refusal", "not: one(n)", ("K1",)),
        ("refusal", "not: two(n)", ("K2,K3",)),
        ("refusal", "not: n == 3 and K3", ("K3",)),
        ("play", "never: if s.left or s.late", ("K3",)),
    }


@pytest.mark.parametrize(
    ("words", "refused_numbers"),
    [
        ("not: one(n)", [0, 0, 2, 3, True]),
        ("not: two(n)", [0, 1, 0, 3, True]),
        ("not: n == 3 and K3", [0, 1, 2, 0, True]),
        ("allows everything", [0, 1, 0, 3, True]),  # the function of K2 and K3 is found first
    ],
)
def test_a_mutant_changes_one_statement_only(
    script: ModuleType, game: Any, words: str, refused_numbers: list[int]
) -> None:
    assert [game.rules.refusal(n) for n in range(5)] == [0, 1, 2, 3, True]
    mutant = next(mutant for mutant in script.mutants(game, statements=False) if mutant.words == words)
    script.apply_mutant(mutant.id)
    assert [game.rules.refusal(n) for n in range(5)] == refused_numbers


def test_a_mutant_may_make_a_condition_always_false(script: ModuleType, game: Any) -> None:
    state = SimpleNamespace(left=1, late=0, over=0)
    mutant = next(mutant for mutant in script.mutants(game, statements=False) if mutant.words.startswith("never"))
    script.apply_mutant(mutant.id)
    assert game.rules.play(state) == 0
