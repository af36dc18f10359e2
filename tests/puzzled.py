"""Today's puzzles, for tests of pages."""

from __future__ import annotations

from datetime import UTC, date, datetime

from spieltisch.games import GAMES, game
from spieltisch.puzzles import Posed, of


def today() -> date:
    return datetime.now(UTC).date()


def of_today(key: str) -> tuple[str, Posed]:
    """The address of today's puzzle, and the puzzle itself."""
    stock = of(game(key))
    assert stock is not None
    return f"/puzzles/{key}/{today()}", stock.on(today())


def addresses() -> list[str]:
    """Of each game a puzzle that asks, and one that is answered."""
    found = []
    for key in GAMES:
        there, posed = of_today(key)
        found += [there, f"{there}/answer/{posed.puzzle.right[0]}/1"]
    return found
