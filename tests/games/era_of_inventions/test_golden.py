"""Check that the golden games of Era of Inventions cover every number of players, option and source of points."""

from __future__ import annotations

import pytest

from spieltisch.core.record import Record
from tests.paths import ROOT

FOLDER = ROOT / "tests" / "golden" / "era-of-inventions"
GAMES = {file.stem: Record.read(file) for file in sorted(FOLDER.glob("*.txt"))}


@pytest.mark.rule("E1")
@pytest.mark.rule("R1")
@pytest.mark.rule("R2")
@pytest.mark.rule("R7")
@pytest.mark.rule("R8")
@pytest.mark.rule("R10")
@pytest.mark.rule("R12")
@pytest.mark.rule("R24")
@pytest.mark.rule("R26")
def test_the_golden_games_cover_all_player_counts_and_options() -> None:
    assert {record.seats for record in GAMES.values()} == {3, 4, 5}
    assert {(name, value) for record in GAMES.values() for name, value in record.setup().options.items()} == {
        ("bonus_disc_wait", "turn"),
        ("bonus_disc_wait", "round"),
        ("track_symbols", "own action"),
        ("track_symbols", "any gain"),
        ("capacity", "all"),
        ("capacity", "cubes"),
        ("limits", "each action"),
        ("limits", "each turn"),
        ("last_exchange", "no symbols"),
        ("last_exchange", "symbols"),
        ("bonus_disc_after", "disc"),
        ("bonus_disc_after", "action carried out"),
        ("turn_over", "when needed"),
        ("turn_over", "when the last is drawn"),
        ("supply", "unlimited"),
        ("supply", "box"),
    }
    assert any(record.secret is not None for record in GAMES.values())
