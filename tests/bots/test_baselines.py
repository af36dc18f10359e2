"""The moves of a baseline never change under its name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import spieltisch
from spieltisch.bots import BOTS, baselines, check, choose_turn, levels
from spieltisch.bots.baselines import BASELINES, SEATS, SETUPS
from spieltisch.bots.external import UnknownBot
from spieltisch.bots.search import native_library, searcher
from spieltisch.bots.search.searcher import Budget, SearchParams
from spieltisch.core.chance import Rng, randbelow
from spieltisch.games import GAMES
from tests.tiers import first_alone

GOLDENS = Path(__file__).parent / "baselines"
"""A file for each game, with what each baseline played when it was new. Nobody makes a line of it again."""
SEEDS = (1, 2)
PLAYOUTS = 4_800
"""The maximum number of playouts for the answers of a searching baseline in a golden game."""


def most_answers(name: str) -> int:
    return PLAYOUTS // BASELINES[name].simulations if baselines.is_searching(name) else 1_000


def answers(key: str, name: str, seed: int, most: int, before: Sequence[str] = ()) -> list[str]:
    """Return the first answers of a baseline, in one seat of a game in which all others play at random.

    Answers that were given `before` are not asked for again. Of each answer the first move is played.
    """
    options: dict[str, Any] = dict(SETUPS[key])
    position = spieltisch.game(key).start(SEATS, seed=seed, **options)
    own_seat, rng, found = seed % SEATS, Rng(seed), list(before)
    decision = 0
    while position.seat is not None and decision < most:
        if position.seat == own_seat:
            if decision == len(found):
                answer = choose_turn(name, position.observe(own_seat).bytes, seed=position.number)
                found.append("; ".join(move.move for move in answer))
            position.play(found[decision].split("; ")[0])
            decision += 1
        else:
            moves = position.legal_moves.numbers
            position.play(moves[randbelow(rng, len(moves))])
    return found


def goldens(key: str) -> dict[str, list[list[str]]]:
    """Return the games of each baseline, as lists of its answers."""
    games: dict[str, list[list[str]]] = json.loads((GOLDENS / f"{key}.json").read_text("utf-8"))
    return games


@pytest.mark.parametrize("name", [name for name in BASELINES if not baselines.is_searching(name)])
@pytest.mark.parametrize("key", GAMES)
def test_a_baseline_plays_as_when_it_was_new(key: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_library, "find", lambda *_: None)
    assert goldens(key)[name] == [answers(key, name, seed, most_answers(name)) for seed in SEEDS]


@pytest.mark.build
@pytest.mark.parametrize("name", [name for name in BASELINES if baselines.is_searching(name)])
@pytest.mark.parametrize("key", GAMES)
def test_a_searching_baseline_plays_as_when_it_was_new(key: str, name: str) -> None:
    native_library.build(key)
    assert goldens(key)[name] == [answers(key, name, seed, most_answers(name)) for seed in SEEDS]


def other_settings(patch: pytest.MonkeyPatch, key: str) -> None:
    """Tune whatever may be tuned: the levels, the games' own parameters, the defaults of a search."""
    patch.setattr(levels, "LEVELS", {name: replace(budget, simulations=3) for name, budget in levels.LEVELS.items()})
    patch.setattr(levels, "BEGINNER_SHARE", 10)
    patch.setattr(levels, "UNCOMPILED", Budget(2))
    patch.setattr(levels, "UNCOMPILED_NODES", 300)
    patch.setattr(levels, "NODES", 300)
    patch.setattr(searcher, "NODES", 300)
    patch.setattr(type(spieltisch.game(key)), "search_params", {"temperature": 9.0, "scale": 1.0, "max_playout": 1})


@pytest.mark.parametrize("key", first_alone("paris-connection", GAMES, "build"))
def test_other_settings_of_the_levels_change_no_baseline(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python, as on a machine without a compiler, a baseline has the same playouts and the same answer."""
    monkeypatch.setattr(native_library, "find", lambda *_: None)
    other_settings(monkeypatch, key)
    game = goldens(key)["medium-1"][0]
    assert answers(key, "medium-1", 1, len(game), before=game[:-1]) == game
    assert answers(key, "beginner-1", 1, 9) == goldens(key)["beginner-1"][0][:9]


def test_the_settings_of_a_search_are_complete() -> None:
    """A setting left to a default would change with that default."""
    for search in baselines._FILE["searches"].values():
        tables = [value for value in search.values() if isinstance(value, dict)]
        assert tables
        assert [table.keys() for table in tables] == [set(SearchParams.__struct_fields__)] * len(tables)
    for key, options in SETUPS.items():
        assert options.keys() == {option.name for option in spieltisch.game(key).options}
    assert set(SETUPS) == set(GAMES)


def test_every_baseline_has_goldens_of_every_game() -> None:
    found = {file.stem: list(goldens(file.stem)) for file in GOLDENS.glob("*.json")}
    assert found == {key: list(BASELINES) for key in GAMES}


@pytest.mark.parametrize("name", ["medium-1@0.5", "medium-1+builder", "medium-2", "easy-0"])
def test_a_baseline_has_neither_budget_nor_style_nor_another_number(name: str) -> None:
    with pytest.raises(UnknownBot, match=r"always has the same budget|there is no bot|plays (medium|easy)-1, not"):
        check(name)


def test_tables_offer_no_baselines() -> None:
    assert not set(BASELINES) & set(BOTS)


def test_a_game_without_parameters_of_its_own_has_baselines_too(toy: str) -> None:
    position = spieltisch.game(toy).start(2, seed=1)
    assert position.seat is not None
    (first, *_) = choose_turn("medium-1", position.observe(position.seat).bytes, seed=1)
    assert position.move(first.move) in position.legal_moves
