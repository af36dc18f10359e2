"""The wheel is whole: installed outside the checkout it serves its pages, in the languages of its visitors."""

import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent
UV = str(Path(sys.executable).parent / "uv")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([UV, "build", "--quiet", "--wheel", "--out-dir", str(folder), str(ROOT)], check=True)
    return next(folder.glob("spieltisch-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a fresh environment that holds the wheel and what the lock for users names, nothing else."""
    folder = tmp_path_factory.mktemp("elsewhere") / "venv"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    what = ["--no-deps", "--requirements", str(ROOT / "requirements.lock"), str(wheel)]
    subprocess.run([UV, "pip", "install", "--quiet", "--python", str(folder), *what], check=True, cwd=folder)
    return binaries


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address of the lobby of a server started from the wheel, on a free port."""
    command = [str(installed / "spieltisch"), "serve", "--port", "0", "--no-browser", "--data", str(tmp_path / "data")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    server = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert server.stdout is not None
    said = []
    try:
        for line in server.stdout:
            said.append(line)
            if found := re.search(r"http://\S+", line):
                yield found.group()
                break
        else:
            pytest.fail("the server ended without an address:\n" + "".join(said))
    finally:
        server.terminate()
        server.communicate(timeout=30)
    assert server.returncode in (0, -15)


def test_everything_that_is_no_python_is_in_the_wheel(wheel: Path) -> None:
    source = ROOT / "src"
    wanted = {
        file.relative_to(source).as_posix()
        for file in (source / "spieltisch").rglob("*")
        if file.suffix
        in {".po", ".toml", ".md", ".html", ".svg", ".css", ".js", ".ico", ".png", ".webmanifest", ".typed"}
    }
    assert {"spieltisch/locale/nl.po", "spieltisch/games/paris_connection/components.toml"} <= wanted
    with ZipFile(wheel) as opened:
        assert wanted - set(opened.namelist()) == set()
        assert any(name.endswith("licenses/LICENSE") for name in opened.namelist())


def test_it_serves_a_page_in_dutch(served: str) -> None:
    asked = urllib.request.Request(served, headers={"Accept-Language": "nl"})  # noqa: S310  # our own server
    with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310  # our own server
        assert answer.status == 200
        page = answer.read().decode()
    assert '<html lang="nl"' in page


def test_the_lock_leaves_out_what_nobody_needs_and_nothing_else(installed: Path) -> None:
    """The pages of the test above were served without these."""
    checked = subprocess.run(
        [UV, "pip", "check", "--python", str(installed.parent)], capture_output=True, text=True, check=False
    )
    missing = re.findall(r"^The package `(\S+)` requires `([\w-]+).*, but it's not installed", checked.stderr, re.M)
    assert missing == [("litestar", "polyfactory")], checked.stderr
    assert "Found 1 incompatibility" in checked.stderr
    held = {folder.name for folder in next(installed.parent.rglob("site-packages")).iterdir()}
    assert {"litestar", "numba", "markdown_it"} <= held
    assert not {"faker", "polyfactory", "pytest", "playwright", "hypothesis", "mypy"} & held
