"""Set-up: P1, P2, P3 and the rulings T5, T7, T10."""

from __future__ import annotations

import tomllib

import pytest

import spieltisch
from spieltisch.core.components import ComponentsError
from spieltisch.core.errors import DrawError, OptionError
from spieltisch.core.game import Game
from tests.games.paris_connection.maps import text as toml
from tests.games.paris_connection.positions import (
    BOX,
    COLOURS,
    allowed,
    builds,
    deal,
    depot,
    held,
    on_map,
    position_with,
    refused,
    value,
)

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
def test_three_to_six_play(game: Game, seats: int) -> None:
    assert list(game.seats) == [3, 4, 5, 6]
    with pytest.raises(OptionError, match=f"{seats} is not from 3 to 6"):
        game.start(seats=seats, seed=1)


@pytest.mark.rule("P1")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_six_companies_of_32_besides_the_value_marker_and_no_value_yet(game: Game, seats: int) -> None:
    position = game.start(seats=seats, seed=seats)
    for colour in COLOURS:
        assert value(position, colour) == 0
        assert len(on_map(position, colour)) == 1
        assert depot(position, colour) + sum(held(position, p, colour) for p in range(1, seats + 1)) == 31
    assert game.totals(position) == dict.fromkeys(COLOURS, BOX)


@pytest.mark.rule("P2")
@pytest.mark.parametrize(("seats", "size"), [(3, 10), (4, 8), (5, 6), (6, 5)])
def test_the_portfolios_come_from_the_bag_seat_by_seat(game: Game, seats: int, size: int) -> None:
    draws = [COLOURS[(i // size + i) % 6] for i in range(seats * size)] + [*COLOURS, "seat 1"]
    position = game.start(seats=seats, seed=1, drew=draws)
    assert position.setup_draws == tuple(draws)
    for p in range(seats):
        drawn = draws[p * size : (p + 1) * size]
        assert [held(position, p + 1, colour) for colour in COLOURS] == [drawn.count(colour) for colour in COLOURS]
        assert position.observe(None).view.players[p].held == size
    assert [depot(position, colour) for colour in COLOURS] == [
        31 - draws[: seats * size].count(colour) for colour in COLOURS
    ]


@pytest.mark.rule("P2")
def test_a_portfolio_is_random_and_drawn_blind(game: Game) -> None:
    dealt = [game.start(seats=3, seed=seed).setup_draws for seed in range(60)]
    assert len({draws[:10] for draws in dealt}) == 60
    share = [sum(draws[i] == colour for draws in dealt for i in range(30)) / 1800 for colour in COLOURS]
    assert all(0.13 < part < 0.21 for part in share)  # one in six: four standard deviations are 0.035


@pytest.mark.rule("P2")
def test_a_portfolio_is_hidden_from_the_others(game: Game) -> None:
    position = game.start(seats=4, seed=3)
    for viewer in (0, 1, 2, 3, None):
        seen = position.observe(viewer).view
        for p in range(4):
            shares = list(position.state.players[p].shares) if p == viewer else [0] * 6
            assert list(seen.players[p].shares) == shares


@pytest.mark.rule("P3")
def test_each_company_starts_on_one_station_and_which_is_drawn(game: Game) -> None:
    turned = [*COLOURS[2:], *COLOURS[:2]]
    position = game.start(seats=3, seed=1, drew=[*deal(3)[:30], *turned, "seat 2"])
    assert {colour: on_map(position, colour) for colour in COLOURS} == {
        colour: {station} for colour, station in zip(turned, STATIONS, strict=True)
    }
    with pytest.raises(DrawError, match="draw 32: 'red' is not there"):
        game.start(seats=3, seed=1, drew=[*deal(3)[:30], "red", "red", *COLOURS[:4], "seat 2"])


@pytest.mark.rule("P3")
def test_stations_and_start_player_are_random(game: Game) -> None:
    dealt = [game.start(seats=5, seed=seed).setup_draws for seed in range(150)]
    assert {draws[-1] for draws in dealt} == {f"seat {p}" for p in range(1, 6)}
    assert {(i, draws[30 + i]) for draws in dealt for i in range(6)} == {
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
def test_a_station_is_closed_to_the_other_companies(game: Game) -> None:
    position = position_with(game)
    for colour, own in zip(COLOURS, STATIONS, strict=True):
        for station in STATIONS:
            rule, sentence = refused(position, f"build {colour} {station}")
            if station == own:
                assert rule == "P7"
            else:
                assert rule == "P3"
                assert sentence.startswith("This station is open only to the company that starts there (Gare ")
    assert not builds(position) & set(STATIONS)


@pytest.mark.rule("T5")
def test_public_are_depots_map_values_numbers_held_and_trades(game: Game) -> None:
    position = position_with(game, seat=2, track={"red": ["Rouen"]})
    position.play("trade black for 2 blue")
    for viewer in (0, 1, 2, None):
        seen = position.observe(viewer).view
        assert list(seen.depot) == [25, 25, 26, 25, 26, 27]
        assert list(seen.value) == [0, 0, 0, 0, 0, 1]
        assert [player.held for player in seen.players[:3]] == [10, 11, 10]
        assert list(seen.players[1].taken) == [0, 0, 0, 0, 2, 0]
        assert list(seen.players[1].given) == [0, 0, 1, 0, 0, 0]
        assert list(seen.players[0].taken) == list(seen.players[0].given) == [0] * 6
        assert list(seen.net) == list(position.state.net)
        assert seen.seat == 2


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
def test_the_others_sum_by_colour_is_known_at_the_deal(game: Game) -> None:
    position = game.start(seats=4, seed=9)
    for viewer in range(4):
        seen = position.observe(viewer).view
        others = [31 - seen.depot[k] - seen.players[viewer].shares[k] for k in range(6)]
        truth = [sum(position.state.players[p].shares[k] for p in range(4) if p != viewer) for k in range(6)]
        assert others == truth


@pytest.mark.rule("T5")
def test_all_is_open_when_the_game_is_over(game: Game) -> None:
    position = position_with(game, track={"red": ["Toulon"]})
    position.play("build red Marseille")
    for viewer in (0, 1, 2, None):
        seen = position.observe(viewer)
        assert [list(player.shares) for player in seen.view.players] == [
            list(player.shares) for player in position.state.players
        ]
        assert seen.scores == position.scores


@pytest.mark.rule("T5")
@pytest.mark.parametrize("seats", [3, 6])
def test_without_the_memory_aid_trades_older_than_one_round_are_forgotten(game: Game, seats: int) -> None:
    moves = ["trade purple for 1 brown", "build red Rouen", "done"] + ["trade brown for 1 black"] * (seats - 2)
    moves += ["trade brown for 1 purple", "trade brown for 1 yellow", "trade black for 1 blue"]
    for aid in (True, False):
        position = position_with(game, seats=seats, memory_aid=aid)
        plays, forgotten = [], []
        for text in moves:
            played = position.play(text)
            plays.append((played.seat, played.move))
            forgotten.append([i for i in range(len(plays)) if game.hides_move(position.setup, plays, i)])
        if aid:
            assert not any(forgotten)
        else:
            # The first trade is shown until its player has moved again; what was built is never forgotten.
            assert forgotten == [[]] * (seats + 1) + [[0], [0], [0, 3]]


@pytest.mark.rule("T5")
def test_bots_keep_what_they_have_seen(game: Game) -> None:
    position = position_with(game, memory_aid=False)
    position.play("trade black for 2 blue")
    for _ in range(6):
        position.play(
            "trade purple for 1 brown"
            if held(position, (position.seat or 0) + 1, "purple")
            else "trade brown for 1 purple"
        )
    assert list(position.observe(1).view.players[0].taken)[4] == 2


@pytest.mark.rule("T7")
def test_a_locomotive_beside_a_foreign_station_does_not_open_it(game: Game) -> None:
    position = position_with(game, track={"red": ["Amiens", "Reims", "Troyes"]})
    for station in STATIONS[:5]:
        assert refused(position, f"build red {station}")[0] == "P3"


@pytest.mark.rule("P3", "P8")
@pytest.mark.rule("T7")
def test_open_stations_are_like_hexes_in_the_country(game: Game) -> None:
    assert (
        refused(position_with(game, stations="closed", track={"purple": ["Amiens"]}), "build purple Gare de l'Est")[0]
        == "P3"
    )
    position = position_with(game, stations="open", track={"purple": ["Amiens"]})
    assert refused(position, "build purple Gare du Nord")[0] == "P7"
    assert refused(position, "build purple tour Eiffel")[0] == "P9"
    before = depot(position, "purple")
    position.play("build purple Gare de l'Est")
    assert (value(position, "purple"), depot(position, "purple")) == (1, before - 1)
    assert on_map(position, "purple") == {"Gare du Nord", "Amiens", "Gare de l'Est"}
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
    assert (depot(position, "red"), depot(position, "blue")) == (0, 30)
    assert [held(position, p, "red") for p in (1, 2, 3, 4)] == [8, 8, 8, 7]
    assert on_map(position, "red") == {"Gare Saint-Lazare"}
    assert refused(position, "build red Rouen") == ("P4", "Ruby’s depot is empty.")
    assert allowed(position, "build blue Rouen")
    with pytest.raises(DrawError, match="draw 32: 'red' is not there"):
        game.start(seats=4, seed=1, drew=["red"] * 32 + [*COLOURS, "seat 1"])


@pytest.mark.rule("P2")
def test_no_more_is_dealt_than_chance_can_draw_at_once(game: Game) -> None:
    data = tomllib.loads(GAME.components.text)
    data["box"]["locomotives"] = 120
    for players in data["players"]:
        players["portfolio"] = 249 // players["players"]
    for seats in (3, 4, 5, 6):
        largest = game.start(seats=seats, seed=1, components=game.read_components(toml(data)))
        assert len(largest.setup_draws) == seats * (249 // seats) + 7
    data["players"][0]["portfolio"] = 84
    with pytest.raises(ComponentsError, match="84 is not between 1 and 83"):
        game.read_components(toml(data))
