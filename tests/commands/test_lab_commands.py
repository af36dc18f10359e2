"""Check the commands for simulation and measurement with command-line arguments."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

import spieltisch
from spieltisch import commands
from spieltisch.cli import app
from spieltisch.commands.simulate import heading
from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES
from spieltisch.lab.simulation import MAX_MOVES, Simulation, record
from tests.sentences import sentence_after


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the paths of three records of simulated games."""
    folder = tmp_path_factory.mktemp("games") / "new"
    folder.mkdir()
    simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["easy", "random", "random"], seed=1)
    for number in (1, 2, 3):
        record(simulation, number).write(folder / f"paris-connection-1-{number:06}.txt")
    return folder


@pytest.fixture
def own_components(tmp_path: Path) -> Path:
    """Return the path of a component file with changed values."""
    file = tmp_path / "own.toml"
    assert run("components", "export", "paris-connection", file).exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert "\npenalty = 20 " in text
    file.write_text(text.replace("\npenalty = 20 ", "\npenalty = 10 "), encoding="utf-8")
    return file


# --- simulate ---


@pytest.mark.build
def test_simulate_counts_wins_and_points() -> None:
    result = run("simulate", "paris-connection", "--seats", 4, "--games", 40, "--seed", 2)
    assert result.exit_code == 0
    assert "40 games, seed 2" in result.output
    assert "4 random" in result.output
    assert "Ended by P14" in result.output


def test_the_heading_of_simulate_lists_the_options_of_the_game(toy: str) -> None:
    assert heading(spieltisch.game(toy).setup(3)) == "Lanterns, 3 seats, standard"
    assert heading(spieltisch.game("paris-connection").setup(3)).endswith("standstill=goes on, memory_aid=true")
    assert "toy has no options" in run("simulate", toy, "--option", "cutoff").stderr


@pytest.fixture
def long_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a bot in a file, longer than the names of our bots."""
    monkeypatch.chdir(tmp_path)
    text = "def takes_the_first_move(seen, seed, seconds):\n    return seen.legal_moves[0]\n"
    Path("first_of_all.py").write_text(text, encoding="utf-8")
    return "first_of_all.py:takes_the_first_move"


def test_the_columns_of_simulate_stand_below_their_headings_however_long_a_name_is(toy: str, long_name: str) -> None:
    lines = run("simulate", toy, "--bots", f"{long_name},random", "--games", 2).output.splitlines()
    (heading_line,) = (line for line in lines if line.startswith("bot "))
    column = heading_line.index("share") + len("share") - 1
    assert [line[column] for line in lines if line.endswith("%") or "%  " in line] == ["%"] * 4


@pytest.mark.parametrize("command", ["arena", "rate"])
def test_the_columns_of_a_ranking_are_aligned_however_long_a_name_is(command: str, toy: str, long_name: str) -> None:
    words = {
        "arena": (toy, "--bots", f"{long_name},random", "--seats", 2, "--games", 2),
        "rate": ("paris-connection", long_name, "--against", "random-1", "--games", 1),
    }
    result = run(command, *words[command])
    assert result.exit_code == 0, result.output
    ranks = [line for line in result.output.splitlines() if re.match(r"\d+\. ", line)]
    assert any(long_name in line for line in ranks)
    assert len({line.index(",") for line in ranks}) == 1, result.output


@pytest.mark.build
def test_simulate_prints_json() -> None:
    result = run("simulate", "paris-connection", "--bots", "easy,random,random", "--games", 10, "--json")
    output = json.loads(result.stdout)
    assert (output["games"], output["seats"], output["seed"]) == (10, 3, 1)
    assert output["options"] == {"cut_off": "strict", "stations": "closed", "standstill": "goes on", "memory_aid": True}
    assert [bot["name"] for bot in output["bots"]] == ["easy", "random", "random"]
    assert sum(bot["wins"] for bot in output["bots"]) == pytest.approx(10)
    assert sum(turn["wins"] for turn in output["turns"]) == pytest.approx(10)
    assert [turn["games"] for turn in output["turns"]] == [10, 10, 10]
    assert sum(output["ended_by"].values()) == 10
    assert output["shortest"] <= output["moves_per_game"] <= output["longest"]


@pytest.mark.build
def test_simulate_reports_games_stopped_at_the_move_limit() -> None:
    words = ("simulate", "paris-connection", "--seats", 3, "--games", 2, "--max-moves", 30)
    output = run(*words).output
    assert "\nEnded by move limit 2 (100.0%).\n" in output
    assert output.endswith("\n2 games stopped after 30 moves; all seats share the win.\n")
    simulated = json.loads(run(*words, "--json").stdout)
    assert (simulated["max_moves"], simulated["ended_by"], simulated["longest"]) == (30, {"move limit": 2}, 30)
    assert [bot["wins"] for bot in simulated["bots"]] == pytest.approx([2 / 3] * 3)
    usual = run(*words[:-2], "--json")
    assert json.loads(usual.stdout)["max_moves"] == MAX_MOVES
    assert "stopped" not in run(*words[:-2]).output
    assert run(*words[:-1], 0).exit_code == 2


@pytest.mark.build
def test_simulate_accepts_options_and_components(own_components: Path, tmp_path: Path) -> None:
    words = ("simulate", "paris-connection", "--option", "cut_off=weak", "--option", "memory_aid=false", "--components")
    result = run(*words, own_components, "--games", 2, "--records", tmp_path)
    assert result.exit_code == 0, result.output
    record = Record.read(tmp_path / "paris-connection-1-000001.txt")
    assert record.options == {"cut_off": "weak", "stations": "closed", "standstill": "goes on", "memory_aid": False}
    assert record.components_digest != spieltisch.game("paris-connection").components.digest
    assert run("verify", tmp_path / "paris-connection-1-000001.txt").exit_code == 1
    result = run("verify", tmp_path / "paris-connection-1-000001.txt", "--components", own_components)
    assert result.exit_code == 0, result.output
    assert run("replay", tmp_path / "paris-connection-1-000001.txt", "--components", own_components).exit_code == 0


@pytest.mark.parametrize(
    ("words", "expected_text"),
    [
        (["chess"], "there is no game 'chess'"),
        (["paris-connection", "--seats", "7"], "seats: 7 is not from 3 to 6"),
        (["paris-connection", "--bots", "easy,clever,random"], "there is no bot 'clever'"),
        (["paris-connection", "--bots", "easy,random"], "seats: 2 is not from 3 to 6"),
        (["paris-connection", "--bots", "easy,random,random", "--seats", "4"], "3 bots cannot take 4 seats"),
        (["paris-connection", "--option", "cut_off=gently"], "cut_off is one of strict, weak"),
        (["paris-connection", "--option", "cutoff"], "paris-connection has cut_off, stations, standstill, memory_aid"),
        (["paris-connection", "--seed", str(1 << 40)], "seed: "),
        (["paris-connection", "--games", str(1 << 40)], "--games: "),
        (["paris-connection", "--components", "no/such/file.toml"], "No such file"),
        (["paris-connection", "--records", __file__ + "/below"], "Not a directory"),
    ],
)
def test_simulate_refuses_invalid_arguments(words: list[str], expected_text: str) -> None:
    result = run("simulate", *words)
    assert result.exit_code == 1
    assert expected_text in result.stderr
    assert result.stdout == ""


@pytest.mark.build
def test_simulate_loads_neither_the_web_nor_the_database() -> None:
    program = (
        "import sys; from spieltisch.cli import app; app(sys.argv[1:], standalone_mode=False);"
        "print({'litestar', 'uvicorn', 'sqlalchemy', 'alembic', 'rich.progress'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, "simulate", "paris-connection", "--games", "1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\n1 game, seed" in result.stdout
    assert result.stdout.endswith("set()\n")


@pytest.mark.build
def test_the_first_simulation_announces_the_compilation_of_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = spieltisch.game("paris-connection", compiled=True).setup(3)
    monkeypatch.setattr(setup.game.engine.binding, "_folder", tmp_path)
    notices: list[str] = []
    monkeypatch.setattr(typer, "echo", lambda text, err: notices.append(text))
    commands.say_if_compiling(setup)
    assert notices == ["Compiling the rules of paris-connection, once for this machine: up to a minute or two ..."]
    monkeypatch.undo()
    assert run("simulate", "paris-connection", "--games", 1).exit_code == 0
    assert run("simulate", "paris-connection", "--games", 1).stderr == ""


class Terminal:
    """A stream for errors that claims to be a terminal and records what is written."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("patience", [0.0, 1_000.0])
def test_a_progress_bar_appears_in_long_runs(patience: float, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(commands, "PROGRESS_DELAY_SECONDS", patience)
    monkeypatch.setenv("TERM", "xterm")

    def steps() -> Iterator[int]:
        yield 60
        yield 40

    assert list(commands.with_progress(steps(), 100, "Games", int)) == [60, 40]
    assert ("Games" in terminal.text) == (patience == 0)


# --- replay and verify ---


def test_replay_prints_the_moves_of_a_record(games: Path) -> None:
    file = games / "paris-connection-1-000001.txt"
    record = Record.read(file)
    output = run("replay", file).output
    assert output.startswith("Paris Connection\n   1  ")
    assert "easy builds " in output
    assert record.result is not None
    for seat, points in enumerate(record.result["scores"]):
        mark = "*" if seat + 1 in record.result["winners"] else " "
        assert f"{mark} {record.players[seat]}  {points}\n" in output


def test_replay_stops_at_the_requested_move(games: Path) -> None:
    file = games / "paris-connection-1-000001.txt"
    output = run("replay", file, "--at", 5).output
    assert "\n   5  " in output
    assert "\n   6  " not in output
    result = run("replay", file, "--at", 5_000)
    assert result.exit_code == 1
    assert "--at: " in result.stderr


def test_replay_prints_in_four_languages(games: Path) -> None:
    file = games / "paris-connection-1-000001.txt"
    assert len({run("replay", file, "--at", 20, "--language", language).output for language in LANGUAGES}) == 4
    assert "no such language" in run("replay", file, "--language", "xx").stderr


def test_verify_accepts_unchanged_records(games: Path) -> None:
    result = run("verify", *sorted(games.iterdir()))
    assert result.exit_code == 0
    assert result.output == "3 of 3 records verified.\n"


@pytest.mark.parametrize(
    ("old", "new", "expected_text"),
    [
        ("seed: ", "seed: 9", "drew: the set-up does not come from the seed or secret"),
        ("\n3 seat ", "\n4 seat ", " is not move 3"),
        ("\n1 seat ", "\n1 seat 1", "move 1: seat "),
        ('"winners": [', '"winners": [9, ', "result: "),
        ("digest: ", "digest: 0", "digest: the last position is another one"),
        ("seats: 3", "seats: 4", "drew: "),
        ("spieltisch record 1", "spieltisch record 2", "line 1: "),
        ("game: paris", "game: london", "there is no game"),
        ("components: france-1 ", "components: france-1 0", "components: played with 'france-1'"),
    ],
)
def test_verify_reports_the_first_difference(
    games: Path, tmp_path: Path, old: str, new: str, expected_text: str
) -> None:
    good_record = games / "paris-connection-1-000001.txt"
    bad = tmp_path / "bad.txt"
    text = good_record.read_text(encoding="utf-8")
    assert old in text
    bad.write_text(text.replace(old, new, 1), encoding="utf-8")
    result = run("verify", bad, good_record)
    assert result.exit_code == 1
    assert result.stderr.startswith((f"{bad}: ", "spieltisch: "))
    assert expected_text in result.stderr


def test_verify_refuses_other_files_than_records(tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(bytes(range(256)))
    for command in ("verify", "replay"):
        assert "byte " in run(command, tmp_path / "noise").stderr
        result = run(command, tmp_path / "missing")
        assert (result.exit_code, "No such file" in result.stderr) == (1, True)
    assert run("verify").exit_code == 1


def test_verify_and_replay_refuse_the_record_of_a_running_game(tmp_path: Path) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    Record.of(position, [], viewer=0).write(tmp_path / "running.txt")
    for command in ("verify", "replay"):
        assert "it replays when the game is over" in run(command, tmp_path / "running.txt").stderr


# --- components ---


def test_exporting_components_overwrites_a_file_only_with_force(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    text = spieltisch.game("paris-connection").components.text
    assert run("components", "export", "paris-connection").stdout == text
    assert run("components", "export", "paris-connection", file).exit_code == 0
    assert file.read_text(encoding="utf-8") == text
    file.write_text("mine", encoding="utf-8")
    second_export = run("components", "export", "paris-connection", file)
    assert (second_export.exit_code, "--force overwrites it" in second_export.stderr) == (1, True)
    assert file.read_text(encoding="utf-8") == "mine"
    assert run("components", "export", "paris-connection", file, "--force").exit_code == 0
    assert file.read_text(encoding="utf-8") == text
    assert run("components", "export", "chess").exit_code == 1
    assert "No such file" in run("components", "export", "paris-connection", tmp_path / "no" / "where").stderr


def test_checking_a_valid_component_file_reports_no_findings(own_components: Path) -> None:
    result = run("components", "check", own_components)
    assert (result.exit_code, "nothing wrong found" in result.output) == (0, True)


def test_checking_a_component_file_names_the_file_and_key_path_of_each_finding(own_components: Path) -> None:
    text = own_components.read_text(encoding="utf-8")
    assert text.count("\npenalty = ") == text.count("column = 12\nrow = 10\n") == 1
    text = text.replace("\npenalty = ", "\npenalty = 0.").replace("column = 12\nrow = 10\n", "row = 10\n")
    own_components.write_text(text, encoding="utf-8")
    result = run("components", "check", own_components)
    missing = sentence_after("core/toml_validation.py", "elif field.required:", path="cities.lyon.column")
    whole_number = sentence_after("core/toml_validation.py", "elif inner is int:", path="turn.penalty")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"{own_components}: cities[30].column: {missing}",
        f"{own_components}: turn.penalty: {whole_number}",
    ]
    german = run("components", "check", own_components, "--language", "de")
    assert german.output.startswith(f"{own_components}: cities[30].column: ")
    assert german.output != result.output


@pytest.mark.parametrize(
    ("text", "expected_text"),
    [
        (
            b"a = = 1\n",
            sentence_after("core/components.py", "def parse_toml", reason="Invalid value (at line 1, column 5)"),
        ),
        (b"\xff", sentence_after("core/components.py", "def _text", line="1")),
    ],
)
def test_checking_a_damaged_component_file_fails_with_a_message(
    tmp_path: Path, text: bytes, expected_text: str
) -> None:
    file = tmp_path / "file.toml"
    file.write_bytes(text)
    result = run("components", "check", file)
    assert (result.exit_code, result.output) == (1, f"{file}: {expected_text}\n")
    assert "No such file" in run("components", "check", tmp_path / "missing").stderr
    assert "no such language" in run("components", "check", file, "--language", "xx").stderr


# --- bench ---


@pytest.mark.parametrize("command", ["bench", "fuzz"])
def test_without_numba_compiling_commands_fail_and_say_what_to_install(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("numba", "llvmlite"):
        monkeypatch.setitem(sys.modules, module, None)
    result = run(command, "paris-connection")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("spieltisch: the rules have to be compiled: Numba cannot be used (")
    assert result.stderr.endswith("-m pip install 'spieltisch[compile]'\n")


@pytest.mark.build
def test_bench_prints_speed_and_size_of_a_game() -> None:
    result = run("bench", "paris-connection", "--seconds", 0.1, "--json")
    bench_output: dict[str, Any] = json.loads(result.stdout)
    assert bench_output["seats"] == 4
    assert bench_output["games_per_second"] > 0
    assert bench_output["moves_per_second"] > bench_output["games_per_second"]
    assert bench_output["ns_per_move"] == pytest.approx(1e9 / bench_output["moves_per_second"])
    assert bench_output["state_bytes"] == spieltisch.game("paris-connection").State.itemsize
    assert bench_output["copy_ns"] > 0
    output = run("bench", "paris-connection", "--seats", 3, "--seconds", 0.1).output
    assert "moves a second" in output


def test_without_numba_simulate_plays_in_python_and_warns_that_python_is_slow(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in ("numba", "llvmlite"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    result = run("simulate", "paris-connection", "--seats", "3", "--games", "2", "--json")
    assert (result.exit_code, json.loads(result.stdout)["games"]) == (0, 2)
    assert result.stderr.startswith("The games are played in Python, which is slow: Numba cannot be used (")
    assert result.stderr.endswith("-m pip install 'spieltisch[compile]'\n")
    assert list(tmp_path.iterdir()) == []


def test_without_a_cache_folder_simulate_plays_in_python_and_names_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPIELTISCH_CACHE", str(Path(os.devnull, "cache")))
    result = run("simulate", "paris-connection", "--seats", "3", "--games", "2", "--json")
    assert (result.exit_code, json.loads(result.stdout)["games"]) == (0, 2)
    assert len(result.stderr.splitlines()) == 1
    assert "SPIELTISCH_CACHE" in result.stderr
    assert "SPIELTISCH_CACHE" in run("bench", "paris-connection").stderr


@pytest.mark.parametrize(
    ("bot", "expected_text"),
    [
        ("def bot(seen, seed, seconds): raise SystemExit(0)", "bot failed at move 1: BotFailed"),
        ("raise SystemExit(0)", "bot.py cannot be loaded: SystemExit"),
        ("bot = 3", "3 is not a callable object"),
        ("def bot(seen): return 0", "it cannot be called with"),
    ],
)
def test_a_bot_that_exits_or_cannot_be_called_is_named_in_the_error(
    bot: str, expected_text: str, tmp_path: Path
) -> None:
    file = tmp_path / "bot.py"
    file.write_text(bot)
    result = run("simulate", "paris-connection", "--games", "1", "--bots", f"{file}:bot,random,random")
    assert result.exit_code == 1
    assert expected_text in result.stderr
    assert "spieltisch/bots" not in result.stderr, "no lines of ours"
    assert "inspect.py" not in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there is no timer of this kind")
def test_a_bot_that_never_answers_is_stopped_and_named_in_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spieltisch.bots.external.ANSWER_SECONDS", 0.1)
    file = tmp_path / "bot.py"
    file.write_text("import threading\ndef bot(seen, seed, seconds): threading.Event().wait()\n")
    result = run("simulate", "paris-connection", "--games", "1", "--bots", f"{file}:bot@0.01,random,random")
    assert result.exit_code == 1
    assert "bot@0.01 failed at move 1: BotFailed" in result.stderr
