"""`spieltisch bench table`: from one player's click to the other player."""

from __future__ import annotations

import json
import sys

import pytest
from typer.testing import CliRunner

from spieltisch.cli import app
from spieltisch.lab.clicks import Clicks, measure


def test_figures_are_in_milliseconds() -> None:
    found = Clicks.of("here and there", [0.001 * n for n in range(200, 0, -1)])
    assert (found.clicks, found.median_ms, found.p99_ms, found.most_ms) == pytest.approx((200, 100.5, 199, 200))


def test_without_browsers() -> None:
    done = CliRunner().invoke(app, ["bench", "table", "--clicks", "3", "--no-browsers", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["clicks"] == 3
    assert 0 < found["median_ms"] <= found["p99_ms"] <= found["most_ms"]
    assert "no browsers" in found["between"]


@pytest.mark.browser
def test_with_two_browsers() -> None:
    found = measure(2, browsers=True)
    assert found.clicks == 2
    assert 0 < found.median_ms <= found.most_ms
    assert "two Chromiums" in found.between


def test_without_playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spieltisch.lab.browsers", None)
    done = CliRunner().invoke(app, ["bench", "table"])
    assert done.exit_code == 1
    assert "--no-browsers" in done.stderr
