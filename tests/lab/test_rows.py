"""Rows of a simulation: the same on one core, on many, on a cluster, as CSV and as Parquet."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from spieltisch.cli import app
from spieltisch.core.record import Record
from spieltisch.games import GAMES
from spieltisch.lab.result_rows import FIELDS, read


def simulated(game: str, rows: Path, *more: str, games: int = 3) -> dict[str, object]:
    bots = "random,apprentice,random"
    words = ["simulate", game, "--bots", bots, "--games", str(games), "--rows", str(rows), "--json", *more]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    del found["seconds"]
    return found


@pytest.mark.parametrize("game", sorted(GAMES))
def test_rows_account_for_every_game(game: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    found = simulated(game, file, "--records", str(tmp_path / "records"))
    games = list(read(file))
    assert [[row.number for row in rows] for rows in games] == [[1] * 3, [2] * 3, [3] * 3]
    for rows, path in zip(games, sorted((tmp_path / "records").iterdir()), strict=True):
        record = Record.read(path)
        end = record.verify()
        assert [row.points for row in rows] == end.scores
        assert [row.points for row in rows] == [sum(row.sources.values()) for row in rows]
        assert next(row.seat for row in rows if row.turn == 1) == record.moves[0].seat
        assert {(row.moves, row.options == found["options"]) for row in rows} == {(len(record.moves), True)}
        assert [row.bot for row in rows] == list(record.players)


def test_the_same_on_one_core_on_two_and_as_parquet(tmp_path: Path) -> None:
    csv_, two, table = tmp_path / "one.csv", tmp_path / "two.csv", tmp_path / "rows.parquet"
    once = simulated("paris-connection", csv_)
    assert simulated("paris-connection", two, "--jobs", "2") == once
    assert csv_.read_bytes() == two.read_bytes()
    assert simulated("paris-connection", table, "--jobs", "2", "--dask", "local") == once
    assert list(read(table)) == list(read(csv_))
    assert tuple(parquet.read_table(table).column_names) == FIELDS


def test_games_that_are_driven_compiled_have_rows_too(tmp_path: Path) -> None:
    words = ["simulate", "paris-connection", "--seats", "3", "--games", "2", "--rows", str(tmp_path / "rows.csv")]
    assert CliRunner().invoke(app, words).exit_code == 0
    with (tmp_path / "rows.csv").open(newline="") as text:
        assert [int(line["turn"]) in (1, 2, 3) for line in csv.DictReader(text)] == [True] * 6


@pytest.mark.parametrize(
    ("text", "says"),
    [("a,b\n", "line 1: not the columns"), (",".join(FIELDS) + "\n" + "x," * 12 + "x\n", "line 2: ")],
)
def test_a_file_that_holds_no_rows_is_refused(tmp_path: Path, text: str, says: str) -> None:
    for ending in ("csv", "parquet"):
        file = tmp_path / f"rows.{ending}"
        file.write_text(text)
        done = CliRunner().invoke(app, ["arena", "paris-connection", "--bots", "random,greedy", "--rows", str(file)])
        assert (done.exit_code, str(file) in done.stderr) == (1, True)
        assert ending == "parquet" or says in done.stderr
        assert file.read_text() == text
