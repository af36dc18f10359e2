"""Puzzles: positions from games of bots in which one move is clearly best, and the task to find it.

Belongs here: how the puzzles of a game are stored and posed, and what an answer is worth. Does not belong here: finding
new puzzles (`lab`), the search that judges them (`bots`), and the pages (`web`).

The puzzles of a game are the file `puzzles.jsonl` in its folder, which `spieltisch puzzles make` writes: games of bots
as seeds and moves, and the decisions in them, each with the best move that the search found from what its seat knew.
Only that seat's observation is ever shown, and what it cannot know is imagined. Each day has its puzzle.

>>> import spieltisch
>>> from datetime import date
>>> stock = puzzles_of(spieltisch.game("paris-connection"))
>>> posed = stock.puzzle_of_day(date(2026, 11, 22))
>>> posed.seen.to_decide == posed.seen.seat, posed.position.why_not(posed.puzzle.solutions[0])
(True, None)
"""

from spieltisch.puzzles.puzzle import PosedPuzzle, PuzzleError
from spieltisch.puzzles.puzzle_set import PuzzleSet, puzzles_of, read

__all__ = ["PosedPuzzle", "PuzzleError", "PuzzleSet", "puzzles_of", "read"]
