"""Check the rows of a simulation, the same on one core, on many, on a cluster, as CSV and as Parquet."""

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


def simulated(game: str, rows: Path, *option_words: str, games: int = 3) -> dict[str, object]:
    bots = "random,beginner,random"
    words = ["simulate", game, "--bots", bots, "--games", str(games), "--rows", str(rows), "--json", *option_words]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    output: dict[str, object] = json.loads(result.stdout)
    del output["seconds"]
    return output


@pytest.mark.parametrize("game", sorted(GAMES))
def test_rows_of_results_match_the_records_of_every_game(game: str, tmp_path: Path) -> None:
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
        combinations_in_rows = {(row.game, row.components, row.version, row.seats) for row in rows}
        assert combinations_in_rows == {(record.game, record.components_digest, record.version, record.seats)}
        assert [row.bot for row in rows] == list(record.players)


def test_rows_are_the_same_on_one_core_on_two_cores_and_as_parquet(tmp_path: Path) -> None:
    csv_, two, table = tmp_path / "one.csv", tmp_path / "two.csv", tmp_path / "rows.parquet"
    moves = [tmp_path / f"moves {number}.parquet" for number in range(3)]
    rows_on_one_core = simulated("paris-connection", csv_, "--moves", str(moves[0]))
    assert simulated("paris-connection", two, "--jobs", "2", "--moves", str(moves[1])) == rows_on_one_core
    assert csv_.read_bytes() == two.read_bytes()
    dask = ("--jobs", "2", "--dask", "local")
    assert simulated("paris-connection", table, *dask, "--moves", str(moves[2])) == rows_on_one_core
    assert len({file.read_bytes() for file in moves}) == 1
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
def test_rows_are_written_for_games_played_in_the_compiled_loop(tmp_path: Path) -> None:
    words = ["simulate", "paris-connection", "--seats", "3", "--games", "2", "--rows", str(tmp_path / "rows.csv")]
    assert CliRunner().invoke(app, words).exit_code == 0
    with (tmp_path / "rows.csv").open(newline="") as text:
        assert [int(line["turn"]) in (1, 2, 3) for line in csv.DictReader(text)] == [True] * 6


HEAD = ",".join(FIXED)
LINE = ",".join("paris-connection" if name == "game" else "1" for name in FIXED)


@pytest.mark.parametrize(
    ("text", "expected_text"),
    [
        ("a,b\n", "line 1: no column duel"),
        (",".join(FIXED) + "\n" + ",".join("x" for _ in FIXED) + "\n", "line 2: there is no game 'x'"),
        (f"{HEAD},option_pace\n{LINE},slow\n", "line 2: 'pace'"),
        (f"{HEAD},option_cut_off\n{LINE},slow\n", "line 2: 'slow'"),
        (f"{HEAD},luck\n{LINE},9\n", "line 2: 'luck'"),
    ],
)
def test_a_file_without_rows_of_results_is_refused(tmp_path: Path, text: str, expected_text: str) -> None:
    for ending in ("csv", "parquet"):
        file = tmp_path / f"rows.{ending}"
        file.write_text(text)
        result = CliRunner().invoke(app, ["arena", "paris-connection", "--bots", "random,easy", "--rows", str(file)])
        assert (result.exit_code, str(file) in result.stderr) == (1, True)
        assert ending == "parquet" or expected_text in result.stderr
        assert file.read_text() == text


def test_rows_saved_by_a_spreadsheet_are_read(tmp_path: Path) -> None:
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
            result = CliRunner().invoke(app, words)
        finally:
            with suppress(OSError):  # nobody wrote: let the reader go
                os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
            if not pipe.is_fifo():
                pipe.unlink()
        assert result.exit_code == 0, result.output
        assert pipe.is_fifo()
        return reading.result()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_rows_are_written_through_named_pipes_and_symbolic_links(ending: str, tmp_path: Path) -> None:
    plain_file, pipe = tmp_path / f"plain.{ending}", tmp_path / f"pipe.{ending}"
    simulated("paris-connection", plain_file)
    words = ["simulate", "paris-connection", "--bots", "random,beginner,random", "--games", "3", "--rows", str(pipe)]
    assert read_pipe(pipe, *words) == plain_file.read_bytes()
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / f"rows.{ending}", tmp_path / f"link.{ending}"
    link.symlink_to(target)
    for content in (None, b"old"):
        if content is not None:
            target.write_bytes(content)
            target.chmod(0o640)
        simulated("paris-connection", link)
        assert (link.is_symlink(), target.read_bytes()) == (True, plain_file.read_bytes())
    assert target.stat().st_mode & 0o777 == 0o640
    assert [file.name for file in target.parent.iterdir()] == [target.name]


def test_a_failed_simulation_leaves_the_rows_file_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("old")
    words = ["simulate", "paris-connection", "--games", "2", "--rows", str(file), "--records", str(file)]
    assert CliRunner().invoke(app, words).exit_code != 0
    with pytest.raises(KeyError), row_writer(file, game("paris-connection").setup(3)):
        raise KeyError
    assert (file.read_text(), [each.name for each in tmp_path.iterdir()]) == ("old", ["rows.csv"])


def test_an_arena_writes_its_rows_to_a_pipe_only_once(tmp_path: Path) -> None:
    words = ["arena", "paris-connection", "--seats", "3", "--bots", "random,beginner", "--games", "6", "--rows"]
    plain_file, pipe = tmp_path / "plain.csv", tmp_path / "pipe.csv"
    assert CliRunner().invoke(app, [*words, str(plain_file)]).exit_code == 0
    assert read_pipe(pipe, *words, str(pipe)) == plain_file.read_bytes()


def test_components_export_writes_through_named_pipes_and_symbolic_links(tmp_path: Path) -> None:
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


def test_continuing_puzzles_in_a_pipe_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spieltisch.commands.puzzles.build_search", lambda game: None)
    os.mkfifo(tmp_path / "pipe")
    words = ["puzzles", "make", "paris-connection", "--count", "1", "--output", str(tmp_path / "pipe")]
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, "not a regular file" in result.stderr) == (1, True)
