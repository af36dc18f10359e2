"""Hints before a move and summaries of a turn, compared with what really happens."""

from __future__ import annotations

import random
import re

import pytest

import spieltisch
from spieltisch.core.events import GameEvent
from spieltisch.core.position import Position
from spieltisch.games.paris_connection import log


def note(position: Position, move: str) -> str | None:
    hint = position.hint(move)
    return None if hint is None else str(hint)


@pytest.mark.parametrize("seed", range(3))
def test_values_and_points_are_those_that_come(seed: int) -> None:
    """Along random games: a note on each city and each trade that changes the own points, and none on the rest."""
    position, chance = spieltisch.game("paris-connection").start(seats=4, seed=seed), random.Random(seed)
    count = 0
    while not position.is_over:
        seat, moves = position.seat, list(position.legal_moves)
        assert seat is not None
        for move in chance.sample(moves, min(4, len(moves))):
            after, hint = position.copy(), note(position, move.text) or ""
            after.play(move)
            value = re.search(r"Value (\d+) → (\d+)\.", hint)
            risen = [
                (before, now)
                for before, now in zip(position.state.value, after.state.value, strict=True)
                if before != now
            ]
            assert ([(int(value[1]), int(value[2]))] if value else []) == risen
            points = re.search(r"Your points (-?\d+) → (-?\d+)\.", hint.replace("−", "-"))
            points_before, later = position.scores[seat], after.scores[seat]
            assert (int(points[1]), int(points[2])) == (points_before, later) if points else points_before == later
            count += bool(hint)
        position.play(chance.choice(moves))
    assert count > 20


def test_a_turn_of_building_is_summed_up() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(seats=3, seed=1)
    seat = position.seat
    assert seat is not None
    company = position.setup.board.companies[0]
    before, value, points_before = position.observe(seat), position.state.value[0], position.scores[seat]
    done: list[GameEvent] = []
    while position.seat == seat and position.state.value[0] < value + 2:
        building = [m for m in position.legal_moves if m.text.startswith(f"build {company.id}")]
        cities = [m for m in building if note(position, m.text)]
        done += position.play((cities or building)[0], collect_events=True).events
    now = position.observe(seat)
    assert position.state.value[0] > value
    lines = [str(sentence) for sentence in game.turn_summary(before, done)]
    assert lines[0] == f"{company.name} {value} → {position.state.value[0]}."
    assert lines[1:] == (
        [f"Your points {points_before} → {now.scores[seat]}."] if now.scores[seat] != points_before else []
    )
    assert [str(sentence) for sentence in game.turn_summary(before, [])] == []


def test_others_are_not_told_points_of_a_hidden_portfolio() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(seats=3, seed=1)
    seat = position.seat
    assert seat is not None
    before = position.observe(None)
    move = next(m for m in position.legal_moves if m.text.startswith("build") and note(position, m.text))
    seen = log.EVENTS.visible_events(position.setup, position.play(move, collect_events=True).events, None)
    lines = [str(sentence) for sentence in game.turn_summary(before, seen)]
    assert lines
    assert not any("points" in line for line in lines)


def test_what_speaks_for_a_city_is_who_holds_its_company() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(seats=3, seed=1)
    seat = position.seat
    assert seat is not None
    seen, reasons, companies = position.observe(seat), set[str](), [*enumerate(position.setup.board.companies)]
    for move in position.legal_moves:
        done = position.copy().play(move, collect_events=True).events
        lines = [
            str(reason) for reason in game.advice_reasons(seen, game.events.visible_events(position.setup, done, seat))
        ]
        if move.kind == "build":
            k, company = next(both for both in companies if move.text.startswith(f"build {both[1].id} "))
            held = seen.view.players[seat].shares[k]
            opened = any(event.kind == "built city" for event in done)
            how = "Reaches" if opened else "Extends"
            assert lines[0].startswith(how)
            holding = (
                f"{company.name}; you hold {held or 'no'} share{'' if held == 1 else 's'}."
                if opened
                else f"{company.name} (your shares: {held or 'none'});"
            )
            assert holding in lines[0]
            reasons.add(how)
        else:
            given, many, taken = re.match(r"trade (\w+) for (\d) (\w+)", move.text).groups()  # type: ignore[union-attr]  # all trades do
            k, company = next(both for both in companies if both[1].id == taken)
            assert given != taken
            later = seen.view.players[seat].shares[k] + int(many)
            assert lines[0] == f"Your {company.name} shares: {later}."
            reasons.add("trade")
    assert reasons == {"Reaches", "Extends", "trade"}
