"""`python -m bench.compare_commits`: two commits in turn, the medians, and what is more than noise."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from bench import compare_commits

pytestmark = pytest.mark.tools

GAME = "paris-connection"


def rates(*numbers: float) -> list[compare_commits.Rates]:
    return [{GAME: {"games": number}} for number in numbers]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((100, 100, 100), (104, 104, 104), ["100", "104", "1.04", "faster"]),
        ((100, 100, 100), (96, 96, 96), ["100", "96", "0.96", "SLOWER"]),
        ((100, 100, 100), (102, 102, 102), ["100", "102", "1.02"]),
        ((100, 10, 110), (100, 900, 90), ["100", "100", "1.00"]),  # one round that was disturbed does not count
    ],
)
def test_medians_are_compared(before: tuple[float, ...], after: tuple[float, ...], expected: list[str]) -> None:
    (line,) = compare_commits.compare(list(zip(rates(*before), rates(*after), strict=True)))
    assert line.split() == [GAME, "games", *expected]


def test_both_sides_are_measured_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = []

    def measure(sources: Path, games: list[str], seconds: float) -> Any:
        measured.append((sources, seconds))
        return rates(200 if sources == compare_commits.ROOT / "src" else 100)[0]

    monkeypatch.setattr(compare_commits, "measure", measure)
    monkeypatch.setattr(compare_commits, "checkout", lambda commit, folder: folder if commit == "v1" else Path(commit))
    monkeypatch.setattr(sys, "argv", ["compare_commits", "v1", f"{compare_commits.ROOT / 'src'}", GAME, "--rounds=3"])
    compare_commits.main()
    (old, _), (new, _), *rounds = measured
    assert [sources for sources, seconds in rounds if seconds == 2.0] == [old, new, new, old, old, new]
    assert capsys.readouterr().out.splitlines()[-1].split() == [GAME, "games", "100", "200", "2.00", "faster"]


@pytest.mark.build
def test_the_sources_of_a_commit_are_measured(tmp_path: Path) -> None:
    sources = compare_commits.checkout("HEAD", tmp_path)
    assert (sources / "spieltisch" / "__init__.py").is_file()
    (found,) = compare_commits.measure(sources, [GAME], 0.05).values()
    assert set(found) == {"games", "observe", "legal_moves", "both"}
    assert min(found.values()) > 0
