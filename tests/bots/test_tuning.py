"""Tuning the parameters of the search: the same games for all candidates, reproducible, and the best one is kept."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from bench import tuning
from bench.tuning import Duel, description, halved, played, pool, rated

import spieltisch
from spieltisch.bots import levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, SearchParams
from spieltisch.games import GAMES
from spieltisch.lab.parallel import IN_PROCESS, Parallel

STYLES = [SearchParams(temperature=temper) for temper in (0.5, 1.0, 2.0, 3.0, 4.0)]
FIRST = Duel("paris-connection", SearchParams(), "", Budget(4), 1, 0)


@pytest.mark.build
def test_the_same_whatever_the_number_of_jobs() -> None:
    native_library.build("paris-connection")
    games = [FIRST._replace(opponent=other, number=number) for number, other in enumerate(("easy", "builder"))]
    ratings = rated(IN_PROCESS, STYLES[:2], games)
    assert ratings == rated(Parallel(2), STYLES[:2], games)
    assert ratings == [sum(played(game._replace(candidate=style)) for game in games) / 2 for style in STYLES[:2]]


def test_the_better_half_goes_on_with_twice_the_games_at_the_same_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[list[SearchParams], list[Duel]]] = []

    def by_temper(cores: Parallel, candidates: Sequence[SearchParams], games: Sequence[Duel]) -> list[float]:
        calls.append((list(candidates), list(games)))
        return [style.temperature / 10 for style in candidates]

    monkeypatch.setattr(tuning, "rated", by_temper)
    assert halved(IN_PROCESS, STYLES, FIRST, 4) == STYLES[-1]
    assert [(len(styles), len(games)) for styles, games in calls] == [(5, 4), (3, 8), (2, 16)]
    numbers = [game.number for _, games in calls for game in games]
    assert numbers == list(range(4 + 8 + 16)), "no luck of an earlier round counts in a later one"
    assert {game.opponent for game in calls[0][1]} == set(pool(spieltisch.game("paris-connection")))


@pytest.mark.parametrize("key", sorted(GAMES))
def test_what_a_game_says_of_its_search_are_parameters(key: str) -> None:
    style = levels.search_params_of(spieltisch.game(key))
    assert description(style) == (
        ", ".join(f"{name} {value:g}" for name, value in spieltisch.game(key).search_params.items()) or "as usual"
    )
