"""Check that the fuzzer reports the faults of a faulty game and nothing about correct games."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import spieltisch
from spieltisch import games
from spieltisch.cli import app
from spieltisch.core.position import Position
from spieltisch.core.record import Record
from spieltisch.lab import fuzz as lab
from spieltisch.lab.fuzz import Fuzzer


def fuzz(*words: object) -> Result:
    return CliRunner().invoke(app, ["fuzz", *(str(word) for word in words)])


@pytest.fixture
def faulty_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("SPIELTISCH_GAMES", "tests.lab.faulty_game")
    games.game_modules.cache_clear()
    yield "toy"
    games.game_modules.cache_clear()


@pytest.mark.fuzz
@pytest.mark.parametrize(
    ("key", "choices"), [("era-of-inventions", 768), ("legendary-inventors", 32), ("paris-connection", 64)]
)
def test_the_fuzzer_finds_nothing_in_a_correct_game(key: str, choices: int) -> None:
    result = fuzz(key, "--games", 96, "--deep-checks", 3, "--seed", 5)
    assert result.exit_code == 0, result.output
    assert f"96 games, seed 5, {choices} choices" in result.stdout
    assert re.search(r"3 games, \d+ moves, on both engines alike; \d+ positions looked at", result.stdout)
    assert "Nothing found" in result.stdout


def test_the_fuzzer_finds_nothing_in_the_toy_without_faults(faulty_game: str) -> None:
    result = fuzz(faulty_game, "--games", 60, "--deep-checks", 12, "--option", "fault=none")
    assert result.exit_code == 0, result.output
    assert "60 games, seed 1, 3 choices" in result.stdout


@pytest.mark.parametrize(
    ("fault", "expected_text"),
    [
        ("dead-end", "a seat decides and has no move"),
        ("endless", "goes on after 20,000 moves"),
        ("listed", "'take 1' is legal and refused"),
        ("unlisted", "is neither legal nor refused"),
        ("twice", "the legal moves are not ascending"),
        ("lost", r"\{'stones': 15\} became \{'stones': \d+\}"),
        ("no-rule", "the next move ends the game by rule 77, which is none"),
        ("wraps", "out of bounds"),
        ("forgets", "the document gives another position"),
    ],
)
def test_the_fuzzer_finds_each_fault_of_the_toy_game(
    fault: str, expected_text: str, faulty_game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "SAMPLE_EVERY", 1)
    monkeypatch.setattr(lab, "CLOSE_LOOK_EVERY", 1)
    words = (faulty_game, "--games", 200, "--deep-checks", 20, "--option", f"fault={fault}", "--records", tmp_path)
    done = fuzz(*words)
    assert done.exit_code == 1, done.output
    assert re.search(rf"seats, fault={fault}, seed \d+, after move \d+: .*{expected_text}", done.stderr), done.stderr
    (file,) = tmp_path.iterdir()
    assert f"spieltisch replay {file}" in done.stderr
    record = Record.read(file)
    assert record.options == {"fault": fault}
    if fault not in ("endless", "wraps"):
        result = CliRunner().invoke(app, ["replay", str(file)])
        assert result.exit_code == 0, result.output
        assert len(set(re.findall(r"^ +\d+  ", result.stdout, re.M))) == len(record.moves)


def test_the_fuzzer_reports_findings_as_json(faulty_game: str, tmp_path: Path) -> None:
    words = (faulty_game, "--games", 300, "--deep-checks", 12, "--records", tmp_path, "--json", "--option")
    sound = json.loads(fuzz(*words, "fault=none").stdout)
    assert (sound["ok"], sound["faults"]) == (True, [])
    (figures,) = sound["games"]
    assert (figures["game"], figures["games"], figures["on_both_engines"]["games"]) == ("toy", 300, 12)
    result = fuzz(*words, "fault=dead-end")
    output = json.loads(result.stdout)
    (fault,) = output["faults"]
    assert (result.exit_code, output["ok"], f"spieltisch: {fault}\n" in result.stderr) == (1, False, True)
    assert "a seat decides and has no move" in fault
    assert Record.read(Path(output["record"])).options == {"fault": "dead-end"}


def test_the_fuzzer_finds_the_same_fault_with_the_same_seed(faulty_game: str, tmp_path: Path) -> None:
    words = (faulty_game, "--games", 300, "--seed", 9, "--option", "fault=dead-end", "--records")
    first, second = fuzz(*words, tmp_path / "first"), fuzz(*words, tmp_path / "second")
    assert first.stderr.splitlines()[-2] == second.stderr.splitlines()[-2]
    texts = {file.read_text() for file in tmp_path.rglob("*.txt")}
    assert len(texts) == 1


@pytest.mark.build
def test_the_fuzzer_plays_the_same_games_with_plain_rules() -> None:
    setups = [spieltisch.game("paris-connection", compiled=compiled).setup(3) for compiled in (True, False)]
    Position.start(
        setups[0], drew=Position.start(setups[0], seed=1).setup_draws
    )  # what was forced once is not forced again
    compiled_fuzzer, slow = (Fuzzer(setup, seed=3) for setup in setups)
    assert sum(compiled_fuzzer.run(3)) == sum(slow.run(3)) == 3
    assert compiled_fuzzer.moves == slow.moves


@pytest.mark.parametrize(
    ("words", "expected_text"),
    [
        (("chess",), "there is no game 'chess'"),
        (("paris-connection", "--seats", 9), "seats: 9 is not from 3 to 6"),
        (("paris-connection", "--seed", 1 << 40), "seed: 1099511627776"),
        (("paris-connection", "--games", 1 << 40), "--games: 1099511627776 is more than"),
        (("paris-connection", "--option", "cut_off=soft"), "cut_off is one of"),
    ],
)
def test_invalid_arguments_of_the_fuzzer_are_refused(words: tuple[object, ...], expected_text: str) -> None:
    result = fuzz(*words)
    assert result.exit_code == 1
    assert expected_text in result.stderr
