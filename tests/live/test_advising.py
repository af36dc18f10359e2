"""Check advice for people: who may request it, what its process receives, and that others do not wait."""

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
from spieltisch.bots.comparing import OTHERS, Comparison, Difference, Mean
from spieltisch.bots.search import native_library
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, message
from spieltisch.games.legendary_inventors import log
from spieltisch.live import Live, advice
from spieltisch.live.player_commands import Actor
from spieltisch.store import Person
from spieltisch.tables import NewTable, Table
from tests.live.live_fixture import move, play
from tests.tables.harness import refused

AT_ONCE = 20


@pytest.fixture(autouse=True)
def no_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "advise", nothing)
    monkeypatch.setattr(native_library, "find", lambda game: Path(game.key))


def test_advice_calls_a_position_undecided_if_chances_are_close_to_even() -> None:
    def hints(*chances: float) -> advice.ExplainedAdvice:
        advised_move = AdvisedMove("a", 40, 0.5, 0.05, 9.0, Line((), (), (), ()))
        return advice.ExplainedAdvice(
            0.25, 1.0, tuple(advice.ExplainedMove(advised_move, chance, 0.05, (), ()) for chance in chances)
        )

    assert hints(0.2, 0.34).is_undecided
    assert not hints(0.2, 0.36).is_undecided
    assert not hints().is_undecided


def test_advice_says_which_move_ends_the_game() -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=4)
    chance = random.Random(4)
    ending_moves: list[str] = []
    while not ending_moves:
        moves = [str(move) for move in position.legal_moves]
        ending_moves = [
            move for move in moves if (later_position := position.copy()).play(move) and later_position.is_over
        ]
        before, move_result = position.copy(), chance.choice(moves)
        position.play(move_result)
    other_moves = [text for text in map(str, before.legal_moves) if text not in ending_moves]
    template = AdvisedMove("", 40, 0.5, 0.05, 9.0, Line((), (), (), ()))
    advised_moves = [msgspec.structs.replace(template, move=move) for move in (ending_moves[0], *other_moves[:1])]
    hints = advice.explain(before, Advice(0.3, 1.0, tuple(advised_moves)))
    assert [hint.ends_game for hint in hints.moves] == [True, False][: len(advised_moves)]


SURE, UNSURE, NONE = Mean(0.1, 0.01), Mean(0.1, 0.05), Mean(0.0, 0.001)


def source_name(source: int) -> Message:
    """Return the name of a source of points in Legendary Inventors."""
    return message("The others") if source == OTHERS else log.SOURCES[source]


def explained_pair(
    differences: tuple[Difference, ...], won: Mean | None, lead: Mean = UNSURE, *, is_best: bool, chances: float = 0.1
) -> advice.ExplainedAdvice:
    """Return two advised moves, one of them compared with the other; the first one wins by `chances` more."""
    position = spieltisch.game("legendary-inventors").start(seats=3, seed=4)
    best, other = (
        AdvisedMove(move.text, 40, 0.5 + gain, 0.05, 9.0, Line((), (), (), ()))
        for move, gain in zip(position.legal_moves[:2], (chances, 0.0), strict=True)
    )
    comparison = Comparison(differences) if won is None else Comparison(differences, won, lead)
    compared = msgspec.structs.replace(best if is_best else other, comparison=comparison)
    return advice.explain(position, Advice(0.3, 1.0, (compared, other) if is_best else (best, compared)))


@pytest.mark.parametrize(
    ("differences", "is_best", "parts"),
    [
        ((Difference(0, 3.2), Difference(1, -1.4)), True, [(True, True, 0, 3), (False, None, 1, 1)]),
        ((Difference(OTHERS, -2.0),), True, [(False, True, OTHERS, 2)]),
        ((Difference(0, -3.2), Difference(OTHERS, -1.4)), False, [(False, False, 0, 3), (False, None, OTHERS, 1)]),
        ((Difference(0, 3.2), Difference(OTHERS, 4.0)), False, [(True, False, OTHERS, 4), (True, None, 0, 3)]),
    ],
)
@pytest.mark.parametrize("won", [None, UNSURE, SURE])
def test_a_reason_compares_the_best_move_with_the_second_and_others_with_the_best(
    differences: tuple[Difference, ...],
    parts: list[tuple[bool, bool | None, int, int]],
    won: Mean | None,
    *,
    is_best: bool,
) -> None:
    hint = explained_pair(differences, won, is_best=is_best).moves[0 if is_best else 1]
    expected = []
    for is_more, of_best, source, count in parts:
        if of_best is None:
            text = advice.COSTS[is_more]
        else:
            texts = advice.OTHERS_SENTENCES if source == OTHERS else advice.SOURCE_SENTENCES
            text = texts[is_more, of_best]
        expected.append(text.fill({"source": source_name(source), "count": count}))
    if len(expected) == 2:
        assert hint.why == (message("{comparison} {cost}", comparison=expected[0], cost=expected[1]),)
    else:
        assert hint.why == tuple(expected)
    assert hint.is_compared


BRINGS_LESS = (Difference(1, -4.0), Difference(0, 3.2))
"""More of one source, but still less of another."""


@pytest.mark.parametrize("is_best", [True, False])
def test_certain_chances_are_the_reason_if_points_are_not(*, is_best: bool) -> None:
    """The number is that of the chances that are shown."""
    gains = SURE if is_best else Mean(-0.1, 0.01)
    hint = explained_pair((), gains, is_best=is_best, chances=0.13).moves[0 if is_best else 1]
    assert hint.why == (advice.WINS[is_best].fill({"count": 13}),)
    costly = BRINGS_LESS if is_best else (Difference(1, 4.0), Difference(0, -3.2))
    hint = explained_pair(costly, gains, is_best=is_best, chances=0.13).moves[0 if is_best else 1]
    cost = advice.COSTS[not is_best].fill({"source": source_name(1), "count": 4})
    assert hint.why == (message("{comparison} {cost}", comparison=advice.WINS[is_best].fill({"count": 13}), cost=cost),)


@pytest.mark.parametrize("is_best", [True, False])
def test_chances_that_the_simulated_games_contradict_are_no_reason(*, is_best: bool) -> None:
    contrary = Mean(-0.3 if is_best else 0.3, 0.01)
    hint = explained_pair((), contrary, is_best=is_best, chances=0.02).moves[0 if is_best else 1]
    assert advice.WINS[is_best].fill({"count": 2}) not in hint.why


def test_what_differs_without_being_a_reason_is_said_all_the_same() -> None:
    hint = explained_pair(BRINGS_LESS, UNSURE, is_best=True).moves[0]
    brought = advice.SOURCE_SENTENCES[True, True].fill({"source": source_name(0), "count": 3})
    cost = advice.COSTS[False].fill({"source": source_name(1), "count": 4})
    assert hint.why == (message("{comparison} {cost}", comparison=brought, cost=cost),)
    hint = explained_pair((Difference(1, 4.0),), UNSURE, is_best=False).moves[1]
    assert hint.why == (advice.SOURCE_SENTENCES[True, False].fill({"source": source_name(1), "count": 4}),)


@pytest.mark.parametrize("differences", [BRINGS_LESS, (Difference(0, -3.2),), ()])
def test_a_best_move_without_a_certain_reason_says_what_it_does(differences: tuple[Difference, ...]) -> None:
    plain = explained_pair((), None, is_best=True).moves[0]
    won = None if differences == BRINGS_LESS else UNSURE
    hint = explained_pair(differences, won, is_best=True).moves[0]
    assert hint.why == plain.why
    assert not hint.is_compared


@pytest.mark.parametrize(
    ("won", "lead", "sentence"), [(NONE, NONE, advice.ALL_EQUAL), (UNSURE, UNSURE, advice.ALL_UNCLEAR)]
)
def test_moves_that_do_not_clearly_differ_are_called_so_once(won: Mean, lead: Mean, sentence: Message) -> None:
    """Then each says what it does; beside a move that differs, the one that does not says so itself."""
    hints = explained_pair((), won, lead, is_best=False, chances=0.0)
    assert hints.equality == sentence
    assert explained_pair((), won, lead, is_best=False).equality == advice.ALL_UNCLEAR, "with other chances beside it"
    assert [hint.is_compared for hint in hints.moves] == [False, False]
    position = spieltisch.game("legendary-inventors").start(seats=3, seed=4)
    comparisons = [Comparison((), won, lead), Comparison((), won, lead), Comparison((Difference(0, -3.0),), won, lead)]
    moves = [
        AdvisedMove(move.text, 40, 0.5, 0.05, 9.0, Line((), (), (), ()), comparison)
        for move, comparison in zip(position.legal_moves[:3], comparisons, strict=True)
    ]
    hints = advice.explain(position, Advice(0.3, 1.0, tuple(moves)))
    assert hints.equality is None
    assert [hint.is_compared for hint in hints.moves] == [False, True, True]
    assert hints.moves[1].why == (advice.EQUAL if sentence == advice.ALL_EQUAL else advice.UNCLEAR,)


def nothing(name: str, observation: bytes, seed: int, before: int) -> str:
    """Advise no move, and check that the question contains only what the player of the seat knows."""
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


def test_advice_requests_of_one_address_do_not_delay_other_addresses(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        ada_table, ben_table = await against_bots(live, ada), await against_bots(live, ben)
        answered: list[str] = []

        async def request_hints(table: Table, person: Person, address: str) -> None:
            await live.advice.hints(table.id, Actor(person), table.version, address)
            answered.append(person.name)

        storm = [request_hints(ada_table, ada, "192.0.2.1") for _ in range(AT_ONCE)]
        await asyncio.gather(*storm, request_hints(ben_table, ben, "192.0.2.2"))
        assert answered.index("Ben") <= 2
        assert answered.count("Ada") == AT_ONCE

    play(tmp_path, job)


def test_only_the_player_to_move_against_bots_gets_advice(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        request_hints, table = live.advice.hints, await against_bots(live, ada)
        assert await request_hints(table.id, Actor(ada), table.version) == (table, advice.ExplainedAdvice(0.5, 1.0, ()))
        with refused("not-your-seat"):
            await request_hints(table.id, Actor(ben), table.version)
        with refused("not-your-seat"):  # nobody plays beside her
            await request_hints(table.id, Actor(ada, "2"), table.version)
        for seen_version in (0, table.position_version - 1, table.version + 1):
            with refused("stale"):
                await request_hints(table.id, Actor(ada), seen_version)
        while table.to_decide == 0:
            table = await move(live, table)
        with refused("turn", "turn"):
            await request_hints(table.id, Actor(ada), table.version)
        shared = await against_bots(live, ada, "here:Cid", "bot:random")
        with refused("no-advice"):
            await request_hints(shared.id, Actor(ada, "0"), shared.version)

    play(tmp_path, job)


def gone(name: str, observation: bytes, seed: int) -> str:
    os._exit(1)


def test_missing_advice_is_explained_by_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "advise", gone)

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await against_bots(live, ada)
        with refused("no-advice-now"):
            await live.advice.hints(table.id, Actor(ada), table.version)
        monkeypatch.setattr(native_library, "find", lambda game: None)
        with refused("no-advice-yet"):
            await live.advice.hints(table.id, Actor(ada), table.version)

    play(tmp_path, job)
