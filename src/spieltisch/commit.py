"""The commit that an installed package was built from, for reports of faults."""

import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

COMMIT_FILE: Final = Path(__file__).with_name("commit.txt")
"""The hash, in a package that is no checkout any more; `hatch_build.py` writes it."""
CHECKOUT: Final = Path(__file__).parents[2]


@cache
def commit() -> str:
    """Return the short hash of the commit, or "" if it is unknown."""
    if COMMIT_FILE.exists():
        return COMMIT_FILE.read_text(encoding="ascii").strip()
    if not (CHECKOUT / ".git").exists():
        return ""
    command = ["git", "-C", str(CHECKOUT), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # a constant command
    except (OSError, subprocess.CalledProcessError):  # no git, or a checkout of another user
        return ""
    return done.stdout.strip()


def version_text() -> str:
    """Return the version and the commit, such as "0.1.0 (1f2e3d4c5b6a)"."""
    number = version("spieltisch")
    return f"{number} ({commit()})" if commit() else number
