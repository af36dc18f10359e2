"""The stock of a game's puzzles: the file `puzzles.jsonl` in its folder, and which day has which."""

from __future__ import annotations

from datetime import date
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Final

import msgspec

from spieltisch.core.game import Game as Rules
from spieltisch.puzzles.puzzle import BotGame, PosedPuzzle, PuzzleError

FORMAT_VERSION: Final = 1


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the form of the file, the game, the digest of the components it was played with, and the command
    that made it; each further line is a `Game`.
    """

    puzzles: int
    game: str
    components: str
    made: str


HEAD, GAME = msgspec.json.Decoder(Header), msgspec.json.Decoder(BotGame)


class PuzzleSet:
    """The puzzles of a game, in the order of their days: first one of each game of bots, then the second ones."""

    def __init__(self, rules: Rules, head: Header, games: list[BotGame]) -> None:
        self.rules, self.head, self.games = rules, head, games
        turns = zip_longest(*([(game, puzzle) for puzzle in game.puzzles] for game in games))
        self._puzzles = [one for turn in turns for one in turn if one is not None]

    @property
    def many(self) -> int:
        """How many puzzles there are."""
        return len(self._puzzles)

    def __len__(self) -> int:
        return self.many

    @lru_cache(maxsize=64)  # noqa: B019  # stocks are read once and kept
    def puzzle(self, number: int) -> PosedPuzzle:
        """The puzzle with this number, from 0."""
        game, puzzle = self._puzzles[number]
        return PosedPuzzle(game, puzzle, self.rules.setup(game.seats))

    def puzzle_of_day(self, day: date) -> PosedPuzzle:
        """The puzzle of a day, the same everywhere; when all have had theirs it begins anew."""
        return self.puzzle(day.toordinal() % len(self))


def read(rules: Rules, file: Path) -> PuzzleSet:
    """The stock in a file. Raises PuzzleError where it is none, or was made with other components; OSError."""
    try:
        first, *rest = file.read_text("utf-8").splitlines()
        head = HEAD.decode(first)
        games = [GAME.decode(one) for one in rest]
    except ValueError as problem:
        raise PuzzleError(f"{file}: {problem}") from problem
    if (head.puzzles, head.game) != (FORMAT_VERSION, rules.key):
        raise PuzzleError(f"{file}: these are no puzzles of {rules.key} in form {FORMAT_VERSION}")
    if head.components != rules.components.digest:
        raise PuzzleError(f"{file}: the components have changed since: make the puzzles anew")
    return PuzzleSet(rules, head, games)


def file_of(rules: Rules) -> Path:
    """The file of a game's stock."""
    return rules.folder / "puzzles.jsonl"


@cache
def puzzles_of(rules: Rules) -> PuzzleSet | None:
    """The stock of a game, read once; None for a game that has none. Raises PuzzleError."""
    file = file_of(rules)
    if not file.exists():
        return None
    stock = read(rules, file)
    return stock if len(stock) else None
