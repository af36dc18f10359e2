"""Check puzzles: their positions, answers, options and page, and the command that makes new puzzles."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from spieltisch.bots import levels
from spieltisch.bots.comparing import Difference
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.cli import app
from spieltisch.commands.puzzles import _read_or_create
from spieltisch.core.position import Position
from spieltisch.core.words import Message, Name
from spieltisch.games import GAMES, game
from spieltisch.lab import puzzle_maker
from spieltisch.live.advice import SOURCE_SENTENCES, ExplainedMove, explain
from spieltisch.puzzles import PosedPuzzle, PuzzleError, PuzzleSet, puzzles_of, read
from spieltisch.puzzles.puzzle_set import file_of
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages import puzzles
from spieltisch.web.pages.renderer import Renderer

DAY = "2026-11-22"


def name_of(posed: PosedPuzzle, source: int) -> Message | Name | str:
    return posed.setup.game.point_source_name(posed.setup, source) or ""


def stock_of(key: str) -> PuzzleSet:
    stock = puzzles_of(game(key))
    assert stock is not None
    return stock


@pytest.mark.parametrize("key", GAMES)
def test_every_puzzle_has_a_legal_position_and_an_answer(key: str) -> None:
    stock = stock_of(key)
    for posed in map(stock.puzzle, range(len(stock))):
        observation, puzzle, world = posed.seen, posed.puzzle, posed.position
        assert observation.seat is not None
        assert observation.to_decide == observation.seat
        assert world.observe(observation.seat).bytes == observation.bytes
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
def test_another_search_finds_the_same_answer_to_a_puzzle(key: str) -> None:
    """Only the later half of the puzzles is searched, since playouts of earlier positions take long."""
    native_library.build(key)
    stock = stock_of(key)
    by_length = sorted(map(stock.puzzle, range(len(stock))), key=lambda puzzle: -puzzle.puzzle.move_number)
    for puzzle in (by_length[len(stock) * quarter // 4] for quarter in range(3)):
        budget = Budget(
            0,
            extra_moves=tuple(candidate.move for candidate in puzzle.puzzle.tried),
            min_visits=puzzle_maker.DEEP_BUDGET.min_visits // 2,
        )
        candidates = puzzle_maker.search_deeply(levels.searcher(puzzle.setup), puzzle.seen, 4321, budget)
        assert candidates[0].move in puzzle.solutions
        other_wins = [candidate.won for candidate in candidates if candidate.move not in puzzle.solutions]
        assert candidates[0].won - max(other_wins) > puzzle_maker.MIN_GAP / 2


IN_ANY_ORDER = [
    ("paris-connection", "151-121", ["build blue Dijon SW", "build blue Limoges NW", "build blue Orléans E"]),
    ("era-of-inventions", "469-215", ["exchange coin coin for bonus disc", "exchange metal tool for coin"]),
    ("legendary-inventors", "55-73", ["upgrade Galileo Galilei in physics", "upgrade Isaac Newton in physics"]),
]
"""Puzzles whose best turn may begin with each of these moves, some of which a search found worse."""


@pytest.mark.parametrize(("key", "puzzle_id", "moves"), IN_ANY_ORDER)
def test_moves_of_the_best_turn_are_correct_answers_in_any_order(key: str, puzzle_id: str, moves: list[str]) -> None:
    puzzle = stock_of(key).puzzle_by_id(puzzle_id)
    assert puzzle is not None
    assert {puzzle.setup.move(number).text for number in puzzle.solutions} == set(moves)
    assert puzzle.solutions[0] == puzzle.puzzle.line[0]
    advised_moves = {advised_move.move for advised_move in puzzle.advice.moves}
    assert advised_moves & set(moves) == {moves[0]}, "the figures of the others are not those of this turn"


def first_moves_to(position: Position, goal: str, length: int, plays: int) -> set[int]:
    """Return the first moves of all sequences within a turn that reach a digest, shortest first, up to a limit."""
    best_moves, layer = set[int](), {"": (position, frozenset[int]())}
    for _ in range(length):
        reached_positions: dict[str, tuple[Position, frozenset[int]]] = {}
        for world, firsts in layer.values():
            for move in world.legal_moves.numbers:
                if (plays := plays - 1) < 0:
                    return best_moves
                move_result = (after := world.copy()).play(move)
                start_position, digest = firsts or frozenset({move}), after.digest()
                best_moves |= start_position if digest == goal else set()
                if not (move_result.drew or move_result.ended_decision or after.is_over):
                    reached_positions[digest] = (
                        after,
                        start_position | reached_positions.get(digest, (after, start_position))[1],
                    )
        layer = reached_positions
    return best_moves


@pytest.mark.fuzz
@pytest.mark.parametrize("key", GAMES)
def test_every_sequence_of_moves_to_the_best_position_is_a_correct_answer(key: str) -> None:
    """Try every sequence of legal moves of every puzzle, which takes 10 to 40 seconds of processor time a game."""
    stock, called_wrong = stock_of(key), dict[str, list[str]]()
    for puzzle in map(stock.puzzle, range(len(stock))):
        start_number, end = puzzle.position.number, puzzle.position
        for move in puzzle.puzzle.line:
            move_result = end.play(move)
            if move_result.drew or move_result.ended_decision or end.is_over:
                break
        other_solutions = first_moves_to(puzzle.position, end.digest(), end.number - start_number + 1, 1000) - set(
            puzzle.solutions
        )
        if other_solutions:
            called_wrong[puzzle.id] = [puzzle.setup.move(number).text for number in other_solutions]
    assert called_wrong == {}


def with_other_answer(puzzle: PosedPuzzle) -> PosedPuzzle:
    """Return a puzzle whose stored answer is the worst move."""
    worst = puzzle.puzzle.tried[-1]
    tried_move = (msgspec.structs.replace(worst, won=0.9, games=900, points=99.0),)
    return replace(
        puzzle, puzzle=msgspec.structs.replace(puzzle.puzzle, solutions=(worst.move,), tried=tried_move, line=())
    )


@pytest.mark.parametrize("key", GAMES)
def test_the_page_of_a_puzzle_does_not_contain_the_answer(key: str) -> None:
    pages, stock = Renderer(Assets(), DrawnFiles()), stock_of(key)
    for puzzle in map(stock.puzzle, range(min(3, len(stock)))):
        question = puzzles.question(pages, puzzle, DAY, "en")
        assert question == puzzles.question(pages, with_other_answer(puzzle), DAY, "en")
        assert "/answer/" not in question


@pytest.mark.parametrize("key", GAMES)
def test_a_puzzle_keeps_the_options_of_its_creation(key: str, tmp_path: Path) -> None:
    """Included puzzles name all options; in other files a missing option has the value from before it existed."""
    stock, rules = stock_of(key), game(key)
    assert set(stock.head.options) == {option.name for option in rules.options}
    for puzzle in map(stock.puzzle, range(len(stock))):
        assert puzzle.setup.same_as(rules.setup(puzzle.setup.seats, None, **stock.head.options))
    head, *other_lines = file_of(rules).read_text("utf-8").splitlines(keepends=True)
    header = msgspec.json.decode(head)
    (file := tmp_path / "puzzles.jsonl").write_text(
        json.dumps(header | {"options": {}}) + "\n" + "".join(other_lines), "utf-8"
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
def test_new_defaults_of_options_do_not_change_older_puzzles(key: str, name: str, value: str) -> None:
    assert stock_of(key).puzzle(0).setup.options[name] == value != game(key).setup(3).options[name]


def test_each_day_has_another_puzzle_than_the_day_before() -> None:
    stock = stock_of("paris-connection")
    days = [date(2026, 11, 1) + timedelta(days=n) for n in range(len(stock) + 1)]
    daily_puzzles = [stock.puzzle_of_day(day) for day in days]
    assert len(
        {(puzzle_of_day.game.number, puzzle_of_day.puzzle.move_number) for puzzle_of_day in daily_puzzles}
    ) == len(stock)
    assert daily_puzzles[0] == daily_puzzles[-1] == read(stock.rules, file_of(stock.rules)).puzzle_of_day(days[0])


def test_outdated_puzzles_are_refused_with_a_reason(tmp_path: Path) -> None:
    stock, file = stock_of("paris-connection"), tmp_path / "puzzles.jsonl"
    posed = stock.puzzle(0)
    for game_, puzzle, words in (
        (posed.game, msgspec.structs.replace(posed.puzzle, digest="0" * 16), "the rules have changed"),
        (msgspec.structs.replace(posed.game, moves="0 " + posed.game.moves), posed.puzzle, "not allowed"),
        (msgspec.structs.replace(posed.game, moves="99999"), posed.puzzle, "no move"),
    ):
        with pytest.raises(PuzzleError, match=words):
            _ = PosedPuzzle(game_, puzzle, posed.setup).seen
    head, *other_lines = file_of(stock.rules).read_text("utf-8").splitlines(keepends=True)
    for old, new, words in (
        (stock.head.components, "0" * 64, "have changed since"),
        ("paris-connection", "whist", "no puzzles of paris-connection"),
        ('"puzzles":1', '"puzzles":"x"', "puzzles"),
    ):
        file.write_text(head.replace(old, new) + "".join(other_lines), "utf-8")
        with pytest.raises(PuzzleError, match=words):
            read(stock.rules, file)


def test_an_interrupted_puzzles_command_resumes_where_it_stopped(
    toy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game and the searches are so small that almost every decision has one best move."""
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
        result = CliRunner().invoke(app, words)
        return f"{result.exit_code} {result.output}"

    whole_file, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    assert make(whole_file, 3).startswith("0 ")
    assert make(parts, 1).startswith("0 ")
    first_parts = parts.read_bytes()
    parts.write_bytes(first_parts + first_parts.splitlines()[-1][:40])  # where a process was killed
    assert "puzzles\n" in make(parts, 3)
    assert parts.read_bytes() == whole_file.read_bytes() != first_parts
    assert whole_file.read_bytes().startswith(first_parts)
    assert make(parts, 3).startswith("0 ")
    assert parts.read_bytes() == whole_file.read_bytes()
    assert "was made by `spieltisch puzzles make toy --seed 5`" in make(parts, 9, seed=6)
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada", "utf-8")
    assert make(letter, 1).startswith("1 ")
    assert letter.read_text("utf-8") == "Dear Ada"
    head, *lines = whole_file.read_bytes().splitlines()
    older = [msgspec.json.decode(line) for line in lines]
    for line in older:
        for puzzle in line["puzzles"]:
            del puzzle["times_found"], puzzle["differences"]
    parts.write_bytes(b"\n".join([head, *map(msgspec.json.encode, older)]) + b"\n")
    assert [puzzle.difficulty for bots in read(game(toy), parts).games for puzzle in bots.puzzles] == [""] * 3
    result = CliRunner().invoke(app, ["puzzles", "grade", toy, "--output", str(parts), "--json"])
    assert result.exit_code == 0, result.output
    counts = json.loads(result.output)
    assert counts["easy"] + counts["medium"] + counts["hard"] == 3
    assert parts.read_bytes() == whole_file.read_bytes(), "as graded when they were made"
    stock = read(game(toy), whole_file)
    assert len(stock) == 3
    assert all(stock.puzzle(n).seen is not None for n in range(len(stock)))


def test_the_reason_for_the_best_move_compares_it_with_the_second_if_that_is_wrong() -> None:
    stock = stock_of("paris-connection")
    posed = next(
        posed
        for posed in map(stock.puzzle, range(len(stock)))
        if [tried.move for tried in posed.puzzle.tried[:2]] == [posed.solutions[0], posed.runner_up]
    )
    best, second, *_ = posed.puzzle.tried

    def explained(*, second_is_right: bool) -> ExplainedMove:
        solutions = (best.move, second.move) if second_is_right else (best.move,)
        puzzle = msgspec.structs.replace(posed.puzzle, solutions=solutions, differences=(Difference(2, 8.7),))
        compared = PosedPuzzle(posed.game, puzzle, posed.setup)
        return explain(compared.position, compared.advice).moves[0]

    found = explained(second_is_right=False)
    assert found.is_compared
    assert found.why == (SOURCE_SENTENCES[True, True].fill({"source": name_of(posed, 2), "count": 9}),)
    assert not explained(second_is_right=True).is_compared


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
def test_the_grade_of_a_puzzle_depends_on_how_often_weak_bots_find_its_answer(
    times_found: tuple[int, ...], difficulty: str
) -> None:
    puzzle = stock_of("paris-connection").puzzle(0)
    assert msgspec.structs.replace(puzzle.puzzle, times_found=times_found).difficulty == difficulty
