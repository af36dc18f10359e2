"""Check that golden games, stored as records, still have the same results."""

from pathlib import Path

import pytest

from spieltisch.core.record import Record
from tests.paths import ROOT

GOLDEN = sorted((ROOT / "tests" / "golden").glob("*/*.txt"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: f"{file.parent.name} {file.stem}")
def test_golden_games_replay_with_the_same_results(file: Path) -> None:
    record = Record.read(file)
    assert record.text == file.read_text("utf-8")
    assert record.game == file.parent.name
    assert record.seed is not None or record.secret is not None
    plain_game = record.verify()
    assert plain_game.digest() == record.digest
    assert record.result is not None
    assert record.result["scores"] == plain_game.scores


@pytest.mark.build
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: f"{file.parent.name} {file.stem}")
def test_golden_games_replay_with_the_same_results_in_compiled_rules(file: Path) -> None:
    record = Record.read(file)
    plain_positions, compiled = record.replay(), record.replay(compiled=True)
    assert plain_positions.digest() == compiled.digest() == record.digest
    assert plain_positions.document() == compiled.document()
    assert plain_positions.scores == compiled.scores
    assert plain_positions.outcome == compiled.outcome
