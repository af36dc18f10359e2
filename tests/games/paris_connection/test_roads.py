"""Check the panel's lines about companies that can still reach the end of the game."""

from __future__ import annotations

from spieltisch.core.game import Game
from spieltisch.games.paris_connection import roads
from tests.games.drawing_helpers import render, scene_context
from tests.games.paris_connection.drawn import FRANCE
from tests.games.paris_connection.positions import position_with
from tests.sentences import sentence_after

ROADS = "games/paris_connection/roads.py"
STANDSTILL = sentence_after(ROADS, "if not any(ways.values())")


def way(company: str, count: int) -> str:
    return sentence_after(ROADS, "def _way", count=count, company=company)


def test_companies_closest_to_ending_the_game_are_named_with_their_remaining_distance(game: Game) -> None:
    near = position_with(game, track={"red": ["Toulon"], "blue": ["Nice"]})
    road = scene_context(near.observe(0))["road"]
    assert len(road) == 1
    assert way("Ruby", 1) in road[0]
    assert road[0].index(way("Ruby", 1)) < road[0].index("Sapphire")
    assert str(FRANCE.named["Marseille"].name.en) in road[0]
    assert road[0] in " ".join(render(game, "panel.html", scene_context(near.observe(0))).split())


def test_a_company_with_too_few_locomotives_is_not_named_as_close_to_ending_the_game(game: Game) -> None:
    near = position_with(game, track={"red": ["Toulon"], "blue": ["Nice"]}, depots={"red": 0})
    assert "Ruby" not in "".join(scene_context(near.observe(0))["road"])


def test_the_shown_path_to_a_city_crosses_only_neighbouring_hexes_that_can_take_a_locomotive() -> None:
    lyon, beside = FRANCE.named["Lyon"].number, FRANCE.adjacent[FRANCE.named["Lyon"].number]
    all_hexes = {hexagon.number for hexagon in FRANCE.hexes}
    assert roads.locomotives_needed(FRANCE, all_hexes, [lyon]).keys() == all_hexes - {lyon}
    assert roads.locomotives_needed(FRANCE, all_hexes - set(beside), [lyon]) == {}
    assert roads.locomotives_needed(FRANCE, set(beside), [lyon]) == dict.fromkeys(beside, 1)


def test_the_panel_says_when_no_company_can_reach_a_city(game: Game) -> None:
    nets = [[station] for station in FRANCE.stations]
    all_hexes = {hexagon.number for hexagon in FRANCE.hexes}
    (told,) = roads.road_to_end(FRANCE, all_hexes, nets, [0] * 6)
    assert str(told) == STANDSTILL
    assert STANDSTILL not in scene_context(position_with(game).observe(0))["road"]
