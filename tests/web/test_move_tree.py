"""Check the word tree: exactly the legal moves, blocked words, and reasons for places."""

from __future__ import annotations

from collections.abc import Iterator

import spieltisch
from spieltisch.games.era_of_inventions.board import GOODS
from spieltisch.web.pages.move_tree import MoveNode, legal_tree, moves_at, reasons
from tests.games.era_of_inventions.positions import MARKET, position_with
from tests.games.paris_connection.positions import position_with as paris_position


def leaves(branches: dict[str, MoveNode]) -> Iterator[MoveNode]:
    for branch in branches.values():
        if branch.move:
            yield branch
        yield from leaves(branch.children)


def test_the_choices_word_by_word_lead_to_exactly_the_legal_moves() -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=7)
    while not position.is_over:
        tree = legal_tree(position)
        moves = {branch.move: branch.text for branch in leaves(tree)}
        assert moves == {str(move): str(move) for move in position.legal_moves}
        position.play(position.legal_moves[position.number * 7 % len(position.legal_moves)])


def test_a_few_choices_that_are_not_allowed_are_shown_with_their_reasons() -> None:
    position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    tree = legal_tree(position)
    assert [(text, branch.is_blocked) for text, branch in tree.items()] == [
        ("build", False),
        ("done", True),
        ("trade", False),
    ]
    assert not any(branch.is_blocked for branch in tree["build"].children["red"].children.values())
    (refusal,) = reasons(position, ["done"], "", position.seat)
    assert refusal.rule == "T11"
    assert reasons(position, ["build"], "", position.seat) == []


def test_a_place_on_the_board_lists_its_legal_moves_and_reasons() -> None:
    position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    legal = next(branch for branch in leaves(legal_tree(position)) if branch.word.element_id)
    assert any(move.text == legal.move for move in moves_at(position.setup, [], legal.word.element_id))
    assert reasons(position, [], legal.word.element_id, position.seat) == []
    far_hex = next(
        word.element_id
        for move in position.setup.moves
        for word in position.words(move)
        if word.element_id and all(position.why_not(other) for other in moves_at(position.setup, [], word.element_id))
    )
    refusals = reasons(position, [], far_hex, position.seat)
    assert refusals
    assert len({str(refusal.message) for refusal in refusals}) == len(refusals)
    assert reasons(position, [], far_hex, ((position.seat or 0) + 1) % 4)[0].rule == "turn"


def test_places_are_listed_by_gain_and_places_without_effect_last() -> None:
    position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    lists = [node.children.values() for node in legal_tree(position)["build"].children.values() if node.children]
    assert any(place.gain for places in lists for place in places)
    for places in lists:
        ranks = [(-place.gain, place.hint is None) for place in places]
        assert ranks == sorted(ranks)


def test_the_reasons_at_a_place_are_those_of_adjacent_companies_with_locomotives() -> None:
    game = spieltisch.game("paris-connection")
    beside = paris_position(
        game, track={"red": ["Amiens"], "blue": ["Amiens W"], "purple": ["Amiens W"]}, depots={"black": 0}
    )
    place = next(h.place for h in beside.setup.board.hexes if h.move_name == "Amiens W")
    assert {refusal.rule for refusal in reasons(beside, [], place, beside.seat)} == {"P7", "P8"}
    far = next(h.place for h in beside.setup.board.hexes if h.move_name == "Nice")
    refusals = reasons(beside, [], far, beside.seat)
    assert {refusal.rule for refusal in refusals} == {"P5"}
    assert len(refusals) == 5


def test_words_of_moves_may_contain_spaces_and_a_place_without_legal_moves_lists_all_its_uses() -> None:
    game = spieltisch.game("era-of-inventions")
    setup = game.setup(3)
    (move,) = moves_at(setup, ["place", "exchange", "market"], "")
    assert move.text == "place exchange market"
    assert moves_at(setup, ["place", "exchange"], "") == []
    card = setup.board.cards[0]
    # No disc is placed on a card; so it is asked what can be done with the card at all.
    assert {move.text.split()[0] for move in moves_at(setup, ["place"], card.id)} == {"produce"}


def test_a_pair_can_be_chosen_starting_with_either_item() -> None:
    goods = {**dict.fromkeys(GOODS, 0), "wood": 1, "metal": 1}
    position = position_with(spieltisch.game("era-of-inventions"), goods={1: goods}, action=MARKET)
    exchange = legal_tree(position)["exchange"].children
    assert [text for text, branch in exchange.items() if not branch.is_blocked] == ["wood", "metal"]
    wood, metal = exchange["wood"].children["metal"], exchange["metal"].children["wood"]
    assert [branch.move for branch in leaves(metal.children)] == [branch.move for branch in leaves(wood.children)]
    tool = metal.children["for tool"]
    assert (tool.text, tool.move) == ("exchange metal wood for tool", "exchange wood metal for tool")
    assert tool.hint == wood.children["for tool"].hint
    # There are no coins, and why not is the same in both orders.
    assert exchange["metal"].children["coin"].is_blocked
    why = reasons(position, ["exchange", "metal", "coin"], "", position.seat)
    assert why == reasons(position, ["exchange", "coin", "metal"], "", position.seat)
    assert [refusal.rule for refusal in why] == ["E33", "R9"]
    assert len(moves_at(position.setup, ["exchange"], "")) == len(set(moves_at(position.setup, ["exchange"], "")))
