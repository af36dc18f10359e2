"""Check the search for fair components: what it may change, and that its log continues it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bench import fair_seats
from bench.fair_seats import ATTEMPTS, GAME, Lever, Search, Shares, move_levers

import spieltisch
from spieltisch.core.components import Components, ComponentsError
from spieltisch.lab.variants import read_tables


def changes(lever: Lever, level: int) -> dict[str, str]:
    """Return the mark of every value that a lever changes, by path."""
    game = spieltisch.game(GAME)
    before = {path: value for path, value, _ in game.components.values() if path != "name"}
    try:
        tables = move_levers(game.components, [lever], [level], game.components.name)
        after = {path: value for path, value, _ in read_tables(game, tables).values() if path != "name"}
    except ComponentsError:
        return {}
    return {path: game.components.mark_of(path).mark for path in after if after[path] != before.get(path)}


@pytest.mark.parametrize("lever", ATTEMPTS["all"], ids=lambda lever: lever.name)
def test_a_lever_changes_only_values_that_are_ours(lever: Lever) -> None:
    marks = {**changes(lever, 1), **changes(lever, -1)}
    assert set(marks.values()) == {"reconstructed"}


def test_an_interrupted_search_continues_with_the_same_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    def shares_of(components: Components[Any], games: int, seed: int) -> Shares:
        measured.append(components.digest)
        return {"4": [0.25 + int(components.digest[:2], 16) / 1000, 0.25, 0.25, 0.25]}

    monkeypatch.setattr(fair_seats, "measure_shares", shares_of)
    base = spieltisch.game(GAME).components
    levers = ATTEMPTS["start-cards"][:3]
    whole = Search(levers, base, 1, None).climb(10, 6)
    first, log = len(measured), tmp_path / "log.jsonl"
    Search(levers, base, 1, log).climb(10, 3)
    assert Search(levers, base, 1, log).climb(10, 6) == whole
    assert len(measured) == 2 * first
    assert len(whole) > 1
