"""The arena: duels that depend on nothing but their seed, can be gone on with, and survive a killed process."""

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
def alone() -> Arena:
    return played(arena("random", "easy"), GAMES)


def test_rows_say_what_happened(alone: Arena) -> None:
    assert len(alone.rows) == GAMES
    for (duel, number), rows in alone.rows.items():
        assert duel == "random easy"
        first, second = ("random", "easy") if number % 2 else ("easy", "random")
        bots = [row.bot for row in rows]
        assert sorted(bots) == sorted([first, second, first]), "who has a seat more changes from game to game"
        assert sum(row.won for row in rows) == pytest.approx(1)
        assert sorted(row.turn for row in rows) == [1, 2, 3]
        assert all(row.points == sum(row.sources.values()) for row in rows)
        assert {name for row in rows for name in row.sources} == {"dealt", "patents", "runs", "tokens", "goals"}
        assert {row.place for row in rows if row.won} == {1}
        best = max(row.points for row in rows)
        assert all(row.points == best for row in rows if row.place == 1)
        assert len({(row.seed, row.moves, row.ended_by) for row in rows}) == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_each_bot_sits_in_each_seat_equally_often(seats: int) -> None:
    ways = seatings(seats)
    assert len(set(ways)) == len(ways)
    assert {abs(2 * sum(way) - seats) for way in ways} == {seats % 2}
    assert all(2 * sum(way[seat] for way in ways) == len(ways) for seat in range(seats))
    meeting = arena("random", "beginner", seats=seats)
    for piece, way in zip(meeting._waiting(len(ways)), ways, strict=True):
        simulation = Simulation(piece.setup, piece.bots, piece.seed)
        seated = [piece.bots[simulation.bot_at(seat, simulation.seed_of(piece.first))] for seat in range(seats)]
        assert seated == [("random", "beginner")[bot] for bot in way]


@pytest.mark.parametrize(
    "cores",
    [
        pytest.param(Parallel(2), id="processes"),
        pytest.param(Parallel(2, LOCAL), id="cluster", marks=pytest.mark.crash),
    ],
)
def test_the_number_of_processes_and_a_killed_one_change_nothing(alone: Arena, cores: Parallel) -> None:
    meeting = arena("random", "easy")
    killed = 0
    for _ in meeting.play(GAMES, cores):
        if not killed:
            killed = next(
                process.pid
                for process in multiprocessing.active_children()
                if process.pid and "resource" not in process.name
            )
            os.kill(killed, signal.SIGKILL)
    assert killed
    assert meeting.rows == alone.rows
    assert meeting.ranking() == alone.ranking()


def test_processes_that_do_not_answer_any_more_hold_up_no_end() -> None:
    others = multiprocessing.active_children()
    results = map_in_order(Parallel(2), abs, [-1, -2])
    assert [next(results), next(results)] == [(-1, 1), (-2, 2)]
    for process in {*multiprocessing.active_children()} - {*others}:
        assert process.pid
        os.kill(process.pid, signal.SIGSTOP)  # like one that waits for the lock of another that was killed
    assert list(results) == []


def test_processes_that_always_end_are_not_begun_for_ever() -> None:
    with pytest.raises(RuntimeError, match="processes end before their games do"):
        list(map_in_order(Parallel(2), os._exit, [1, 1]))


def test_without_the_extras_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for missing in ("distributed", "pyarrow"):
        monkeypatch.setitem(sys.modules, missing, None)
    words = ["arena", GAME, "--bots", "random,beginner", "--seats", "2", "--games", "1"]
    for more, extra in ((["--dask", "local"], "cluster"), (["--rows", str(tmp_path / "rows.parquet")], "parquet")):
        done = CliRunner().invoke(app, [*words, *more])
        assert (done.exit_code, f"pip install 'spieltisch[{extra}]'" in done.stderr) == (1, True), done.output


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_it_goes_on_where_it_stopped(alone: Arena, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"rows.{ending}"
    write(file, alone.setup, [*alone.games()[:2], alone.games()[2][:1]])  # the last was cut off in the middle
    meeting = arena("random", "easy")
    meeting.resume(read(file))
    assert set(meeting.rows) == {("random easy", 1), ("random easy", 2)}
    assert sum(meeting.play(GAMES)) == GAMES - 2
    assert meeting.rows == alone.rows
    with pytest.raises(ValueError, match="another seed"):
        arena("random", "easy", seed=2).resume(read(file))


def test_it_stops_when_it_is_certain_unless_it_has_pairs(alone: Arena) -> None:
    """A rating must not depend on when a duel stopped."""
    meeting = arena("random", "easy")
    paired = Arena(alone.setup, ("random", "easy"), 1, pairs=[("random", "easy")])
    first = alone.rows["random easy", 1]
    best = max(first, key=lambda row: row.won).bot
    for number in range(1, MIN_GAMES + 1):
        for contest in (meeting, paired):
            contest.add([msgspec.structs.replace(row, number=number) for row in first])
    (score,) = meeting.scores()
    assert score.is_decided
    assert [piece.first for piece in paired._waiting(MIN_GAMES + 2)] == [MIN_GAMES + 1, MIN_GAMES + 2]
    assert (score.share > 0.5) == (best == "random")
    assert list(meeting.play(400)) == []


def test_a_game_without_an_end_favours_nobody(alone: Arena, tmp_path: Path) -> None:
    meeting = Arena(alone.setup, ("random", "easy"), 1, max_moves=9)
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
            Arena(alone.setup, ("random", "easy"), 1, max_moves=moves).resume(read(tmp_path / "rows.csv"))
    again = Arena(alone.setup, ("random", "easy"), 1, max_moves=9)
    again.resume(read(tmp_path / "rows.csv"))
    assert again.rows == meeting.rows


def test_the_better_bot_is_rated_higher(alone: Arena) -> None:
    best, worst = alone.ranking()
    assert (best.bot, worst.bot) == ("easy", "random")
    assert best.low <= best.share <= best.high
    assert best.share + worst.share == pytest.approx(1)
    assert best.rating > 25 > worst.rating
    assert best.doubt < 1.96 * 25 / 3


def test_the_interval_is_that_of_wilson() -> None:
    """Figures from the table in Agresti and Coull (1998) and by hand."""
    assert interval(0, 10) == pytest.approx((0.0, 0.278), abs=0.001)
    assert interval(5, 10) == pytest.approx((0.237, 0.763), abs=0.001)


@pytest.mark.parametrize("name", ["easy@1", "expert@", "expert@-1", "expert@1e3", "expert@١", "nobody"])
def test_no_such_bot(name: str) -> None:
    with pytest.raises(UnknownBot, match="there is no bot"):
        check(name)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    words = ["arena", GAME, "--bots", "random,beginner", "--seats", "2", "--games", "3", "--rows", str(file)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "random against beginner" in done.output
    assert " ± " in done.output
    with file.open(newline="") as text:
        assert len(list(csv.DictReader(text))) == 6
    assert "stopped" not in done.output
    short = [*words[:-2], "--max-moves", "7"]
    assert "not clear; 3 stopped after 7 moves, won by all seats alike" in CliRunner().invoke(app, short).output
    output = json.loads(CliRunner().invoke(app, [*short, "--json"]).stdout)
    assert (output["max_moves"], [duel["stopped"] for duel in output["duels"]]) == (7, [3])
    wrong = CliRunner().invoke(app, ["arena", GAME, "--bots", "random"])
    assert wrong.exit_code == 1
    file.write_text("a,b\n")
    assert "line 1" in CliRunner().invoke(app, words).output
