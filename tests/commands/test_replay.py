"""Check `spieltisch replay` and `spieltisch verify` with command-line arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

import spieltisch
from spieltisch.core.record import Record
from spieltisch.core.words import LANGUAGES
from spieltisch.lab.simulation import Simulation, record
from tests.commands.lab_command import run


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the paths of three records of simulated games."""
    folder = tmp_path_factory.mktemp("games") / "new"
    folder.mkdir()
    simulation = Simulation(spieltisch.game("paris-connection").setup(3), ["easy", "random", "random"], seed=1)
    for number in (1, 2, 3):
        record(simulation, number).write(folder / f"paris-connection-1-{number:06}.txt")
    return folder


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
