"""Check the set-up: rules E1 to E11 and the rulings R16, R17, R20, R35, R37."""

from __future__ import annotations

from collections import Counter

import pytest

import spieltisch
from spieltisch.core.errors import DrawError, OptionError
from spieltisch.core.game import Game
from tests.games.era_of_inventions.positions import KINDS, factory_row, goods, number, phase, pile, row

CARDS = ["light bulb", "pocket watch", "umbrella", "oil lamp", "spectacles", "fountain pen", "telegraph"]
FACTORIES = ["foundry 1", "coal mine 2", "sawmill 3", "counting house 1", "drawing office 2"]


@pytest.mark.rule("E1")
def test_three_to_five_players_can_play(game: Game) -> None:
    assert list(game.seats) == [3, 4, 5]
    for seats in (2, 6):
        with pytest.raises(OptionError):
            game.start(seats=seats, seed=1)


@pytest.mark.rule("E2")
@pytest.mark.rule("E4")
@pytest.mark.rule("E54")
@pytest.mark.parametrize(("seats", "discs", "bonus", "rounds"), [(3, 3, 3, 9), (4, 2, 5, 8), (5, 2, 1, 10)])
def test_the_numbers_of_discs_and_rounds_depend_on_the_number_of_players(
    game: Game, seats: int, discs: int, bonus: int, rounds: int
) -> None:
    position = game.start(seats=seats, seed=3)
    for p in range(1, seats + 1):
        assert (number(position, p, "hand"), number(position, p, "bonus")) == (discs, bonus)
    assert position.document()["state"]["supply"]["bonus disc"] == 20 - seats * bonus
    assert position.setup.plain_params.rounds == rounds


@pytest.mark.rule("E3")
@pytest.mark.rule("E6")
def test_each_player_starts_with_goods_and_a_factory(game: Game) -> None:
    position = game.start(seats=5, seed=3)
    start = {"wood": 1, "coal": 3, "metal": 1, "technology": 1, "tool": 1, "coin": 2, "stone": 1}
    players = position.document()["state"]["players"]
    for p in range(5):
        assert goods(position, p + 1) == start
        assert len(players[p]["factories"]) == 1
        assert position.state.players[p].output == [1, 0, 0, 0, 0, 0, 0]
    assert len({player["factories"][0] for player in players}) == 5


@pytest.mark.rule("E5")
@pytest.mark.rule("R17")
def test_each_player_starts_with_markers_and_a_pawn(game: Game) -> None:
    position = game.start(seats=3, seed=3)
    for p in (1, 2, 3):
        assert [number(position, p, name) for name in ("markers", "steps", "influence")] == [15, 0, 0]
    step = position.setup.board.contents.patent_steps[0]
    assert (step.step, step.coins, len(position.setup.board.contents.patent_steps)) == (1, 1, 6)


@pytest.mark.rule("E7")
@pytest.mark.rule("E8")
@pytest.mark.rule("E11")
@pytest.mark.rule("R20")
def test_rows_are_dealt_in_order_and_the_start_player_is_drawn(game: Game) -> None:
    position = game.start(seats=4, drew=[*FACTORIES, *CARDS, "seat 3"])
    assert factory_row(position) == FACTORIES
    assert row(position) == CARDS
    assert phase(position) == ("placing", 3)
    state = position.document()["state"]
    assert (state["round"], state["action"]) == (1, None)
    assert all(discs == [None, None] for discs in state["discs"].values())
    assert pile(position, "pile") == {"bicycle", "microscope", "barometer", "music box", "weighing scale"}
    assert len(pile(position, "factory_pile")) == 19
    assert position.setup.plain_params.cards_leave == 3
    starts = Counter(game.start(seats=4, seed=seed).seat for seed in range(80))
    assert set(starts) == {0, 1, 2, 3}


@pytest.mark.rule("E7")
@pytest.mark.rule("R35")
def test_start_factories_are_not_shuffled_in(game: Game) -> None:
    with pytest.raises(DrawError):
        game.start(seats=4, drew=["blue sawmill", *FACTORIES[1:], *CARDS, "seat 3"])
    position = game.start(seats=3, seed=1)
    assert not any("sawmill" in name and name[-1] not in "123" for name in pile(position, "factory_pile"))


@pytest.mark.rule("E8")
def test_only_start_cards_are_dealt(game: Game) -> None:
    with pytest.raises(DrawError):
        game.start(seats=4, drew=[*FACTORIES, "telephone a", *CARDS[1:], "seat 3"])


@pytest.mark.rule("E9")
@pytest.mark.rule("R35")
def test_27_cards_of_nine_inventions_are_set_aside(game: Game) -> None:
    position = game.start(seats=4, seed=1)
    cards_aside = pile(position, "aside")
    assert len(cards_aside) == 27
    cards = position.setup.board.cards
    assert Counter((card.invention, card.kind) for card in cards if card.kind != "start") == {
        (invention, kind): 2 if kind == "official" else 1
        for invention in range(9)
        for kind in ("official", "counterfeit")
    }
    assert "typewriter" in [invention.id for invention in position.setup.board.inventions]
    assert len(position.setup.board.inventions) == 9


@pytest.mark.rule("E10")
@pytest.mark.rule("R16")
def test_ships_and_warehouses_are_full(game: Game) -> None:
    position = game.start(seats=4, seed=1)
    loads = position.document()["state"]["stores"]
    assert loads == {store.id: 3 if store.good == "coal" else 2 for store in position.setup.board.contents.stores}
    assert [store.good for store in position.setup.board.contents.stores].count("coal") == 2


@pytest.mark.rule("R37")
def test_everything_is_public_except_future_draws(game: Game) -> None:
    position = game.start(seats=4, seed=1)
    for seat in (0, 2, None):
        imagined_position = position.observe(seat).imagine(seed=5)
        assert imagined_position.document() == position.document()
        assert imagined_position.state.rng != position.state.rng
    assert not game.has_hidden_information


@pytest.mark.rule("R8")
def test_the_supply_contains_all_goods_that_were_not_dealt(game: Game) -> None:
    position = game.start(seats=5, seed=1)
    supply = position.document()["state"]["supply"]
    assert {kind: supply[kind] for kind in KINDS} == {
        "wood": 36 - 5 - 4,
        "coal": 36 - 15 - 6,
        "metal": 30 - 5 - 2,
        "technology": 30 - 5 - 2,
        "tool": 30 - 5 - 2,
        "coin": 40 - 10,
        "stone": 30 - 5,
    }


def test_equal_seeds_give_equal_games() -> None:
    game = spieltisch.game("era-of-inventions")
    assert game.start(seats=4, seed=9).digest() == game.start(seats=4, seed=9).digest()
