"""Hints before a move and summaries of a turn: in made-up positions, and compared with what happens in random games."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spieltisch
from spieltisch.core.events import GameEvent
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.web.pages.move_tree import tree
from tests.games.era_of_inventions.positions import (
    ACTIONS,
    BUILD,
    BUY,
    DEVELOP,
    KINDS,
    MARKET,
    PRODUCE,
    YIELD,
    events,
    play,
    position_with,
)
from tests.tiers import examples

RICH = {"coal": 9, "metal": 9, "technology": 9, "tool": 9}
NONE_OF_THEM = dict.fromkeys(KINDS, 0)


def note(position: Position, move: str) -> str | None:
    """The note on a legal move, in English."""
    assert position.why_not(move) is None, f"{move}: {position.why_not(move)}"
    hint = position.hint(move)
    return None if hint is None else str(hint)


def sum_of(begun: Observation, done: Sequence[GameEvent], after: Position) -> list[str]:
    """Return the summary of the moves since an observation, for its seat, in English."""
    return [str(sentence) for sentence in after.setup.game.turn_summary(begun, done)]


def reasons_for(begun: Observation, done: Sequence[GameEvent], after: Position) -> list[str]:
    """Return the reasons that a hint gives for these moves, in English."""
    return [str(sentence) for sentence in after.setup.game.advice_reasons(begun, done)]


# --- A card is produced. ---


def test_a_card_nobody_is_paid_for(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=["telephone a", "light bulb"], goods={1: RICH})
    assert note(position, "produce telephone a") == "Influence 0 → 3. No other player is paid."
    assert note(position, "produce light bulb") is None  # a start card: its words say all
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, holders={"telephone gold": 1})
    assert note(position, "produce telephone a") == "Influence 0 → 3. No other player is paid."


def test_where_the_pawn_lands(game: Game) -> None:
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, numbers={1: {"influence": 3}})
    hint = note(position, "produce telephone a")
    assert hint == "Influence 3 → 6; the track gives 1 tool. No other player is paid."
    play(position, "produce telephone a")
    assert position.document()["state"]["players"][0]["goods"]["tool"] == 9  # one paid, one from the track


def test_both_fields_of_one_player(game: Game) -> None:
    holders, numbers = {"car gold": 2, "car silver": 2}, {1: {"influence": 1}}
    position = position_with(game, action=PRODUCE, row=["car a"], goods={1: RICH}, holders=holders, numbers=numbers)
    assert note(position, "produce car a") == "Influence 1 → 5. Player 2 receives 2 coins, 2 influence points."


def test_fields_of_two_players(game: Game) -> None:
    holders, numbers = {"car gold": 3, "car silver": 2}, {1: {"influence": 1}}
    position = position_with(game, action=PRODUCE, row=["car a"], goods={1: RICH}, holders=holders, numbers=numbers)
    hint = note(position, "produce car a")
    assert hint == "Influence 1 → 5. Player 2 receives 2 coins. Player 3 receives 2 influence points."


def test_a_counterfeit_pays_a_patented_field(game: Game) -> None:
    holders = {"telephone gold": 2, "telephone silver": 3}
    fake, row = "produce telephone counterfeit for 3 metal", ["telephone counterfeit"]
    position = position_with(game, action=PRODUCE, row=row, goods={1: RICH}, holders=holders)
    assert note(position, fake) == "Influence 0 → 3. No other player is paid."
    position = position_with(
        game, action=PRODUCE, row=row, goods={1: RICH}, holders=holders, patents=["telephone gold"]
    )
    assert note(position, fake) == "Influence 0 → 3. Player 2 receives 1 influence point."


@pytest.mark.parametrize(("symbols", "paid"), [("own action", ""), ("any gain", "1 tool, ")])
def test_two_gains_land_on_two_symbols(game: Game, symbols: str, paid: str) -> None:
    """Both pawns move: of the acting player, and of the player who is paid (if the table gives symbols to all)."""
    numbers = {1: {"influence": 3}, 2: {"influence": 5}}
    position = position_with(game, action=PRODUCE, row=["telephone a"], goods={1: RICH}, holders={"telephone gold": 2},
                             numbers=numbers, track_symbols=symbols)  # fmt: skip
    hint = note(position, "produce telephone a")
    assert hint == f"Influence 3 → 6; the track gives 1 tool. Player 2 receives {paid}1 influence point."


# --- The other steps. ---


def test_building_says_what_the_factories_then_yield(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: {"wood": 9, "coal": 9}})
    assert note(position, "build coal mine 1") == "Your factories will then yield 1 wood, 2 coal."
    assert note(position, "build coal mine 2") == "Influence 0 → 1. Your factories will then yield 1 wood, 2 coal."


def test_buying_says_what_for_what(game: Game) -> None:
    position = position_with(game, action=BUY, loads={"metal ship": 5})
    assert note(position, "buy metal ship") == "1 coin for 5 metal."


def test_an_exchange_says_what_one_has_then(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: {"coin": 4, "stone": 2}}, numbers={1: {"influence": 5}})
    assert note(position, "exchange wood metal for tool") == "You’ll then have 2 tools."
    assert note(position, "exchange stone for coin coin") == "You’ll then have 6 coins."
    assert note(position, "exchange coin coin for influence") == "Influence 5 → 6; the track gives 1 tool."
    position = position_with(game, seats=3, action=MARKET)
    assert note(position, "exchange coin coin for bonus disc") == "You’ll then have 4 bonus discs."
    assert note(position, "take stone") == "You’ll then have 2 development stones."
    assert note(position, "done") is None


@pytest.mark.rule("R10")
@pytest.mark.parametrize(("last_exchange", "gives"), [("no symbols", "."), ("symbols", "; the track gives 1 tool.")])
def test_the_last_exchange_gives_symbols_if_the_table_wants_them(game: Game, last_exchange: str, gives: str) -> None:
    position = position_with(
        game, phase="last exchange", action=MARKET, numbers={1: {"influence": 5}}, last_exchange=last_exchange
    )
    assert note(position, "exchange stone for influence") == f"Influence 5 → 6{gives}"


def test_developing_and_patenting_say_their_price(game: Game) -> None:
    position = position_with(game, action=DEVELOP, goods={1: {"stone": 7, "coin": 9}}, holders={"telephone gold": 1})
    prices = position.setup.board.inventions
    car = next(entry for entry in prices if entry.id == "car").gold
    stones, influence = car.stones, car.influence
    hint = note(position, "develop car gold") or ""
    assert hint.startswith(f"Costs {stones} development stone{'s' * (stones > 1)}. Influence 0 → {influence}")
    step = position.setup.board.contents.patent_steps[0]
    hint = note(position, "patent telephone gold") or ""
    assert hint.startswith(f"Costs {step.coins} coin{'s' * (step.coins > 1)}. Influence 0 → {step.influence}")
    position = position_with(game, action=DEVELOP, goods={1: {"coin": 9}})
    assert (note(position, "patent nothing") or "").startswith("Costs 1 coin. Influence 0 → ")


def test_a_bonus_disc_takes_the_yield_of_a_factory(game: Game) -> None:
    position = position_with(game, phase="bonus", discs={MARKET: [2]}, owned={1: ["coal mine 1"]})
    assert note(position, "run coal mine 1") == "You receive 2 coal."
    assert note(position, "keep bonus disc") is None


def test_each_kind_of_step_with_a_bonus_disc_says_what_it_may_bring_and_cost(game: Game) -> None:
    rich = {"wood": 9, "coal": 9, "metal": 9, "technology": 9, "tool": 9, "coin": 9, "stone": 9}
    loads, row = {"metal ship": 5}, ["telephone a", "car b"]
    position = position_with(game, phase="bonus", discs={MARKET: [2]}, goods={1: rich}, owned={1: ["coal mine 1"]},
                             loads=loads, row=row)  # fmt: skip
    nodes = tree(position.setup, position.legal_moves, position)
    hints = {text: str(node.hint) for text, node in nodes.items()}
    assert set(hints) == {"build", "run", "buy", "produce", "exchange", "develop", "patent", "keep bonus disc"}
    assert re.fullmatch(r"\d factories, cheapest: \d [\w, ]+\.", hints["build"])
    assert hints["run"] == "You receive 1 wood / 2 coal."
    assert hints["buy"] == "1 coin for 3 coal / 2 wood / 5 metal / 2 technology / 2 tools."
    assert re.fullmatch(r"2 cards, up to \d influence points\.", hints["produce"])
    assert hints["exchange"] == ("For: 1 development stone, 2 coins, 1 influence point, another cube or coin.")
    assert re.fullmatch(r"\d+ open fields, cheapest: 1 development stone\.", hints["develop"])
    assert re.fullmatch(r"1 coin for \d influence points?\.", hints["patent"])
    assert all(not child.hint for child in nodes["develop"].children.values()), "only for the first word"


# --- What the fields would let a player do. ---


def test_the_fields_before_a_disc_is_placed(game: Game) -> None:
    position = position_with(game, seats=3, goods={1: {"wood": 3, "coal": 0, "coin": 2}}, owned={1: ["coal mine 4"]})
    rows = {name: note(position, f"place {name}") for name in ACTIONS}
    assert (rows[BUILD] or "").startswith("You can afford any of these 3 factories ")
    assert rows[YIELD] == f"Your factories yield 1 wood, {_yield_of(position, 'coal-mine-4')} coal."
    assert rows[BUY] == "You can buy up to 2 loads."
    assert rows[MARKET] == (
        "You can take a development stone, or exchange goods for: 1 development stone, 2 coins, 1 influence point, "
        "1 bonus disc, another cube or coin."
    )
    assert re.fullmatch(
        r"You can afford any of \d open fields, the cheapest for 1 development stone. "
        r"You can register a patent for 1 coin.",
        rows[DEVELOP] or "",
    )


def _yield_of(position: Position, factory: str) -> int:
    return int(
        next(factory_card for factory_card in position.setup.board.works if factory_card.id == factory).output[1]
    )


def test_fields_where_nothing_can_be_done(game: Game) -> None:
    position = position_with(game, seats=3, goods={1: NONE_OF_THEM}, row=["telephone a"])
    assert note(position, f"place {BUILD}") == "You can’t afford any of the factories in the row now."
    assert note(position, f"place {BUY}") == "You can’t buy any loads now."
    assert note(position, f"place {PRODUCE}") == "You can’t produce any of the cards in the row now."
    assert note(position, f"place {MARKET}") == "You can take a development stone."
    assert note(position, f"place {DEVELOP}") == (
        "You can’t develop anything now: the cheapest open field costs 1 development stone. "
        "You can’t afford a patent: the next one costs 1 coin."
    )


def test_fields_where_one_thing_can_be_done(game: Game) -> None:
    goods = NONE_OF_THEM | {"coal": 2, "metal": 1, "technology": 1, "wood": 1, "stone": 1}
    row = ["telephone a", "light bulb"]
    position = position_with(game, seats=3, goods={1: goods}, row=row, factory_row=["coal mine 1", *[None] * 4],
                             holders={"cash register gold": 2, "cash register silver": 2})  # fmt: skip
    assert note(position, f"place {BUILD}") == "You can afford coal mine 1."
    assert note(position, f"place {PRODUCE}") == "You can produce light bulb."
    hint = note(position, f"place {DEVELOP}") or ""
    assert hint.startswith("You can afford 1 open field, for 1 development stone.")


def test_many_cards_are_counted_after_the_first_few(game: Game) -> None:
    row = ["telephone a", "telephone b", "car a", "car counterfeit", "camera a", "camera b", "light bulb"]
    position = position_with(game, seats=3, goods={1: RICH | {"wood": 9}}, row=row)
    hint = note(position, f"place {PRODUCE}") or ""
    assert hint.startswith("You can produce any of these 7 cards (at most 3): light bulb / telephone, card a / ")
    assert hint.endswith(" and 3 more.")


def test_the_same_is_said_before_a_disc_is_carried_out(game: Game) -> None:
    position = position_with(game, discs={BUY: [1], MARKET: [1]}, goods={1: {"coin": 1}})
    assert note(position, f"use {BUY}") == "You can buy 1 load."
    assert note(position, f"take back {BUY}") is None


def test_it_is_allowed_what_a_field_is_said_to_let_do(game: Game) -> None:
    """The count of cards and factories is that of the moves after the disc is carried out."""
    position = position_with(game, discs={BUILD: [1], PRODUCE: [1]}, goods={1: RICH | {"wood": 4}})
    for name, verb in ((BUILD, "build"), (PRODUCE, "produce")):
        after = position.copy()
        hint = note(position, f"use {name}") or ""
        after.play(f"use {name}")
        things = {after.words(move)[1].text for move in after.legal_moves if move.text.startswith(verb)}
        assert len(things) > 1
        assert re.search(rf"You can \w+ any of these {len(things)} ", hint), hint


# --- What a turn comes to. ---


def test_a_turn_is_summed_up(game: Game) -> None:
    numbers = {1: {"influence": 3}}
    position = position_with(game, discs={PRODUCE: [1], BUILD: [1]}, row=["telephone a", "car a"], goods={1: RICH},
                             holders={"car gold": 2, "car silver": 3}, numbers=numbers)  # fmt: skip
    before, goods = position.observe(0), _goods(position, 0)
    done = events(position, f"use {PRODUCE}")
    assert sum_of(before, done, position) == []
    done += events(position, "produce telephone a") + events(position, "produce car a")
    lines = sum_of(before, done, position)
    assert lines[0] == f"Spent: {_named(_less(goods, _goods(position, 0)))}."
    assert "Influence 3 → 10." in lines
    assert lines[-2:] == ["Player 2 receives 2 influence points.", "Player 3 receives 2 coins."]
    assert reasons_for(before, done, position) == ["Influence 3 → 10.", *lines[-2:]]  # not what it costs


def test_building_is_summed_up_with_the_new_yield(game: Game) -> None:
    position = position_with(game, action=BUILD, goods={1: {"wood": 9, "coal": 9}}, numbers={1: {"bonus": 1}})
    before = position.observe(0)
    done = events(position, "build coal mine 1") + events(position, "build coal mine 2")
    lines = sum_of(before, done, position)
    assert lines[-2:] == ["Influence 0 → 1.", "Your factories now yield 1 wood, 4 coal."]
    reasons = ["Your factories will then yield 1 wood, 4 coal.", "Influence 0 → 1."]
    assert reasons_for(before, done, position) == reasons


def test_a_hint_says_what_an_exchange_brings(game: Game) -> None:
    position = position_with(game, action=MARKET, goods={1: NONE_OF_THEM | {"coin": 2}})
    before = position.observe(0)
    done = events(position, "exchange coin coin for stone")
    assert reasons_for(before, done, position) == ["You receive 1 development stone."]


def test_the_bonuses_at_the_end_belong_to_no_turn(game: Game) -> None:
    position = position_with(
        game,
        seats=3,
        phase="last exchange",
        action=MARKET,
        seat=3,
        done=4,
        start=1,
        round_number=9,
        goods={3: NONE_OF_THEM | {"stone": 1}},
        owned={3: ["coal mine 1"]},
    )
    before = position.observe(2)
    done = events(position, "exchange stone for influence")
    assert position.is_over
    assert position.scores[2] > 1
    assert sum_of(before, done, position) == ["Spent: 1 development stone.", "Influence 0 → 1."]


# --- Against what really happens. ---


def _goods(position: Position, p: int) -> dict[str, int]:
    player = position.document()["state"]["players"][p]
    return {**player["goods"], "influence": player["influence"], "bonus": player["bonus"]}


def _less(earlier: dict[str, int], later: dict[str, int]) -> dict[str, int]:
    return {kind: earlier[kind] - later[kind] for kind in KINDS if earlier[kind] > later[kind]}


def _named(counts: dict[str, int]) -> str:
    many = {"tool": "tools", "coin": "coins", "stone": "development stones"}
    names = {"stone": "development stone"}
    return ", ".join(f"{n} {(many if n > 1 else names).get(kind, kind)}" for kind, n in counts.items())


def _read(text: str) -> dict[str, int]:
    """Amounts in a sentence: "2 coins, 1 influence point"."""
    counts = {}
    for part in text.rstrip(".").split(", "):
        number, name = part.split(" ", 1)
        kind = re.sub(r" (point|disc)s?$", "", name)
        kind = {"tools": "tool", "coins": "coin", "development stone": "stone", "development stones": "stone"}.get(
            kind, kind
        )
        counts[kind] = int(number)
    return counts


def _check_step(position: Position, move: Any) -> None:
    """The note on a step of an action fits what the step does."""
    hint = note(position, move.text)
    verb = position.words(move)[0].text
    if hint is None or verb in ("place", "use"):
        return
    seat = position.seat
    assert seat is not None
    after = position.copy()
    played = after.play(move, collect_events=True)
    lines = [str(line) for line in position.setup.game.log(position.setup, played.events, None)]
    rows = [(_goods(position, p), _goods(after, p)) for p in range(position.seats)]
    earlier, later = rows[seat]
    track: dict[str, int] = {}
    for line in lines:
        if match := re.match(rf"Player {seat + 1} gets (.*) from space", line):
            track = _read(match[1])
    gain = later["influence"] - earlier["influence"]
    if after.is_over:
        gain -= sum(_final(after, seat))
    pawn = re.search(r"Influence (\d+) → (\d+)(?:; the track gives ([^.]+))?\.", hint)
    assert bool(pawn) == (gain != 0), (hint, lines)
    if pawn:
        assert (int(pawn[1]), int(pawn[2])) == (earlier["influence"], earlier["influence"] + gain)
        assert (_read(pawn[3]) if pawn[3] else {}) == track
    for p, (earlier_row, later_row) in enumerate(rows):
        if p == seat:
            continue
        more = {kind: later_row[kind] - earlier_row[kind] for kind in later_row if later_row[kind] != earlier_row[kind]}
        if after.is_over:
            more["influence"] = more.get("influence", 0) - sum(_final(after, p))
            more = {kind: n for kind, n in more.items() if n}
        received = re.search(rf"Player {p + 1} receives ([^.]+)\.", hint)
        assert (_read(received[1]) if received else {}) == more, (hint, lines)
    if verb == "buy":
        cost, goods = hint.rstrip(".").split(" for ")
        assert _read(cost) == _less(earlier, later)
        assert _read(goods) == _less(later, earlier)
    if cost_said := re.match(r"Costs ([^.]+)\.", hint):
        paid = {kind: earlier[kind] - later[kind] + track.get(kind, 0) for kind in KINDS}
        assert _read(cost_said[1]) == {kind: n for kind, n in paid.items() if n}
    if held := re.match(r"You then have ([^.]+)\.", hint):
        for kind, n in _read(held[1]).items():
            assert later[kind] == n


def _final(position: Position, p: int) -> list[int]:
    earned: list[int] = position.observe(None).view.players[p].earned[-3:]
    return earned


@given(seed=st.integers(0, 10_000), seats=st.integers(3, 5), any_gain=st.booleans(), bold=st.floats(0, 1))
@examples(8, 30)
def test_notes_fit_what_happens(seed: int, seats: int, any_gain: bool, bold: float) -> None:
    chance = random.Random(seed)
    game = spieltisch.game("era-of-inventions")
    position = game.start(seats=seats, seed=seed, track_symbols="any gain" if any_gain else "own action")
    begun, position_before = position.observe(position.seat), position.copy()
    done: tuple[GameEvent, ...] = ()
    while not position.is_over:
        moves = list(position.legal_moves)
        if position.number % 3 == 0:
            _check_step(position, chance.choice(moves))
        steps = [move for move in moves if not move.text.startswith(("take back", "done", "keep"))]
        seat = position.seat
        assert seat is not None
        played = position.play(chance.choice(steps if steps and chance.random() < bold else moves), collect_events=True)
        done += played.events
        lines = " ".join(sum_of(begun, done, position))
        goods_before, goods_after = _goods(position_before, seat), _goods(position, seat)
        spent = re.search(r"Spent: ([^.]+)\.", lines)
        lost = _less(goods_before, goods_after) | (
            {"bonus": goods_before["bonus"] - goods_after["bonus"]}
            if goods_before["bonus"] > goods_after["bonus"]
            else {}
        )
        assert (_read(spent[1]) if spent else {}) == lost
        if played.ended_decision or played.drew:
            begun, position_before, done = position.observe(position.seat), position.copy(), ()
