"""Rows of a simulation: the same on one core, on many, on a cluster, as CSV and as Parquet."""

from __future__ import annotations

import csv
import json
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from spieltisch.cli import app
from spieltisch.core.record import Record
from spieltisch.games import GAMES, game
from spieltisch.lab.result_rows import FIXED, columns, read, row_writer


def simulated(game: str, rows: Path, *more: str, games: int = 3) -> dict[str, object]:
    bots = "random,beginner,random"
    words = ["simulate", game, "--bots", bots, "--games", str(games), "--rows", str(rows), "--json", *more]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    output: dict[str, object] = json.loads(done.stdout)
    del output["seconds"]
    return output


@pytest.mark.parametrize("game", sorted(GAMES))
def test_rows_account_for_every_game(game: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    output = simulated(game, file, "--records", str(tmp_path / "records"))
    games = list(read(file))
    assert [[row.number for row in rows] for rows in games] == [[1] * 3, [2] * 3, [3] * 3]
    for rows, path in zip(games, sorted((tmp_path / "records").iterdir()), strict=True):
        record = Record.read(path)
        end = record.verify()
        assert [row.points for row in rows] == end.scores
        assert [row.points for row in rows] == [sum(row.sources.values()) for row in rows]
        assert next(row.seat for row in rows if row.turn == 1) == record.moves[0].seat
        assert {(row.moves, row.options == output["options"]) for row in rows} == {(len(record.moves), True)}
        about = {(row.game, row.components, row.version, row.seats) for row in rows}
        assert about == {(record.game, record.components_digest, record.version, record.seats)}
        assert [row.bot for row in rows] == list(record.players)


def test_the_same_on_one_core_on_two_and_as_parquet(tmp_path: Path) -> None:
    csv_, two, table = tmp_path / "one.csv", tmp_path / "two.csv", tmp_path / "rows.parquet"
    once = simulated("paris-connection", csv_)
    assert simulated("paris-connection", two, "--jobs", "2") == once
    assert csv_.read_bytes() == two.read_bytes()
    assert simulated("paris-connection", table, "--jobs", "2", "--dask", "local") == once
    assert list(read(table)) == list(read(csv_))


@pytest.mark.parametrize("key", GAMES)
def test_every_column_of_a_parquet_file_is_typed(key: str, tmp_path: Path) -> None:
    simulated(key, tmp_path / "rows.parquet", games=1)
    schema = parquet.read_schema(tmp_path / "rows.parquet")
    setup = game(key).setup(3)
    assert tuple(schema.names) == tuple(columns(setup))
    kinds = {str: "string", int: "int64", float: "double", bool: "bool"}
    assert [str(field.type) for field in schema] == [kinds[kind] for kind in columns(setup).values()]
    (rows,) = read(tmp_path / "rows.parquet")
    assert [row.options for row in rows] == [setup.options] * 3


@pytest.mark.build
def test_games_that_are_driven_compiled_have_rows_too(tmp_path: Path) -> None:
    words = ["simulate", "paris-connection", "--seats", "3", "--games", "2", "--rows", str(tmp_path / "rows.csv")]
    assert CliRunner().invoke(app, words).exit_code == 0
    with (tmp_path / "rows.csv").open(newline="") as text:
        assert [int(line["turn"]) in (1, 2, 3) for line in csv.DictReader(text)] == [True] * 6


HEAD = ",".join(FIXED)
LINE = ",".join("paris-connection" if name == "game" else "1" for name in FIXED)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n", "line 1: no column duel"),
        (",".join(FIXED) + "\n" + ",".join("x" for _ in FIXED) + "\n", "line 2: there is no game 'x'"),
        (f"{HEAD},option_pace\n{LINE},slow\n", "line 2: 'pace'"),
        (f"{HEAD},option_cut_off\n{LINE},slow\n", "line 2: 'slow'"),
        (f"{HEAD},luck\n{LINE},9\n", "line 2: 'luck'"),
    ],
)
def test_a_file_that_holds_no_rows_is_refused(tmp_path: Path, text: str, says: str) -> None:
    for ending in ("csv", "parquet"):
        file = tmp_path / f"rows.{ending}"
        file.write_text(text)
        done = CliRunner().invoke(app, ["arena", "paris-connection", "--bots", "random,easy", "--rows", str(file)])
        assert (done.exit_code, str(file) in done.stderr) == (1, True)
        assert ending == "parquet" or says in done.stderr
        assert file.read_text() == text


def test_rows_that_a_spreadsheet_has_saved_are_read(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    simulated("paris-connection", file)
    games = list(read(file))
    file.write_text(file.read_text(), encoding="utf-8-sig")
    assert list(read(file)) == games


def read_pipe(pipe: Path, *words: str) -> bytes:
    """Return the output of a command that writes to a named pipe, which must still be a pipe afterwards."""
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(pipe.read_bytes)
        try:
            done = CliRunner().invoke(app, words)
        finally:
            with suppress(OSError):  # nobody wrote: let the reader go
                os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
            if not pipe.is_fifo():
                pipe.unlink()
        assert done.exit_code == 0, done.output
        assert pipe.is_fifo()
        return reading.result()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_rows_go_through_a_named_pipe_and_follow_links(ending: str, tmp_path: Path) -> None:
    plain, pipe = tmp_path / f"plain.{ending}", tmp_path / f"pipe.{ending}"
    simulated("paris-connection", plain)
    words = ["simulate", "paris-connection", "--bots", "random,beginner,random", "--games", "3", "--rows", str(pipe)]
    assert read_pipe(pipe, *words) == plain.read_bytes()
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / f"rows.{ending}", tmp_path / f"link.{ending}"
    link.symlink_to(target)
    for content in (None, b"old"):
        if content is not None:
            target.write_bytes(content)
            target.chmod(0o640)
        simulated("paris-connection", link)
        assert (link.is_symlink(), target.read_bytes()) == (True, plain.read_bytes())
    assert target.stat().st_mode & 0o777 == 0o640
    assert [file.name for file in target.parent.iterdir()] == [target.name]


def test_what_goes_wrong_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("old")
    words = ["simulate", "paris-connection", "--games", "2", "--rows", str(file), "--records", str(file)]
    assert CliRunner().invoke(app, words).exit_code != 0
    with pytest.raises(KeyError), row_writer(file, game("paris-connection").setup(3)):
        raise KeyError
    assert (file.read_text(), [each.name for each in tmp_path.iterdir()]) == ("old", ["rows.csv"])


def test_an_arena_writes_its_rows_into_a_pipe_once(tmp_path: Path) -> None:
    words = ["arena", "paris-connection", "--seats", "3", "--bots", "random,beginner", "--games", "6", "--rows"]
    plain, pipe = tmp_path / "plain.csv", tmp_path / "pipe.csv"
    assert CliRunner().invoke(app, [*words, str(plain)]).exit_code == 0
    assert read_pipe(pipe, *words, str(pipe)) == plain.read_bytes()


def test_other_commands_write_into_pipes_and_through_links(tmp_path: Path) -> None:
    export = ["components", "export", "paris-connection"]
    assert CliRunner().invoke(app, [*export, str(tmp_path / "own.toml")]).exit_code == 0
    text = (tmp_path / "own.toml").read_bytes()
    assert read_pipe(tmp_path / "pipe.toml", *export, str(tmp_path / "pipe.toml"), "--force") == text
    target, link = tmp_path / "target.toml", tmp_path / "link.toml"
    target.write_text("old")
    link.symlink_to(target)
    assert CliRunner().invoke(app, [*export, str(link)]).exit_code == 1
    assert target.read_text() == "old"
    assert CliRunner().invoke(app, [*export, str(link), "--force"]).exit_code == 0
    assert (link.is_symlink(), target.read_bytes()) == (True, text)


def test_puzzles_are_not_gone_on_with_in_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spieltisch.commands.puzzles.build_search", lambda game: None)
    os.mkfifo(tmp_path / "pipe")
    words = ["puzzles", "make", "paris-connection", "--count", "1", "--output", str(tmp_path / "pipe")]
    done = CliRunner().invoke(app, words)
    assert (done.exit_code, "not a regular file" in done.stderr) == (1, True)
