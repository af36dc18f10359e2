"""Provide fake judges of turns in place of a search, and a running game to analyse."""

from __future__ import annotations

import threading

import msgspec

from spieltisch.bots.analysis import JudgedDecision
from spieltisch.bots.judging import JudgeBudget, Question
from spieltisch.core.observation import Observation
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.tables import NewTable, Table
from tests.live.live_fixture import move


def never(question: Question, effort: JudgeBudget) -> bytes:
    """Never answer. This judge runs in a separate process."""
    threading.Event().wait()
    raise AssertionError


def at_once(question: Question, effort: JudgeBudget) -> bytes:
    """Return an arbitrary judgement, and check that the question contains only what the player of the seat knows."""
    assert Observation.read(question.observation).seat == 0
    return at_once_for_any_seat(question, effort)


def at_once_for_any_seat(question: Question, effort: JudgeBudget) -> bytes:
    """Return an arbitrary judgement, and check that the question contains only what its player knows."""
    seen = Observation.read(question.observation)
    assert "rng" not in (seen.setup.game.View.names or ())
    even = (1 / 3,) * 3
    number = seen.number + bool(question.moves)
    last = seen.number + len(question.moves)
    return msgspec.json.encode(JudgedDecision(number, 0, even, even, last, question.moves, question.moves, even[0]))


async def against_bots(live: Live, person: Person) -> Table:
    table = await live.tables.open(person, NewTable("paris-connection", ("me", "bot:random", "bot:random")))
    return await move(live, table)
