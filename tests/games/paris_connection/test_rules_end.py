"""Check the end and the scores: rules P14 to P18 and the rulings T3, T11."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.games.paris_connection.log import DEPOTS_EMPTY, GOAL_REACHED
from tests.games.paris_connection.positions import COLOURS, depot_count, log_line, position_with, value
from tests.games.refusals import allowed, refused
from tests.sentences import sentence_after

EMPTY = dict.fromkeys(COLOURS, 0)


def ended_by(position: Position) -> str | None:
    """Return the rule that ended the game."""
    return None if position.outcome is None else position.outcome.ended_by


@pytest.mark.rule("P14")
def test_the_game_ends_when_building_leaves_one_depot(game: Game) -> None:
    position = position_with(game, depots=EMPTY | {"red": 2, "blue": 7})
    position.play("build red Rouen")
    assert ended_by(position) is None
    position.play("build red Caen E")
    assert ended_by(position) == "P14"
    assert position.outcome is not None
    assert str(position.outcome.message) == log_line(DEPOTS_EMPTY, None)
    assert (position.seat, depot_count(position, "blue")) == (None, 7)


@pytest.mark.rule("P14")
def test_the_game_continues_with_two_depots_left(game: Game) -> None:
    position = position_with(game, depots=EMPTY | {"red": 1, "blue": 1, "black": 1})
    position.play("build red Rouen")
    assert ended_by(position) is None
    assert position.seat == 1  # the depot is empty, so the turn has passed
    position.play("build blue Caen E")
    assert ended_by(position) == "P14"


@pytest.mark.rule("P14")
@pytest.mark.parametrize("count", [1, 2])
def test_the_game_ends_when_a_trade_leaves_one_depot(game: Game, count: int) -> None:
    position = position_with(game, depots=EMPTY | {"red": count, "blue": 7})
    position.play(f"trade blue for {count} red")
    assert ended_by(position) == "P14"
    assert (depot_count(position, "red"), depot_count(position, "blue")) == (0, 8)


@pytest.mark.rule("P14")
@pytest.mark.rule("T3")
def test_a_trade_that_refills_one_depot_and_empties_another_does_not_end_the_game(game: Game) -> None:
    # Between taking and giving only Sapphire's depot holds locomotives.
    position = position_with(game, depots=EMPTY | {"red": 1, "blue": 7})
    position.play("trade black for 1 red")
    assert ended_by(position) is None
    assert [depot_count(position, colour) for colour in COLOURS] == [0, 0, 1, 0, 7, 0]
    assert position.seat == 1


@pytest.mark.rule("T3")
def test_empty_depots_are_counted_after_the_whole_trade(game: Game) -> None:
    # Between giving and taking three depots hold locomotives, after the trade one.
    position = position_with(game, depots=EMPTY | {"red": 2, "blue": 1})
    position.play("trade blue for 2 red")
    assert ended_by(position) == "P14"
    # After the trade two do, as before.
    position = position_with(game, depots=EMPTY | {"red": 2, "blue": 1})
    position.play("trade black for 2 red")
    assert ended_by(position) is None


@pytest.mark.rule("P15")
@pytest.mark.parametrize("colour", COLOURS)
def test_the_game_ends_when_a_locomotive_is_placed_in_marseille(game: Game, colour: str) -> None:
    position = position_with(game, seat=3, track={colour: ["Toulon"]})
    position.play(f"build {colour} Marseille")
    assert ended_by(position) == "P15"
    assert position.outcome is not None
    assert str(position.outcome.message) == log_line(GOAL_REACHED, None, city="Marseille")
    assert value(position, colour) == 7


@pytest.mark.rule("P15")
def test_no_other_hex_ends_the_game(game: Game) -> None:
    board = position_with(game).setup.board
    for hexagon in board.hexes:
        if hexagon.kind in ("rural", "city") and hexagon.move_name != "Marseille":
            last_hex = next(
                board.hexes[h] for h in board.adjacent[hexagon.number] if board.hexes[h].kind in ("rural", "city")
            )
            if last_hex.move_name != "Marseille":
                position = position_with(game, track={"blue": [last_hex.move_name]})
                position.play(f"build blue {hexagon.move_name}")
                assert ended_by(position) is None


@pytest.mark.rule("T3")
@pytest.mark.parametrize("locomotive_count", [0, 1, 4])
def test_building_stops_when_a_placed_locomotive_ends_the_game(game: Game, locomotive_count: int) -> None:
    position = position_with(
        game, track={"red": ["Toulon"]}, building=("red", locomotive_count) if locomotive_count else None
    )
    move_result = position.play("build red Marseille")
    assert move_result.ended_decision
    assert position.is_over
    assert position.seat is None
    assert len(position.legal_moves) == 0
    for move in ("build red Marseille NE", "build red Nice W", "done", "trade purple for 1 brown"):
        assert refused(position, move) == ("over", sentence_after("core/position_queries.py", 'Refusal("over"'))


@pytest.mark.rule("T3")
def test_building_stops_when_only_one_depot_is_left(game: Game) -> None:
    position = position_with(game, depots=EMPTY | {"red": 1, "blue": 1}, building=("red", 2))
    position.play("build red Rouen")
    assert ended_by(position) == "P14"
    assert len(position.legal_moves) == 0


@pytest.mark.rule("T3")
def test_cutting_off_is_forbidden_even_where_it_would_end_the_game(game: Game) -> None:
    # Ruby's only free city is Marseille itself, at the end of its track in the south.
    sealed = {
        "blue": ["Rouen"],
        "purple": ["Amiens", "Amiens W"],
        "yellow": ["Amiens W", "Nice", "Nîmes"],
        "red": ["Marseille NE"],
    }
    south = {
        "brown": ["Toulon", "Nice W", "Grenoble SW", "Grenoble SE"],
        "black": ["Nice W", "Grenoble SW", "Grenoble SE"],
    }
    position = position_with(game, track=sealed | south)
    assert refused(position, "build brown Marseille")[0] == "P10"
    assert refused(position, "build yellow Marseille")[0] in ("P5", "P6", "P10")
    assert allowed(position, "build red Marseille")
    assert allowed(
        position_with(game, track=sealed | south | {"red": ["Marseille NE", "Brest"]}), "build brown Marseille"
    )


@pytest.mark.rule("P15")
def test_reaching_marseille_takes_precedence_over_empty_depots(game: Game) -> None:
    position = position_with(game, track={"red": ["Toulon"]}, depots=EMPTY | {"red": 1, "blue": 3})
    position.play("build red Marseille")
    assert ended_by(position) == "P15"


@pytest.mark.rule("P16")
def test_points_are_shares_times_values(game: Game) -> None:
    track = {"red": ["Lyon", "Nice"], "blue": ["Lille"], "black": ["Calais", "Nîmes"], "purple": ["Metz"]}  # 6, 2, 3, 1
    shares = {
        1: {"purple": 0, "brown": 3, "black": 1, "yellow": 2, "blue": 0, "red": 4},
        2: {"purple": 4, "brown": 0, "black": 0, "yellow": 0, "blue": 5, "red": 1},
        3: {"purple": 1, "brown": 0, "black": 4, "yellow": 0, "blue": 1, "red": 0},
    }
    position = position_with(game, track=track, shares=shares)
    assert position.scores == [3 + 24, 4 + 10 + 6, 1 + 12 + 2]


@pytest.mark.rule("P16")
def test_players_know_their_own_points_but_not_the_points_of_others(game: Game) -> None:
    position = position_with(game, track={"red": ["Lyon"]}, shares={2: {"red": 5}})
    assert position.scores == [3, 15, 3]
    assert position.observe(1).scores == [None, 15, None]
    assert position.observe(None).scores == [None, None, None]


@pytest.mark.rule("P17")
@pytest.mark.parametrize(("seats", "limit"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_each_locomotive_above_the_limit_costs_20(game: Game, seats: int, limit: int) -> None:
    other = {"purple": 1, "brown": 0, "black": 0, "yellow": 0, "red": 0}
    for above_limit in (-1, 0, 1, 2, 5):
        held_shares = limit + above_limit
        position = position_with(
            game, seats=seats, track={"blue": ["Lyon"]}, shares={1: other | {"blue": held_shares - 1}}
        )
        assert position.scores[0] == 3 * (held_shares - 1) - 20 * max(0, above_limit)


@pytest.mark.rule("P17")
def test_the_penalty_counts_all_companies_together(game: Game) -> None:
    position = position_with(game, shares={1: dict.fromkeys(COLOURS, 4)})
    assert position.scores[0] == -20 * 4
    position.play("trade purple for 2 brown")
    assert position.scores[0] == -20 * 5


@pytest.mark.rule("T11")
def test_a_final_score_can_be_negative(game: Game) -> None:
    shares = {1: {"red": 12, "blue": 4}, 2: {"red": 10, "blue": 4}}
    position = position_with(game, idle=8, shares=shares, standstill="ends")
    position.play("trade red for 1 blue")
    assert position.is_over
    assert position.scores == [-80, -40, 0]
    assert position.outcome is not None
    assert position.outcome.winners == (2,)


@pytest.mark.rule("P18")
@pytest.mark.parametrize(
    ("red", "winners"),
    [((3, 1, 1), (0,)), ((1, 3, 1), (1,)), ((3, 1, 3), (0, 2)), ((2, 2, 2), (0, 1, 2)), ((0, 2, 2), (1, 2))],
)
def test_most_points_win_and_tied_players_win_together(
    game: Game, red: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    position = position_with(game, track={"red": ["Toulon"]}, shares={p: {"red": n} for p, n in enumerate(red, 1)})
    position.play("build red Marseille")
    assert position.outcome is not None
    assert position.outcome.winners == winners
    assert position.scores == [7 * n for n in red]


@pytest.mark.rule("P18")
def test_the_penalty_decides_who_wins(game: Game) -> None:
    position = position_with(game, track={"red": ["Toulon"]}, shares={1: {"red": 12}, 2: {"red": 11}, 3: {"red": 0}})
    position.play("build red Marseille")
    assert position.outcome is not None
    assert position.scores == [12 * 7 - 20, 11 * 7, 0]
    assert position.outcome.winners == (1,)


@pytest.mark.rule("P3")
def test_every_move_out_of_turn_is_refused(game: Game) -> None:
    position = position_with(game, seat=2)
    for move in ("trade purple for 1 brown", "build red Rouen", "build red Lyon", "done"):
        for seat in (0, 2):
            refusal = position.why_not(move, seat=seat)
            assert refusal is not None
            assert (refusal.rule, str(refusal.message)) == (
                "turn",
                sentence_after("core/position_queries.py", 'Refusal("turn"'),
            )
    assert position.why_not("trade purple for 1 brown", seat=1) is None
