"""Compare hints and summaries of turns with the effects of moves in random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import spieltisch
from spieltisch.core.events import GameEvent
from spieltisch.core.position import Position
from spieltisch.core.words import Message, SeatName, Sentence, Value
from tests.games.era_of_inventions.goods import HINTS, goods_held, goods_lost, read_goods
from tests.games.era_of_inventions.positions import KINDS
from tests.sentences import template_after
from tests.tiers import examples

RECEIVED = template_after(HINTS, "def _receipt_texts(")
PRICE_AND_LOAD = template_after(HINTS, 'elif move.kind == "buy"')
COSTS = template_after(HINTS, 'elif move.kind in ("develop", "patent", "patent nothing")')
HOLDINGS = template_after(HINTS, "if any(holdings) or discs")
SPENT = template_after(HINTS, "def turn_summary")


def parts(hint: Message | None) -> list[Message]:
    """Return the sentences of a hint."""
    if hint is None or "sentence" not in hint.values:
        return [] if hint is None else [hint]
    first, rest_sentence = hint.values["sentence"], hint.values["rest"]
    assert isinstance(first, Message)
    assert isinstance(rest_sentence, Message)
    return [first, *parts(rest_sentence)]


def goods_in(sentences: Sequence[Message], template: Sentence, value: str, **other_values: Value) -> dict[str, int]:
    """Return the goods in the sentence that the template makes with these other values; {} if there is none."""
    gains_of_goods = [
        sentence.values[value]
        for sentence in sentences
        if sentence.text == template.text
        and all(sentence.values[name] == other for name, other in other_values.items())
    ]
    assert len(gains_of_goods) <= 1
    return read_goods(gains_of_goods[0]) if gains_of_goods else {}


def _check_step(position: Position, move: Any) -> None:
    """Check that the hint for a step of an action matches the effect of the step."""
    hint_parts = parts(position.hint(move))
    verb = position.words(move)[0].text
    if not hint_parts or verb in ("place", "use"):
        return
    seat = position.seat
    assert seat is not None
    after = position.copy()
    move_result = after.play(move, collect_events=True)
    rows = [(goods_held(position, p), goods_held(after, p)) for p in range(position.seats)]
    earlier, later = rows[seat]
    track = Counter(
        KINDS[event.numbers[1]] for event in move_result.events if event.kind == "gets symbol" and event.seat == seat
    )
    gain = later["influence"] - earlier["influence"]
    if after.is_over:
        gain -= sum(_final(after, seat))
    pawns = [sentence for sentence in hint_parts if {"before", "after"} <= sentence.values.keys()]
    assert bool(pawns) == (gain != 0), hint_parts
    for pawn in pawns:
        pawn_steps = (pawn.values["before"], pawn.values["after"])
        assert pawn_steps == (earlier["influence"], earlier["influence"] + gain)
        assert (read_goods(pawn.values["goods"]) if "goods" in pawn.values else {}) == track
    for p, (earlier_row, later_row) in enumerate(rows):
        if p == seat:
            continue
        differing_goods = {
            kind: later_row[kind] - earlier_row[kind] for kind in later_row if later_row[kind] != earlier_row[kind]
        }
        if after.is_over:
            differing_goods["influence"] = differing_goods.get("influence", 0) - sum(_final(after, p))
            differing_goods = {kind: n for kind, n in differing_goods.items() if n}
        assert goods_in(hint_parts, RECEIVED, "goods", player=SeatName(p)) == differing_goods, hint_parts
    if verb == "buy":
        assert goods_in(hint_parts, PRICE_AND_LOAD, "cost") == goods_lost(earlier, later)
        assert goods_in(hint_parts, PRICE_AND_LOAD, "goods") == goods_lost(later, earlier)
    paid = {kind: earlier[kind] - later[kind] + track.get(kind, 0) for kind in KINDS}
    if verb in ("develop", "patent"):
        assert goods_in(hint_parts, COSTS, "cost") == {kind: n for kind, n in paid.items() if n}
    for kind, n in goods_in(hint_parts, HOLDINGS, "goods").items():
        assert later[kind] == n


def _final(position: Position, p: int) -> list[int]:
    earned: list[int] = position.observe(None).view.players[p].earned[-3:]
    return earned


@given(seed=st.integers(0, 10_000), seats=st.integers(3, 5), any_gain=st.booleans(), bold=st.floats(0, 1))
@examples(8, 30)
def test_hints_match_the_effects_of_moves(seed: int, seats: int, any_gain: bool, bold: float) -> None:
    chance = random.Random(seed)
    game = spieltisch.game("era-of-inventions")
    position = game.start(seats=seats, seed=seed, track_symbols="any gain" if any_gain else "own action")
    observation_at_start, position_before = position.observe(position.seat), position.copy()
    events: tuple[GameEvent, ...] = ()
    while not position.is_over:
        moves = list(position.legal_moves)
        if position.number % 3 == 0:
            _check_step(position, chance.choice(moves))
        steps = [move for move in moves if not move.text.startswith(("take back", "done", "keep"))]
        seat = position.seat
        assert seat is not None
        move_result = position.play(
            chance.choice(steps if steps and chance.random() < bold else moves), collect_events=True
        )
        events += move_result.events
        summary = position.setup.game.turn_summary(observation_at_start, events)
        goods_before, goods_after = goods_held(position_before, seat), goods_held(position, seat)
        lost_goods = goods_lost(goods_before, goods_after) | (
            {"bonus": goods_before["bonus"] - goods_after["bonus"]}
            if goods_before["bonus"] > goods_after["bonus"]
            else {}
        )
        assert goods_in(summary, SPENT, "goods") == lost_goods
        if move_result.ended_decision or move_result.drew:
            observation_at_start, position_before, events = position.observe(position.seat), position.copy(), ()
