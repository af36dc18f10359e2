"""Advice for people: who may ask for it, what the process that works it out is told, and that others need not wait."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import msgspec
import pytest

import spieltisch
from spieltisch.bots.advice import Advice, AdvisedMove
from spieltisch.bots.best_line import Line
from spieltisch.bots.search import native_library
from spieltisch.core.observation import Observation
from spieltisch.live import Live, advice
from spieltisch.live.player_commands import Actor
from spieltisch.store import Person
from spieltisch.tables import NewTable, Table
from tests.live.live_fixture import move, play
from tests.tables.harness import refused

AT_ONCE = 20


@pytest.fixture(autouse=True)
def advised_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "advise", nothing)
    monkeypatch.setattr(native_library, "find", lambda game: Path(game.key))


def test_chances_within_doubt_of_even_decide_nothing() -> None:
    def hints(*chances: float) -> advice.ExplainedAdvice:
        advised = AdvisedMove("a", 40, 0.5, 0.05, 9.0, Line((), (), (), ()))
        return advice.ExplainedAdvice(
            0.25, 1.0, tuple(advice.ExplainedMove(advised, chance, 0.05, (), ()) for chance in chances)
        )

    assert hints(0.2, 0.34).is_undecided
    assert not hints(0.2, 0.36).is_undecided
    assert not hints().is_undecided


def test_what_ends_the_game_is_said() -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=4)
    chance = random.Random(4)
    ends: list[str] = []
    while not ends:
        moves = [str(move) for move in position.legal_moves]
        ends = [move for move in moves if (later := position.copy()).play(move) and later.is_over]
        before, played = position.copy(), chance.choice(moves)
        position.play(played)
    others = [text for text in map(str, before.legal_moves) if text not in ends]
    template = AdvisedMove("", 40, 0.5, 0.05, 9.0, Line((), (), (), ()))
    advised = [msgspec.structs.replace(template, move=move) for move in (ends[0], *others[:1])]
    hints = advice.explain(before, Advice(0.3, 1.0, tuple(advised)))
    assert [hint.ends_game for hint in hints.moves] == [True, False][: len(advised)]


def nothing(name: str, observation: bytes, seed: int, before: int) -> str:
    """No move is advised. Run in a process of its own, which gets what a seat may know, and no generator."""
    seen = Observation.read(observation)
    assert seen.seat == 0
    assert "rng" not in (seen.setup.game.View.names or ())
    return '{"even_chance": 0.5, "trust": 1.0, "moves": []}'


async def against_bots(live: Live, person: Person, *seats: str) -> Table:
    """Return a table against bots at which it is this person's turn."""
    table = await live.tables.open(
        person, NewTable("paris-connection", ("me", *(seats or ("bot:random", "bot:random"))))
    )
    while table.to_decide != 0:
        table = await move(live, table)
    return table


def test_nobody_waits_for_all_that_one_address_asks(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        ada_table, his = await against_bots(live, ada), await against_bots(live, ben)
        answered: list[str] = []

        async def ask(table: Table, person: Person, address: str) -> None:
            await live.advice.hints(table.id, Actor(person), table.version, address)
            answered.append(person.name)

        storm = [ask(ada_table, ada, "192.0.2.1") for _ in range(AT_ONCE)]
        await asyncio.gather(*storm, ask(his, ben, "192.0.2.2"))
        assert answered.index("Ben") <= 2
        assert answered.count("Ada") == AT_ONCE

    play(tmp_path, job)


def test_only_who_decides_against_bots_is_advised_and_on_what_they_see(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        ask, table = live.advice.hints, await against_bots(live, ada)
        assert await ask(table.id, Actor(ada), table.version) == (table, advice.ExplainedAdvice(0.5, 1.0, ()))
        with refused("not-your-seat"):
            await ask(table.id, Actor(ben), table.version)
        with refused("not-your-seat"):  # nobody plays beside her
            await ask(table.id, Actor(ada, "2"), table.version)
        for seen in (0, table.position_version - 1, table.version + 1):
            with refused("stale"):
                await ask(table.id, Actor(ada), seen)
        while table.to_decide == 0:
            table = await move(live, table)
        with refused("turn", "turn"):
            await ask(table.id, Actor(ada), table.version)
        shared = await against_bots(live, ada, "here:Cid", "bot:random")
        with refused("no-advice"):
            await ask(shared.id, Actor(ada, "0"), shared.version)

    play(tmp_path, job)


def gone(name: str, observation: bytes, seed: int) -> str:
    os._exit(1)


def test_it_is_said_why_there_is_no_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "advise", gone)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await against_bots(live, ada)
        with refused("no-advice-now"):
            await live.advice.hints(table.id, Actor(ada), table.version)
        monkeypatch.setattr(native_library, "find", lambda game: None)
        with refused("no-advice-yet"):
            await live.advice.hints(table.id, Actor(ada), table.version)

    play(tmp_path, job)
