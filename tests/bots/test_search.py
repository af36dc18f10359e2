"""The search: it plays what it may, knows no more than its seat, and does the same plain and compiled."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from math import log
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spieltisch
from spieltisch.bots import BOTS, choose, levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import CLOCK_INTERVAL, PRIOR, Budget, Searcher, SearchParams, SearchResult
from spieltisch.core.chance import Rng, randbelow
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from tests.bots.conftest import LibraryOf

SMALL = SearchParams(sampled_share=0.5, max_playout=6)


def played(key: str, seats: int, seed: int, moves: int) -> Position:
    """A game after so many random moves, or so many less that it is not over."""
    position, chance = spieltisch.game(key).start(seats, seed=seed), Rng(seed)
    for _ in range(moves):
        before = position.copy()
        numbers = position.legal_moves.numbers
        position.play(numbers[randbelow(chance, len(numbers))])
        if position.over:
            return before
    return position


@pytest.mark.build
@pytest.mark.parametrize("key", sorted(GAMES))
def test_plain_and_library_think_the_same(key: str) -> None:
    built = native_library.load(native_library.build(key))
    for seed in range(4):
        position = played(key, 3, seed, 30 * seed)
        seen = position.observe(position.seat)
        plain, compiled = Searcher(position.setup, 4000), Searcher(position.setup, 4000, built)
        halved = SearchParams(max_playout=30, halving_moves=5)
        for number, style in enumerate(
            (
                SMALL,
                SearchParams(max_playout=30, sampled_share=0.2),
                SearchParams(max_playout=0, exploration=2.0),
                halved,
            )
        ):
            one, other = (searcher.search(seen, number, Budget(12), style) for searcher in (plain, compiled))
            assert [(c.move, c.visits) for c in one.candidates] == [(c.move, c.visits) for c in other.candidates]
            for mine, its in zip(one.candidates, other.candidates, strict=True):
                assert mine.results == pytest.approx(its.results)
                assert mine.points == pytest.approx(its.points)
            assert plain.glance(seen, number, 30) == compiled.glance(seen, number, 30)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_thought_is_whole(key: str, library_of: LibraryOf) -> None:
    position = played(key, 4, 7, 40)
    made = library_of(key)
    thought = Searcher(position.setup, library=made).search(
        position.observe(position.seat), 1, Budget(64), SearchParams() if made else SMALL
    )
    assert sorted(one.move for one in thought.candidates) == list(position.legal_moves.numbers)
    assert sum(one.visits for one in thought.candidates) == thought.simulations >= 64
    assert sum(one.prior for one in thought.candidates) == pytest.approx(1)
    for one in thought.candidates:
        assert one.visits == 0 or sum(one.results) == pytest.approx(1)
        assert len(one.points) == (4 if one.visits else 0)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 120), level=st.sampled_from(sorted(BOTS)))
def test_what_a_seat_cannot_know_changes_nothing(library_of: LibraryOf, seed: int, moves: int, level: str) -> None:
    """Truths that look the same to the seat: portfolios dealt otherwise, and another generator."""
    library_of("paris-connection")
    position = played("paris-connection", 4, seed, moves)
    seen = position.observe(position.seat)
    truths = [seen.imagine(other) for other in range(3)]
    answers = set()
    for truth in truths:
        assert truth.observe(position.seat).bytes == seen.bytes
        answers.add(think(level, truth, seed))
    assert len(answers) == 1


def think(level: str, position: Position, seed: int) -> str:
    if level in levels.LEVELS:
        return str(levels.answer_as_level(level, position.observe(position.seat), seed, Budget(24)))
    return choose(level, position.observe(position.seat).bytes, seed)


def test_worlds_that_are_imagined_fit() -> None:
    """Reshuffling keeps what the viewer sees, whatever was traded, and the number of locomotives of all."""
    for seed in range(30):
        position = played("paris-connection", 5, seed, 12 * seed % 140)
        seen = position.observe(position.seat)
        before = seen.imagine(seed)
        state, chance, params = before.state, Rng(seed), position.setup.plain_params
        reshuffle = position.setup.game.engine.reshuffle
        reshuffle(state, params, chance, position.seat, 400)
        after = Position.of_twin(position.setup, state, position.number)
        assert after.observe(position.seat).bytes == seen.bytes
        assert after.setup.game.totals(after) == before.setup.game.totals(before)
        for player in state.players[:5]:
            for k in range(6):
                assert player.shares[k] - player.taken[k] + player.given[k] >= player.owed[k]


def test_equal_seeds_give_equal_moves(library_of: LibraryOf) -> None:
    made = library_of("era-of-inventions")
    position = played("era-of-inventions", 3, 5, 33)
    seen = position.observe(position.seat)

    def thought(seed: int) -> SearchResult:
        return Searcher(position.setup, library=made).search(seen, seed, Budget(40), SMALL)

    assert thought(3) == thought(3) != thought(4)


def test_what_is_shown_was_tried_enough(library_of: LibraryOf) -> None:
    position = played("legendary-inventors", 4, 5, 33)
    budget = Budget(16, report_moves=3, min_visits=20)
    thought = Searcher(position.setup, library=library_of("legendary-inventors")).search(
        position.observe(position.seat), 1, budget, SMALL
    )
    assert all(one.visits >= 20 for one in thought.candidates[:3])
    assert sum(one.visits for one in thought.candidates) == thought.simulations


def test_who_asks_to_stop_is_heard(library_of: LibraryOf) -> None:
    position = played("legendary-inventors", 3, 5, 33)
    asked = iter([False] * 3 + [True] * 100)
    thought = Searcher(position.setup, library=library_of("legendary-inventors")).search(
        position.observe(position.seat), 1, Budget(10**9), SMALL, lambda: next(asked)
    )
    assert thought.simulations == 3 * CLOCK_INTERVAL


@pytest.mark.parametrize("key", sorted(GAMES))
def test_moves_share_trial_games_by_halves(key: str, library_of: LibraryOf) -> None:
    """Eight likely moves at first, then four, then two: no other is tried, and each round has a third of all."""
    positions = (played(key, 4, seed, 50) for seed in range(40))
    position = next(one for one in positions if len(one.legal_moves) > 8)
    searcher, seen = Searcher(position.setup, library=library_of(key)), position.observe(position.seat)
    thought = searcher.search(seen, 1, Budget(72), SearchParams(max_playout=12, halving_moves=8))
    assert [one.visits for one in thought.candidates] == [21, 21, 9, 9, 3, 3, 3, 3] + [0] * (
        len(thought.candidates) - 8
    )
    assert thought.simulations == 72
    tried = thought.candidates[:8]
    assert min(one.prior for one in tried) >= max(one.prior for one in thought.candidates[8:])
    own = [one.results[position.seat or 0] for one in tried]
    assert own[0] >= own[1] - 1e-9 - PRIOR * log(tried[0].prior / tried[1].prior)
    assert thought == searcher.search(seen, 1, Budget(72), SearchParams(max_playout=12, halving_moves=8))
    few = searcher.search(seen, 1, Budget(5), SearchParams(max_playout=12, halving_moves=8))
    assert few.simulations == sum(one.visits for one in few.candidates) == 5
    assert few.candidates[0].visits


def test_only_the_seat_that_decides_thinks() -> None:
    position = played("paris-connection", 3, 1, 0)
    assert position.seat is not None
    other = (position.seat + 1) % 3
    with pytest.raises(ValueError, match="whose turn"):
        Searcher(position.setup, 100).search(position.observe(other), 1, Budget(4), SMALL)


@pytest.mark.build
def test_a_process_that_thinks_loads_llvm_but_not_numba() -> None:
    native_library.build("era-of-inventions")
    told = (
        "import sys, spieltisch; from spieltisch.bots import choose\n"
        "position = spieltisch.game('era-of-inventions').start(3, seed=1)\n"
        "print(choose('engineer', position.observe(position.seat).bytes, 1))\n"
        "print([name for name in ('numba', 'llvmlite') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    move, loaded = ran.stdout.splitlines()
    assert move.startswith("place ")
    assert loaded == "['llvmlite']"


@pytest.mark.build
def test_a_library_is_of_these_sources() -> None:
    """Another rule, another name: what was made of other sources is not found."""
    native_library.build("paris-connection")
    game = spieltisch.game("paris-connection")
    assert native_library.find(game) is not None
    other = type(game)()
    other.rules = game.rules._replace(points=spieltisch.game("era-of-inventions").rules.points)
    assert native_library.name(other) != native_library.name(game)
    assert native_library.find(other) is None


def test_without_numba_nothing_is_compiled_and_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(native_library.NotBuilt, match="Numba cannot be used"):
        native_library.build("paris-connection", tmp_path / "libraries")


AGAINST_A_MASTER = """
import shutil
import spieltisch
from spieltisch.bots import choose, levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget

assert not any(map(shutil.which, ("cc", "gcc", "clang", "ld")))
native_library.build("toy")
position = spieltisch.game("toy").start(3, seed=1)
thought = levels.search(position.observe(position.seat), 1, Budget(2 * levels.UNCOMPILED.simulations))
assert thought.simulations > levels.UNCOMPILED.simulations
while position.seat is not None:
    bot = "master@0.02" if position.seat == 1 else "random"
    position.play(choose(bot, position.observe(position.seat).bytes, position.number))
print(*position.scores)
"""


@pytest.mark.build
def test_a_master_thinks_compiled_without_any_other_program(toy: str, tmp_path: Path) -> None:
    """With nothing on the PATH and nothing compiled before."""
    bare = {name: os.environ[name] for name in ("PYTHONPATH", "SPIELTISCH_GAMES")}
    bare |= {"PATH": "", "SPIELTISCH_CACHE": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", AGAINST_A_MASTER], env=bare, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.split()) == 3


@pytest.mark.build
def test_code_is_made_anew_for_another_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache may move to another machine: what was made for a processor runs on no other one."""
    kept = native_library.build("paris-connection")
    moved = Path(shutil.copy(kept, tmp_path))
    monkeypatch.setattr(
        native_library, "_processor", lambda: ("x86-64" if platform.machine() == "x86_64" else "generic", "")
    )
    position = played("paris-connection", 3, 1, 20)
    seen = position.observe(position.seat)
    there = Searcher(position.setup, library=native_library.Library(moved)).search(seen, 1, Budget(40), SMALL)
    monkeypatch.undo()
    assert len({*tmp_path.glob("*.o")}) == 1
    for file in (kept, moved):
        assert (
            Searcher(position.setup, library=native_library.Library(file)).search(seen, 1, Budget(40), SMALL) == there
        )
    assert len({*tmp_path.glob("*.o")}) == 2


def test_where_none_lies_ready_it_thinks_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    position = played("legendary-inventors", 3, 2, 20)
    assert native_library.find(position.setup.game) is None
    assert choose("master", position.observe(position.seat).bytes, 1) in [move.text for move in position.legal_moves]
