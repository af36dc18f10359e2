"""The golden games of Era of Inventions show every number of players, every switch, and what scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from spieltisch.core.record import Record

FOLDER = Path(__file__).parents[2] / "golden" / "era-of-inventions"
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
def test_every_number_of_players_and_every_switch() -> None:
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
