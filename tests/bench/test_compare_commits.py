"""Check `python -m bench.compare_commits`, which measures two commits alternately and compares their medians."""

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
def test_the_comparison_of_commits_uses_medians(
    before: tuple[float, ...], after: tuple[float, ...], expected: list[str]
) -> None:
    (line,) = compare_commits.compare(list(zip(rates(*before), rates(*after), strict=True)))
    assert line.split() == [GAME, "games", *expected]


def test_two_commits_are_measured_alternately(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured_rates = []

    def measure(sources: Path, games: list[str], seconds: float) -> Any:
        measured_rates.append((sources, seconds))
        return rates(200 if sources == compare_commits.ROOT / "src" else 100)[0]

    monkeypatch.setattr(compare_commits, "measure", measure)
    monkeypatch.setattr(compare_commits, "checkout", lambda commit, folder: folder if commit == "v1" else Path(commit))
    monkeypatch.setattr(sys, "argv", ["compare_commits", "v1", f"{compare_commits.ROOT / 'src'}", GAME, "--rounds=3"])
    compare_commits.main()
    (old_rates, _), (new_rates, _), *rounds = measured_rates
    assert [sources for sources, seconds in rounds if seconds == 2.0] == [
        old_rates,
        new_rates,
        new_rates,
        old_rates,
        old_rates,
        new_rates,
    ]
    assert capsys.readouterr().out.splitlines()[-1].split() == [GAME, "games", "100", "200", "2.00", "faster"]


@pytest.mark.build
def test_a_checked_out_commit_is_measured_with_the_sources_of_that_commit(tmp_path: Path) -> None:
    sources = compare_commits.checkout("HEAD", tmp_path)
    assert (sources / "spieltisch" / "__init__.py").is_file()
    (measurement,) = compare_commits.measure(sources, [GAME], 0.05).values()
    assert set(measurement) == {"games", "observe", "legal_moves", "both"}
    assert min(measurement.values()) > 0
