"""Check the arena: duels depend only on their seed, can be resumed, and survive a killed process."""

from __future__ import annotations

import csv
import json
import multiprocessing
import os
import signal
import sys
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

import spieltisch
from spieltisch.bots import check
from spieltisch.bots.external import UnknownBot
from spieltisch.cli import app
from spieltisch.lab.arena import MIN_GAMES, Arena, interval, seatings
from spieltisch.lab.parallel import IN_PROCESS, LOCAL, Parallel, map_in_order
from spieltisch.lab.result_rows import read, write
from spieltisch.lab.simulation import Simulation

GAME = "legendary-inventors"
GAMES = 4


def arena(*bots: str, seats: int = 3, seed: int = 1) -> Arena:
    return Arena(spieltisch.game(GAME).setup(seats), bots, seed)


def played(meeting: Arena, games: int, cores: Parallel = IN_PROCESS) -> Arena:
    before = len(meeting.rows)
    assert sum(meeting.play(games, cores)) == len(meeting.rows) - before
    return meeting


@pytest.fixture(scope="module")
def arena_after_games() -> Arena:
    return played(arena("random", "easy"), GAMES)


def test_arena_rows_contain_the_results_of_each_game(arena_after_games: Arena) -> None:
    assert len(arena_after_games.rows) == GAMES
    for (duel, number), rows in arena_after_games.rows.items():
        assert duel == "random easy"
        first, second = ("random", "easy") if number % 2 else ("easy", "random")
        bots = [row.bot for row in rows]
        assert sorted(bots) == sorted([first, second, first]), "who has a seat more changes from game to game"
        assert sum(row.won for row in rows) == pytest.approx(1)
        assert sorted(row.turn for row in rows) == [1, 2, 3]
        assert all(row.points == sum(row.sources.values()) for row in rows)
        assert {name for row in rows for name in row.sources} == {"dealt", "patents", "runs", "tokens", "goals"}
        assert {row.place for row in rows if row.won} == {1}
        best_points = max(row.points for row in rows)
        assert all(row.points == best_points for row in rows if row.place == 1)
        assert len({(row.seed, row.moves, row.ended_by) for row in rows}) == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_each_bot_sits_in_each_seat_equally_often(seats: int) -> None:
    seatings_of_bots = seatings(seats)
    assert len(set(seatings_of_bots)) == len(seatings_of_bots)
    assert {abs(2 * sum(seating) - seats) for seating in seatings_of_bots} == {seats % 2}
    assert all(2 * sum(seating[seat] for seating in seatings_of_bots) == len(seatings_of_bots) for seat in range(seats))
    meeting = arena("random", "beginner", seats=seats)
    for piece, seating in zip(meeting._missing_games(len(seatings_of_bots)), seatings_of_bots, strict=True):
        simulation = Simulation(piece.setup, piece.bots, piece.seed)
        seated = [piece.bots[simulation.bot_at(seat, simulation.seed_of(piece.first))] for seat in range(seats)]
        assert seated == [("random", "beginner")[bot] for bot in seating]


@pytest.mark.parametrize(
    "cores",
    [
        pytest.param(Parallel(2), id="processes"),
        pytest.param(Parallel(2, LOCAL), id="cluster", marks=pytest.mark.crash),
    ],
)
def test_the_number_of_processes_and_a_killed_process_change_no_result(
    arena_after_games: Arena, cores: Parallel
) -> None:
    meeting = arena("random", "easy")
    killed_count = 0
    for _ in meeting.play(GAMES, cores):
        if not killed_count:
            killed_count = next(
                process.pid
                for process in multiprocessing.active_children()
                if process.pid and "resource" not in process.name
            )
            os.kill(killed_count, signal.SIGKILL)
    assert killed_count
    assert meeting.rows == arena_after_games.rows
    assert meeting.ranking() == arena_after_games.ranking()


def test_unresponsive_processes_do_not_delay_the_end_of_a_run() -> None:
    other_processes = multiprocessing.active_children()
    results = map_in_order(Parallel(2), abs, [-1, -2])
    assert [next(results), next(results)] == [(-1, 1), (-2, 2)]
    for process in {*multiprocessing.active_children()} - {*other_processes}:
        assert process.pid
        os.kill(process.pid, signal.SIGSTOP)  # like one that waits for the lock of another that was killed
    assert list(results) == []


def test_processes_that_keep_dying_are_restarted_only_a_few_times() -> None:
    with pytest.raises(RuntimeError, match="processes end before their games do"):
        list(map_in_order(Parallel(2), os._exit, [1, 1]))


def test_missing_optional_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for missing in ("distributed", "pyarrow"):
        monkeypatch.setitem(sys.modules, missing, None)
    words = ["arena", GAME, "--bots", "random,beginner", "--seats", "2", "--games", "1"]
    for option_words, extra in (
        (["--dask", "local"], "cluster"),
        (["--rows", str(tmp_path / "rows.parquet")], "parquet"),
    ):
        result = CliRunner().invoke(app, [*words, *option_words])
        assert (result.exit_code, f"pip install 'spieltisch[{extra}]'" in result.stderr) == (1, True), result.output


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_interrupted_arena_is_resumed(arena_after_games: Arena, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"rows.{ending}"
    write(
        file, arena_after_games.setup, [*arena_after_games.games()[:2], arena_after_games.games()[2][:1]]
    )  # the last was cut off in the middle
    meeting = arena("random", "easy")
    meeting.resume(read(file))
    assert set(meeting.rows) == {("random easy", 1), ("random easy", 2)}
    assert sum(meeting.play(GAMES)) == GAMES - 2
    assert meeting.rows == arena_after_games.rows
    with pytest.raises(ValueError, match="another seed"):
        arena("random", "easy", seed=2).resume(read(file))


def test_a_duel_of_bots_stops_when_decided_unless_the_duel_is_for_a_rating(arena_after_games: Arena) -> None:
    meeting = arena("random", "easy")
    paired = Arena(arena_after_games.setup, ("random", "easy"), 1, pairs=[("random", "easy")])
    first = arena_after_games.rows["random easy", 1]
    best_bot = max(first, key=lambda row: row.won).bot
    for number in range(1, MIN_GAMES + 1):
        for contest in (meeting, paired):
            contest.add([msgspec.structs.replace(row, number=number) for row in first])
    (score,) = meeting.scores()
    assert score.is_decided
    assert [piece.first for piece in paired._missing_games(MIN_GAMES + 2)] == [MIN_GAMES + 1, MIN_GAMES + 2]
    assert (score.share > 0.5) == (best_bot == "random")
    assert list(meeting.play(400)) == []


def test_a_game_stopped_at_the_move_limit_counts_as_a_tie(arena_after_games: Arena, tmp_path: Path) -> None:
    meeting = Arena(arena_after_games.setup, ("random", "easy"), 1, max_moves=9)
    assert sum(meeting.play(6)) == 6
    assert {(row.ended_by, row.moves, row.place) for rows in meeting.games() for row in rows} == {("move limit", 9, 1)}
    (score,) = meeting.scores()
    assert (score.stopped, score.is_decided) == (6, False)
    assert score.share == pytest.approx(0.5)
    first, second = meeting.ranking()
    assert first.rating == pytest.approx(second.rating, abs=0.5)
    write(tmp_path / "rows.csv", meeting.setup, meeting.games())
    for moves in (8, 10, 5_000):
        with pytest.raises(ValueError, match="another maximum number of moves"):
            Arena(arena_after_games.setup, ("random", "easy"), 1, max_moves=moves).resume(read(tmp_path / "rows.csv"))
    second_arena = Arena(arena_after_games.setup, ("random", "easy"), 1, max_moves=9)
    second_arena.resume(read(tmp_path / "rows.csv"))
    assert second_arena.rows == meeting.rows


def test_the_better_bot_of_an_arena_is_rated_higher(arena_after_games: Arena) -> None:
    best_bot, worst = arena_after_games.ranking()
    assert (best_bot.bot, worst.bot) == ("easy", "random")
    assert best_bot.low <= best_bot.share <= best_bot.high
    assert best_bot.share + worst.share == pytest.approx(1)
    assert best_bot.rating > 25 > worst.rating
    assert best_bot.doubt < 1.96 * 25 / 3


def test_the_confidence_interval_matches_the_wilson_score() -> None:
    """The figures are from a table in Agresti and Coull (1998) and computed by hand."""
    assert interval(0, 10) == pytest.approx((0.0, 0.278), abs=0.001)
    assert interval(5, 10) == pytest.approx((0.237, 0.763), abs=0.001)


@pytest.mark.parametrize("name", ["easy@1", "expert@", "expert@-1", "expert@1e3", "expert@١", "nobody"])
def test_the_arena_refuses_an_unknown_bot(name: str) -> None:
    with pytest.raises(UnknownBot, match="there is no bot"):
        check(name)


def test_the_arena_command_prints_the_ranking(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    words = ["arena", GAME, "--bots", "random,beginner", "--seats", "2", "--games", "3", "--rows", str(file)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "random against beginner" in result.output
    assert " ± " in result.output
    with file.open(newline="") as text:
        assert len(list(csv.DictReader(text))) == 6
    assert "stopped" not in result.output
    short_command = [*words[:-2], "--max-moves", "7"]
    assert "not clear; 3 stopped after 7 moves, won by all seats alike" in CliRunner().invoke(app, short_command).output
    output = json.loads(CliRunner().invoke(app, [*short_command, "--json"]).stdout)
    assert (output["max_moves"], [duel["stopped"] for duel in output["duels"]]) == (7, [3])
    wrong_command = CliRunner().invoke(app, ["arena", GAME, "--bots", "random"])
    assert wrong_command.exit_code == 1
    file.write_text("a,b\n")
    assert "line 1" in CliRunner().invoke(app, words).output
