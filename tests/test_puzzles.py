"""Puzzles: those of every stock are reached by the rules of today, have one answer, and show what their seat knows; a
search that knows nothing of their making finds the same answer; new ones are made, and gone on with.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from spieltisch.bots import levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.cli import app
from spieltisch.commands.puzzles import _read_or_create
from spieltisch.core.position import Position
from spieltisch.games import GAMES, game
from spieltisch.lab import puzzle_maker
from spieltisch.puzzles import PosedPuzzle, PuzzleError, PuzzleSet, puzzles_of, read
from spieltisch.puzzles.puzzle_set import file_of
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages import puzzles
from spieltisch.web.pages.renderer import Renderer

DAY = "2026-11-22"


def stock_of(key: str) -> PuzzleSet:
    stock = puzzles_of(game(key))
    assert stock is not None
    return stock


@pytest.mark.parametrize("key", GAMES)
def test_every_puzzle_is_reached_and_has_an_answer(key: str) -> None:
    stock = stock_of(key)
    for posed in map(stock.puzzle, range(len(stock))):
        seen, puzzle, world = posed.seen, posed.puzzle, posed.position
        assert seen.seat is not None
        assert seen.to_decide == seen.seat
        assert world.observe(seen.seat).bytes == seen.bytes
        assert len(world.legal_moves) >= puzzle_maker.MIN_MOVES
        assert {candidate.move for candidate in puzzle.tried} <= set(world.legal_moves.numbers)
        assert puzzle_maker.solutions(puzzle.tried, puzzle.solutions) == puzzle.solutions
        assert posed.advice.moves[0].games >= puzzle_maker.DEEP_BUDGET.min_visits
        line = next(move.line for move in posed.advice.moves if move.line.moves)
        assert [posed.setup.move(text).number for text in line.moves] == list(puzzle.line)
        assert puzzle.line[0] == puzzle.solutions[0]
        assert posed.before
        assert posed.puzzle.difficulty in ("easy", "medium", "hard")
        assert stock.puzzle_by_id(posed.id) == posed


@pytest.mark.build
@pytest.mark.parametrize("key", GAMES)
def test_another_search_finds_the_same_answer(key: str) -> None:
    """Half of the puzzles, those later in their games: playouts of the others take long."""
    native_library.build(key)
    stock = stock_of(key)
    by_length = sorted(map(stock.puzzle, range(len(stock))), key=lambda posed: -posed.puzzle.move_number)
    for posed in (by_length[len(stock) * quarter // 4] for quarter in range(3)):
        budget = Budget(
            0,
            extra_moves=tuple(candidate.move for candidate in posed.puzzle.tried),
            min_visits=puzzle_maker.DEEP_BUDGET.min_visits // 2,
        )
        candidates = puzzle_maker.well_tried(levels.searcher(posed.setup), posed.seen, 4321, budget)
        assert candidates[0].move in posed.solutions
        others = [candidate.won for candidate in candidates if candidate.move not in posed.solutions]
        assert candidates[0].won - max(others) > puzzle_maker.MIN_GAP / 2


IN_ANY_ORDER = [
    ("paris-connection", "901-133", ["build brown Nîmes", "build brown Grenoble", "build brown Nîmes W"]),
    ("era-of-inventions", "469-215", ["exchange coin coin for bonus disc", "exchange metal tool for coin"]),
    ("legendary-inventors", "270-116",
     ["upgrade Johannes Gutenberg in chemistry", "turn upgrade-2 for Johannes Gutenberg in physics"]),
]  # fmt: skip
"""Puzzles whose best turn may begin with each of these moves, some of which a search found worse."""


@pytest.mark.parametrize(("key", "puzzle_id", "moves"), IN_ANY_ORDER)
def test_moves_of_the_best_turn_are_right_in_any_order(key: str, puzzle_id: str, moves: list[str]) -> None:
    posed = stock_of(key).puzzle_by_id(puzzle_id)
    assert posed is not None
    assert {posed.setup.move(number).text for number in posed.solutions} == set(moves)
    assert posed.solutions[0] == posed.puzzle.line[0]
    shown = {advised.move for advised in posed.advice.moves}
    assert shown & set(moves) == {moves[0]}, "the figures of the others are not those of this turn"


def first_moves_to(position: Position, goal: str, length: int, plays: int) -> set[int]:
    """The first moves of all sequences of moves within a turn that reach a digest, found by trying all, shortest
    first, until a number of plays.
    """
    found, layer = set[int](), {"": (position, frozenset[int]())}
    for _ in range(length):
        reached: dict[str, tuple[Position, frozenset[int]]] = {}
        for world, firsts in layer.values():
            for move in world.legal_moves.numbers:
                if (plays := plays - 1) < 0:
                    return found
                played = (after := world.copy()).play(move)
                begun, digest = firsts or frozenset({move}), after.digest()
                found |= begun if digest == goal else set()
                if not (played.drew or played.ended_decision or after.is_over):
                    reached[digest] = (after, begun | reached.get(digest, (after, begun))[1])
        layer = reached
    return found


@pytest.mark.fuzz
@pytest.mark.parametrize("key", GAMES)
def test_no_way_to_the_best_position_is_called_wrong(key: str) -> None:
    """Every puzzle, every sequence of legal moves, also longer ones: some 10 to 40 seconds of processor a game."""
    stock, called_wrong = stock_of(key), dict[str, list[str]]()
    for posed in map(stock.puzzle, range(len(stock))):
        begun, end = posed.position.number, posed.position
        for move in posed.puzzle.line:
            played = end.play(move)
            if played.drew or played.ended_decision or end.is_over:
                break
        others = first_moves_to(posed.position, end.digest(), end.number - begun + 1, 1000) - set(posed.solutions)
        if others:
            called_wrong[posed.id] = [posed.setup.move(number).text for number in others]
    assert called_wrong == {}


def with_other_answer(posed: PosedPuzzle) -> PosedPuzzle:
    """The same position with another move called right, and nothing else the same of what was found."""
    worst = posed.puzzle.tried[-1]
    tried = (msgspec.structs.replace(worst, won=0.9, games=900, points=99.0),)
    return replace(posed, puzzle=msgspec.structs.replace(posed.puzzle, solutions=(worst.move,), tried=tried, line=()))


@pytest.mark.parametrize("key", GAMES)
def test_the_page_that_asks_holds_nothing_of_the_answer(key: str) -> None:
    pages, stock = Renderer(Assets(), DrawnFiles()), stock_of(key)
    for posed in map(stock.puzzle, range(min(3, len(stock)))):
        asked = puzzles.question(pages, posed, DAY, "en")
        assert asked == puzzles.question(pages, with_other_answer(posed), DAY, "en")
        assert "/answer/" not in asked


@pytest.mark.parametrize("key", GAMES)
def test_puzzles_keep_the_options_they_were_made_with(key: str, tmp_path: Path) -> None:
    """Those that came with the game name them all; of others, what is not named is what was played before it."""
    stock, rules = stock_of(key), game(key)
    assert set(stock.head.options) == {option.name for option in rules.options}
    assert {posed.setup for posed in map(stock.puzzle, range(len(stock)))} <= {
        rules.setup(seats, None, **stock.head.options) for seats in rules.seats
    }
    head, *rest = file_of(rules).read_text("utf-8").splitlines(keepends=True)
    header = msgspec.json.decode(head)
    (file := tmp_path / "puzzles.jsonl").write_text(
        json.dumps(header | {"options": {}}) + "\n" + "".join(rest), "utf-8"
    )
    assert read(rules, file).puzzle(0).setup.options == {option.name: option.default for option in rules.options}
    file.write_text(json.dumps(header | {"options": {"gravity": "weak"}}) + "\n", "utf-8")
    with pytest.raises(PuzzleError, match="gravity"):
        read(rules, file)
    assert _read_or_create(rules, tmp_path / "new.jsonl", 1).head.options == rules.setup(rules.seats.start).options


@pytest.mark.parametrize(
    ("key", "name", "value"),
    [("era-of-inventions", "last_exchange", "no symbols"), ("paris-connection", "standstill", "ends")],
)
def test_puzzles_from_before_a_new_default_are_as_they_were(key: str, name: str, value: str) -> None:
    assert stock_of(key).puzzle(0).setup.options[name] == value != game(key).setup(3).options[name]


def test_each_day_has_its_puzzle_and_the_next_one_another() -> None:
    stock = stock_of("paris-connection")
    days = [date(2026, 11, 1) + timedelta(days=n) for n in range(len(stock) + 1)]
    posed = [stock.puzzle_of_day(day) for day in days]
    assert len({(puzzle_of_day.game.number, puzzle_of_day.puzzle.move_number) for puzzle_of_day in posed}) == len(stock)
    assert posed[0] == posed[-1] == read(stock.rules, file_of(stock.rules)).puzzle_of_day(days[0])


def test_what_the_rules_or_components_no_longer_lead_to_fails_clearly(tmp_path: Path) -> None:
    stock, file = stock_of("paris-connection"), tmp_path / "puzzles.jsonl"
    posed = stock.puzzle(0)
    for game_, puzzle, words in (
        (posed.game, msgspec.structs.replace(posed.puzzle, digest="0" * 16), "the rules have changed"),
        (msgspec.structs.replace(posed.game, moves="0 " + posed.game.moves), posed.puzzle, "not allowed"),
        (msgspec.structs.replace(posed.game, moves="99999"), posed.puzzle, "no move"),
    ):
        with pytest.raises(PuzzleError, match=words):
            _ = PosedPuzzle(game_, puzzle, posed.setup).seen
    head, *rest = file_of(stock.rules).read_text("utf-8").splitlines(keepends=True)
    for old, new, words in (
        (stock.head.components, "0" * 64, "components have changed"),
        ("paris-connection", "whist", "no puzzles of paris-connection"),
        ('"puzzles":1', '"puzzles":"x"', "puzzles"),
    ):
        file.write_text(head.replace(old, new) + "".join(rest), "utf-8")
        with pytest.raises(PuzzleError, match=words):
            read(stock.rules, file)


def test_the_command_goes_on_where_it_stopped(toy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small game and small searches, to which almost everything is clear."""
    for name, value in (("GLIMPSE_BUDGET", 32), ("FIRST_BUDGET", 32), ("SIEVE_BUDGET", 32), ("DEEP_BUDGET", 32)):
        monkeypatch.setattr(puzzle_maker, name, Budget(value, report_moves=2, min_visits=8))
    for name, bound in (
        ("MIN_GAP", 0.001),
        ("MIN_STANDARD_ERRORS", 0.0),
        ("CHANCE_RANGE", (0.0, 1.0)),
        ("MAX_PUZZLES", 1),
    ):
        monkeypatch.setattr(puzzle_maker, name, bound)
    for name, number in (("OPENING_MOVES", 0), ("MIN_MOVES", 2), ("CHECKED_MOVES", 1)):
        monkeypatch.setattr(puzzle_maker, name, number)

    def make(file: Path, number: int, seed: int = 5) -> str:
        words = ["puzzles", "make", toy, "--count", str(number), "--seed", str(seed), "--output", str(file)]
        done = CliRunner().invoke(app, words)
        return f"{done.exit_code} {done.output}"

    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    assert make(whole, 3).startswith("0 ")
    assert make(parts, 1).startswith("0 ")
    begun = parts.read_bytes()
    parts.write_bytes(begun + begun.splitlines()[-1][:40])  # where a process was killed
    assert "puzzles\n" in make(parts, 3)
    assert parts.read_bytes() == whole.read_bytes() != begun
    assert whole.read_bytes().startswith(begun)
    assert make(parts, 3).startswith("0 ")
    assert parts.read_bytes() == whole.read_bytes()
    assert "was made by `spieltisch puzzles make toy --seed 5`" in make(parts, 9, seed=6)
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada", "utf-8")
    assert make(letter, 1).startswith("1 ")
    assert letter.read_text("utf-8") == "Dear Ada"
    head, *lines = whole.read_bytes().splitlines()
    older = [msgspec.json.decode(line) for line in lines]
    for line in older:
        for puzzle in line["puzzles"]:
            del puzzle["times_found"]
    parts.write_bytes(b"\n".join([head, *map(msgspec.json.encode, older)]) + b"\n")
    assert [puzzle.difficulty for bots in read(game(toy), parts).games for puzzle in bots.puzzles] == [""] * 3
    done = CliRunner().invoke(app, ["puzzles", "grade", toy, "--output", str(parts), "--json"])
    assert done.exit_code == 0, done.output
    counts = json.loads(done.output)
    assert counts["easy"] + counts["medium"] + counts["hard"] == 3
    assert parts.read_bytes() == whole.read_bytes(), "as graded when they were made"
    stock = read(game(toy), whole)
    assert len(stock) == 3
    assert all(stock.puzzle(n).seen is not None for n in range(len(stock)))


@pytest.mark.parametrize(
    ("times_found", "difficulty"),
    [
        ((), ""),
        ((4, 4, 4), "easy"),
        ((0, 3, 4), "easy"),
        ((0, 2, 3), "medium"),
        ((0, 0, 3), "hard"),
        ((0, 0, 0), "hard"),
    ],
)
def test_a_grade_says_how_often_weak_players_find_it(times_found: tuple[int, ...], difficulty: str) -> None:
    posed = stock_of("paris-connection").puzzle(0)
    assert msgspec.structs.replace(posed.puzzle, times_found=times_found).difficulty == difficulty
