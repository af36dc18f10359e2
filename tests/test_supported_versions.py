"""Supported Pythons and machines: the README, the classifiers and the lock agree."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
UV_LOCK = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
LOCKED = {(package["name"], package["version"]): package for package in UV_LOCK["package"]}
PLATFORMS = {
    "Linux on x86-64": r"manylinux\S*x86_64",
    "Linux on arm64": r"manylinux\S*aarch64",
    "macOS on arm64": r"macosx\S*(arm64|universal2)",
    "Windows": r"win_amd64",
}


def packages(python: int = 13, platform: str = "Linux on x86-64") -> Iterator[dict[str, Any]]:
    """The packages that the README's line installs with Python 3.`python` on a platform."""
    system = "win32" if platform == "Windows" else "darwin" if platform.startswith("macOS") else "linux"
    machine = {"python_full_version": f"3.{python}.1", "sys_platform": system, "implementation_name": "cpython"}
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        needed = Requirement(line)
        if needed.marker is None or needed.marker.evaluate(machine | {"platform_python_implementation": "CPython"}):
            yield LOCKED[needed.name, str(needed.specifier).removeprefix("==")]


def fits(wheel: str, python: int, platform: str) -> bool:
    """Return True if a file is a wheel for Python 3.`python` on a platform."""
    tags, abi, machine = wheel.removesuffix(".whl").rsplit("-", 3)[1:]
    if not (machine == "any" or re.search(platform, machine)):
        return False
    for tag in tags.split("."):
        number = re.fullmatch(r"(?:cp|py)3(\d*)", tag)
        if number and (
            tag.startswith("py") or number[1] == str(python) or ("abi3" in abi and int(number[1]) <= python)
        ):
            return "t" not in abi.removeprefix("cp").removeprefix("abi")
    return False


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("python", [11, 12, 13, 14])
def test_nothing_has_to_be_compiled(python: int, platform: str) -> None:
    lacking = []
    for package in packages(python, platform):
        wheels = [wheel["url"].rsplit("/", 1)[1] for wheel in package.get("wheels", ())]
        if wheels and not any(fits(wheel, python, PLATFORMS[platform]) for wheel in wheels):
            lacking.append(package["name"])
    assert lacking == []
    assert {"numpy", "msgspec", "numba"} <= {package["name"] for package in packages(python, platform)}


def test_packages_without_a_wheel_are_plain_python() -> None:
    assert [package["name"] for package in packages() if not package.get("wheels")] == ["http-ece"]


def test_the_readme_and_the_classifiers_name_the_versions_that_were_tried() -> None:
    (tried,) = re.findall(r"tried on Python ([\d. and]+) ", README)
    prefix = "Programming Language :: Python :: 3."
    classified = [
        classifier.rsplit(" ", 1)[1] for classifier in PROJECT["classifiers"] if classifier.startswith(prefix)
    ]
    assert re.findall(r"3\.\d+", tried) == classified
    assert PROJECT["requires-python"] == f">={classified[0]}"
