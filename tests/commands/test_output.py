"""Check the output of commands, and commands whose output cannot be written."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from spieltisch.commands.output import CommandOutput
from spieltisch.live import Live
from spieltisch.store.schema import DATABASE
from spieltisch.tables import NewTable
from tests.commands.finished_games import simulated

SPIELTISCH = str(Path(sys.executable).parent / "spieltisch")
EXPORT = ("components", "export", "paris-connection")


def run_as_shell(*words: object, encoding: str = "utf-8", **pipes: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a separate process, as a shell does."""
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **pipes}
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run([SPIELTISCH, *map(str, words)], env=environment, check=False, **streams)


def run_with_unread_output(*words: object) -> subprocess.CompletedProcess[bytes]:
    """Run a command whose output goes into a pipe that is never read."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return run_as_shell(*words, stdout=writing)
    finally:
        os.close(writing)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return a record with a player's name that some code pages lack."""
    file = tmp_path / "1.txt"
    msgspec.structs.replace(simulated(1), players=("Łukasz", "B", "C")).write(file)
    return file


# --- What is printed. ---


def test_text_lines_and_the_json_object_show_the_same_values(capsys: pytest.CaptureFixture[str]) -> None:
    for as_json in (False, True):
        output = CommandOutput(as_json=as_json)
        output.show({"game": "toy", "created": 86400.0}, "{title} ({game}), {created:day}", title="A {toy}")
        output.rows("bots", ({"name": name, "wins": wins} for name, wins in (("a", 1), ("b", 2.5))),
                    "{row}. {name:<4}{wins:.1f} {wins:win|wins}")  # fmt: skip
        output.rows("none", (), "{nothing}")
        output.row("bots", {"name": "c", "wins": 0}, lambda row: None)
        output.print("That is all.")
        output.print_json()
    lines, brace, object_ = capsys.readouterr().out.partition("{\n")
    assert lines == "A {toy} (toy), 1970-01-02\n1. a   1.0 win\n2. b   2.5 wins\nThat is all.\n"
    bots = [{"name": "a", "wins": 1}, {"name": "b", "wins": 2.5}, {"name": "c", "wins": 0}]
    expected_values = {"ok": True, "faults": [], "game": "toy", "created": 86400.0, "bots": bots, "none": []}
    assert json.loads(brace + object_) == expected_values
    assert list(json.loads(brace + object_)) == list(expected_values)


def test_printed_characters_outside_the_code_page_are_escaped(record: Path) -> None:
    polish, western = run_as_shell("replay", record), run_as_shell("replay", record, encoding="cp1252")
    assert (polish.returncode, western.returncode, western.stderr) == (0, 0, b"")
    assert "Łukasz" in polish.stdout.decode()
    assert western.stdout.decode("cp1252") == polish.stdout.decode().replace("Ł", r"\u0141")
    objects = [
        run_as_shell("replay", record, "--json", encoding=encoding).stdout for encoding in ("utf-8", "cp1252", "ascii")
    ]
    assert json.loads(objects[0])["players"][0] == "Łukasz"
    assert objects[0].decode() != objects[2].decode("ascii")
    for encoded, encoding in zip(objects, ("utf-8", "cp1252", "ascii"), strict=True):
        assert json.loads(encoded.decode(encoding)) == json.loads(objects[0])


def test_lists_of_people_and_tables_escape_characters_outside_the_code_page(tmp_path: Path) -> None:
    async def furnish() -> None:
        live = await Live.open(tmp_path / DATABASE)
        try:
            person, _ = await live.people.create("Łukasz")
            await live.tables.open(person, NewTable("paris-connection", ("me", "open", "open")))
        finally:
            await live.close()

    asyncio.run(furnish())
    for command in ("people", "tables"):
        words = (command, "list", "--data", tmp_path)
        western, object_ = run_as_shell(*words, encoding="cp1252"), run_as_shell(*words, "--json", encoding="cp1252")
        assert (western.returncode, western.stderr, object_.returncode) == (0, b"", 0)
        assert r"\u0141ukasz" in western.stdout.decode("cp1252")
        assert "Łukasz" in json.dumps(json.loads(object_.stdout.decode("cp1252")), ensure_ascii=False)


def test_a_file_name_that_is_not_valid_text_is_escaped(tmp_path: Path) -> None:
    missing = os.fsdecode(b"caf\xe9.record")
    for options in ((), ("--json",)):
        result = run_as_shell("verify", missing, *options, cwd=tmp_path)
        assert result.returncode == 1
        assert result.stderr.decode() == "caf\\udce9.record: No such file or directory\n"
    assert json.loads(result.stdout)["faults"] == [f"{missing}: No such file or directory"]


# --- Where it cannot be written. ---


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [EXPORT, (*EXPORT, "--json"), ("--version",)])
def test_an_output_to_a_full_disk_ends_with_an_error(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full_device:
        result = run_as_shell(*words, stdout=full_device)
    assert result.returncode == 1
    assert result.stderr.decode() == "spieltisch: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_an_output_to_a_full_disk_is_not_reported_as_an_error_of_the_input_file(record: Path) -> None:
    with Path("/dev/full").open("wb") as full_device:
        completed = run_as_shell("replay", record, stdout=full_device)
        assert completed.returncode == 1
        assert completed.stderr.decode() == "spieltisch: the output cannot be written: No space left on device\n"
        result = run_as_shell("simulate", "chess", "--json", stderr=full_device)
    assert result.returncode == 1
    assert json.loads(result.stdout)["faults"][0].startswith("there is no game 'chess'")


@pytest.mark.parametrize("words", [EXPORT, (*EXPORT, "--json"), ("--version",)])
def test_a_closed_pipe_ends_the_command_silently(words: tuple[str, ...]) -> None:
    result = run_with_unread_output(*words)
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.skipif(os.name == "nt", reason="closed by a shell")
def test_an_output_closed_before_the_start_is_reported() -> None:
    command = ["sh", "-c", 'exec "$0" "$@" >&-', SPIELTISCH, *EXPORT]
    result = subprocess.run(command, capture_output=True, check=False)
    assert (result.returncode, result.stdout) == (1, b"")
    assert result.stderr.decode() == "spieltisch: the output cannot be written: Bad file descriptor\n"


def test_a_command_finishes_its_work_if_its_output_is_not_read(tmp_path: Path) -> None:
    async def arrived() -> list[str]:
        live = await Live.open(tmp_path / DATABASE)
        people = [(await live.people.create(name))[0].id for name in ("Ada", "Bo", "Cyd")]
        await live.close()
        return people

    removed_id, also_removed, _ = asyncio.run(arrived())
    result = run_with_unread_output("people", "remove", removed_id, also_removed, "--data", tmp_path)
    assert (result.returncode, result.stderr) == (1, b"")
    remaining_people = json.loads(run_as_shell("people", "list", "--json", "--data", tmp_path).stdout)["people"]
    assert [person["name"] for person in remaining_people] == ["Cyd"]
