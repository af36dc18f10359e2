"""Check `--json`, with which every command prints one object of the same shape after success and after errors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

import spieltisch
from spieltisch.cli import app
from spieltisch.core.record import Record
from spieltisch.store import Store
from spieltisch.store.schema import DATABASE, HEAD
from tests.commands.finished_games import simulated
from tests.sentences import sentence_after

NO_RESULT = {"serve"}


def ask(*words: object) -> dict[str, Any]:
    """Return the JSON object that a command prints, and check that it prints nothing else."""
    result = CliRunner().invoke(app, [*(str(word) for word in words), "--json"])
    output = json.loads(result.stdout)
    assert isinstance(output, dict)
    assert list(output)[:2] == ["ok", "faults"]
    assert output["ok"] == (output["faults"] == []) == (result.exit_code == 0)
    assert result.exit_code in (0, 1)
    return output


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, subcommands in getattr(command, "commands", {}).items():
        yield from commands(subcommands, (*path, name))
    if not hasattr(command, "commands"):
        yield " ".join(path), command


@pytest.fixture
def record(tmp_path: Path) -> Path:
    simulated(1).write(tmp_path / "1.txt")
    return tmp_path / "1.txt"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with an empty database."""

    async def create_database() -> None:
        await (await Store.open(tmp_path / "data" / DATABASE)).close()

    asyncio.run(create_database())
    return tmp_path / "data"


def test_every_command_with_a_result_has_a_json_option() -> None:
    commands_without_option = {
        name
        for name, command in commands(typer.main.get_command(app))
        if not any("--json" in parameter.opts for parameter in command.params)
    }
    assert commands_without_option == NO_RESULT


def test_backup_and_restore_print_json(data: Path, tmp_path: Path) -> None:
    backed_up = ask("backup", tmp_path / "copy", "--data", data)
    assert backed_up["contents"] == {"revision": HEAD, "people": 0, "tables": {}}
    restored = ask("restore", tmp_path / "copy", "--data", tmp_path / "new")
    assert restored["file"] == str(tmp_path / "new" / DATABASE)
    assert restored["contents"] == backed_up["contents"]
    assert "already exists and is not overwritten" in ask("backup", tmp_path / "copy", "--data", data)["faults"][0]


def test_import_and_export_print_json(record: Path, data: Path, tmp_path: Path) -> None:
    torn_file = tmp_path / "torn.txt"
    torn_file.write_text(record.read_text("utf-8").replace("digest: ", "digest: 0"), "utf-8")
    output = ask("import", record, torn_file, "--data", data)
    assert output["faults"] == [f"{torn_file}: digest: the last position is another one"]
    (table,) = output["tables"]
    assert (table["file"], table["new"]) == (str(record), True)
    assert ask("import", record, "--data", data)["tables"] == [{**table, "new": False}]
    (file,) = ask("export", tmp_path / "games", "--data", data)["files"]
    assert Record.read(Path(file)).moves == Record.read(record).moves
    assert ask("verify", "--data", data)["tables"] == {"looked_at": 1, "verified": 1}


def test_verify_prints_json(record: Path, tmp_path: Path) -> None:
    assert ask("verify", record)["records"] == {"looked_at": 1, "verified": 1}
    torn_file = tmp_path / "torn.txt"
    torn_file.write_text(record.read_text("utf-8").replace("digest: ", "digest: 0"), "utf-8")
    output = ask("verify", record, torn_file)
    assert output["faults"] == [f"{torn_file}: digest: the last position is another one"]
    assert output["records"] == {"looked_at": 2, "verified": 1}
    assert ask("verify")["faults"] == ["give record files, a folder with --data, or a database with --database"]


def test_replay_prints_json(record: Path) -> None:
    output = ask("replay", record)
    game = simulated(1)
    assert [move["move"] for move in output["moves"]] == [play.move for play in game.moves]
    assert output["moves"][0]["log"]
    assert output["over"]
    assert game.result is not None
    assert (output["scores"], output["winners"]) == (list(game.result["scores"]), list(game.result["winners"]))
    replay_output = ask("replay", record, "--at", 3)
    assert (len(replay_output["moves"]), replay_output["over"]) == (3, False)
    assert replay_output["prompt"]


def test_steps_prints_json(record: Path, tmp_path: Path) -> None:
    output = ask("steps", record, "--output", tmp_path / "steps.parquet")
    game = simulated(1)
    assert (output["game"], output["games"], output["steps"]) == (game.game, 1, len(game.moves))


@pytest.mark.build
def test_analyse_prints_json(record: Path, tmp_path: Path) -> None:
    output = ask("analyse", record, "--simulations", 4)
    game = simulated(1)
    assert (output["game"], output["moves"]) == (game.game, len(game.moves))
    assert game.result is not None
    assert [seat for seat, has_won in enumerate(output["won"], 1) if has_won] == list(game.result["winners"])
    for turn in output["turns"]:
        plays = game.moves[turn["number"] - 1 : turn["last"]]
        assert [(turn["seat"], move) for move in turn["moves"]] == [(play.seat + 1, play.move) for play in plays]
        assert len(turn["chances"]) == len(turn["doubts"]) == game.seats
    for row in output["accuracy"]:
        assert row["turns"] == sum(
            row_of_turn["seat"] == row["seat"] and row_of_turn["counts"] for row_of_turn in output["turns"]
        )
    assert set(output["turning_points"]) <= {turn["number"] for turn in output["turns"] if turn["cost"]}
    assert ask("analyse", record, "--simulations", 4, "--jobs", 2) == output
    assert ask("analyse", record, "--simulations", 4, "--seed", 2) != output
    analysis_file = tmp_path / "begun.txt"
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    Record.of(position, [], seed=1).write(analysis_file)
    assert ask("analyse", analysis_file)["faults"] == [f"{analysis_file}: the game is not over"]


def test_doctor_prints_json(data: Path, tmp_path: Path) -> None:
    output = ask("doctor", "--data", data, "--port", 65_432)
    assert {finding["grade"] for finding in output["findings"]} <= {"ok", "note", "do"}
    (tmp_path / "file").touch()
    output = ask("doctor", "--data", tmp_path / "file", "--port", 65_432)
    assert output["faults"] == [finding["text"] for finding in output["findings"] if finding["grade"] == "do"]
    assert "is a file" in output["faults"][0]


def test_components_prints_json(tmp_path: Path) -> None:
    own_components = spieltisch.game("paris-connection").components
    assert ask("components", "export", "paris-connection")["text"] == own_components.text
    file = tmp_path / "own.toml"
    assert ask("components", "export", "paris-connection", file)["file"] == str(file)
    assert ask("components", "check", file)["digest"] == own_components.digest
    file.write_text(own_components.text.replace("\npenalty = 20 ", '\npenalty = "ten" '), "utf-8")
    (fault,) = ask("components", "check", file)["faults"]
    whole_number = sentence_after("core/toml_validation.py", "elif inner is int:", path="turn.penalty")
    assert fault.startswith(f"{file}:")
    assert fault.endswith(f": {whole_number}")
    faults = ask("simulate", "paris-connection", "--components", file)["faults"]
    assert faults == [fault]


def test_missing_people_tables_and_files_are_reported_in_json() -> None:
    for call in (["simulate", "chess"], ["bench", "chess"], ["fuzz", "chess"], ["components", "export", "chess"]):
        assert ask(*call)["faults"][0].startswith("there is no game 'chess'")
