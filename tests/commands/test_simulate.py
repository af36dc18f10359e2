"""Check the commands that play, measure and rank bots with command-line arguments."""

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

import spieltisch
from spieltisch import commands
from spieltisch.bots.styles import STYLES
from spieltisch.commands.simulate import heading
from spieltisch.core.record import Record
from spieltisch.lab.simulation import MAX_MOVES
from spieltisch.tables.bot_characters import BOT_CHARACTERS
from tests.commands.lab_command import run


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


def test_an_arena_of_all_styles_names_the_characters_who_play_so(toy: str) -> None:
    duels = ("arena", toy, "--bots", "easy+all", "--seats", 2, "--games", 1)
    found = {row["bot"]: row["characters"] for row in json.loads(run(*duels, "--json").stdout)["order"]}
    assert found == {
        f"easy+{style}": [character.name for character in BOT_CHARACTERS["easy"] if character.style == style]
        for style in STYLES
    }
    ranks = [line for line in run(*duels).output.splitlines() if re.match(r"\d+\. ", line)]
    assert all(any(line.endswith(f", {name}") for line in ranks) for name in ("Ada", "Isambard", "Marie"))


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
