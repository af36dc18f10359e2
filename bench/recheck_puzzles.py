"""Check the puzzles of a game anew, by a longer search or because the evaluation that the search uses has changed.

    python -m bench.recheck_puzzles GAME LOG [--times 10] [--grade] [--minutes 60]

Every puzzle is searched with `--times` as many playouts as when it was made, and from another seed. A puzzle stays if
the search still finds its solutions; with `--grade` it gets new figures, grade and reasons, which a changed evaluation
needs and which takes longer than the search. The others leave the file, which is written at the end. Puzzles that were
not searched in time stay as they are. LOG holds those that were searched, so that the same command continues after an
interruption.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import monotonic

import msgspec
from msgspec.structs import replace

import spieltisch
from spieltisch.bots import levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.core.replaced_files import open_replaced
from spieltisch.games import GAMES
from spieltisch.lab import puzzle_maker
from spieltisch.puzzles.puzzle import PosedPuzzle, Puzzle
from spieltisch.puzzles.puzzle_set import PuzzleSet, file_of, read

SEED_OFFSET = 5
"""The distance of the new search's seed from that of the puzzle's line; the maker uses smaller ones."""


def recheck(posed: PosedPuzzle, times: int, *, is_graded: bool) -> Puzzle | None:
    """Return the puzzle, or None if the search finds another answer; if `is_graded`, with new figures and grade.

    The search has `times` as many playouts as the deep one that made the puzzle, for all moves, as at a table. If
    `is_graded`, each move that was compared gets `times` as many, since the page shows its figures.
    """
    puzzle, observation, searcher = posed.puzzle, posed.seen, levels.searcher(posed.setup)
    seed, deep = puzzle.imagined_seed + SEED_OFFSET, puzzle_maker.DEEP_BUDGET
    budget = replace(deep, simulations=times * puzzle_maker.DEEP_PLAYOUTS, extra_moves=puzzle.solutions)
    if is_graded:
        obvious = searcher.glance(observation, seed, puzzle_maker.ALL_MOVES_PERCENT)
        moves = tuple(dict.fromkeys((*(candidate.move for candidate in puzzle.tried), obvious)))
        budget = Budget(0, extra_moves=moves, min_visits=times * deep.min_visits)
    tried = puzzle_maker.search_deeply(searcher, observation, seed, budget)
    best, *others = (candidate for candidate in tried if candidate == tried[0] or candidate.move not in posed.solutions)
    if best.move not in posed.solutions or not all(puzzle_maker.is_clearly_better(best, other) for other in others):
        return None
    if not is_graded:
        return puzzle
    graded = puzzle_maker.grade(searcher, observation, replace(puzzle, tried=tried))
    return puzzle_maker.compare_best(searcher, observation, graded)


def write(puzzle_set: PuzzleSet, file: Path, checked: dict[str, Puzzle | None]) -> None:
    """Write the file with the puzzles that stay; a game without any leaves it, too."""
    lines: list[object] = [puzzle_set.head]
    for game in puzzle_set.games:
        known = [checked.get(f"{game.number}-{puzzle.move_number}", puzzle) for puzzle in game.puzzles]
        if kept := tuple(puzzle for puzzle in known if puzzle is not None):
            moves = " ".join(game.moves.split()[: kept[-1].move_number])
            lines.append(replace(game, moves=moves, puzzles=kept))
    with open_replaced(file) as writing:
        writing.write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("log", type=Path)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--grade", action="store_true")
    parser.add_argument("--minutes", type=float, default=60)
    arguments = parser.parse_args()
    native_library.build(arguments.game)
    rules = spieltisch.game(arguments.game)
    stock, until = read(rules, file_of(rules)), monotonic() + 60 * arguments.minutes
    decoder = msgspec.json.Decoder(tuple[str, Puzzle | None])
    checked = dict(map(decoder.decode, arguments.log.read_bytes().splitlines())) if arguments.log.exists() else {}
    for number in range(len(stock)):
        posed = stock.puzzle(number)
        if posed.id not in checked:
            if monotonic() > until:
                break
            checked[posed.id] = recheck(posed, arguments.times, is_graded=arguments.grade)
            with arguments.log.open("ab") as file:
                file.write(msgspec.json.encode((posed.id, checked[posed.id])) + b"\n")
    kept = sum(puzzle is not None for puzzle in checked.values())
    print(f"{len(checked)} of {len(stock)} puzzles checked, {kept} stay")
    write(stock, file_of(rules), checked)


if __name__ == "__main__":
    main()
