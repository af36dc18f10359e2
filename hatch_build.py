"""Add what a built package has and a checkout does not: the commit, and compiled searches.

The searches are in the folder `SPIELTISCH_LIBRARIES`; `scripts/build_wheel` makes them. With them the wheel is for this
kind of machine only, without them for all.
"""

import os
import runpy
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Additions(BuildHookInterface):
    """The build hook that adds both."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the commit, and the libraries, if there are any; then tag the wheel for this platform."""
        if version == "editable":
            return
        module = runpy.run_path(str(Path(self.root, "src", "spieltisch", "commit.py")))
        if not module["COMMIT_FILE"].exists():  # it does in an sdist
            self._scratch = tempfile.TemporaryDirectory()
            file = Path(self._scratch.name, "commit.txt")
            file.write_text(module["commit"](), encoding="ascii")
            prefix = "src/" if self.target_name == "sdist" else ""
            build_data["force_include"][str(file)] = f"{prefix}spieltisch/commit.txt"
        if self.target_name == "sdist":
            return
        folder = os.environ.get("SPIELTISCH_LIBRARIES")
        if not folder:
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        for file in Path(folder).iterdir():
            build_data["force_include"][str(file)] = f"spieltisch/bots/search/libraries/{file.name}"
