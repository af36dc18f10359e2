"""Check an administrator's day on an installed wheel, from its installation to the upgrade while games are running.

In between: a player is reported and banned, the disk is full for a while, Prometheus reads the metrics, and a backup is
restored elsewhere. Without Prometheus the test is skipped, but it fails if `SPIELTISCH_TEST_PROXIES` is `required`.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

import httpx
import pytest

from tests.paths import ROOT
from tests.web.reverse_proxies import free_port
from tests.web.servers import QUIET, UNLIMITED, Server
from tests.web.visitors import Visitor, table_of_three

pytestmark = [
    pytest.mark.build,
    pytest.mark.skipif(sys.platform != "linux", reason="limits of files and the proxies of Debian"),
]
UV: Final = str(Path(sys.executable).parent / "uv")
OLDER: Final = "0.0.9"
METRICS_WORD: Final = "of-the-metrics"
SECONDS: Final = 120.0
INSULT: Final = "You play like a teapot"


def installed(wheel: Path, folder: Path, version: str = "") -> str:
    """Install a wheel into an environment, as one of another version if given; return its program.

    What it needs comes from the environment of the tests, so nothing is downloaded.
    """
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    with ZipFile(wheel) as file:
        file.extractall(packages)
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    (metadata,) = packages.glob("spieltisch-*.dist-info/METADATA")
    if version:
        text = metadata.read_text(encoding="utf-8")
        metadata.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {version}", text), encoding="utf-8")
    program = folder / "bin" / "spieltisch"
    program.write_text(f"#!{folder}/bin/python\nfrom spieltisch.cli import app\napp()\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def output(*words: object) -> dict[str, Any]:
    """Return the JSON output of a command."""
    answer = subprocess.run([*map(str, words), "--json"], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


@contextmanager
def served(program: str, data: Path) -> Iterator[Server]:
    """Run the server of an installed program; it must end well."""
    server = Server(data, command=[program, "serve", *QUIET, *UNLIMITED, "--data"], forked=False)
    try:
        yield server
    finally:
        code = server.stop()
    assert code == 0, server.log


@contextmanager
def prometheus(folder: Path, target: str) -> Iterator[httpx.Client]:
    """Run Debian's Prometheus with the documented lines, for a server without https; yield its interface."""
    program = shutil.which("prometheus")
    if program is None:
        assert os.environ.get("SPIELTISCH_TEST_PROXIES") != "required", "this test needs prometheus"
        pytest.skip("prometheus is not installed")
    folder.mkdir()
    (folder / "token").write_text(METRICS_WORD, encoding="utf-8")
    hosting = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"(?s)```yaml\n(scrape_configs:.*?)```", hosting)
    changes = {
        "scheme: https": "scheme: http\n    scrape_interval: 1s",
        "/etc/prometheus/spieltisch-token": f"{folder}/token",
        "games.example.org": target,
    }
    for old, new in changes.items():
        assert old in lines
        lines = lines.replace(old, new)
    (folder / "prometheus.yml").write_text(lines, encoding="utf-8")
    address = f"127.0.0.1:{free_port()}"
    options = (f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data")
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program, *options, f"--web.listen-address={address}"], stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"http://{address}") as client:
            yield client
    finally:
        process.kill()
        process.wait()


def wait_for_value(client: httpx.Client, query: str) -> float:
    """Wait until Prometheus has a value above 0 for a query, and return it."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            found = client.get("/api/v1/query", params={"query": query}).json()["data"]["result"]
        except (httpx.TransportError, KeyError, ValueError):  # it is starting
            found = []
        if found and float(found[0]["value"][1]) > 0:
            return float(found[0]["value"][1])
        time.sleep(0.1)  # it has nothing that could be waited for
    raise AssertionError(f"Prometheus has no value for {query}")


def moved(people: Sequence[Visitor], path: str) -> int:
    """Make the next move of a game; return the status of the answer."""
    state = people[0].state(path)
    player = people[state["to_decide"]]
    answer = player.play(path, player.state(path)["moves"][0], state["version"])
    return int(answer.status_code)


def test_an_administrators_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELTISCH_METRICS_TOKEN", METRICS_WORD)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    subprocess.run([UV, "build", "--quiet", "--wheel", "--out-dir", str(tmp_path / "dist"), str(ROOT)], check=True)
    (wheel,) = (tmp_path / "dist").glob("spieltisch-*.whl")
    older, newer = installed(wheel, tmp_path / "older", OLDER), installed(wheel, tmp_path / "newer")
    data, elsewhere, backup = tmp_path / "data", tmp_path / "elsewhere", tmp_path / "day.backup"
    with ExitStack() as stack:
        server = stack.enter_context(served(older, data))
        assert f"Spieltisch {OLDER}" in server.log
        root, eve, *people = (stack.enter_context(Visitor(server)) for _ in range(5))
        link = output(older, "admin", "--data", data)["link"].removeprefix(server.address)
        assert root.submit(link, name="Root").status_code == 303
        path, _ = table_of_three(*people)
        assert moved(people, path) == 200

        # Someone is reported and banned.
        opened = eve.table("me", "open", "open", name="Eve the rude")
        people[0].sit(opened, "Ada")
        assert eve.submit(f"{opened}/chat", room="table", text=INSULT).status_code == 303
        assert people[0].submit(f"{opened}/chat/table/1/report").status_code == 303
        assert people[0].submit(f"{opened}/report", seat="0").status_code == 303
        page = root.get("/admin").text
        assert (page.count("data-report="), INSULT in page) == (2, True)
        (person,) = re.findall(r'data-person-id="([\w-]+)"', root.get("/admin", params={"search": "Eve the"}).text)
        assert root.submit("/admin/bans", person=person).status_code == 303
        assert eve.get("/").status_code == 403
        acts = [act["act"] for act in output(older, "admin-log", "--data", data)["acts"]]
        assert acts == ["link", "begin", "ban"]

        # The disk is full for a while.
        assert server.process.pid is not None
        before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, before[1]))
        assert moved(people, path) == 503
        assert people[1].get(path).status_code == 200, "tables can be looked at"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)
        assert moved(people, path) == 200

        # Prometheus reads the metrics.
        target = server.address.removeprefix("http://")
        with prometheus(tmp_path / "prometheus", target) as client:
            assert wait_for_value(client, 'up{job="spieltisch"}') == 1
            assert wait_for_value(client, 'sum(spieltisch_tables{status="running"})') == 1

        # A backup made while people play is restored to another folder.
        assert output(older, "backup", backup, "--data", data)["ok"]
        assert output(older, "restore", backup, "--data", elsewhere)["ok"]
        state = people[0].state(path)
        assert moved(people, path) == 200
        with served(older, elsewhere) as copy, Visitor(copy) as same_person:
            same_person.cookies.update(people[0].cookies)
            assert same_person.state(path) == state

        # The new version is tried first and then started, while games are running.
        checked = output(newer, "upgrade", "--check", "--data", data)
        assert checked["tables"] == {"looked_at": 2, "going_on": 2}
        versions = people[0].state(path)["version"]
        assert server.stop() == 0
        upgraded = stack.enter_context(served(newer, data))
        assert f"Spieltisch {OLDER}" not in upgraded.log
        players = [stack.enter_context(Visitor(upgraded)) for _ in people]
        for player, earlier in zip(players, people, strict=True):
            player.cookies.update(earlier.cookies)
        assert players[0].state(path)["version"] == versions
        assert moved(players, path) == 200
        assert output(newer, "doctor", "--data", data)["ok"]
