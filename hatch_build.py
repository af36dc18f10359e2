"""What a wheel takes along beside the sources: the compiled searches in the folder that `SPIELTISCH_LIBRARIES` names,
as `scripts/build_wheel` makes them. With them it is a wheel for this kind of machine, without them one for all.
"""

import os
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Libraries(BuildHookInterface):
    """See the module."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = os.environ.get("SPIELTISCH_LIBRARIES")
        if not folder:
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        for file in Path(folder).iterdir():
            build_data["force_include"][str(file)] = f"spieltisch/bots/search/libraries/{file.name}"
