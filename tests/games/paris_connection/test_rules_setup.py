"""Check the set-up: rules P1, P2, P3 and the rulings T5, T7, T10."""

from __future__ import annotations

import re
import tomllib

import pytest

import spieltisch
from spieltisch.core.components import ComponentsError
from spieltisch.core.errors import DrawError, OptionError
from spieltisch.core.game import Game
from spieltisch.games.paris_connection.refusals import EMPTY, STATION
from tests.games.declared_sentences import out_of_range
from tests.games.paris_connection.maps import text as toml
from tests.games.paris_connection.positions import (
    BOX,
    COLOURS,
    builds,
    deal,
    depot_count,
    hex_text,
    hexes_of_company,
    position_with,
    reason,
    shares_held,
    value,
)
from tests.games.refusals import allowed, refused

GAME = spieltisch.game("paris-connection")

STATIONS = (
    "Gare du Nord",
    "Gare de l'Est",
    "Gare de Lyon",
    "Gare d'Austerlitz",
    "Gare Montparnasse",
    "Gare Saint-Lazare",
)


@pytest.mark.rule("P1")
@pytest.mark.parametrize("seats", [0, 1, 2, 7, 8])
def test_three_to_six_players_can_play(game: Game, seats: int) -> None:
    assert list(game.seats) == [3, 4, 5, 6]
    with pytest.raises(OptionError, match=f"{seats} is not from 3 to 6"):
        game.start(seats=seats, seed=1)


@pytest.mark.rule("P1")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_six_companies_start_with_32_locomotives_and_no_value(game: Game, seats: int) -> None:
    position = game.start(seats=seats, seed=seats)
    for colour in COLOURS:
        assert value(position, colour) == 0
        assert len(hexes_of_company(position, colour)) == 1
        assert depot_count(position, colour) + sum(shares_held(position, p, colour) for p in range(1, seats + 1)) == 31
    assert game.totals(position) == dict.fromkeys(COLOURS, BOX)


@pytest.mark.rule("P2")
@pytest.mark.parametrize(("seats", "size"), [(3, 10), (4, 8), (5, 6), (6, 5)])
def test_the_portfolios_come_from_the_bag_seat_by_seat(game: Game, seats: int, size: int) -> None:
    draws = [COLOURS[(i // size + i) % 6] for i in range(seats * size)] + [*COLOURS, "seat 1"]
    position = game.start(seats=seats, seed=1, drew=draws)
    assert position.setup_draws == tuple(draws)
    for p in range(seats):
        dealt_things = draws[p * size : (p + 1) * size]
        assert [shares_held(position, p + 1, colour) for colour in COLOURS] == [
            dealt_things.count(colour) for colour in COLOURS
        ]
        assert position.observe(None).view.players[p].held == size
    assert [depot_count(position, colour) for colour in COLOURS] == [
        31 - draws[: seats * size].count(colour) for colour in COLOURS
    ]


@pytest.mark.rule("P2")
def test_a_portfolio_is_random_and_drawn_blind(game: Game) -> None:
    deals = [game.start(seats=3, seed=seed).setup_draws for seed in range(60)]
    assert len({draws[:10] for draws in deals}) == 60
    share = [sum(draws[i] == colour for draws in deals for i in range(30)) / 1800 for colour in COLOURS]
    assert all(0.13 < part < 0.21 for part in share)  # one in six: four standard deviations are 0.035


@pytest.mark.rule("P2")
def test_a_portfolio_is_hidden_from_other_players(game: Game) -> None:
    position = game.start(seats=4, seed=3)
    for viewer in (0, 1, 2, 3, None):
        view = position.observe(viewer).view
        for p in range(4):
            shares = list(position.state.players[p].shares) if p == viewer else [0] * 6
            assert list(view.players[p].shares) == shares


@pytest.mark.rule("P3")
def test_each_company_starts_on_the_station_drawn_for_it(game: Game) -> None:
    rotated_colours = [*COLOURS[2:], *COLOURS[:2]]
    position = game.start(seats=3, seed=1, drew=[*deal(3)[:30], *rotated_colours, "seat 2"])
    assert {colour: hexes_of_company(position, colour) for colour in COLOURS} == {
        colour: {station} for colour, station in zip(rotated_colours, STATIONS, strict=True)
    }
    with pytest.raises(DrawError, match="draw 32: 'red' is not there"):
        game.start(seats=3, seed=1, drew=[*deal(3)[:30], "red", "red", *COLOURS[:4], "seat 2"])


@pytest.mark.rule("P3")
def test_stations_and_start_player_are_random(game: Game) -> None:
    deals = [game.start(seats=5, seed=seed).setup_draws for seed in range(150)]
    assert {draws[-1] for draws in deals} == {f"seat {p}" for p in range(1, 6)}
    assert {(i, draws[30 + i]) for draws in deals for i in range(6)} == {
        (i, colour) for i in range(6) for colour in COLOURS
    }


@pytest.mark.rule("P3")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_start_player_begins_and_play_goes_clockwise(game: Game, seats: int) -> None:
    position = game.start(seats=seats, seed=1, drew=deal(seats, start=seats))
    turns = []
    for turn in range(seats + 1):
        turns.append(position.seat)
        position.play("trade purple for 2 brown" if turn < seats else "trade brown for 2 purple")
    assert turns == [seats - 1, *range(seats - 1), seats - 1]


@pytest.mark.rule("P3")
@pytest.mark.rule("T7")
def test_a_station_is_closed_to_all_other_companies(game: Game) -> None:
    position = position_with(game)
    for colour, own_station in zip(COLOURS, STATIONS, strict=True):
        for station in STATIONS:
            refusal = refused(position, f"build {colour} {station}")
            if station == own_station:
                assert refusal[0] == "P7"
            else:
                assert refusal == reason(STATION, place=hex_text(position, station))
    assert not builds(position) & set(STATIONS)


@pytest.mark.rule("T5")
def test_depots_map_values_share_counts_and_trades_are_public(game: Game) -> None:
    position = position_with(game, seat=2, track={"red": ["Rouen"]})
    position.play("trade black for 2 blue")
    for viewer in (0, 1, 2, None):
        view = position.observe(viewer).view
        assert list(view.depot) == [25, 25, 26, 25, 26, 27]
        assert list(view.value) == [0, 0, 0, 0, 0, 1]
        assert [player.held for player in view.players[:3]] == [10, 11, 10]
        assert list(view.players[1].taken) == [0, 0, 0, 0, 2, 0]
        assert list(view.players[1].given) == [0, 0, 1, 0, 0, 0]
        assert list(view.players[0].taken) == list(view.players[0].given) == [0] * 6
        assert list(view.net) == list(position.state.net)
        assert view.seat == 2


@pytest.mark.rule("T5")
def test_a_trade_proves_what_its_player_was_dealt(game: Game) -> None:
    position = position_with(game, depots={"black": 9})

    def owed() -> list[int]:
        return list(position.observe(None).view.players[0].owed)

    for move in ("trade black for 1 blue", "trade purple for 1 brown", "trade purple for 1 brown"):
        position.play(move)
    assert owed() == [0, 0, 1, 0, 0, 0]
    for move in ("trade blue for 2 black", "trade brown for 1 yellow", "trade brown for 1 yellow"):
        position.play(move)
    assert owed() == [0, 0, 1, 0, 0, 0]  # the sapphire given back is the one it took before
    for move in ("trade black for 1 red", "trade brown for 1 yellow", "trade brown for 1 yellow"):
        position.play(move)
    assert owed() == [0, 0, 1, 0, 0, 0]  # it took one more onyx than it gave: nothing new is known
    for move in ("trade black for 1 red", "trade brown for 1 yellow", "trade brown for 1 yellow"):
        position.play(move)
    assert owed() == [0, 0, 1, 0, 0, 0]  # it gave the second onyx that it took
    position.play("trade black for 1 red")
    assert owed() == [0, 0, 2, 0, 0, 0]  # dealt 2, given 4, taken 2


@pytest.mark.rule("T5")
def test_a_player_knows_how_many_shares_of_each_company_were_dealt_to_all_other_players_together(game: Game) -> None:
    position = game.start(seats=4, seed=9)
    for viewer in range(4):
        view = position.observe(viewer).view
        other_shares = [31 - view.depot[k] - view.players[viewer].shares[k] for k in range(6)]
        actual_shares = [sum(position.state.players[p].shares[k] for p in range(4) if p != viewer) for k in range(6)]
        assert other_shares == actual_shares


@pytest.mark.rule("T5")
def test_all_hidden_information_is_shown_when_the_game_is_over(game: Game) -> None:
    position = position_with(game, track={"red": ["Toulon"]})
    position.play("build red Marseille")
    for viewer in (0, 1, 2, None):
        observation = position.observe(viewer)
        assert [list(player.shares) for player in observation.view.players] == [
            list(player.shares) for player in position.state.players
        ]
        assert observation.scores == position.scores


@pytest.mark.rule("T5")
@pytest.mark.parametrize("seats", [3, 6])
def test_without_the_memory_aid_trades_older_than_one_round_are_forgotten(game: Game, seats: int) -> None:
    moves = ["trade purple for 1 brown", "build red Rouen", "done"] + ["trade brown for 1 black"] * (seats - 2)
    moves += ["trade brown for 1 purple", "trade brown for 1 yellow", "trade black for 1 blue"]
    for aid in (True, False):
        position = position_with(game, seats=seats, memory_aid=aid)
        plays, forgotten = [], []
        for text in moves:
            move_result = position.play(text)
            plays.append((move_result.seat, move_result.move))
            forgotten.append([i for i in range(len(plays)) if game.hides_move(position.setup, plays, i)])
        if aid:
            assert not any(forgotten)
        else:
            # The first trade is shown until its player has moved again; what was built is never forgotten.
            assert forgotten == [[]] * (seats + 1) + [[0], [0], [0, 3]]


@pytest.mark.rule("T5")
def test_bots_remember_trades_without_the_memory_aid(game: Game) -> None:
    position = position_with(game, memory_aid=False)
    position.play("trade black for 2 blue")
    for _ in range(6):
        position.play(
            "trade purple for 1 brown"
            if shares_held(position, (position.seat or 0) + 1, "purple")
            else "trade brown for 1 purple"
        )
    assert list(position.observe(1).view.players[0].taken)[4] == 2


@pytest.mark.rule("T7")
def test_a_locomotive_beside_the_station_of_another_company_does_not_open_that_station(game: Game) -> None:
    position = position_with(game, track={"red": ["Amiens", "Reims", "Troyes"]})
    for station in STATIONS[:5]:
        assert refused(position, f"build red {station}")[0] == "P3"


@pytest.mark.rule("P3", "P8")
@pytest.mark.rule("T7")
def test_open_stations_are_like_rural_hexes(game: Game) -> None:
    assert (
        refused(position_with(game, stations="closed", track={"purple": ["Amiens"]}), "build purple Gare de l'Est")[0]
        == "P3"
    )
    position = position_with(game, stations="open", track={"purple": ["Amiens"]})
    assert refused(position, "build purple Gare du Nord")[0] == "P7"
    assert refused(position, "build purple tour Eiffel")[0] == "P9"
    before = depot_count(position, "purple")
    position.play("build purple Gare de l'Est")
    assert (value(position, "purple"), depot_count(position, "purple")) == (1, before - 1)
    assert hexes_of_company(position, "purple") == {"Gare du Nord", "Amiens", "Gare de l'Est"}
    assert position.digest() == game.position(position.document()).digest()
    position.play("done")
    assert refused(position, "build black Gare de l'Est")[0] == "P8"  # two companies stand there now
    assert allowed(position, "build brown Gare du Nord")


@pytest.mark.rule("T10")
def test_the_bag_holds_31_of_each_company(game: Game) -> None:
    size = 8
    draws = ["red"] * 31 + ["blue"]
    assert len(draws) == 4 * size
    position = game.start(seats=4, seed=1, drew=[*draws, *COLOURS, "seat 1"])
    assert (depot_count(position, "red"), depot_count(position, "blue")) == (0, 30)
    assert [shares_held(position, p, "red") for p in (1, 2, 3, 4)] == [8, 8, 8, 7]
    assert hexes_of_company(position, "red") == {"Gare Saint-Lazare"}
    assert refused(position, "build red Rouen") == reason(EMPTY, company="Ruby")
    assert allowed(position, "build blue Rouen")
    with pytest.raises(DrawError, match="draw 32: 'red' is not there"):
        game.start(seats=4, seed=1, drew=["red"] * 32 + [*COLOURS, "seat 1"])


@pytest.mark.rule("P2")
def test_a_deal_larger_than_the_draw_buffer_is_refused(game: Game) -> None:
    data = tomllib.loads(GAME.components.text)
    data["box"]["locomotives"] = 120
    for players in data["players"]:
        players["portfolio"] = 249 // players["players"]
    for seats in (3, 4, 5, 6):
        largest = game.start(seats=seats, seed=1, components=game.read_components(toml(data)))
        assert len(largest.setup_draws) == seats * (249 // seats) + 7
    data["players"][0]["portfolio"] = 84
    with pytest.raises(ComponentsError, match=re.escape(out_of_range(84, 1, 83))):
        game.read_components(toml(data))
