"""The commands for simulation and measurement, called with command-line arguments."""

from __future__ import annotations

import json
import os
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


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three records of simulated games."""
    folder = tmp_path_factory.mktemp("games") / "new"
    folder.mkdir()
    simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["easy", "random", "random"], seed=1)
    for number in (1, 2, 3):
        record(simulation, number).write(folder / f"paris-connection-1-{number:06}.txt")
    return folder


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A component file with values of its own."""
    file = tmp_path / "own.toml"
    assert run("components", "export", "paris-connection", file).exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert "\npenalty = 20 " in text
    file.write_text(text.replace("\npenalty = 20 ", "\npenalty = 10 "), encoding="utf-8")
    return file


# --- simulate ---


@pytest.mark.build
def test_simulate_counts() -> None:
    done = run("simulate", "paris-connection", "--seats", 4, "--games", 40, "--seed", 2)
    assert done.exit_code == 0
    assert "40 games, seed 2" in done.output
    assert "4 random" in done.output
    assert "Ended by P14" in done.output


def test_the_heading_names_options_if_there_are_any(toy: str) -> None:
    assert heading(spieltisch.game(toy).setup(3)) == "Lanterns, 3 seats, standard"
    assert heading(spieltisch.game("paris-connection").setup(3)).endswith("standstill=goes on, memory_aid=true")
    assert "toy has no options" in run("simulate", toy, "--option", "cutoff").stderr


@pytest.mark.build
def test_simulate_as_json() -> None:
    done = run("simulate", "paris-connection", "--bots", "easy,random,random", "--games", 10, "--json")
    output = json.loads(done.stdout)
    assert (output["games"], output["seats"], output["seed"]) == (10, 3, 1)
    assert output["options"] == {"cut_off": "strict", "stations": "closed", "standstill": "goes on", "memory_aid": True}
    assert [bot["name"] for bot in output["bots"]] == ["easy", "random", "random"]
    assert sum(bot["wins"] for bot in output["bots"]) == pytest.approx(10)
    assert sum(output["ended_by"].values()) == 10
    assert output["shortest"] <= output["moves_per_game"] <= output["longest"]


@pytest.mark.build
def test_simulate_says_which_games_it_stopped() -> None:
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
def test_simulate_with_options_and_components(own: Path, tmp_path: Path) -> None:
    words = ("simulate", "paris-connection", "--option", "cut_off=weak", "--option", "memory_aid=false", "--components")
    done = run(*words, own, "--games", 2, "--records", tmp_path)
    assert done.exit_code == 0, done.output
    record = Record.read(tmp_path / "paris-connection-1-000001.txt")
    assert record.options == {"cut_off": "weak", "stations": "closed", "standstill": "goes on", "memory_aid": False}
    assert record.components_digest != spieltisch.game("paris-connection").components.digest
    assert run("verify", tmp_path / "paris-connection-1-000001.txt").exit_code == 1
    done = run("verify", tmp_path / "paris-connection-1-000001.txt", "--components", own)
    assert done.exit_code == 0, done.output
    assert run("replay", tmp_path / "paris-connection-1-000001.txt", "--components", own).exit_code == 0


@pytest.mark.parametrize(
    ("words", "says"),
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
def test_simulate_refuses(words: list[str], says: str) -> None:
    done = run("simulate", *words)
    assert done.exit_code == 1
    assert says in done.stderr
    assert done.stdout == ""


@pytest.mark.build
def test_simulate_loads_neither_the_web_nor_the_database() -> None:
    program = (
        "import sys; from spieltisch.cli import app; app(sys.argv[1:], standalone_mode=False);"
        "print({'litestar', 'uvicorn', 'sqlalchemy', 'alembic', 'rich.progress'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "simulate", "paris-connection", "--games", "1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\n1 game, seed" in done.stdout
    assert done.stdout.endswith("set()\n")


@pytest.mark.build
def test_the_first_run_says_that_it_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    """An error output that is a terminal, and remembers what was written."""

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
def test_a_progress_bar_shows_when_it_takes_long(patience: float, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_replay_tells_the_game(games: Path) -> None:
    file = games / "paris-connection-1-000001.txt"
    record = Record.read(file)
    output = run("replay", file).output
    assert output.startswith("Paris Connection\n   1  ")
    assert "easy builds " in output
    assert record.result is not None
    for seat, points in enumerate(record.result["scores"]):
        mark = "*" if seat + 1 in record.result["winners"] else " "
        assert f"{mark} {record.players[seat]}  {points}\n" in output


def test_replay_stops_where_it_is_asked_to(games: Path) -> None:
    file = games / "paris-connection-1-000001.txt"
    output = run("replay", file, "--at", 5).output
    assert "\n   5  " in output
    assert "\n   6  " not in output
    done = run("replay", file, "--at", 5_000)
    assert done.exit_code == 1
    assert "--at: " in done.stderr


def test_replay_speaks_four_languages(games: Path) -> None:
    file = games / "paris-connection-1-000001.txt"
    assert len({run("replay", file, "--at", 20, "--language", language).output for language in LANGUAGES}) == 4
    assert "no such language" in run("replay", file, "--language", "xx").stderr


def test_verify_finds_nothing_in_good_records(games: Path) -> None:
    done = run("verify", *sorted(games.iterdir()))
    assert done.exit_code == 0
    assert done.output == "3 of 3 records verified.\n"


@pytest.mark.parametrize(
    ("old", "new", "says"),
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
def test_verify_reports_the_first_difference(games: Path, tmp_path: Path, old: str, new: str, says: str) -> None:
    good = games / "paris-connection-1-000001.txt"
    bad = tmp_path / "bad.txt"
    text = good.read_text(encoding="utf-8")
    assert old in text
    bad.write_text(text.replace(old, new, 1), encoding="utf-8")
    done = run("verify", bad, good)
    assert done.exit_code == 1
    assert done.stderr.startswith((f"{bad}: ", "spieltisch: "))
    assert says in done.stderr


def test_files_that_are_no_records(tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(bytes(range(256)))
    for command in ("verify", "replay"):
        assert "byte " in run(command, tmp_path / "noise").stderr
        done = run(command, tmp_path / "missing")
        assert (done.exit_code, "No such file" in done.stderr) == (1, True)
    assert run("verify").exit_code == 1


def test_the_record_of_a_running_game_cannot_be_replayed_yet(tmp_path: Path) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    Record.of(position, [], viewer=0).write(tmp_path / "running.txt")
    for command in ("verify", "replay"):
        assert "it replays when the game is over" in run(command, tmp_path / "running.txt").stderr


# --- components ---


def test_export_writes_the_file_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    text = spieltisch.game("paris-connection").components.text
    assert run("components", "export", "paris-connection").stdout == text
    assert run("components", "export", "paris-connection", file).exit_code == 0
    assert file.read_text(encoding="utf-8") == text
    file.write_text("mine", encoding="utf-8")
    again = run("components", "export", "paris-connection", file)
    assert (again.exit_code, "--force overwrites it" in again.stderr) == (1, True)
    assert file.read_text(encoding="utf-8") == "mine"
    assert run("components", "export", "paris-connection", file, "--force").exit_code == 0
    assert file.read_text(encoding="utf-8") == text
    assert run("components", "export", "chess").exit_code == 1
    assert "No such file" in run("components", "export", "paris-connection", tmp_path / "no" / "where").stderr


def test_check_finds_nothing_wrong(own: Path) -> None:
    done = run("components", "check", own)
    assert (done.exit_code, "nothing wrong found" in done.output) == (0, True)


def test_check_names_file_and_key_path(own: Path) -> None:
    text = own.read_text(encoding="utf-8")
    assert text.count("\npenalty = ") == text.count("column = 12\nrow = 10\n") == 1
    text = text.replace("\npenalty = ", "\npenalty = 0.").replace("column = 12\nrow = 10\n", "row = 10\n")
    own.write_text(text, encoding="utf-8")
    done = run("components", "check", own)
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        f"{own}: cities[30].column: cities.lyon.column is missing.",
        f"{own}: turn.penalty: turn.penalty must be a whole number.",
    ]
    german = run("components", "check", own, "--language", "de")
    assert german.output.startswith(f"{own}: cities[30].column: ")
    assert german.output != done.output


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"a = = 1\n", ": Invalid TOML: Invalid value (at line 1, column 5).\n"),
        (b"\xff", ": Line 1 is not in UTF-8.\n"),
    ],
)
def test_check_reads_anything(tmp_path: Path, text: bytes, says: str) -> None:
    file = tmp_path / "file.toml"
    file.write_bytes(text)
    done = run("components", "check", file)
    assert (done.exit_code, done.output) == (1, f"{file}{says}")
    assert "No such file" in run("components", "check", tmp_path / "missing").stderr
    assert "no such language" in run("components", "check", file, "--language", "xx").stderr


# --- bench ---


@pytest.mark.parametrize("command", ["bench", "fuzz"])
def test_without_numba_it_says_what_to_install(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("numba", "llvmlite"):
        monkeypatch.setitem(sys.modules, module, None)
    done = run(command, "paris-connection")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("spieltisch: the rules have to be compiled: Numba cannot be used (")
    assert done.stderr.endswith("-m pip install 'spieltisch[compile]'\n")


@pytest.mark.build
def test_bench_measures() -> None:
    done = run("bench", "paris-connection", "--seconds", 0.1, "--json")
    measured: dict[str, Any] = json.loads(done.stdout)
    assert measured["seats"] == 4
    assert measured["games_per_second"] > 0
    assert measured["moves_per_second"] > measured["games_per_second"]
    assert measured["ns_per_move"] == pytest.approx(1e9 / measured["moves_per_second"])
    assert measured["state_bytes"] == spieltisch.game("paris-connection").State.itemsize
    assert measured["copy_ns"] > 0
    output = run("bench", "paris-connection", "--seats", 3, "--seconds", 0.1).output
    assert "moves a second" in output


def test_without_numba_games_are_played_and_it_says_that_this_is_slow(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in ("numba", "llvmlite"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    done = run("simulate", "paris-connection", "--seats", "3", "--games", "2", "--json")
    assert (done.exit_code, json.loads(done.stdout)["games"]) == (0, 2)
    assert done.stderr.startswith("The games are played in Python, which is slow: Numba cannot be used (")
    assert done.stderr.endswith("-m pip install 'spieltisch[compile]'\n")
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_for_the_cache_games_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELTISCH_CACHE", str(Path(os.devnull, "cache")))
    done = run("simulate", "paris-connection", "--seats", "3", "--games", "2", "--json")
    assert (done.exit_code, json.loads(done.stdout)["games"]) == (0, 2)
    assert len(done.stderr.splitlines()) == 1
    assert "SPIELTISCH_CACHE" in done.stderr
    assert "SPIELTISCH_CACHE" in run("bench", "paris-connection").stderr


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("def bot(seen, seed, seconds): raise SystemExit(0)", "bot failed at move 1: BotFailed"),
        ("raise SystemExit(0)", "bot.py cannot be loaded: SystemExit"),
        ("bot = 3", "3 is not a callable object"),
        ("def bot(seen): return 0", "it cannot be called with"),
    ],
)
def test_a_bot_that_ends_the_program_or_is_none_is_named(bot: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(bot)
    done = run("simulate", "paris-connection", "--games", "1", "--bots", f"{file}:bot,random,random")
    assert done.exit_code == 1
    assert told in done.stderr
    assert "spieltisch/bots" not in done.stderr, "no lines of ours"
    assert "inspect.py" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there is no timer of this kind")
def test_a_bot_that_never_answers_is_stopped_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spieltisch.bots.external.ANSWER_SECONDS", 0.1)
    file = tmp_path / "bot.py"
    file.write_text("import threading\ndef bot(seen, seed, seconds): threading.Event().wait()\n")
    done = run("simulate", "paris-connection", "--games", "1", "--bots", f"{file}:bot@0.01,random,random")
    assert done.exit_code == 1
    assert "bot@0.01 failed at move 1: BotFailed" in done.stderr
