"""All test processes share one folder of compiled rules, in which old ones do not pile up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.rules_cache import sweep

pytestmark = pytest.mark.tools


def test_of_each_game_the_rules_used_last_stay(tmp_path: Path) -> None:
    for game, versions in (("one", 6), ("one-more", 2)):
        for version in range(versions):
            folder = tmp_path / "rules" / f"{game}-{version}"
            folder.mkdir(parents=True)
            for name, later in (("play", 0), ("start", 4 * (version == 0))):  # of the oldest, one entry was used again
                (folder / f"{name}.lock").touch()
                os.utime(folder / f"{name}.lock", (version + later, version + later))
            (folder / "play.nbc").touch()
    sweep(tmp_path, kept=3)
    assert sorted(folder.name for folder in (tmp_path / "rules").iterdir()) == [
        "one-0",
        "one-4",
        "one-5",
        "one-more-0",
        "one-more-1",
    ]
    sweep(tmp_path / "empty")
