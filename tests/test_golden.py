"""Golden games: whole games of every kind, kept as records, come out as they did when they were made."""

from pathlib import Path

import pytest

from spieltisch.core.record import Record

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*/*.txt"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: f"{file.parent.name} {file.stem}")
def test_golden_games_come_out_the_same(file: Path) -> None:
    record = Record.read(file)
    assert record.text == file.read_text("utf-8")
    assert record.game == file.parent.name
    assert record.seed is not None or record.secret is not None
    plain = record.verify()
    assert plain.digest() == record.digest
    assert record.result is not None
    assert record.result["scores"] == plain.scores


@pytest.mark.build
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: f"{file.parent.name} {file.stem}")
def test_golden_games_come_out_the_same_compiled(file: Path) -> None:
    record = Record.read(file)
    plain, compiled = record.replay(), record.replay(compiled=True)
    assert plain.digest() == compiled.digest() == record.digest
    assert plain.document() == compiled.document()
    assert plain.scores == compiled.scores
    assert plain.outcome == compiled.outcome
