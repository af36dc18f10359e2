"""Check the result table: influence by source, the figures behind the bonuses, ranks and ties."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES
from spieltisch.games.era_of_inventions.state import SOURCES
from tests.games.drawing_helpers import NAMES, render, scene_context
from tests.games.era_of_inventions.last_exchange import last
from tests.games.era_of_inventions.positions import play
from tests.sentences import sentence_after


def finished(game: Game, seats: int, seed: int) -> Position:
    """Return a game played at random to its end."""
    position, chance = game.start(seats, seed=seed), random.Random(seed)
    while not position.is_over:
        position.play(chance.choice(position.legal_moves))
    return position


def end(position: Position, language: str = "en", seat: int | None = None) -> dict[str, Any]:
    return dict(scene_context(position.observe(seat), language)["end"])


def rendered(position: Position, language: str = "en", seat: int | None = None) -> str:
    """Render `end.html` as on the page."""
    context = {"end": end(position, language, seat), "rules_page": "/rules"}
    return render(position.setup.game, "end.html", context, language)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_sources_of_influence_add_up_to_the_final_points(game: Game, seats: int, seed: int) -> None:
    position = finished(game, seats, seed)
    end_position = end(position)
    assert len(end_position["sources"]) == SOURCES
    for row in end_position["rows"]:
        assert sum(row["points"].values()) == row["total"] == position.scores[row["seat"]]
        assert list(row["points"]) == [source["id"] for source in end_position["sources"]]
    assert sorted(row["seat"] for row in end_position["rows"]) == list(range(seats))
    assert position.outcome is not None
    assert {row["seat"] for row in end_position["rows"] if row["winner"]} == set(position.outcome.winners)
    assert end_position["winners"] == [NAMES[seat] for seat in position.outcome.winners]
    assert {row["seat"] for row in end_position["rows"] if row["place"] == 1} == set(position.outcome.winners)
    assert [row["place"] for row in end_position["rows"]] == sorted(row["place"] for row in end_position["rows"])


@pytest.mark.rule("E56")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_final_bonus_is_awarded_for_the_highest_figure(game: Game, seats: int) -> None:
    end_position = end(finished(game, seats, 7))
    for source in end_position["sources"]:
        if not source["bonus"]:
            continue
        figures = [row["figures"][source["id"]]["number"] for row in end_position["rows"]]
        highest_figure = max(figures)
        for row, figure in zip(end_position["rows"], figures, strict=True):
            assert bool(row["points"][source["id"]]) == (figure == highest_figure > 0)


def figures(patents: int, stones: int, capacity: int) -> list[str]:
    """Return the figures behind the three bonuses in English."""
    file = "games/era_of_inventions/end_table.py"
    return [
        sentence_after(file, "state.MOST_PATENTS:", count=patents),
        sentence_after(file, "state.MOST_INVESTED:", count=stones),
        sentence_after(file, "state.MOST_CAPACITY:", number=capacity),
    ]


@pytest.mark.rule("E56")
def test_the_result_shows_what_decided_the_bonuses(game: Game) -> None:
    holders = {"steam locomotive gold": 2, "cash register gold": 1, "cash register silver": 1, "telephone gold": 1}
    position = last(game, numbers={3: {"steps": 1}}, holders=holders, owned={1: ["coal mine 1"], 2: ["coal mine 3"]})
    play(position, "done")
    rows = {row["seat"]: row for row in end(position)["rows"]}
    texts = {seat: [figure["text"] for figure in row["figures"].values()] for seat, row in rows.items()}
    assert texts == {
        0: figures(patents=0, stones=4, capacity=3),
        1: figures(patents=0, stones=4, capacity=4),
        2: figures(patents=1, stones=0, capacity=1),
    }
    assert [rows[seat]["points"]["most-patents"] for seat in range(3)] == [0, 0, 5]
    assert [rows[seat]["points"]["most-invested"] for seat in range(3)] == [3, 3, 0]
    assert [rows[seat]["points"]["most-capacity"] for seat in range(3)] == [0, 5, 0]
    assert [rows[seat]["at_end"] for seat in range(3)] == [3, 8, 5]


@pytest.mark.rule("E58")
def test_a_tie_in_points_is_decided_by_inventions_or_else_shared(game: Game) -> None:
    holders = {"cash register gold": 2, "sewing machine gold": 3}
    position = last(game, numbers={p: {"influence": 9} for p in (1, 2, 3)}, holders=holders)
    play(position, "done")
    end_position = end(position)
    totals = {row["seat"]: (row["total"], row["inventions"]) for row in end_position["rows"]}
    assert totals[1][0] == totals[2][0]
    assert [(row["seat"], row["place"]) for row in end_position["rows"]] == [(1, 1), (2, 1), (0, 3)]
    assert end_position["winners"] == [NAMES[1], NAMES[2]]
    holders |= {"typewriter gold": 3, "telephone gold": 1, "typewriter silver": 1}
    numbers = {1: {"influence": 9}, 2: {"influence": 9}, 3: {"influence": 9}}
    position = last(game, numbers=numbers, holders=holders)
    play(position, "done")
    rows = end(position)["rows"]
    assert [row["place"] for row in rows] == [1 + sum(_better(other, row) for other in rows) for row in rows]


def _better(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return bool((first["total"], first["inventions"]) > (second["total"], second["inventions"]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_result_is_shown_in_every_language(game: Game, language: str) -> None:
    position = finished(game, 5, 4)
    page = rendered(position, language, seat=2)
    end_position = end(position, language)
    text = re.sub(r"<[^>]+>", " ", page)
    for source in end_position["sources"]:
        assert source["name"] in text
    assert "&lt;b&gt;O&#39;Brien&lt;/b&gt;" in page
    assert "<b>O'Brien" not in page
    assert 'href="/rules#E54"' in page
    assert 'href="/rules#E58"' in page
    totals = dict(re.findall(r'class="figure-cell total-points[^"]*" id="total-(\d)">(\d+)<', page))
    assert totals == {str(seat): str(points) for seat, points in enumerate(position.scores)}
    assert page.count("is-own") == 1 + SOURCES + 2  # a column of its own
    if language != "en":
        english = {source["name"] for source in end(position)["sources"]}
        assert sum(source["name"] in english for source in end_position["sources"]) <= 1
