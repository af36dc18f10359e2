"""Add the compiled searches in the folder `SPIELTISCH_LIBRARIES` to a wheel.

`scripts/build_wheel` makes them. With them the wheel is for this kind of machine only, without them for all.
"""

import os
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Libraries(BuildHookInterface):
    """The build hook that adds the libraries."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the libraries, if there are any, and tag the wheel for this platform."""
        folder = os.environ.get("SPIELTISCH_LIBRARIES")
        if not folder:
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        for file in Path(folder).iterdir():
            build_data["force_include"][str(file)] = f"spieltisch/bots/search/libraries/{file.name}"
