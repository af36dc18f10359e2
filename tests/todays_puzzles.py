"""Today's puzzles, for tests of pages."""

from __future__ import annotations

from datetime import UTC, date, datetime

from spieltisch.games import GAMES, game
from spieltisch.puzzles import PosedPuzzle, puzzles_of


def today() -> date:
    return datetime.now(UTC).date()


def of_today(key: str) -> tuple[str, PosedPuzzle]:
    """The address of today's puzzle, and the puzzle itself."""
    stock = puzzles_of(game(key))
    assert stock is not None
    return f"/puzzles/{key}/{today()}", stock.puzzle_of_day(today())


def addresses() -> list[str]:
    """Return for each game the address of a puzzle, and of its answer."""
    addresses_of_day = []
    for key in GAMES:
        address, posed = of_today(key)
        addresses_of_day += [address, f"{address}/answer/{posed.puzzle.solutions[0]}/1"]
    return addresses_of_day
