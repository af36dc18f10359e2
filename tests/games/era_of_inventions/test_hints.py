"""Check hints before a move in hand-made positions."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import Message
from spieltisch.web.pages.move_tree import tree
from tests.games.era_of_inventions.goods import HINTS, NONE_OF_THEM, RICH, read_goods
from tests.games.era_of_inventions.hint_texts import (
    cost_text,
    goods_list,
    holdings_text,
    new_yield_text,
    pawn_text,
    received_text,
)
from tests.games.era_of_inventions.positions import (
    ACTIONS,
    BUILD,
    BUY,
    DEVELOP,
    MARKET,
    PRODUCE,
    YIELD,
    goods_text,
    play,
    position_with,
)
from tests.sentences import sentence_after, template_after

NOBODY_PAID = sentence_after(HINTS, "move.args[0] >= FIRST_OFFICIAL")
ANOTHER_CUBE_OR_COIN = sentence_after(HINTS, "if any(kind_of(n) == EXCHANGE_TWO")
ANY_FACTORIES = template_after(HINTS, "factory=names[0])")
ANY_CARDS = template_after(HINTS, "card=names[0])")
SOME_LOADS = template_after(HINTS, "if not s.done_steps:", "hint = messages(")
AFFORDABLE_FIELDS = template_after(HINTS, "if developable:")
AFFORDABLE_PATENT = template_after(HINTS, "if any(kind_of(number) != DEVELOP_FIELD for number in steps)")


def note(position: Position, move: str) -> str | None:
    """Return the hint for a legal move in English."""
    assert position.why_not(move) is None, f"{move}: {position.why_not(move)}"
    hint = position.hint(move)
    return None if hint is None else str(hint)


# --- A card is produced. ---


def test_the_hint_for_a_card_says_when_nobody_is_paid(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=["telephone a", "light bulb"], goods={1: RICH})
    assert note(position, "produce telephone a") == f"{pawn_text(0, 3)} {NOBODY_PAID}"
    assert note(position, "produce light bulb") is None  # a start card: its words say all
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, holders={"telephone gold": 1})
    assert note(position, "produce telephone a") == f"{pawn_text(0, 3)} {NOBODY_PAID}"


def test_the_hint_for_a_card_says_where_the_pawn_lands(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, numbers={1: {"influence": 3}})
    hint = note(position, "produce telephone a")
    assert hint == f"{pawn_text(3, 6, tool=1)} {NOBODY_PAID}"
    play(position, "produce telephone a")
    assert position.document()["state"]["players"][0]["goods"]["tool"] == 9  # one paid, one from the track


def test_the_hint_for_a_card_adds_up_payments_to_one_player(game: Game) -> None:
    holders, numbers = {"car gold": 2, "car silver": 2}, {1: {"influence": 1}}
    position = position_with(game, action=PRODUCE, row=["car a"], goods={1: RICH}, holders=holders, numbers=numbers)
    assert note(position, "produce car a") == f"{pawn_text(1, 5)} {received_text(2, coin=2, influence=2)}"


def test_the_hint_for_a_card_lists_payments_to_two_players(game: Game) -> None:
    holders, numbers = {"car gold": 3, "car silver": 2}, {1: {"influence": 1}}
    position = position_with(game, action=PRODUCE, row=["car a"], goods={1: RICH}, holders=holders, numbers=numbers)
    hint = note(position, "produce car a")
    assert hint == f"{pawn_text(1, 5)} {received_text(2, coin=2)} {received_text(3, influence=2)}"


def test_the_hint_for_a_counterfeit_counts_only_patented_fields(game: Game) -> None:
    holders = {"telephone gold": 2, "telephone silver": 3}
    fake, row = "produce telephone counterfeit for 3 metal", ["telephone counterfeit"]
    position = position_with(game, action=PRODUCE, row=row, goods={1: RICH}, holders=holders)
    assert note(position, fake) == f"{pawn_text(0, 3)} {NOBODY_PAID}"
    position = position_with(
        game, action=PRODUCE, row=row, goods={1: RICH}, holders=holders, patents=["telephone gold"]
    )
    assert note(position, fake) == f"{pawn_text(0, 3)} {received_text(2, influence=1)}"


@pytest.mark.parametrize(("symbols", "paid"), [("own action", {}), ("any gain", {"tool": 1})])
def test_the_hint_for_a_card_includes_symbols_for_the_paid_player(
    game: Game, symbols: str, paid: dict[str, int]
) -> None:
    """The acting player's pawn gets symbols, and so does the paid player's pawn if an option gives symbols to all."""
    numbers = {1: {"influence": 3}, 2: {"influence": 5}}
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, holders={"telephone gold": 2},
                             numbers=numbers, track_symbols=symbols)  # fmt: skip
    hint = note(position, "produce telephone a")
    assert hint == f"{pawn_text(3, 6, tool=1)} {received_text(2, influence=1, **paid)}"


# --- The other steps. ---


def test_the_hint_for_building_shows_the_new_yield(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: {"wood": 9, "coal": 9}})
    assert note(position, "build coal mine 1") == new_yield_text(wood=1, coal=2)
    assert note(position, "build coal mine 2") == f"{pawn_text(0, 1)} {new_yield_text(wood=1, coal=2)}"


def test_the_hint_for_buying_shows_price_and_load(game: Game) -> None:
    position = position_with(game, action=BUY, loads={"metal ship": 5})
    price_and_load = sentence_after(
        HINTS, 'elif move.kind == "buy"', cost=goods_text(coin=1), goods=goods_text(metal=5)
    )
    assert note(position, "buy metal ship") == price_and_load


def test_the_hint_for_an_exchange_shows_the_resulting_goods(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 4, "stone": 2}}, numbers={1: {"influence": 5}})
    assert note(position, "exchange wood metal for tool") == holdings_text(tool=2)
    assert note(position, "exchange stone for coin coin") == holdings_text(coin=6)
    assert note(position, "exchange coin coin for influence") == pawn_text(5, 6, tool=1)
    position = position_with(game, seats=3, action=MARKET)
    assert note(position, "exchange coin coin for bonus disc") == holdings_text(bonus_disc=4)
    assert note(position, "take stone") == holdings_text(stone=2)
    assert note(position, "done") is None


@pytest.mark.rule("R10")
@pytest.mark.parametrize(("last_exchange", "expected_gains"), [("no symbols", {}), ("symbols", {"tool": 1})])
def test_the_hint_in_the_last_exchange_names_symbols_only_if_an_option_grants_symbols(
    game: Game, last_exchange: str, expected_gains: dict[str, int]
) -> None:
    position = position_with(
        game, phase="last exchange", action=MARKET, numbers={1: {"influence": 5}}, last_exchange=last_exchange
    )
    assert note(position, "exchange stone for influence") == pawn_text(5, 6, **expected_gains)


def test_the_hints_for_developing_and_patenting_show_the_price(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 7, "coin": 9}}, holders={"telephone gold": 1})
    prices = position.setup.board.inventions
    car = next(entry for entry in prices if entry.id == "car").gold
    stones, influence = car.stones, car.influence
    hint = note(position, "develop car gold") or ""
    assert hint.startswith(f"{cost_text(stone=stones)} {pawn_text(0, influence)[:-1]}")
    step = position.setup.board.contents.patent_steps[0]
    hint = note(position, "patent telephone gold") or ""
    assert hint.startswith(f"{cost_text(coin=step.coins)} {pawn_text(0, step.influence)[:-1]}")
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}})
    assert (note(position, "patent nothing") or "").startswith(
        f"{cost_text(coin=1)} {pawn_text(0, step.influence)[:-1]}"
    )


def test_the_hint_for_producing_with_one_factory_shows_its_yield(game: Game) -> None:
    position = position_with(game, phase="bonus", discs={MARKET: [2]}, owned={1: ["coal mine 1"]})
    assert note(position, "run coal mine 1") == sentence_after(HINTS, 'if move.kind == "run"', goods=goods_text(coal=2))
    assert note(position, "keep bonus disc") is None


def test_each_use_of_a_bonus_disc_has_a_hint_with_gain_and_cost(game: Game) -> None:
    stock = {"wood": 9, "coal": 9, "metal": 9, "technology": 9, "tool": 9, "coin": 9, "stone": 9}
    loads, row = {"metal ship": 5}, ["telephone a", "car b"]
    position = position_with(game, phase="bonus", discs={MARKET: [2]}, goods={1: stock}, owned={1: ["coal mine 1"]},
                             loads=loads, row=row)  # fmt: skip
    nodes = tree(position.setup, position.legal_moves, position)
    hints = {text: node.hint for text, node in nodes.items() if node.hint is not None}
    assert set(nodes) == {"build", "run", "buy", "produce", "exchange", "develop", "patent", "keep bonus disc"}
    assert set(hints) == set(nodes) - {"keep bonus disc"}
    factories = template_after(HINTS, "cost = amounts(board, min((factory.cost")
    count, cost = hints["build"].values["count"], hints["build"].values["cost"]
    assert str(hints["build"]) == str(factories.fill({"count": count, "cost": cost}))
    assert read_goods(cost)
    assert str(hints["run"]) == sentence_after(HINTS, 'if verb == "run"', goods="1 wood / 2 coal")
    loads_text = "3 coal / 2 wood / 5 metal / 2 technology / 2 tools"
    assert str(hints["buy"]) == sentence_after(HINTS, 'if verb == "buy"', cost=goods_text(coin=1), goods=loads_text)
    gain_of_production = hints["produce"].values["gain"]
    cards = template_after(HINTS, "most = max(card.gain").fill({"count": 2, "gain": gain_of_production})
    assert str(hints["produce"]) == str(cards)
    assert read_goods(gain_of_production).keys() == {"influence"}
    gained_goods = goods_list(goods_text(stone=1), goods_text(coin=2), goods_text(influence=1), ANOTHER_CUBE_OR_COIN)
    assert str(hints["exchange"]) == sentence_after(HINTS, 'if verb == "exchange"', things=gained_goods)
    fields = template_after(HINTS, "cost = amount(board, STONE, min(c.price[move.args[0]]")
    assert str(hints["develop"]) == str(fields.fill({"count": hints["develop"].count, "cost": goods_text(stone=1)}))
    assert hints["develop"].count > 1
    cost, gain = hints["patent"].values["cost"], hints["patent"].values["goods"]
    patent = template_after(HINTS, 'if verb == "patent"').fill({"cost": cost, "goods": gain})
    assert str(hints["patent"]) == str(patent)
    assert {verb for verb, hint in hints.items() if not hint.short} == set(), "a narrow row has no room for the hint"
    assert (str(hints["buy"].short), str(hints["run"].short)) == (str(goods_text(coin=1)), "1 wood / 2 coal")
    assert (read_goods(cost), list(read_goods(gain))) == ({"coin": 1}, ["influence"])
    assert all(not child.hint for child in nodes["develop"].children.values()), "only for the first word"


# --- What the fields would let a player do. ---


def test_each_field_has_a_hint_before_a_disc_is_placed(game: Game) -> None:
    position = position_with(game, seats=3, goods={1: {"wood": 3, "coal": 0, "coin": 2}}, owned={1: ["coal mine 4"]})
    rows = {name: note(position, f"place {name}") for name in ACTIONS}
    factories = position.hint(f"place {BUILD}")
    assert factories is not None
    assert (factories.text, factories.values["count"]) == (ANY_FACTORIES.text, 3)
    own_yield = goods_text(wood=1, coal=_yield_of(position, "coal-mine-4"))
    assert rows[YIELD] == sentence_after(HINTS, "if action == Action.YIELD", goods=own_yield)
    assert rows[BUY] == str(SOME_LOADS.fill({"count": 2}))
    assert rows[MARKET] == sentence_after(HINTS, "kind_of(number) == TAKE_STONE", "return message(", "return message(")
    fields = position.hint(f"place {DEVELOP}")
    assert fields is not None
    open_fields, patent = fields.values["sentence"], fields.values["rest"]
    assert isinstance(open_fields, Message)
    assert open_fields == AFFORDABLE_FIELDS.fill({"count": open_fields.count, "cost": goods_text(stone=1)})
    assert open_fields.count > 1
    assert patent == AFFORDABLE_PATENT.fill({"coins": goods_text(coin=1)})


def test_in_a_narrow_row_the_hint_for_a_field_is_a_few_words(game: Game) -> None:
    position = position_with(game, seats=3, goods={1: {"wood": 3, "coal": 0, "coin": 2}}, owned={1: ["coal mine 4"]})
    hints = {name: position.hint(f"place {name}") for name in ACTIONS}
    short = {name: str(hint.short) for name, hint in hints.items() if hint}
    assert short[YIELD] == str(goods_text(wood=1, coal=_yield_of(position, "coal-mine-4")))
    assert short[BUILD] == sentence_after(HINTS, "short = message(", count=3)
    assert short[BUY] == sentence_after(HINTS, "return hint.with_short(messages(", count=2)
    assert short[DEVELOP] == f"{goods_text(stone=1)} / {goods_text(coin=1)}"
    poor = position_with(game, seats=3, goods={1: NONE_OF_THEM}, row=["telephone a"])
    for name in (BUILD, BUY, PRODUCE, DEVELOP):
        hint = poor.hint(f"place {name}")
        assert hint is not None
        assert str(hint.short) == sentence_after(HINTS, "NOT_NOW = ")


def _yield_of(position: Position, factory: str) -> int:
    return int(
        next(factory_card for factory_card in position.setup.board.works if factory_card.id == factory).output[1]
    )


def test_the_hint_for_a_field_says_that_no_action_is_possible_there(game: Game) -> None:
    position = position_with(game, seats=3, goods={1: NONE_OF_THEM}, row=["telephone a"])
    assert note(position, f"place {BUILD}") == sentence_after(HINTS, "def _factories")
    assert note(position, f"place {BUY}") == sentence_after(HINTS, "if not s.done_steps")
    assert note(position, f"place {PRODUCE}") == sentence_after(HINTS, "if not cards:")
    assert note(position, f"place {MARKET}") == sentence_after(HINTS, "def _market")
    assert note(position, f"place {DEVELOP}") == (
        sentence_after(HINTS, "elif prices:", cost=goods_text(stone=1))
        + " "
        + sentence_after(HINTS, "else:\n            sentences.append(", coins=goods_text(coin=1))
    )


def test_the_hint_for_a_field_names_the_only_possible_step(game: Game) -> None:
    goods = NONE_OF_THEM | {"coal": 2, "metal": 1, "technology": 1, "wood": 1, "stone": 1}
    row = ["telephone a", "light bulb"]
    position = position_with(game, seats=3, goods={1: goods}, row=row, factory_row=["coal mine 1", *[None] * 4],
                             holders={"cash register gold": 2, "cash register silver": 2})  # fmt: skip
    one_factory = sentence_after(HINTS, "if not names:", "if len(names) == 1", factory="coal mine 1")
    assert note(position, f"place {BUILD}") == one_factory
    one_card = sentence_after(HINTS, "names = [card_name(board.cards[card]) for card in cards]", card="light bulb")
    assert note(position, f"place {PRODUCE}") == one_card
    hint = note(position, f"place {DEVELOP}") or ""
    assert hint.startswith(str(AFFORDABLE_FIELDS.fill({"count": 1, "cost": goods_text(stone=1)})))


def test_the_hint_for_a_field_counts_the_cards_and_says_how_many_are_allowed(game: Game) -> None:
    row = ["telephone a", "telephone b", "car a", "car counterfeit", "camera a", "camera b", "light bulb"]
    position = position_with(game, seats=3, goods={1: RICH | {"wood": 9}}, row=row)
    assert note(position, f"place {PRODUCE}") == str(ANY_CARDS.fill({"count": 7, "most": 3}))


def test_carrying_out_a_disc_has_the_same_hint_as_placing_the_disc(game: Game) -> None:
    position = position_with(game, discs={BUY: [1], MARKET: [1]}, goods={1: {"coin": 1}})
    assert note(position, f"use {BUY}") == str(SOME_LOADS.fill({"count": 1}))
    assert note(position, f"take back {BUY}") is None


def test_the_hint_for_a_field_counts_the_moves_that_are_legal_afterwards(game: Game) -> None:
    position = position_with(game, discs={BUILD: [1], PRODUCE: [1]}, goods={1: RICH | {"wood": 4}})
    for name, verb, template in ((BUILD, "build", ANY_FACTORIES), (PRODUCE, "produce", ANY_CARDS)):
        after = position.copy()
        hint = position.hint(f"use {name}")
        after.play(f"use {name}")
        named_moves = {after.words(move)[1].text for move in after.legal_moves if move.text.startswith(verb)}
        assert len(named_moves) > 1
        assert hint is not None
        assert (hint.text, hint.values["count"]) == (template.text, len(named_moves))
