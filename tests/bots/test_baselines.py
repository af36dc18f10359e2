"""Check that the moves of a baseline never change under its name."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import spieltisch
from spieltisch.bots import BOTS, baselines, check, choose_turn, levels
from spieltisch.bots.baselines import BASELINES, SETUPS
from spieltisch.bots.external import UnknownBot
from spieltisch.bots.search import native_library, searcher
from spieltisch.bots.search.searcher import Budget, SearchParams
from spieltisch.games import GAMES
from tests.bots.baseline_answers import GOLDENS, SEEDS, answers, goldens, most_answers
from tests.tiers import first_alone


@pytest.mark.parametrize("name", [name for name in BASELINES if not baselines.is_searching(name)])
@pytest.mark.parametrize("key", GAMES)
def test_a_baseline_bot_still_plays_its_golden_games(key: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_library, "find", lambda *_: None)
    assert goldens(key)[name] == [answers(key, name, seed, most_answers(name)) for seed in SEEDS]


@pytest.mark.build
@pytest.mark.parametrize("name", [name for name in BASELINES if baselines.is_searching(name)])
@pytest.mark.parametrize("key", GAMES)
def test_a_searching_baseline_bot_still_plays_its_golden_games(key: str, name: str) -> None:
    native_library.build(key)
    assert goldens(key)[name] == [answers(key, name, seed, most_answers(name)) for seed in SEEDS]


def other_settings(patch: pytest.MonkeyPatch, key: str) -> None:
    """Change every tunable setting: the levels, the parameters of games, and the defaults of a search."""
    patch.setattr(levels, "LEVELS", {name: replace(budget, simulations=3) for name, budget in levels.LEVELS.items()})
    patch.setattr(levels, "BEGINNER_SHARE", 10)
    patch.setattr(levels, "UNCOMPILED", Budget(2))
    patch.setattr(levels, "UNCOMPILED_NODES", 300)
    patch.setattr(levels, "NODES", 300)
    patch.setattr(searcher, "NODES", 300)
    patch.setattr(type(spieltisch.game(key)), "search_params", {"temperature": 9.0, "scale": 1.0, "max_playout": 1})


@pytest.mark.parametrize("key", first_alone("paris-connection", GAMES, "build"))
def test_changed_settings_of_the_bot_levels_change_no_baseline_bot(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The baseline bot runs in plain Python here, as on a machine without a compiler."""
    monkeypatch.setattr(native_library, "find", lambda *_: None)
    other_settings(monkeypatch, key)
    game = goldens(key)["medium-1"][0]
    assert answers(key, "medium-1", 1, len(game), before=game[:-1]) == game
    assert answers(key, "beginner-1", 1, 9) == goldens(key)["beginner-1"][0][:9]


def test_every_setting_of_a_baseline_bot_is_stored() -> None:
    """A setting left to a default would change together with that default."""
    for search in baselines._FILE["searches"].values():
        tables = [value for value in search.values() if isinstance(value, dict)]
        assert tables
        assert [table.keys() for table in tables] == [set(SearchParams.__struct_fields__)] * len(tables)
    for key, options in SETUPS.items():
        assert options.keys() == {option.name for option in spieltisch.game(key).options}
    assert set(SETUPS) == set(GAMES)


def test_every_baseline_bot_has_golden_games_of_every_game() -> None:
    goldens_by_game = {file.stem: list(goldens(file.stem)) for file in GOLDENS.glob("*.json")}
    assert goldens_by_game == {key: list(BASELINES) for key in GAMES}


@pytest.mark.parametrize("name", ["medium-1@0.5", "medium-1+builder", "medium-2", "easy-0"])
def test_a_baseline_name_with_a_budget_a_style_or_an_unknown_number_is_refused(name: str) -> None:
    with pytest.raises(UnknownBot, match=r"always has the same budget|there is no bot|plays (medium|easy)-1, not"):
        check(name)


def test_baseline_bots_are_not_offered_at_tables() -> None:
    assert not set(BASELINES) & set(BOTS)


def test_a_game_that_defines_no_search_parameters_has_baselines(toy: str) -> None:
    position = spieltisch.game(toy).start(2, seed=1)
    assert position.seat is not None
    (first, *_) = choose_turn("medium-1", position.observe(position.seat).bytes, seed=1)
    assert position.move(first.move) in position.legal_moves
