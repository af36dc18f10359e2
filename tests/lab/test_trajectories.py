"""Check trajectories, the same from simulations, records, one process and a cluster."""

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
from tests.paths import ROOT

BOTS = "random,beginner,random"  # games of beginners are played in Python, in files of one game each


def call(*words: str | Path, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [*map(str, words)])
    assert result.exit_code == code, result.output
    return result


def simulated(key: str, folder: Path, *option_words: str | Path, games: int = 2, code: int = 0) -> Any:
    words = ("simulate", key, "--bots", BOTS, "--games", str(games), "--steps", folder, *option_words, "--json")
    result = call(*words, code=code)
    output = json.loads(result.stdout) if code == 0 else result
    if code == 0:
        del output["seconds"]
    return output


def table(*files: Path) -> dict[str, np.ndarray[Any, Any]]:
    columns = parquet.read_table([*files]).to_pydict()
    return {name: np.array(values) for name, values in columns.items()}


@pytest.mark.parametrize("key", GAMES)
def test_each_trajectory_step_has_the_observation_and_the_result_of_its_seat(key: str, tmp_path: Path) -> None:
    simulated(key, tmp_path / "steps", "--records", tmp_path / "records", games=1)
    (file,), (path,) = (tmp_path / "steps").iterdir(), (tmp_path / "records").iterdir()
    steps, record = table(file), Record.read(path)
    before = [position.copy() for position in record.positions()]
    end = before.pop()
    outcome = end.outcome
    assert outcome is not None
    assert steps["step"].tolist() == [*range(1, len(record.moves) + 1)]
    for step_number, position in enumerate(before):
        seat = position.seat
        assert seat is not None
        assert steps["seat"][step_number] == seat
        assert steps["observation"][step_number].tolist() == position.observe(seat).vector.tolist()
        assert steps["mask"][step_number].tolist() == position.legal_moves.mask.tolist()
        assert steps["action"][step_number] == position.move(record.moves[step_number].move).number
        assert steps["return"][step_number] == end.scores[seat] - position.scores[seat]
        own_steps = [later_step for later_step in range(step_number, len(before)) if before[later_step].seat == seat]
        assert steps["return"][step_number] == sum(steps["reward"][later_step] for later_step in own_steps)
        assert steps["won"][step_number] == pytest.approx(1 / len(outcome.winners) if seat in outcome.winners else 0)


@pytest.mark.parametrize("key", GAMES)
def test_records_convert_to_the_same_trajectories(key: str, tmp_path: Path) -> None:
    simulated(key, tmp_path / "steps", "--records", tmp_path / "records")
    records = sorted((tmp_path / "records").iterdir())
    call("steps", *records, "--output", tmp_path / "played.parquet")
    converted, simulated_rows = table(*sorted((tmp_path / "steps").iterdir())), table(tmp_path / "played.parquet")
    assert converted.keys() == simulated_rows.keys()
    for name in converted:
        assert converted[name].tolist() == simulated_rows[name].tolist(), name


def test_trajectories_are_the_same_on_a_cluster_and_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output_at_once = simulated("paris-connection", tmp_path / "one", games=3)
    assert simulated("paris-connection", tmp_path / "two", "--jobs", "2", "--dask", "local", games=3) == output_at_once
    first, second = ({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert first == second
    assert sorted(first) == [f"paris-connection-1-00000000{number}.parquet" for number in (1, 2, 3)]
    (tmp_path / "one" / "paris-connection-1-000000002.parquet").unlink()
    played_numbers: list[int] = []
    from spieltisch.lab import batches

    def play(piece: batches.Batch, really: Any = batches.play_batch) -> batches.BatchResult:
        played_numbers.append(piece.first)
        result: batches.BatchResult = really(piece)
        return result

    monkeypatch.setattr(batches, "play_batch", play)
    assert simulated("paris-connection", tmp_path / "one", games=3) == output_at_once
    assert played_numbers == [2]
    assert {file.name: file.read_bytes() for file in (tmp_path / "one").iterdir()} == second


def test_trajectory_files_of_other_games_are_refused_and_left_unchanged(tmp_path: Path) -> None:
    simulated("paris-connection", tmp_path, games=1)
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    result = simulated("paris-connection", tmp_path, "--max-moves", "7", games=1, code=1)
    assert "decisions of other games; choose another folder" in result.stderr
    assert file.read_bytes() == content
    file.write_bytes(b"no Parquet")
    assert "no file of decisions" in simulated("paris-connection", tmp_path, games=1, code=1).stderr


def test_converting_records_of_running_or_mixed_games_is_refused(tmp_path: Path) -> None:
    running_file, other_file, output = tmp_path / "running.txt", tmp_path / "other", tmp_path / "steps.parquet"
    Record.of(spieltisch.game("paris-connection").start(seats=3, seed=1), [], seed=1).write(running_file)
    assert "the game is not over" in call("steps", running_file, "--output", output, code=1).stderr
    for key in ("paris-connection", "legendary-inventors"):
        call("simulate", key, "--bots", BOTS, "--games", "1", "--records", other_file)
    result = call("steps", *sorted(other_file.iterdir()), "--output", output, code=1)
    assert "a game of paris-connection, not of legendary-inventors" in result.stderr
    mixed_folder, folder_of_four = tmp_path / "three", tmp_path / "four"
    call("simulate", "paris-connection", "--bots", BOTS, "--games", "1", "--records", mixed_folder)
    call("simulate", "paris-connection", "--bots", f"{BOTS},random", "--games", "1", "--records", folder_of_four)
    result = call("steps", *mixed_folder.iterdir(), *folder_of_four.iterdir(), "--output", output, code=1)
    assert "other seats, options or components than" in result.stderr
    assert not output.exists()


def test_the_data_set_class_in_the_docs_reads_trajectories(tmp_path: Path) -> None:
    simulated("paris-connection", tmp_path)
    page = (ROOT / "docs" / "simulation.md").read_text(encoding="utf-8")
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
