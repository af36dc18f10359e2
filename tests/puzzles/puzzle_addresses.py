"""Provide puzzles for tests of pages."""

from __future__ import annotations

from datetime import UTC, date, datetime

from spieltisch.games import GAMES, game
from spieltisch.puzzles import PosedPuzzle, puzzles_of


def today() -> date:
    return datetime.now(UTC).date()


def of_today(key: str) -> tuple[str, PosedPuzzle]:
    """Return the address of today's puzzle and the puzzle."""
    stock = puzzles_of(game(key))
    assert stock is not None
    return f"/puzzles/{key}/{today()}", stock.puzzle_of_day(today())


def first_puzzle(key: str) -> tuple[str, PosedPuzzle]:
    """Return the address of a game's first puzzle, which is the same on every day, and the puzzle."""
    stock = puzzles_of(game(key))
    assert stock is not None
    puzzle = stock.puzzle(0)
    return f"/puzzles/{key}/{puzzle.id}", puzzle


def addresses() -> list[str]:
    """Return for each game the address of a puzzle, and of its answer."""
    found = []
    for key in GAMES:
        address, puzzle = first_puzzle(key)
        found += [address, f"{address}/answer/{puzzle.puzzle.solutions[0]}/1"]
    return found
