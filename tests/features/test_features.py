"""Check properties of all features."""

from __future__ import annotations

import subprocess
import sys


def test_importing_the_features_does_not_import_the_web() -> None:
    code = (
        "import sys, spieltisch.features; print(sorted({'litestar', 'jinja2', 'spieltisch.live'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "[]\n"
