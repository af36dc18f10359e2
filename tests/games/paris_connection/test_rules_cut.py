"""Check rule P10 with its ruling T1: which moves cut a company off, strict and weak.

Ruby leaves its station by Rouen, Amiens or Amiens W; beyond Amiens W lies nothing but Rouen, Amiens and Calais.
"""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.games.paris_connection.refusals import CUT_OFF
from tests.games.paris_connection.positions import COLOURS, builds, hex_text, position_with, reason
from tests.games.refusals import allowed, refused

BOTH = pytest.mark.parametrize("cut_off", ["strict", "weak"])


@pytest.mark.rule("P10")
@BOTH
def test_the_last_free_hex_of_a_company_cannot_be_taken(game: Game, cut_off: str) -> None:
    track = {"blue": ["Rouen"], "purple": ["Amiens", "Amiens W"]}
    position = position_with(game, track=track, cut_off=cut_off)
    assert builds(position, "red") == {"Amiens W"}
    assert refused(position, "build blue Amiens W") == reason(CUT_OFF, place=hex_text(position, "Amiens W"))
    assert allowed(position, "build red Amiens W")


@pytest.mark.rule("P10")
@BOTH
def test_a_city_that_is_the_last_free_hex_cannot_be_taken(game: Game, cut_off: str) -> None:
    track = {"blue": ["Caen E"], "purple": ["Amiens", "Amiens W"], "yellow": ["Amiens W"]}
    position = position_with(game, track=track, cut_off=cut_off)
    assert refused(position, "build blue Rouen")[0] == "P10"


@pytest.mark.rule("P10")
@BOTH
def test_the_last_free_hex_of_a_company_may_be_entered_if_another_locomotive_still_fits(
    game: Game, cut_off: str
) -> None:
    position = position_with(game, track={"blue": ["Rouen"], "purple": ["Amiens"]}, cut_off=cut_off)
    assert allowed(position, "build blue Amiens W")
    assert allowed(position, "build purple Amiens W")
    position.play("build purple Amiens W")
    position.play("done")
    assert refused(position, "build blue Amiens W")[0] == "P10"


@pytest.mark.rule("P10")
@BOTH
def test_a_company_that_has_reached_a_city_may_be_cut_off(game: Game, cut_off: str) -> None:
    track = {"blue": ["Rouen"], "purple": ["Amiens", "Amiens W"]}
    for reached_city in ("Brest", "Calais"):
        position = position_with(game, track=track | {"red": [reached_city]}, cut_off=cut_off)
        assert allowed(position, "build blue Amiens W")
    position = position_with(game, track=track, cut_off=cut_off)
    position.play("build red Amiens W")
    position.play("build red Calais")
    position.play("done")
    assert allowed(position, "build purple Lille")


@pytest.mark.rule("P10")
@BOTH
def test_rural_track_does_not_count_as_a_city(game: Game, cut_off: str) -> None:
    # Ruby stands in the hexes round Amiens W, and has no more than that one way out.
    track = {"blue": ["Rouen"], "purple": ["Amiens", "Lille"], "red": ["Amiens W"]}
    position = position_with(game, track=track, cut_off=cut_off)
    assert builds(position, "red") == {"Calais"}
    assert refused(position, "build purple Calais")[0] == "P10"


@pytest.mark.rule("P10")
@BOTH
def test_only_other_companies_are_protected_from_being_cut_off(game: Game, cut_off: str) -> None:
    track = {"blue": ["Rouen"], "purple": ["Amiens"], "brown": ["Calais"], "yellow": ["Amiens W"]}
    position = position_with(game, track=track, cut_off=cut_off)
    assert builds(position, "red") == {"Amiens W"}
    assert allowed(position, "build red Amiens W")
    position.play("build red Amiens W")
    assert not builds(position, "red")


@pytest.mark.rule("P10")
@pytest.mark.rule("T1")
@BOTH
def test_the_number_of_locomotives_in_the_depot_does_not_affect_cutting_off(game: Game, cut_off: str) -> None:
    track = {"blue": ["Rouen"], "purple": ["Amiens", "Amiens W"]}
    position = position_with(game, track=track, depots={"red": 0}, cut_off=cut_off)
    assert refused(position, "build red Amiens W")[0] == "P4"
    assert refused(position, "build blue Amiens W")[0] == "P10"


@pytest.mark.rule("T1")
def test_the_strict_option_requires_a_path_to_a_free_city(game: Game) -> None:
    # Ruby may enter Amiens W, and from there only Calais.
    track = {"blue": ["Rouen"], "purple": ["Amiens"]}
    strict, weak = (position_with(game, track=track, cut_off=cut_off) for cut_off in ("strict", "weak"))
    assert refused(strict, "build purple Calais")[0] == "P10"
    assert allowed(weak, "build purple Calais")
    weak.play("build purple Calais")
    assert builds(weak, "red") == set()  # Amethyst is being built
    weak.play("done")
    assert builds(weak, "red") == {"Amiens W"}


@pytest.mark.rule("T1")
def test_the_strict_option_accepts_a_path_of_any_length(game: Game) -> None:
    # Of the cities Ruby may come to, only Saint-Étienne is free, and far off; Marseille lies behind it.
    cities = [
        h.move_name
        for h in position_with(game).setup.board.hexes
        if h.kind == "city" and h.move_name not in ("Marseille", "Saint-Étienne")
    ]
    track = {colour: cities[i::5] for i, colour in enumerate(COLOURS[:5])} | {"red": ["Le Mans E"]}
    builder = next(colour for colour in COLOURS if "Lyon" in track[colour])
    assert allowed(position_with(game, track=track), "build yellow Le Mans NE")
    assert refused(position_with(game, track=track), f"build {builder} Saint-Étienne")[0] == "P10"
    assert allowed(position_with(game, track=track, cut_off="weak"), f"build {builder} Saint-Étienne")
    assert allowed(
        position_with(game, track=track | {"red": ["Le Mans E", "Marseille NE"]}), f"build {builder} Saint-Étienne"
    )


@pytest.mark.rule("T1")
@BOTH
def test_cutting_off_is_checked_after_each_placement(game: Game, cut_off: str) -> None:
    track = {"blue": ["Caen E"], "purple": ["Amiens", "Amiens W"], "yellow": ["Le Mans NE"], "brown": ["Calais"]}
    position = position_with(game, track=track, cut_off=cut_off)
    assert builds(position, "red") == {"Rouen", "Amiens W"}
    if cut_off == "strict":
        assert refused(position, "build blue Rouen")[0] == "P10"
        return
    position.play("build blue Rouen")
    assert position.observe(None).view.built == 1
    assert refused(position, "build blue Amiens W")[0] == "P10"
    assert allowed(position, "build blue Le Havre")
    assert allowed(position, "done")


@pytest.mark.rule("T1")
def test_the_second_placement_of_a_turn_is_refused_where_it_cuts_off(game: Game) -> None:
    position = position_with(game, track={"blue": ["Rouen"], "purple": ["Amiens"]})
    position.play("build purple Amiens W")
    assert refused(position, "build purple Calais")[0] == "P10"
    assert allowed(position, "build purple Lille")


@pytest.mark.rule("T1")
@BOTH
def test_a_company_that_is_already_cut_off_is_not_protected(game: Game, cut_off: str) -> None:
    track = {"blue": ["Rouen"], "purple": ["Amiens"], "yellow": ["Amiens W"], "black": ["Amiens W"]}
    position = position_with(game, track=track, cut_off=cut_off)
    assert not builds(position, "red")
    assert {"Reims", "Le Mans NE", "Orléans"} <= builds(position)


@pytest.mark.rule("T1")
def test_a_path_leads_only_through_hexes_with_room(game: Game) -> None:
    # Ruby's one way: Amiens W, then Calais. Half full, Amiens W is a way.
    track = {"blue": ["Rouen"], "purple": ["Amiens", "Lille"], "brown": ["Amiens W"]}
    position = position_with(game, track=track)
    assert refused(position, "build purple Amiens W")[0] == "P10"
    assert refused(position, "build purple Calais")[0] == "P10"
    assert allowed(position, "build purple Lille SE")


@pytest.mark.rule("P6")
@pytest.mark.rule("T1")
def test_no_path_leads_over_a_border(game: Game) -> None:
    # Grenoble E lies beside Grenoble, Grenoble SE and two hexes behind the Alps; only Grenoble SE is without a border.
    board = position_with(game).setup.board
    place = board.named["Grenoble E"]
    reached_names = {board.hexes[h].move_name for h in board.adjacent[place.number]}
    assert reached_names == {"Grenoble SE"}
    sealed = {"blue": ["Rouen"], "purple": ["Amiens", "Amiens W"], "yellow": ["Amiens W"], "red": ["Grenoble E"]}
    position = position_with(game, track=sealed | {"brown": ["Grenoble SE"], "black": ["Marseille NE"]})
    assert builds(position, "red") == {"Grenoble SE"}
    assert refused(position, "build black Grenoble SE")[0] == "P10"


@pytest.mark.rule("T1")
def test_several_companies_are_protected_from_being_cut_off_at_once(game: Game) -> None:
    # Rouen is the last way out of both Sapphire and Ruby.
    track = {
        "purple": ["Amiens", "Amiens W", "Caen E", "Le Mans NE"],
        "yellow": ["Amiens W", "Le Mans NE"],
        "brown": ["Caen E"],
        "black": ["Le Havre"],
    }
    position = position_with(game, track=track)
    for colour in ("black", "blue", "red", "purple"):
        assert refused(position, f"build {colour} Rouen")[0] == "P10"
    position_alone = position_with(game, track=track | {"brown": []})
    assert allowed(position_alone, "build red Rouen")  # Sapphire keeps Caen E
    assert refused(position_alone, "build blue Rouen")[0] == "P10"


@pytest.mark.rule("T1")
@BOTH
def test_a_company_that_has_cut_itself_off_is_not_protected(game: Game, cut_off: str) -> None:
    position = position_with(
        game, track={"blue": ["Rouen"], "purple": ["Amiens"], "brown": ["Calais"]}, cut_off=cut_off
    )
    assert position.play("build red Amiens W").ended_decision  # no hex is left to it
    assert not builds(position, "red")
    assert allowed(position, "build blue Amiens W")
    assert position.digest() == game.position(position.document()).digest()
