"""Check that README, classifiers and lock agree on supported Pythons and machines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.paths import ROOT

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
    """Return the packages that the README's command installs with Python 3.`python` on a platform."""
    system = "win32" if platform == "Windows" else "darwin" if platform.startswith("macOS") else "linux"
    machine = {"python_full_version": f"3.{python}.1", "sys_platform": system, "implementation_name": "cpython"}
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for line in re.findall(r"(?m)^(\S.*?) \\$", lock):
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
def test_every_dependency_with_wheels_has_one_for_each_platform(python: int, platform: str) -> None:
    lacking = []
    for package in packages(python, platform):
        wheels = [wheel["url"].rsplit("/", 1)[1] for wheel in package.get("wheels", ())]
        if wheels and not any(fits(wheel, python, PLATFORMS[platform]) for wheel in wheels):
            lacking.append(package["name"])
    assert lacking == []
    assert {"numpy", "msgspec", "numba"} <= {package["name"] for package in packages(python, platform)}


def test_dependencies_without_a_platform_wheel_are_pure_python() -> None:
    assert [package["name"] for package in packages() if not package.get("wheels")] == ["http-ece"]


def test_readme_and_classifiers_name_the_same_tested_python_versions() -> None:
    (tried_versions,) = re.findall(r"tried on Python ([\d. and]+) ", README)
    prefix = "Programming Language :: Python :: 3."
    classified = [
        classifier.rsplit(" ", 1)[1] for classifier in PROJECT["classifiers"] if classifier.startswith(prefix)
    ]
    assert re.findall(r"3\.\d+", tried_versions) == classified
    assert PROJECT["requires-python"] == f">={classified[0]}"
