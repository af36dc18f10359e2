"""The set-up: L1 to L5, and the rulings S7, S12."""

from __future__ import annotations

import pytest

from spieltisch import bots
from spieltisch.core.errors import DrawError, OptionError
from spieltisch.core.game import Game
from tests.games.legendary_inventors.positions import (
    allowed,
    on_table,
    play_and_log,
    player,
    position_with,
    refused,
    supply,
    texts,
)

KINDS = ("upgrade-2", "upgrade-2", "refresh", "genius", "number", "points-1", "points-2", "points-3", "upgrade-3")
CARDS = ("fire", "bow", "sundial", "canoe", "papyrus")
DRAWN = ["team renaissance", "team antiquity", "seat 2", *CARDS, *(f"token {k}" for k in KINDS), "token upgrade-4"]


@pytest.mark.rule("L1")
def test_two_to_five_players_each_with_a_team_of_four_and_their_cubes(game: Game) -> None:
    for seats in range(2, 6):
        position = game.start(seats, seed=seats, cubes="box", teams="random")
        teams = [player(position, p)["team"] for p in range(1, seats + 1)]
        assert len(set(teams)) == seats
        for p in range(1, seats + 1):
            assert len(player(position, p)["inventors"]) == 4
            assert supply(position, p) == 15
    for seats in (1, 6):
        with pytest.raises(OptionError, match="seats"):
            game.start(seats)


@pytest.mark.rule("L1")
def test_five_teams_of_four(game: Game) -> None:
    board = game.setup(2).board
    assert len(board.inventors) == 20
    assert [len(team.inventors) for team in board.teams] == [4] * 5


@pytest.mark.rule("L2")
def test_inventors_begin_with_their_printed_values(game: Game) -> None:
    position = game.start(5, seed=3, teams="random")
    board = position.setup.board
    values = {inventor.id: list(inventor.start) for inventor in board.inventors}
    shown = [inventor for p in range(1, 6) for inventor in player(position, p)["inventors"].items()]
    assert len(shown) == 20
    for name, state in shown:
        assert state == {"knowledge": values[name], "exhausted": False}


@pytest.mark.rule("L3")
def test_three_inventions_more_than_players_lie_face_up(game: Game) -> None:
    seen: set[str] = set()
    for seats in range(2, 6):
        for seed in range(6):
            position = game.start(seats, seed=seed, teams="random")
            table = on_table(position)
            assert len(table) == seats + 3
            ages = {card.id: card.age for card in position.setup.board.inventions}
            assert {ages[name] for name in table} == {1}
            seen |= set(table)
    assert len(seen) == 12


@pytest.mark.rule("L4")
def test_two_tokens_from_the_bag_lie_on_each_invention(game: Game) -> None:
    position = game.start(2, seed=1, drew=DRAWN, teams="random")
    table = on_table(position)
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
    drawn = position.document()["state"]["tokens_drawn"]
    assert sum(drawn.values()) == 16


@pytest.mark.rule("L5")
def test_chance_picks_the_start_player_who_has_leonardo(game: Game) -> None:
    position = game.start(2, seed=1, drew=DRAWN, teams="random")
    assert (position.seat, position.state.leonardo) == (1, 1)
    started = {game.start(4, seed=seed, teams="random").seat for seed in range(30)}
    assert started == {0, 1, 2, 3}


@pytest.mark.rule("L5")
def test_play_goes_clockwise(game: Game) -> None:
    position = position_with(game, seats=3, seat=2)
    position.play("send James Watt to Bow")
    assert position.seat == 2
    position.play("send Robert Boyle to Papyrus")
    assert position.seat == 0


@pytest.mark.rule("S7")
def test_a_table_may_have_chance_give_out_the_teams(game: Game) -> None:
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
    assert play_and_log(position, "choose Renaissance") == ["P1 chooses team Renaissance."]
    assert position.seat == 1
    assert player(position, 1)["inventors"]["blaise-pascal"]["knowledge"] == [0, 0, 1, 1]
    position.play("choose Antiquity")
    played = position.play("choose Modern era")
    assert len(played.drew) == 1 + 6 + 12
    assert (position.state.age, len(on_table(position))) == (1, 6)


@pytest.mark.rule("S7")
def test_the_last_team_is_no_choice(game: Game) -> None:
    position = game.start(5, seed=1)
    for team in ("Antiquity", "Modern era", "Renaissance"):
        position.play(f"choose {team}")
    log = play_and_log(position, "choose Middle Ages")
    assert log[:2] == ["P4 chooses team Middle Ages.", "P5 chooses team Contemporary era."]
    assert position.state.age == 1


@pytest.mark.rule("S7")
def test_an_easy_bot_chooses_the_team_that_knows_most(game: Game) -> None:
    source = (game.folder / "components.toml").read_text(encoding="utf-8")
    blaise = source.index('id = "blaise-pascal"')
    start = source.index("start = ", blaise)
    better = source[:start] + "start = [1, 1, 1, 1]" + source[source.index("\n", start) :]
    for seed in range(8):
        position = game.start(3, seed=seed, components=game.read_components(better))
        assert bots.choose("easy", position.observe(0).bytes, seed=seed) == "choose Renaissance"


@pytest.mark.rule("L1")
def test_a_team_goes_to_one_player(game: Game) -> None:
    position = game.start(3, seed=1)
    position.play("choose Antiquity")
    assert refused(position, "choose Antiquity") == "L1"
    assert allowed(position, "choose Renaissance")


@pytest.mark.rule("S12")
def test_everything_is_public_but_the_bag_and_what_was_not_dealt(game: Game) -> None:
    position = game.start(4, seed=5)
    for _ in range(60):
        position.play(position.legal_moves[position.number * 7 % len(position.legal_moves)])
    views = [position.observe(seat) for seat in (None, 0, 1, 2, 3)]
    for seen in views:
        imagined = seen.imagine(9)
        assert imagined.digest() == position.digest()
        assert imagined.state.rng != position.state.rng
        assert seen.scores == position.scores
    shown = set(views[0].setup.game.View.names or ())
    assert "rng" not in shown
    assert not shown & {"bag", "pile"}


@pytest.mark.rule("S12")
def test_what_is_drawn_next_does_not_lie_in_the_state(game: Game) -> None:
    seen = game.start(4, seed=5, teams="random").observe(0)
    ways = set()
    for seed in range(4):
        position = seen.imagine(seed)
        while position.state.age == 1:
            position.play(position.legal_moves[0])
        ways.add(tuple(sorted(on_table(position))))
    assert len(ways) > 1
