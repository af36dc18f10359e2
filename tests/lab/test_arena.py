"""The arena: duels that depend on nothing but their seed, can be gone on with, and survive a killed process."""

from __future__ import annotations

import csv
import multiprocessing
import os
import signal
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

import spieltisch
from spieltisch.bots import UnknownBot, check
from spieltisch.cli import app
from spieltisch.lab.arena import FEWEST, Arena, interval, read, write

GAME = "legendary-inventors"


def arena(*bots: str, seats: int = 3, seed: int = 1) -> Arena:
    return Arena(spieltisch.game(GAME).setup(seats), bots, seed)


def played(meeting: Arena, games: int, jobs: int = 1) -> Arena:
    assert sum(meeting.play(games, jobs)) == len(meeting.rows)
    return meeting


@pytest.fixture(scope="module")
def alone() -> Arena:
    return played(arena("random", "greedy"), 6)


def test_rows_say_what_happened(alone: Arena) -> None:
    assert len(alone.rows) == 6
    for (duel, number), rows in alone.rows.items():
        assert duel == "random greedy"
        one, other = ("random", "greedy") if number % 2 else ("greedy", "random")
        bots = [row.bot for row in rows]
        assert sorted(bots) == sorted([one, other, one]), "who has a seat more changes from game to game"
        assert sum(row.won for row in rows) == pytest.approx(1)
        assert {row.place for row in rows if row.won} == {1}
        best = max(row.points for row in rows)
        assert all(row.points == best for row in rows if row.place == 1)
        assert len({(row.seed, row.moves, row.ended_by) for row in rows}) == 1


def test_the_number_of_processes_changes_nothing(alone: Arena) -> None:
    assert played(arena("random", "greedy"), 6, jobs=2).rows == alone.rows


def test_a_killed_process_changes_nothing(alone: Arena) -> None:
    meeting = arena("random", "greedy")
    killed = False
    for _ in meeting.play(6, jobs=2):
        if not killed:
            child = next(one for one in multiprocessing.active_children() if one.pid)
            os.kill(child.pid or 0, signal.SIGKILL)
            killed = True
    assert killed
    assert meeting.rows == alone.rows


def test_it_goes_on_where_it_stopped(alone: Arena, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    write(file, played(arena("random", "greedy"), 2).rows)
    with file.open("a") as text:
        text.write(file.read_text().splitlines()[1].replace(",1,", ",9,", 1) + "\n")  # cut off in the middle of a game
    meeting = arena("random", "greedy")
    for rows in read(file):
        meeting.add(rows)
    assert set(meeting.rows) == {("random greedy", 1), ("random greedy", 2)}
    assert sum(meeting.play(6)) == 4
    assert meeting.rows == alone.rows


def test_it_stops_when_it_is_certain(alone: Arena) -> None:
    meeting = arena("random", "greedy")
    first = alone.rows["random greedy", 1]
    best = max(first, key=lambda row: row.won).bot
    for number in range(1, FEWEST + 1):
        meeting.add([msgspec.structs.replace(row, number=number) for row in first])
    (score,) = meeting.scores()
    assert score.clear
    assert (score.share > 0.5) == (best == "random")
    assert list(meeting.play(400)) == []


def test_the_interval_is_that_of_wilson() -> None:
    """Figures from the table in Agresti and Coull (1998) and by hand."""
    assert interval(0, 10) == pytest.approx((0.0, 0.278), abs=0.001)
    assert interval(5, 10) == pytest.approx((0.237, 0.763), abs=0.001)


@pytest.mark.parametrize("name", ["greedy@1", "master@", "master@-1", "master@1e3", "master@١", "nobody"])
def test_no_such_bot(name: str) -> None:
    with pytest.raises(UnknownBot, match="there is no bot"):
        check(name)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    words = ["arena", GAME, "--bots", "random,apprentice", "--seats", "2", "--games", "3", "--rows", str(file)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "random against apprentice" in done.output
    with file.open(newline="") as text:
        assert len(list(csv.DictReader(text))) == 6
    wrong = CliRunner().invoke(app, ["arena", GAME, "--bots", "random"])
    assert wrong.exit_code == 1
    file.write_text("a,b\n")
    assert "line 1" in CliRunner().invoke(app, words).output
