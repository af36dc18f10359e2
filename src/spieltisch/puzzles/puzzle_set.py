"""The puzzles of a game: the file `puzzles.jsonl` in its folder, and the puzzle of each day."""

from datetime import date
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Final

import msgspec

from spieltisch.core.errors import OptionError
from spieltisch.core.game import Game as Rules
from spieltisch.core.setup import Setup
from spieltisch.puzzles.puzzle import BotGame, PosedPuzzle, PuzzleError

FORMAT_VERSION: Final = 1


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file; each other line is a `BotGame`.

    It contains the version of the format, the game, the digest of the components, the command that made the file, and
    the options of the games. One that is not named has its default.
    """

    puzzles: int
    game: str
    components: str
    made: str
    options: dict[str, str | bool | int] = {}


HEAD, GAME = msgspec.json.Decoder(Header), msgspec.json.Decoder(BotGame)


class PuzzleSet:
    """The puzzles of a game in the order of their days: the first one of each game of bots, then the second ones."""

    def __init__(self, rules: Rules, head: Header, games: list[BotGame]) -> None:
        self.rules, self.head, self.games = rules, head, games
        rounds = zip_longest(*([(game, puzzle) for puzzle in game.puzzles] for game in games))
        self._puzzles = [puzzle for round_puzzles in rounds for puzzle in round_puzzles if puzzle is not None]
        self._numbers = {f"{game.number}-{puzzle.move_number}": n for n, (game, puzzle) in enumerate(self._puzzles)}

    @property
    def count(self) -> int:
        """The number of puzzles."""
        return len(self._puzzles)

    def __len__(self) -> int:
        return self.count

    def setup(self, seats: int) -> Setup:
        """Return the setup of the games for these seats."""
        return self.rules.setup(seats, None, **self.head.options)

    @lru_cache(maxsize=64)  # noqa: B019  # puzzle sets are read once and live as long as the process
    def puzzle(self, number: int) -> PosedPuzzle:
        """Return a puzzle by its place in the order in which days use them, from 0."""
        game, puzzle = self._puzzles[number]
        return PosedPuzzle(game, puzzle, self.setup(game.seats))

    def puzzle_by_id(self, puzzle_id: str) -> PosedPuzzle | None:
        """Return the puzzle with this `PosedPuzzle.id`, or None."""
        number = self._numbers.get(puzzle_id)
        return None if number is None else self.puzzle(number)

    def puzzle_of_day(self, day: date) -> PosedPuzzle:
        """Return the puzzle of a day, which is the same everywhere. After the last puzzle the first one follows."""
        return self.puzzle(day.toordinal() % len(self))


def read(rules: Rules, file: Path) -> PuzzleSet:
    """Return the puzzles in a file.

    Raise PuzzleError if it contains none, or was made with other components or unknown options, and OSError.
    """
    try:
        first, *rest = file.read_text("utf-8").splitlines()
        head = HEAD.decode(first)
        games = [GAME.decode(line) for line in rest]
    except ValueError as error:
        raise PuzzleError(f"{file}: {error}") from error
    if (head.puzzles, head.game) != (FORMAT_VERSION, rules.key):
        raise PuzzleError(f"{file}: these are no puzzles of {rules.key} in form {FORMAT_VERSION}")
    if head.components != rules.components.digest:
        raise PuzzleError(f"{file}: the components have changed since: make the puzzles again")
    try:
        rules.setup(rules.seats.start, None, **head.options)
    except OptionError as error:
        raise PuzzleError(f"{file}: {error}") from error
    return PuzzleSet(rules, head, games)


def file_of(rules: Rules) -> Path:
    """Return the path of a game's puzzle file."""
    return rules.folder / "puzzles.jsonl"


@cache
def puzzles_of(rules: Rules) -> PuzzleSet | None:
    """Return the puzzles of a game, or None if it has none. They are read once. Raise PuzzleError."""
    file = file_of(rules)
    if not file.exists():
        return None
    puzzle_set = read(rules, file)
    return puzzle_set if len(puzzle_set) else None
