"""Check the set-up: rules L1 to L5 and the rulings S7, S12."""

from __future__ import annotations

import pytest

from spieltisch import bots
from spieltisch.core.errors import DrawError, OptionError
from spieltisch.core.game import Game
from spieltisch.games.legendary_inventors.log import TAKES_TEAM
from tests.games.legendary_inventors.positions import (
    cubes_in_supply,
    log_line,
    open_inventions,
    play_and_log,
    player,
    position_with,
    refused,
    texts,
)
from tests.games.refusals import allowed

KINDS = ("upgrade-2", "upgrade-2", "refresh", "genius", "number", "points-1", "points-2", "points-3", "upgrade-3")
CARDS = ("fire", "bow", "sundial", "canoe", "papyrus")
DRAWN = ["team renaissance", "team antiquity", "seat 2", *CARDS, *(f"token {k}" for k in KINDS), "token upgrade-4"]


@pytest.mark.rule("L1")
def test_two_to_five_players_each_have_a_team_of_four_and_cubes(game: Game) -> None:
    for seats in range(2, 6):
        position = game.start(seats, seed=seats, cubes="box", teams="random")
        teams = [player(position, p)["team"] for p in range(1, seats + 1)]
        assert len(set(teams)) == seats
        for p in range(1, seats + 1):
            assert len(player(position, p)["inventors"]) == 4
            assert cubes_in_supply(position, p) == 15
    for seats in (1, 6):
        with pytest.raises(OptionError, match="seats"):
            game.start(seats)


@pytest.mark.rule("L1")
def test_five_teams_have_four_inventors_each(game: Game) -> None:
    board = game.setup(2).board
    assert len(board.inventors) == 20
    assert [len(team.inventors) for team in board.teams] == [4] * 5


@pytest.mark.rule("L2")
def test_inventors_begin_with_their_printed_values(game: Game) -> None:
    position = game.start(5, seed=3, teams="random")
    board = position.setup.board
    values = {inventor.id: list(inventor.start) for inventor in board.inventors}
    shown_inventors = [inventor for p in range(1, 6) for inventor in player(position, p)["inventors"].items()]
    assert len(shown_inventors) == 20
    for name, state in shown_inventors:
        assert state == {"knowledge": values[name], "exhausted": False}


@pytest.mark.rule("L3")
def test_three_inventions_more_than_players_lie_face_up(game: Game) -> None:
    classifications: set[str] = set()
    for seats in range(2, 6):
        for seed in range(6):
            position = game.start(seats, seed=seed, teams="random")
            table = open_inventions(position)
            assert len(table) == seats + 3
            ages = {card.id: card.age for card in position.setup.board.inventions}
            assert {ages[name] for name in table} == {1}
            classifications |= set(table)
    assert len(classifications) == 12


@pytest.mark.rule("L4")
def test_two_tokens_from_the_bag_lie_on_each_invention(game: Game) -> None:
    position = game.start(2, seed=1, drew=DRAWN, teams="random")
    table = open_inventions(position)
    assert list(table) == ["bow", "canoe", "papyrus", "sundial", "fire"]
    assert [invention["tokens"] for invention in table.values()] == [
        ["upgrade-2", "upgrade-2"],
        ["refresh", "genius"],
        ["number", "points-1"],
        ["points-2", "points-3"],
        ["upgrade-3", "upgrade-4"],
    ]
    with pytest.raises(DrawError, match="token refresh"):  # there are four in the bag
        game.start(2, seed=1, drew=[*DRAWN[:8], *["token refresh"] * 5, *DRAWN[13:]], teams="random")


@pytest.mark.rule("L4")
def test_fifty_two_tokens_are_in_the_bag(game: Game) -> None:
    position = game.start(5, seed=2, teams="random")
    assert sum(position.setup.plain_params.box) == 52
    drawn_tokens = position.document()["state"]["tokens_drawn"]
    assert sum(drawn_tokens.values()) == 16


@pytest.mark.rule("L5")
def test_chance_picks_the_start_player_who_has_leonardo(game: Game) -> None:
    position = game.start(2, seed=1, drew=DRAWN, teams="random")
    assert (position.seat, position.state.leonardo) == (1, 1)
    start_seats = {game.start(4, seed=seed, teams="random").seat for seed in range(30)}
    assert start_seats == {0, 1, 2, 3}


@pytest.mark.rule("L5")
def test_turns_are_taken_clockwise(game: Game) -> None:
    position = position_with(game, seats=3, seat=2)
    position.play("send James Watt to Bow")
    assert position.seat == 2
    position.play("send Robert Boyle to Papyrus")
    assert position.seat == 0


@pytest.mark.rule("S7")
def test_the_option_random_teams_deals_the_teams_at_random(game: Game) -> None:
    position = game.start(2, seed=1, drew=DRAWN, teams="random")
    assert [player(position, p)["team"] for p in (1, 2)] == ["renaissance", "antiquity"]
    assert refused(position, "choose Antiquity") == "S7"
    teams = {player(game.start(2, seed=seed, teams="random"), 1)["team"] for seed in range(60)}
    assert len(teams) == 5


@pytest.mark.rule("S7")
def test_teams_are_chosen_in_the_order_of_the_seats(game: Game) -> None:
    position = game.start(3, seed=1)
    assert (position.seat, position.setup_draws, position.state.age) == (0, (), 0)
    assert texts(position) == [f"choose {team.name.en}" for team in position.setup.board.teams]
    for move in ("send Archimedes to Bow", "ready", "refresh", "pass", "upgrade Archimedes in physics"):
        assert refused(position, move) == "S7"
    assert play_and_log(position, "choose Renaissance") == [log_line(TAKES_TEAM, 1, team="Renaissance")]
    assert position.seat == 1
    assert player(position, 1)["inventors"]["blaise-pascal"]["knowledge"] == [0, 0, 1, 1]
    position.play("choose Antiquity")
    move_result = position.play("choose Modern era")
    assert len(move_result.drew) == 1 + 6 + 12
    assert (position.state.age, len(open_inventions(position))) == (1, 6)


@pytest.mark.rule("S7")
def test_the_last_team_is_assigned_without_asking(game: Game) -> None:
    position = game.start(5, seed=1)
    for team in ("Antiquity", "Modern era", "Renaissance"):
        position.play(f"choose {team}")
    log = play_and_log(position, "choose Middle Ages")
    assert log[:2] == [log_line(TAKES_TEAM, 4, team="Middle Ages"), log_line(TAKES_TEAM, 5, team="Contemporary era")]
    assert position.state.age == 1


@pytest.mark.rule("S7")
def test_the_easy_bot_chooses_the_team_with_the_most_knowledge(game: Game) -> None:
    source = (game.folder / "components.toml").read_text(encoding="utf-8")
    blaise = source.index('id = "blaise-pascal"')
    start = source.index("start = ", blaise)
    better = source[:start] + "start = [1, 1, 1, 1]" + source[source.index("\n", start) :]
    for seed in range(8):
        position = game.start(3, seed=seed, components=game.read_components(better))
        assert bots.choose("easy", position.observe(0).bytes, seed=seed) == "choose Renaissance"


@pytest.mark.rule("L1")
def test_a_team_can_be_chosen_by_one_player_only(game: Game) -> None:
    position = game.start(3, seed=1)
    position.play("choose Antiquity")
    assert refused(position, "choose Antiquity") == "L1"
    assert allowed(position, "choose Renaissance")


@pytest.mark.rule("S12")
def test_everything_is_public_except_the_bag_and_undealt_inventions(game: Game) -> None:
    position = game.start(4, seed=5)
    for _ in range(60):
        position.play(position.legal_moves[position.number * 7 % len(position.legal_moves)])
    views = [position.observe(seat) for seat in (None, 0, 1, 2, 3)]
    for seen in views:
        imagined_state = seen.imagine(9)
        assert imagined_state.digest() == position.digest()
        assert imagined_state.state.rng != position.state.rng
        assert seen.scores == position.scores
    view_fields = set(views[0].setup.game.View.names or ())
    assert "rng" not in view_fields
    assert not view_fields & {"bag", "pile"}


@pytest.mark.rule("S12")
def test_the_state_does_not_contain_future_draws(game: Game) -> None:
    observation = game.start(4, seed=5, teams="random").observe(0)
    states = set()
    for seed in range(4):
        position = observation.imagine(seed)
        while position.state.age == 1:
            position.play(position.legal_moves[0])
        states.add(tuple(sorted(open_inventions(position))))
    assert len(states) > 1
