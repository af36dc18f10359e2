"""Check that an installed wheel serves pages in all languages outside the checkout."""

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
from spieltisch.commit import commit
from tests.paths import ROOT

UV = str(Path(sys.executable).parent / "uv")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([UV, "build", "--quiet", "--wheel", "--out-dir", str(folder), str(ROOT)], check=True)
    return next(folder.glob("spieltisch-*.whl"))


@pytest.fixture(scope="module")
def environment_bin(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the `bin` folder of a fresh environment with only the wheel and the packages of the user lock."""
    return environment_of(wheel, tmp_path_factory.mktemp("elsewhere") / "venv")


def environment_of(wheel: Path, folder: Path, excluded_packages: tuple[str, ...] = ()) -> Path:
    """Return the `bin` folder of a fresh environment with a wheel and most packages of the user lock."""
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    lock = re.split(r"(?m)^(?=\S)", (ROOT / "requirements.lock").read_text())
    (folder / "lock").write_text("".join(package for package in lock if not package.startswith(excluded_packages)))
    for pip_arguments in (["--requirements", str(folder / "lock")], [str(wheel)]):
        command = [UV, "pip", "install", "--quiet", "--no-deps", "--python", str(folder), *pip_arguments]
        subprocess.run(command, check=True, cwd=folder)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def built(output_folder: Path, *games: str, **environment: str) -> Path:
    """Return the wheel that `scripts/build_wheel` builds."""
    command = [sys.executable, str(ROOT / "scripts" / "build_wheel"), "--out", str(output_folder), *games]
    subprocess.run(command, env=os.environ | environment, check=True)
    return next(output_folder.glob("spieltisch-*.whl"))


@pytest.fixture
def lobby_address(environment_bin: Path, tmp_path: Path) -> Iterator[str]:
    """Yield the address of the lobby of a server started from the wheel."""
    quiet_options = ["--port", "0", "--no-browser", "--no-compile-search"]
    command = [str(environment_bin / "spieltisch"), "serve", *quiet_options, "--data", str(tmp_path / "data")]
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
def test_the_wheel_contains_every_file_that_is_not_python(wheel: Path) -> None:
    source = ROOT / "src"
    expected_files = {
        file.relative_to(source).as_posix()
        for file in (source / "spieltisch").rglob("*")
        if file.suffix
        in {".po", ".toml", ".md", ".html", ".svg", ".css", ".js", ".ico", ".png", ".webmanifest", ".typed"}
    }
    assert {"spieltisch/locale/nl.po", "spieltisch/games/paris_connection/components.toml"} <= expected_files
    with ZipFile(wheel) as wheel_file:
        assert expected_files - set(wheel_file.namelist()) == set()
        assert any(name.endswith("licenses/LICENSE") for name in wheel_file.namelist())


@pytest.mark.build
def test_wheel_and_sdist_contain_their_commit(wheel: Path, tmp_path: Path) -> None:
    command = [UV, "build", "--quiet", "--sdist", "--out-dir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True)
    sdist = next(tmp_path.glob("spieltisch-*.tar.gz"))
    command = [UV, "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(sdist)]
    subprocess.run(command, check=True)
    for file in (wheel, next(tmp_path.glob("spieltisch-*.whl"))):
        with ZipFile(file) as wheel_file:
            assert wheel_file.read("spieltisch/commit.txt").decode() == commit()


@pytest.mark.build
def test_an_installed_wheel_serves_a_page_in_dutch(lobby_address: str) -> None:
    answer = httpx.get(lobby_address, headers={"Accept-Language": "nl"}, timeout=30, verify=False)
    assert answer.status_code == 200
    assert '<html lang="nl-' in answer.text


@pytest.mark.build
def test_the_lock_excludes_exactly_the_unneeded_packages(environment_bin: Path) -> None:
    """The test of the installed wheel shows that pages are served without these packages."""
    checked = subprocess.run(
        [UV, "pip", "check", "--python", str(environment_bin.parent)], capture_output=True, text=True, check=False
    )
    missing = re.findall(r"^The package `(\S+)` requires `([\w-]+).*, but it's not installed", checked.stderr, re.M)
    assert missing == [("litestar", "polyfactory")], checked.stderr
    assert "Found 1 incompatibility" in checked.stderr
    package_names = {folder.name for folder in next(environment_bin.parent.rglob("site-packages")).iterdir()}
    assert {"litestar", "numba", "markdown_it"} <= package_names
    assert not {"faker", "polyfactory", "pytest", "playwright", "hypothesis", "mypy"} & package_names


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
def test_a_wheel_for_this_machine_searches_compiled_without_numba_or_a_compiler(tmp_path: Path) -> None:
    wheel = built(tmp_path / "out", GAME)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert wheel.name.endswith(f"-py3-none-{platform}.whl")
    with ZipFile(wheel) as wheel_file:
        shipped = [Path(name).name for name in wheel_file.namelist() if "/bots/search/libraries/" in name]
        wheel_metadata = wheel_file.read(
            next(name for name in wheel_file.namelist() if name.endswith(".dist-info/WHEEL"))
        ).decode()
    expected_files = {native_library.name(spieltisch.game(GAME), entry) for entry in native_library.ENTRIES}
    assert set(shipped) == expected_files, "they are of these very sources"
    assert "Root-Is-Purelib: false" in wheel_metadata
    binaries = environment_of(wheel, tmp_path / "venv", excluded_packages=("numba", "llvmlite"))
    minimal_environment = {"PATH": str(binaries), "SPIELTISCH_CACHE": str(tmp_path / "empty")}
    assert shutil.which("cc", path=minimal_environment["PATH"]) is None

    def run_installed(installation: str) -> str:
        command = [str(binaries / "python"), "-c", PLAYS, installation]
        result = subprocess.run(
            command, env=minimal_environment, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert result.stderr == "", "games of the simulation are compiled, or it would say that they are slow"
        return result.stdout

    compiled = run_installed("compiled")
    assert len(compiled.splitlines()) > 50
    assert compiled == run_installed("plain")
    words = ["simulate", GAME, "--bots", "easy,random,random", "--games", "20", "--json"]
    from_wheel = subprocess.run(
        [binaries / "spieltisch", *words], env=minimal_environment, capture_output=True, text=True, check=True
    )
    in_checkout = CliRunner().invoke(app, words)
    assert output_of(from_wheel.stdout) == output_of(in_checkout.stdout)
    command = [str(binaries / "spieltisch"), "doctor", "--data", str(tmp_path / "data")]
    doctor = subprocess.run(command, env=minimal_environment, capture_output=True, text=True, check=False)
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
def test_a_wheel_built_without_a_compiler_fits_all_machines(tmp_path: Path) -> None:
    wheel = built(tmp_path / "out", GAME, PATH=str(tmp_path), SPIELTISCH_CACHE=str(tmp_path / "empty"))
    assert wheel.name.endswith("-py3-none-any.whl")
