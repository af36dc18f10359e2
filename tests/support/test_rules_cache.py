"""Check the folder of compiled rules shared by all test processes, from which old rules are removed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.rules_cache import sweep

pytestmark = pytest.mark.tools


def test_the_most_recently_used_rules_of_each_game_are_kept(tmp_path: Path) -> None:
    for game, versions in (("one", 6), ("one-more", 2)):
        for version in range(versions):
            folder = tmp_path / "rules" / f"{game}-{version}"
            folder.mkdir(parents=True)
            for name, seconds_later in (
                ("play", 0),
                ("start", 4 * (version == 0)),
            ):  # of the oldest, one entry was used again
                (folder / f"{name}.lock").touch()
                os.utime(folder / f"{name}.lock", (version + seconds_later, version + seconds_later))
            (folder / "play.nbc").touch()
    sweep(tmp_path, kept_count=3)
    assert sorted(folder.name for folder in (tmp_path / "rules").iterdir()) == [
        "one-0",
        "one-4",
        "one-5",
        "one-more-0",
        "one-more-1",
    ]
    sweep(tmp_path / "empty")
