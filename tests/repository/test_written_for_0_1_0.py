"""Check that a game, its tests and a bot written for version 0.1.0 still work: those in `tests/written_for_0_1_0`.

They are kept as they were written. If one fails, the program has broken a promise of docs/stability.md: mend the
program.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from spieltisch import games
from spieltisch.testing import check_game
from tests.paths import ROOT

PACKAGE = ROOT / "tests" / "written_for_0_1_0"
BIN = Path(sys.executable).parent
USES = """
from spieltisch.vector import VectorEnv
env = VectorEnv("ascents", 8, bots=(None, "random"))
for _ in range(40):
    env.step([env.legal_moves(g)[0] for g in range(8)])
assert env.points.any()
"""


def test_a_game_written_for_0_1_0_passes_its_contract_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELTISCH_GAMES", "ascents")
    monkeypatch.syspath_prepend(PACKAGE)
    games.game_modules.cache_clear()
    try:
        assert check_game("ascents", games=1, compiled=False, processes=False).games == 3
    finally:
        games.game_modules.cache_clear()


@pytest.mark.build
def test_a_game_written_for_0_1_0_is_installed_and_played(tmp_path: Path) -> None:
    package, site, other_folder = tmp_path / "package", tmp_path / "site", tmp_path / "elsewhere"
    shutil.copytree(PACKAGE, package)
    other_folder.mkdir()
    for file in ("test_ascents.py", "bot.py"):
        shutil.move(package / file, other_folder)
    install = [str(BIN / "uv"), "pip", "install", "--quiet", "--no-deps", "--python", sys.executable]
    subprocess.run([*install, "--target", str(site), str(package)], check=True)
    environment = os.environ | {"PYTHONPATH": str(site)}
    environment.pop("SPIELTISCH_GAMES", None)
    for command in (
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_ascents.py"],
        [sys.executable, "-c", USES],
        [str(BIN / "spieltisch"), "simulate", "ascents", "--bots", "bot.py:Climber,easy,random", "--games", "3"],
    ):
        subprocess.run(command, check=True, cwd=other_folder, env=environment)
