"""The wheel is whole: installed outside the checkout it serves its pages, in the languages of its visitors."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from typer.testing import CliRunner

import spieltisch
from spieltisch.bots.search import native_library
from spieltisch.cli import app

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
    return environment_of(wheel, tmp_path_factory.mktemp("elsewhere") / "venv")


def environment_of(wheel: Path, folder: Path, without: tuple[str, ...] = ()) -> Path:
    """The `bin` folder of a fresh environment with a wheel and what the lock for users names, less some of it."""
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    lock = (ROOT / "requirements.lock").read_text().splitlines(keepends=True)
    (folder / "lock").write_text("".join(line for line in lock if not line.startswith(without)))
    what = ["--no-deps", "--requirements", str(folder / "lock"), str(wheel)]
    subprocess.run([UV, "pip", "install", "--quiet", "--python", str(folder), *what], check=True, cwd=folder)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def built(out: Path, *games: str, **environment: str) -> Path:
    """The wheel that `scripts/build_wheel` builds."""
    command = [sys.executable, str(ROOT / "scripts" / "build_wheel"), "--out", str(out), *games]
    subprocess.run(command, env=os.environ | environment, check=True)
    return next(out.glob("spieltisch-*.whl"))


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address of the lobby of a server started from the wheel, on a free port."""
    quiet = ["--port", "0", "--no-browser", "--no-compile-search"]
    command = [str(installed / "spieltisch"), "serve", *quiet, "--data", str(tmp_path / "data")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    server = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert server.stdout is not None
    output = []
    try:
        for line in server.stdout:
            output.append(line)
            if match := re.search(r"http://\S+", line):
                yield match.group()
                break
        else:
            pytest.fail("the server ended without an address:\n" + "".join(output))
    finally:
        server.terminate()
        server.communicate(timeout=30)
    assert server.returncode in (0, -15)


@pytest.mark.build
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


@pytest.mark.build
def test_it_serves_a_page_in_dutch(served: str) -> None:
    answer = httpx.get(served, headers={"Accept-Language": "nl"}, timeout=30, verify=False)
    assert answer.status_code == 200
    assert '<html lang="nl-' in answer.text


@pytest.mark.build
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


# --- The wheel for one kind of machine. ---

GAME = "paris-connection"
PLAYS = f"""
import sys
import spieltisch
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget, Searcher, SearchParams
from spieltisch.lab.simulation import Simulation

position = spieltisch.game({GAME!r}).start(3, seed=1)
shipped = native_library.find(position.setup.game)
assert shipped.parent == native_library.SHIPPED, shipped
searcher = Searcher(position.setup, 2000, native_library.load(shipped) if sys.argv[1] == "compiled" else None)
while position.seat is not None:
    seen = position.observe(position.seat)
    if position.number % 4:
        move = searcher.glance(seen, position.number, 50)
    else:
        move = searcher.search(seen, position.number, Budget(8), SearchParams(sampled_share=0.5, max_playout=6)).move
    print(position.play(move).move)
print(position.scores)
print(Simulation(position.setup, ["easy", "random", "random"], seed=1).play(20).share(0))
assert not {{"numba", "llvmlite"}} & set(sys.modules)
"""
"""A game of bots that search, and some of bots that do not."""


@pytest.mark.build
@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="only to link this wheel, as CI does")
def test_a_wheel_for_this_machine_thinks_compiled_without_numba_or_a_compiler(tmp_path: Path) -> None:
    wheel = built(tmp_path / "out", GAME)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert wheel.name.endswith(f"-py3-none-{platform}.whl")
    with ZipFile(wheel) as opened:
        shipped = [Path(name).name for name in opened.namelist() if "/bots/search/libraries/" in name]
        wheel_metadata = opened.read(
            next(name for name in opened.namelist() if name.endswith(".dist-info/WHEEL"))
        ).decode()
    wanted = {native_library.name(spieltisch.game(GAME), what) for what in native_library.ENTRIES}
    assert set(shipped) == wanted, "they are of these very sources"
    assert "Root-Is-Purelib: false" in wheel_metadata
    binaries = environment_of(wheel, tmp_path / "venv", without=("numba", "llvmlite"))
    bare = {"PATH": str(binaries), "SPIELTISCH_CACHE": str(tmp_path / "empty")}
    assert shutil.which("cc", path=bare["PATH"]) is None

    def played(how: str) -> str:
        command = [str(binaries / "python"), "-c", PLAYS, how]
        done = subprocess.run(command, env=bare, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stderr == "", "games of the simulation are compiled, or it would say that they are slow"
        return done.stdout

    compiled = played("compiled")
    assert len(compiled.splitlines()) > 50
    assert compiled == played("plain")
    words = ["simulate", GAME, "--bots", "easy,random,random", "--games", "20", "--json"]
    from_wheel = subprocess.run([binaries / "spieltisch", *words], env=bare, capture_output=True, text=True, check=True)
    in_checkout = CliRunner().invoke(app, words)
    assert output_of(from_wheel.stdout) == output_of(in_checkout.stdout)
    command = [str(binaries / "spieltisch"), "doctor", "--data", str(tmp_path / "data")]
    doctor = subprocess.run(command, env=bare, capture_output=True, text=True, check=False)
    assert (doctor.returncode, doctor.stderr) == (1, "")
    assert "numba not installed" in doctor.stdout
    weaker = "The medium, hard and expert bots play weaker in era-of-inventions, legendary-inventors"
    assert f"{weaker}: Numba cannot be used" in doctor.stdout
    assert not (tmp_path / "empty").exists(), "nothing was compiled"


def output_of(output: str) -> dict[str, object]:
    """Return the output of `simulate` without the time it took."""
    simulated: dict[str, object] = json.loads(output)
    assert isinstance(simulated.pop("seconds"), float)
    return simulated


@pytest.mark.build
def test_without_a_compiler_the_wheel_is_one_for_all_machines(tmp_path: Path) -> None:
    wheel = built(tmp_path / "out", GAME, PATH=str(tmp_path), SPIELTISCH_CACHE=str(tmp_path / "empty"))
    assert wheel.name.endswith("-py3-none-any.whl")
