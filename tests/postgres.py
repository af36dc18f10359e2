"""Provide PostgreSQL to tests: the database of `SPIELTISCH_TEST_POSTGRES`, or a server of Debian's package on a socket.

Each test has a separate schema. Without a database these tests are skipped, but they fail if the variable is
`required`, as in CI. Tests marked `both_databases` run on SQLite, and in the second tier also on PostgreSQL.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.process_tree import children_of, wait_for_end

ON_BOTH: Final = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql))
"""The databases on which these tests run."""
BIN: Final = max(Path("/usr/lib/postgresql").glob("*/bin/postgres"), default=None)
"""The server of Debian's newest package; it lies beside its tools."""
START_SECONDS: Final = 60.0


class Server(NamedTuple):
    """A PostgreSQL server with a test database that can be killed as by a power failure."""

    url: str
    kill: Callable[[], None] = lambda: None
    start: Callable[[], None] = lambda: None

    def schema(self) -> str:
        """Return the URL of an empty schema."""
        import psycopg

        name = f"t{secrets.token_hex(8)}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{self.url}{'&' if '?' in self.url else '?'}options=-csearch_path%3D{name}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker
    if marker("both_databases") and not marker("sqlite_only"):
        metafunc.parametrize("backend", ON_BOTH, indirect=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    database_address = os.environ.get("SPIELTISCH_TEST_POSTGRES", "")
    if database_address in ("", "required"):
        yield from debian_server(is_required=bool(database_address))
    else:
        yield Server(database_address)


@pytest.fixture
def private_server() -> Iterator[Server]:
    """Run a server that a test may kill."""
    yield from debian_server(is_required=os.environ.get("SPIELTISCH_TEST_POSTGRES") == "required")


def debian_server(*, is_required: bool) -> Iterator[Server]:
    """Run Debian's server, or skip the test where it is not installed and not required."""
    if BIN is None:
        assert not is_required, "tests need Debian's postgresql"
        pytest.skip("PostgreSQL is not installed")
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        yield from own_server(BIN, Path(folder))


def own_server(postgres_file: Path, folder: Path) -> Iterator[Server]:
    """Run a server without network; if this user is root, which PostgreSQL refuses, run it as another user."""
    import psycopg

    user: dict[str, Any] = {"user": "nobody"} if os.getuid() == 0 else {}
    if user:
        shutil.chown(folder, "nobody")
    data = folder / "data"
    initdb = [
        f"{postgres_file.with_name('initdb')}",
        "-D",
        f"{data}",
        "-U",
        "spieltisch",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "-N",
    ]
    subprocess.run([*initdb, "--no-locale"], check=True, stdout=subprocess.DEVNULL, cwd=folder, **user)
    url = f"postgresql://spieltisch@/postgres?host={folder}"
    started_processes: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        command = [f"{postgres_file}", "-D", f"{data}", "-k", f"{folder}", "-c", "listen_addresses=", "-F"]
        with (folder / "log").open("ab") as log:
            started_processes.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **user))
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                psycopg.connect(url).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > deadline or started_processes[-1].poll() is not None:
                    raise RuntimeError((folder / "log").read_text()) from None
                time.sleep(0.02)  # there is nothing to wait for but an answer

    def kill() -> None:
        started_processes[-1].send_signal(signal.SIGSTOP)  # so that it starts no further process
        processes = children_of(started_processes[-1].pid)
        started_processes[-1].kill()
        for process in processes:  # which would answer for a moment longer
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
                wait_for_end(process)
        started_processes[-1].wait()
        (data / "postmaster.pid").unlink()

    start()
    try:
        yield Server(url, kill, start)
    finally:
        started_processes[-1].send_signal(signal.SIGINT)  # closes all connections
        started_processes[-1].wait()


@pytest.fixture(autouse=True)
def backend(request: pytest.FixtureRequest) -> Iterator[None]:
    """Store each database file of a test in a separate schema if the test runs on PostgreSQL."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield
        return
    from spieltisch.store import store
    from spieltisch.store.postgres_database import PostgresDatabase

    server: Server = request.getfixturevalue("postgres")
    urls: dict[Path, str] = {}

    def open_schema(path: Path) -> PostgresDatabase:
        if path not in urls:
            urls[path] = server.schema()
        return PostgresDatabase(urls[path])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "SqliteDatabase", open_schema)
        yield
