"""Every decision of a game as numbers: the same from a simulation, a record, one process and a cluster."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import spieltisch
from spieltisch.cli import app
from spieltisch.core.record import Record
from spieltisch.games import GAMES

BOTS = "random,beginner,random"  # games of beginners are played in Python, in files of one game each


def call(*words: str | Path, code: int = 0) -> Any:
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == code, done.output
    return done


def simulated(key: str, folder: Path, *more: str | Path, games: int = 2, code: int = 0) -> Any:
    words = ("simulate", key, "--bots", BOTS, "--games", str(games), "--steps", folder, *more, "--json")
    done = call(*words, code=code)
    output = json.loads(done.stdout) if code == 0 else done
    if code == 0:
        del output["seconds"]
    return output


def table(*files: Path) -> dict[str, np.ndarray[Any, Any]]:
    columns = parquet.read_table([*files]).to_pydict()
    return {name: np.array(values) for name, values in columns.items()}


@pytest.mark.parametrize("key", GAMES)
def test_each_decision_is_what_its_seat_saw_and_what_came_of_it(key: str, tmp_path: Path) -> None:
    simulated(key, tmp_path / "steps", "--records", tmp_path / "records", games=1)
    (file,), (path,) = (tmp_path / "steps").iterdir(), (tmp_path / "records").iterdir()
    steps, record = table(file), Record.read(path)
    before = [position.copy() for position in record.positions()]
    end = before.pop()
    outcome = end.outcome
    assert outcome is not None
    assert steps["step"].tolist() == [*range(1, len(record.moves) + 1)]
    for at, position in enumerate(before):
        seat = position.seat
        assert seat is not None
        assert steps["seat"][at] == seat
        assert steps["observation"][at].tolist() == position.observe(seat).vector.tolist()
        assert steps["mask"][at].tolist() == position.legal_moves.mask.tolist()
        assert steps["action"][at] == position.move(record.moves[at].move).number
        assert steps["return"][at] == end.scores[seat] - position.scores[seat]
        own = [later for later in range(at, len(before)) if before[later].seat == seat]
        assert steps["return"][at] == sum(steps["reward"][later] for later in own)
        assert steps["won"][at] == pytest.approx(1 / len(outcome.winners) if seat in outcome.winners else 0)


@pytest.mark.parametrize("key", GAMES)
def test_records_convert_to_the_same_decisions(key: str, tmp_path: Path) -> None:
    simulated(key, tmp_path / "steps", "--records", tmp_path / "records")
    records = sorted((tmp_path / "records").iterdir())
    call("steps", *records, "--output", tmp_path / "played.parquet")
    converted, simulated_rows = table(*sorted((tmp_path / "steps").iterdir())), table(tmp_path / "played.parquet")
    assert converted.keys() == simulated_rows.keys()
    for name in converted:
        assert converted[name].tolist() == simulated_rows[name].tolist(), name


def test_the_same_on_one_core_and_on_a_cluster_and_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = simulated("paris-connection", tmp_path / "one", games=3)
    assert simulated("paris-connection", tmp_path / "two", "--jobs", "2", "--dask", "local", games=3) == once
    first, second = ({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert first == second
    assert sorted(first) == [f"paris-connection-1-00000000{number}.parquet" for number in (1, 2, 3)]
    (tmp_path / "one" / "paris-connection-1-000000002.parquet").unlink()
    played: list[int] = []
    from spieltisch.lab import batches

    def play(piece: batches.Batch, really: Any = batches.play_batch) -> batches.BatchResult:
        played.append(piece.first)
        result: batches.BatchResult = really(piece)
        return result

    monkeypatch.setattr(batches, "play_batch", play)
    assert simulated("paris-connection", tmp_path / "one", games=3) == once
    assert played == [2]
    assert {file.name: file.read_bytes() for file in (tmp_path / "one").iterdir()} == second


def test_files_of_other_games_are_refused_and_stay(tmp_path: Path) -> None:
    simulated("paris-connection", tmp_path, games=1)
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    done = simulated("paris-connection", tmp_path, "--max-moves", "7", games=1, code=1)
    assert "decisions of other games; choose another folder" in done.stderr
    assert file.read_bytes() == content
    file.write_bytes(b"no Parquet")
    assert "no file of decisions" in simulated("paris-connection", tmp_path, games=1, code=1).stderr


def test_records_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    running, other, output = tmp_path / "running.txt", tmp_path / "other", tmp_path / "steps.parquet"
    Record.of(spieltisch.game("paris-connection").start(seats=3, seed=1), [], seed=1).write(running)
    assert "the game is not over" in call("steps", running, "--output", output, code=1).stderr
    for key in ("paris-connection", "legendary-inventors"):
        call("simulate", key, "--bots", BOTS, "--games", "1", "--records", other)
    done = call("steps", *sorted(other.iterdir()), "--output", output, code=1)
    assert "a game of paris-connection, not of legendary-inventors" in done.stderr
    three, four = tmp_path / "three", tmp_path / "four"
    call("simulate", "paris-connection", "--bots", BOTS, "--games", "1", "--records", three)
    call("simulate", "paris-connection", "--bots", f"{BOTS},random", "--games", "1", "--records", four)
    done = call("steps", *three.iterdir(), *four.iterdir(), "--output", output, code=1)
    assert "other seats, options or components than" in done.stderr
    assert not output.exists()


def test_the_data_set_of_the_page_reads_them(tmp_path: Path) -> None:
    simulated("paris-connection", tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "simulation.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"```python\n(import numpy.*?)```", page, re.S)
    assert len([line for line in snippet.splitlines() if line]) == 10
    namespace: dict[str, Any] = {}
    exec(snippet, namespace)  # noqa: S102  # our own page
    files = sorted(tmp_path.iterdir())
    decisions = namespace["Decisions"](files)
    assert len(decisions) == len(table(*files)["action"])
    first = decisions[0]
    setup = spieltisch.game("paris-connection").setup(3)
    assert (first["observation"].dtype, first["mask"].shape, first["mask"][first["action"]]) == (
        np.int16,
        (setup.game.moves,),
        True,
    )
