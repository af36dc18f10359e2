"""Check that rechecked puzzles leave their file if a search finds another answer, and that a log is resumed."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest
from bench import recheck_puzzles
from msgspec.structs import replace

from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.core.observation import Observation
from spieltisch.games import game
from spieltisch.lab import puzzle_maker
from spieltisch.puzzles import PuzzleSet, read
from spieltisch.puzzles.puzzle import TriedMove
from spieltisch.puzzles.puzzle_set import file_of

KEY = "paris-connection"


def two_puzzles(file: Path) -> PuzzleSet:
    """Write a set of two games with one puzzle each, the second with a wrong solution, and return it."""
    stock = read(game(KEY), file_of(game(KEY)))
    games = []
    for bots in stock.games:
        puzzle = bots.puzzles[0]
        moves = " ".join(bots.moves.split()[: puzzle.move_number])
        if puzzle_maker.solutions(puzzle.tried, puzzle.solutions) == puzzle.solutions and len(puzzle.tried) > 1:
            games.append(replace(bots, moves=moves, puzzles=(puzzle,)))
    right, wrong = games[:2]
    last = wrong.puzzles[0].tried[-1].move
    wrong = replace(wrong, puzzles=(replace(wrong.puzzles[0], solutions=(last,), line=(last,)),))
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in (stock.head, right, wrong)))
    return read(game(KEY), file)


def test_a_puzzle_with_another_answer_leaves_the_file_and_a_log_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, log = tmp_path / "puzzles.jsonl", tmp_path / "log.jsonl"
    stock = two_puzzles(file)
    found = {posed.seen.data: posed.puzzle.tried for posed in map(stock.puzzle, range(2))}
    searched: list[bytes] = []

    def search_again(_: object, seen: Observation, __: int, budget: Budget) -> tuple[TriedMove, ...]:
        """Find what the search found that made the puzzle."""
        assert budget.simulations == 3 * puzzle_maker.DEEP_PLAYOUTS
        searched.append(seen.data)
        return found[seen.data]

    monkeypatch.setattr(recheck_puzzles, "file_of", lambda _: file)
    monkeypatch.setattr(native_library, "build", lambda _: None)
    monkeypatch.setattr(puzzle_maker, "search_deeply", search_again)
    monkeypatch.setattr(sys, "argv", ["recheck_puzzles", KEY, str(log), "--times", "3"])
    before = file.read_bytes()
    recheck_puzzles.main()
    assert file.read_bytes().splitlines() == before.splitlines()[:2], "without the second game"
    assert len(read(game(KEY), file)) == 1
    assert searched == [*found]
    logged = log.read_bytes().splitlines(keepends=True)
    assert [msgspec.json.decode(line)[1] is not None for line in logged] == [True, False]

    file.write_bytes(before)
    log.write_bytes(logged[0])  # where it was interrupted
    recheck_puzzles.main()
    assert searched == [*found, [*found][1]], "the first one is in the log"
    assert file.read_bytes().splitlines() == before.splitlines()[:2]
    assert log.read_bytes() == b"".join(logged)
