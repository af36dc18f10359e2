"""`--json`: every command prints one object of the same shape, after success and after errors."""

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
from tests.commands.test_records import simulated

NO_RESULT = {"serve"}


def ask(*words: object) -> dict[str, Any]:
    """The object that a call prints, and nothing beside it."""
    done = CliRunner().invoke(app, [*(str(word) for word in words), "--json"])
    output = json.loads(done.stdout)
    assert isinstance(output, dict)
    assert list(output)[:2] == ["ok", "faults"]
    assert output["ok"] == (output["faults"] == []) == (done.exit_code == 0)
    assert done.exit_code in (0, 1)
    return output


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*path, name))
    if not hasattr(command, "commands"):
        yield " ".join(path), command


@pytest.fixture
def record(tmp_path: Path) -> Path:
    simulated(1).write(tmp_path / "1.txt")
    return tmp_path / "1.txt"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with an empty database."""

    async def create_database() -> None:
        await (await Store.open(tmp_path / "data" / DATABASE)).close()

    asyncio.run(create_database())
    return tmp_path / "data"


def test_every_command_with_a_result_has_it() -> None:
    without = {
        name
        for name, command in commands(typer.main.get_command(app))
        if not any("--json" in parameter.opts for parameter in command.params)
    }
    assert without == NO_RESULT


def test_backup_and_restore(data: Path, tmp_path: Path) -> None:
    backed_up = ask("backup", tmp_path / "copy", "--data", data)
    assert backed_up["contents"] == {"revision": HEAD, "people": 0, "tables": {}}
    restored = ask("restore", tmp_path / "copy", "--data", tmp_path / "new")
    assert restored["file"] == str(tmp_path / "new" / DATABASE)
    assert restored["contents"] == backed_up["contents"]
    assert "already exists and is not overwritten" in ask("backup", tmp_path / "copy", "--data", data)["faults"][0]


def test_import_and_export(record: Path, data: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.txt"
    torn.write_text(record.read_text("utf-8").replace("digest: ", "digest: 0"), "utf-8")
    output = ask("import", record, torn, "--data", data)
    assert output["faults"] == [f"{torn}: digest: the last position is another one"]
    (table,) = output["tables"]
    assert (table["file"], table["new"]) == (str(record), True)
    assert ask("import", record, "--data", data)["tables"] == [{**table, "new": False}]
    (file,) = ask("export", tmp_path / "games", "--data", data)["files"]
    assert Record.read(Path(file)).moves == Record.read(record).moves
    assert ask("verify", "--data", data)["tables"] == {"looked_at": 1, "verified": 1}


def test_verify(record: Path, tmp_path: Path) -> None:
    assert ask("verify", record)["records"] == {"looked_at": 1, "verified": 1}
    torn = tmp_path / "torn.txt"
    torn.write_text(record.read_text("utf-8").replace("digest: ", "digest: 0"), "utf-8")
    output = ask("verify", record, torn)
    assert output["faults"] == [f"{torn}: digest: the last position is another one"]
    assert output["records"] == {"looked_at": 2, "verified": 1}
    assert ask("verify")["faults"] == ["give record files, or a folder with --data"]


def test_replay(record: Path) -> None:
    output = ask("replay", record)
    game = simulated(1)
    assert [move["move"] for move in output["moves"]] == [play.move for play in game.moves]
    assert output["moves"][0]["log"]
    assert output["over"]
    assert game.result is not None
    assert (output["scores"], output["winners"]) == (list(game.result["scores"]), list(game.result["winners"]))
    begun = ask("replay", record, "--at", 3)
    assert (len(begun["moves"]), begun["over"]) == (3, False)
    assert begun["prompt"]


def test_steps(record: Path, tmp_path: Path) -> None:
    output = ask("steps", record, "--output", tmp_path / "steps.parquet")
    game = simulated(1)
    assert (output["game"], output["games"], output["steps"]) == (game.game, 1, len(game.moves))


@pytest.mark.build
def test_analyse(record: Path, tmp_path: Path) -> None:
    output = ask("analyse", record, "--simulations", 4)
    game = simulated(1)
    assert (output["game"], output["moves"]) == (game.game, len(game.moves))
    assert game.result is not None
    assert [seat for seat, won in enumerate(output["won"], 1) if won] == list(game.result["winners"])
    for turn in output["turns"]:
        plays = game.moves[turn["number"] - 1 : turn["last"]]
        assert [(turn["seat"], move) for move in turn["moves"]] == [(play.seat + 1, play.move) for play in plays]
        assert len(turn["chances"]) == len(turn["doubts"]) == game.seats
    for row in output["accuracy"]:
        assert row["turns"] == sum(each["seat"] == row["seat"] and each["counts"] for each in output["turns"])
    assert set(output["turning_points"]) <= {turn["number"] for turn in output["turns"] if turn["cost"]}
    assert ask("analyse", record, "--simulations", 4, "--jobs", 2) == output
    assert ask("analyse", record, "--simulations", 4, "--seed", 2) != output
    begun = tmp_path / "begun.txt"
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    Record.of(position, [], seed=1).write(begun)
    assert ask("analyse", begun)["faults"] == [f"{begun}: the game is not over"]


def test_doctor(data: Path, tmp_path: Path) -> None:
    output = ask("doctor", "--data", data, "--port", 65_432)
    assert {finding["grade"] for finding in output["findings"]} <= {"ok", "note", "do"}
    (tmp_path / "file").touch()
    output = ask("doctor", "--data", tmp_path / "file", "--port", 65_432)
    assert output["faults"] == [finding["text"] for finding in output["findings"] if finding["grade"] == "do"]
    assert "is a file" in output["faults"][0]


def test_components(tmp_path: Path) -> None:
    own = spieltisch.game("paris-connection").components
    assert ask("components", "export", "paris-connection")["text"] == own.text
    file = tmp_path / "own.toml"
    assert ask("components", "export", "paris-connection", file)["file"] == str(file)
    assert ask("components", "check", file)["digest"] == own.digest
    file.write_text(own.text.replace("\npenalty = 20 ", '\npenalty = "ten" '), "utf-8")
    (fault,) = ask("components", "check", file)["faults"]
    assert fault.startswith(f"{file}:")
    assert fault.endswith(": turn.penalty must be a whole number.")
    faults = ask("simulate", "paris-connection", "--components", file)["faults"]
    assert faults == [fault]


def test_who_asks_for_what_is_not_there_is_told_so() -> None:
    for call in (["simulate", "chess"], ["bench", "chess"], ["fuzz", "chess"], ["components", "export", "chess"]):
        assert ask(*call)["faults"][0].startswith("there is no game 'chess'")
