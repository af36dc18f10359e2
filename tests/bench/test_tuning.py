"""Check the tuning of search parameters: equal games for all candidates, and a reproducible choice of the best."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from bench import tuning
from bench.tuning import Duel, describe, halve_candidates, opponents_of, play_duel, rate_candidates

import spieltisch
from spieltisch.bots import levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, SearchParams
from spieltisch.games import GAMES
from spieltisch.lab.parallel import IN_PROCESS, Parallel

STYLES = [SearchParams(temperature=temper) for temper in (0.5, 1.0, 2.0, 3.0, 4.0)]
FIRST = Duel("paris-connection", SearchParams(), "", Budget(4), 1, 0)


@pytest.mark.build
def test_the_number_of_jobs_does_not_change_the_result_of_tuning() -> None:
    native_library.build("paris-connection")
    games = [FIRST._replace(opponent=other, number=number) for number, other in enumerate(("easy", "builder"))]
    ratings = rate_candidates(IN_PROCESS, STYLES[:2], games)
    assert ratings == rate_candidates(Parallel(2), STYLES[:2], games)
    assert ratings == [sum(play_duel(game._replace(candidate=style)) for game in games) / 2 for style in STYLES[:2]]


def test_the_better_half_of_the_candidates_plays_twice_as_many_new_games(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[list[SearchParams], list[Duel]]] = []

    def by_temper(cores: Parallel, candidates: Sequence[SearchParams], games: Sequence[Duel]) -> list[float]:
        calls.append((list(candidates), list(games)))
        return [style.temperature / 10 for style in candidates]

    monkeypatch.setattr(tuning, "rate_candidates", by_temper)
    assert halve_candidates(IN_PROCESS, STYLES, FIRST, 4) == STYLES[-1]
    assert [(len(styles), len(games)) for styles, games in calls] == [(5, 4), (3, 8), (2, 16)]
    numbers = [game.number for _, games in calls for game in games]
    assert numbers == list(range(4 + 8 + 16)), "no luck of an earlier round counts in a later one"
    opponents = {game.opponent for _, games in calls for game in games}
    assert opponents == set(opponents_of(spieltisch.game("paris-connection")))


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_description_of_a_search_names_its_parameters(key: str) -> None:
    style = levels.search_params_of(spieltisch.game(key))
    assert describe(style) == (
        ", ".join(f"{name} {value:g}" for name, value in spieltisch.game(key).search_params.items()) or "as usual"
    )
