"""Compare hints and summaries of turns with the effects of moves."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import spieltisch
from spieltisch.core.events import GameEvent
from spieltisch.core.words import Sentence
from spieltisch.games.paris_connection import log
from tests.sentences import template_after

HINTS = "games/paris_connection/hints.py"
POINTS = template_after(HINTS, "if before is not None and gained")
REACHES_WITH_SHARES = template_after(HINTS, "elif me.shares[k]")
REACHES_WITHOUT_SHARES = template_after(HINTS, "else:\n                reasons.append(")
EXTENDS = template_after(HINTS, "def _extension_text")
TRADE_GAINS = template_after(HINTS, "if points > 0:")
TRADE_COSTS = template_after(HINTS, "if points < 0:")
TRADE = template_after(HINTS, "left=observation.view.depot[k]")


@pytest.mark.parametrize("seed", range(3))
def test_hints_predict_the_values_and_points_after_a_move(seed: int) -> None:
    """Only moves into cities, and trades that change the player's own points, have a hint."""
    position, chance = spieltisch.game("paris-connection").start(seats=4, seed=seed), random.Random(seed)
    count = 0
    while not position.is_over:
        seat, moves = position.seat, list(position.legal_moves)
        assert seat is not None
        for move in chance.sample(moves, min(4, len(moves))):
            after, hint = position.copy(), position.hint(move)
            after.play(move)
            hint_values = hint.values if hint is not None else {}
            risen = [
                (before, now)
                for before, now in zip(position.state.value, after.state.value, strict=True)
                if before != now
            ]
            assert ([(hint_values["value"], hint_values["rises"])] if "value" in hint_values else []) == risen
            points = (position.scores[seat], after.scores[seat])
            assert (hint_values.get("before", points[0]), hint_values.get("after", points[0])) == points
            count += hint is not None
        position.play(chance.choice(moves))
    assert count > 20


def test_the_summary_of_a_building_turn_shows_its_effects() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(seats=3, seed=1)
    seat = position.seat
    assert seat is not None
    company = position.setup.board.companies[0]
    before, value, points_before = position.observe(seat), position.state.value[0], position.scores[seat]
    events: list[GameEvent] = []
    while position.seat == seat and position.state.value[0] < value + 2:
        building = [m for m in position.legal_moves if m.text.startswith(f"build {company.id}")]
        cities = [m for m in building if position.hint(m)]
        events += position.play((cities or building)[0], collect_events=True).events
    now = position.observe(seat)
    assert position.state.value[0] > value
    summary = game.turn_summary(before, events)
    assert str(summary[0]) == f"{company.name} {value} → {position.state.value[0]}."
    assert points_before is not None
    assert now.scores[seat] is not None
    points = {"before": points_before, "after": now.scores[seat] or 0}
    assert summary[1:] == ([POINTS.fill(points)] if now.scores[seat] != points_before else [])
    assert game.turn_summary(before, []) == []


def test_summaries_do_not_reveal_points_of_hidden_portfolios() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(seats=3, seed=1)
    seat = position.seat
    assert seat is not None
    before = position.observe(None)
    move = next(m for m in position.legal_moves if m.text.startswith("build") and position.hint(m))
    visible_events = log.EVENTS.visible_events(position.setup, position.play(move, collect_events=True).events, None)
    summary = game.turn_summary(before, visible_events)
    assert summary
    assert not any(sentence.text == POINTS.text for sentence in summary)


def test_the_reason_for_a_city_names_the_shares_in_its_company() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(seats=3, seed=1)
    seat = position.seat
    assert seat is not None
    observation, reasons, companies = (
        position.observe(seat),
        set[Sentence](),
        [*enumerate(position.setup.board.companies)],
    )
    for move in position.legal_moves:
        events = position.copy().play(move, collect_events=True).events
        (first, *_) = game.advice_reasons(observation, game.events.visible_events(position.setup, events, seat))
        if move.kind == "build":
            k, company = next(pair for pair in companies if move.text.startswith(f"build {pair[1].id} "))
            held_shares = observation.view.players[seat].shares[k]
            has_opened_city = any(event.kind == "built city" for event in events)
            template = (
                EXTENDS if not has_opened_city else REACHES_WITH_SHARES if held_shares else REACHES_WITHOUT_SHARES
            )
            assert (first.text, first.values["company"]) == (template.text, company.name)
            if has_opened_city:
                assert first.count == held_shares
            else:
                assert first.values["held"] == (held_shares or template_after(HINTS, ".shares[k] or ").fill({}))
            reasons.add(template)
        else:
            given_company, count, taken_company = re.match(r"trade (\w+) for (\d) (\w+)", move.text).groups()  # type: ignore[union-attr]  # all trades do
            k, company = next(pair for pair in companies if pair[1].id == taken_company)
            assert given_company != taken_company
            shares = observation.view.players[seat].shares[k]
            assert first == TRADE.fill({"company": company.name, "before": shares, "after": shares + int(count)})
            reasons.add(TRADE)
    assert {EXTENDS, TRADE} < reasons
    assert reasons & {REACHES_WITH_SHARES, REACHES_WITHOUT_SHARES}


def test_the_reason_for_a_trade_tells_shares_before_and_after_with_the_points() -> None:
    """A gain is named as one; of a trade that costs points, what the company may still gain comes first."""
    game, chance, templates = spieltisch.game("paris-connection"), random.Random(5), set[Sentence]()
    position = game.start(seats=4, seed=5)
    while not position.is_over:
        seat = position.seat
        assert seat is not None
        observation = position.observe(seat)
        for move in position.legal_moves:
            if move.kind != "trade":
                continue
            after = position.copy()
            visible_events = game.events.visible_events(
                position.setup, after.play(move, collect_events=True).events, seat
            )
            (reason,) = game.advice_reasons(observation, visible_events)
            before_points, after_points = position.scores[seat], after.observe(seat).scores[seat]
            assert before_points is not None
            assert after_points is not None
            gained = after_points - before_points
            template = TRADE_GAINS if gained > 0 else TRADE_COSTS if gained < 0 else TRADE
            k = next(k for k, c in enumerate(position.setup.board.companies) if c.name == reason.values["company"])
            values: dict[str, Any] = {
                "company": position.setup.board.companies[k].name,
                "before": observation.view.players[seat].shares[k],
                "after": after.observe(seat).view.players[seat].shares[k],
            }
            if gained:
                values["count"] = abs(gained)
            if gained < 0:
                values["left"] = position.state.depot[k]
            assert reason == template.fill(values)
            assert values["after"] > values["before"]
            templates.add(template)
        position.play(chance.choice(list(position.legal_moves)))
    assert templates == {TRADE_GAINS, TRADE_COSTS, TRADE}


def test_the_tip_after_a_lost_game_names_the_best_share_that_was_left_below_the_limit() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(seats=4, seed=3)
    for _ in range(60):
        position.play(next((move for move in position.legal_moves if move.kind == "build"), position.legal_moves[0]))
    seen = position.observe(0)
    view, limit = seen.view, position.setup.plain_params.limit
    best = max((value, -k) for k, value in enumerate(view.value) if view.depot[k])
    tip = game.result_tip(seen)
    assert tip is not None
    assert (tip.count, tip.values["held"], tip.values["limit"]) == (best[0], view.players[0].held, limit)
    assert tip.values["company"] == position.setup.board.companies[-best[1]].name
    for held in (limit, limit + 1):
        view.players[0].held = held
        assert game.result_tip(seen) is None, "no further share was allowed"
    assert spieltisch.game("era-of-inventions").result_tip(seen) is None


def test_the_word_of_a_company_says_its_value_and_the_shares_held() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(seats=4, seed=1)
    observation = position.observe(position.seat)
    building = [move for move in position.legal_moves if move.kind == "build"]
    for k in {move.args[0] for move in building}:
        hint = game.word_hint(observation, [move for move in building if move.args[0] == k])
        assert hint is not None
        assert hint.values["value"] == 0
        assert hint.count == observation.view.players[observation.view.viewer].shares[k]
    assert game.word_hint(observation, building) is None
    assert game.word_hint(observation, list(position.legal_moves)) is None
    position.play(building[0])
    going_on = [move for move in position.legal_moves if move.kind == "build"]
    assert going_on
    assert game.word_hint(position.observe(position.seat), going_on) is None
