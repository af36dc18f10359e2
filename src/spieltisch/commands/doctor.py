"""`spieltisch doctor`: check everything that a server needs, and say what has to be done."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import socket
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from spieltisch.commands import Database, database_place
from spieltisch.commands.output import JsonOption, command_output

if TYPE_CHECKING:
    from spieltisch.store import LostEvents

MIN_FREE_BYTES = 100_000_000
"""The free disk space that a server needs at least."""
LIBRARIES = ("numpy", "numba", "sqlalchemy", "litestar", "uvicorn")
"""The libraries whose versions are shown."""
EFFECTIVE_IDS = os.access in os.supports_effective_ids


class Check(NamedTuple):
    """The result of a check. Level `ok`: fine; `note`: worth knowing; `do`: action needed, as described in the text."""

    level: Literal["ok", "note", "do"]
    text: str


def doctor(
    data: Annotated[
        Path | None,
        typer.Option(envvar="SPIELTISCH_DATA", help="Use the tables in this folder. Default: your application data."),
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, envvar="SPIELTISCH_PORT", help="Check this port.")] = 8889,
    database: Database = "",
    as_json: JsonOption = False,
) -> None:
    """Check everything that a server needs and show what has to be done. Changes nothing; the server may run."""
    with command_output(as_json) as output:
        place = database_place(data, database)
        checks = run_checks(place.parent, port) if isinstance(place, Path) else run_postgres_checks(place, port)
        findings = ({"grade": check.level, "text": check.text} for check in checks)
        output.rows("findings", findings, "{grade:<5} {text}")
        output.faults += [finding["text"] for finding in output.data["findings"] if finding["grade"] == "do"]
        line = "{n} {n:thing has|things have} to be done." if output.faults else "Nothing has to be done."
        output.show({}, f"\n{line}", n=len(output.faults))


def run_checks(folder: Path, port: int) -> Iterator[Check]:
    """Yield the results of all checks."""
    from spieltisch.store.schema import DATABASE

    database = folder / DATABASE
    yield _check_versions()
    usable = True
    for check in (*_check_folder(folder, database), _check_space(folder, database)):
        usable = usable and check.level != "do"
        yield check
    if not folder.is_dir():
        yield _check_port(port, "")
    else:
        holder = _lock_holder(database)
        yield _describe_server(holder)
        if usable and database.exists():
            yield from _check_database(database)
        elif usable:
            yield Check("note", "There are no tables yet; the server creates the database at its first start.")
        yield _check_port(port, holder)
    yield from _check_rules()


def run_postgres_checks(url: str, port: int) -> Iterator[Check]:
    """Yield the results of all checks, with a PostgreSQL database in the place of a folder."""
    from contextlib import closing

    from sqlalchemy.exc import DatabaseError

    from spieltisch.store.database_check import count_contents, find_gaps
    from spieltisch.store.errors import StoreError, reason
    from spieltisch.store.migrate import require_known_revision, revision
    from spieltisch.store.postgres_database import PostgresDatabase

    yield _check_versions()
    holder = ""
    try:
        with closing(PostgresDatabase(url)) as database, database.readers.connect() as connection:
            execute = connection.exec_driver_sql
            version, encoding, fsync = execute(
                "SELECT current_setting('server_version'), current_setting('server_encoding'), current_setting('fsync')"
            ).one()
            yield Check("ok", f"{database.name} answers: PostgreSQL {version}.")
            if encoding != "UTF8":
                yield Check("do", f"The database has the encoding {encoding}: make one with UTF8.")
            if fsync != "on":
                yield Check("do", "PostgreSQL runs without fsync, and may lose moves: switch it on.")
            holder = database.holder(connection)
            yield Check("ok", f"A server runs on this database ({holder})." if holder else "No server runs on it.")
            if (last_migration := revision(connection)) is None:
                yield Check("note", "There are no tables yet; the server creates them at its first start.")
            else:
                require_known_revision(last_migration, database.name)
                contents = count_contents(execute, last_migration)
                gaps = find_gaps(execute)
                for gap in gaps:
                    yield Check("do", f"The database is damaged: {gap}. Restore a backup.")
                if not gaps:
                    yield Check("ok", f"All events are there: {contents}.")
    except (StoreError, DatabaseError) as error:
        yield Check("do", f"The database cannot be used: {reason(error)}.")
    yield _check_port(port, holder)
    yield from _check_rules()


def _check_versions() -> Check:
    from spieltisch.commit import version_text

    libraries = ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    return Check(
        "ok",
        f"Spieltisch {version_text()}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"{libraries}; {platform.system()} {platform.machine()}.",
    )


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def _check_folder(folder: Path, database: Path) -> Iterator[Check]:
    """Check that the owner of the folder can use it and its files, and no one else can."""
    from spieltisch.core.file_owners import acting_as_owner
    from spieltisch.store.database_files import private_mode, readable_by_others

    parent = _nearest_existing(folder)
    if not folder.exists():
        if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
            yield Check("do", f"{folder} does not exist and cannot be created: you may not write to {parent}.")
        else:
            yield Check("note", f"{folder} does not exist yet; the server creates it at its first start.")
        return
    if not folder.is_dir():
        yield Check("do", f"{folder} is a file; name a folder with --data, or move the file out of the way.")
        return
    files = [database.with_name(database.name + end) for end in ("", "-wal", "-shm", ".lock", ".versions")]
    rights = {path: _permissions(path) for path in (folder, *files) if path.exists()}
    with acting_as_owner(folder) as owner:
        unusable = [path for path, right in rights.items() if not os.access(path, right, effective_ids=EFFECTIVE_IDS)]
    if unusable:
        names = ", ".join(f"{path}" for path in unusable)
        who = f"User {owner}, who owns {folder}," if owner else "You"
        yield Check("do", f"{who} may not write to {names}: give them to the user the server runs as (chown, chmod).")
    elif open_to_others := list(readable_by_others(database)):
        names_with_modes = ", ".join(f"{path} (mode {stat.S_IMODE(path.stat().st_mode):o})" for path in open_to_others)
        commands = " && ".join(f"chmod {private_mode(path):o} {shlex.quote(str(path))}" for path in open_to_others)
        text = "open to other users of this machine, and may hold the secrets of running games"
        yield Check(
            "do",
            f"{names_with_modes}: {text}. Start the server once, which closes them where it can, or do so: {commands}",
        )
    else:
        who = f"user {owner}" if owner else "you"
        yield Check("ok", f"{folder} can be written to, and read by {who} alone.")


def _permissions(path: Path) -> int:
    return os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)


def _nearest_existing(folder: Path) -> Path:
    """Return the folder itself, or its nearest parent that exists."""
    return next((path for path in (folder, *folder.absolute().parents) if path.exists()), folder)


def _check_space(folder: Path, database: Path) -> Check:
    free = shutil.disk_usage(_nearest_existing(folder)).free
    size = sum(file.stat().st_size for file in database.parent.glob(f"{database.name}*")) if folder.is_dir() else 0
    if free < MIN_FREE_BYTES:
        return Check(
            "do",
            f"Only {_bytes_text(free)} are free on the disk: make room, or the server will soon be unable to save "
            "moves.",
        )
    if free < 3 * size:
        return Check(
            "note", f"{_bytes_text(free)} are free, the tables take {_bytes_text(size)}: few backups will fit."
        )
    return Check("ok", f"{_bytes_text(free)} are free on the disk, the tables take {_bytes_text(size)}.")


def _bytes_text(number: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)):
        if number >= size:
            return f"{number / size:,.1f} {unit}"
    return f"{number} bytes"


def _lock_holder(database: Path) -> str:
    """Return a description of the server that holds the lock; "" for none."""
    from spieltisch.store.errors import StoreInUse
    from spieltisch.store.lock import FileLock

    lock = database.with_name(database.name + ".lock")
    if not lock.exists() or not os.access(lock, os.R_OK | os.W_OK):
        return ""
    number = lock.read_text(encoding="ascii", errors="replace")[:20].strip()
    try:
        FileLock(database).release()
    except StoreInUse:
        return f"process {number}"
    return ""


def _describe_server(holder: str) -> Check:
    return Check("ok", f"A server runs on this folder ({holder})." if holder else "No server runs on this folder.")


def _check_database(database: Path) -> Iterator[Check]:
    from spieltisch.store.database_check import database_contents, lost_events, open_read_only
    from spieltisch.store.errors import StoreError, StoreUnsupported
    from spieltisch.store.schema import HEAD

    try:
        with open_read_only(database) as connection:
            contents = database_contents(connection, database)
            new_lost, known_lost = lost_events(connection, database)
    except StoreUnsupported as error:
        yield Check("do", f"{error}.")
        return
    except StoreError as error:
        yield Check("do", f"{error}. Move the folder away and restore a backup: spieltisch restore FILE")
        return
    statuses = ", ".join(f"{count} {status}" for status, count in contents.tables.items())
    yield Check("ok", f"The database is sound: {contents}{f' ({statuses})' if statuses else ''}.")
    if contents.revision != HEAD:
        text = f"Its format is {contents.revision}, this version uses {HEAD}"
        yield Check("note", f"{text}: the next start brings it up to date. Back it up first: spieltisch backup FILE")
    if new_lost:
        yield Check(
            "do",
            f"The database is older than it was when it was last written: {_lost_text(new_lost)}. Is its -wal file "
            "missing, or was an old copy put in its place? Restore the right file, or a backup (spieltisch restore "
            "FILE). The next start continues with what is there, and the tables show it.",
        )
    if known_lost:
        yield Check(
            "note", f"The database was once replaced by an older one: {_lost_text(known_lost)}. The tables show it."
        )
    if frozen := contents.tables.get("frozen", 0):
        count = "1 table is" if frozen == 1 else f"{frozen} tables are"
        yield Check("note", f"{count} frozen: by you, or because their games would come out differently now.")


def _lost_text(lost: Sequence[LostEvents]) -> str:
    examples = ", ".join(f"{table.table} at {table.stored} of {table.recorded} events" for table in lost[:5])
    return f"{len(lost)} {'table has' if len(lost) == 1 else 'tables have'} lost their newest events ({examples})"


def _check_port(port: int, holder: str) -> Check:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError:
            return Check("do", f"You may not listen on port {port}: choose one above 1023 with --port.")
        except OSError as error:
            reason = f"Port {port} cannot be used ({error.strerror})"
            if holder:
                return Check("ok", f"Port {port} is in use, apparently by the running server.")
            return Check("do", f"{reason}: stop what listens there, or choose another with --port.")
    if holder:
        return Check("note", f"The server that runs does not listen on port {port}.")
    return Check("ok", f"Port {port} is free.")


def _check_rules() -> Iterator[Check]:
    """Check the library that bots search with, and the cache of compiled rules; tables work without both."""
    from spieltisch.bots.search import native_library
    from spieltisch.core.compiled import cache_root
    from spieltisch.games import game, game_modules

    folder = cache_root()
    parent = _nearest_existing(folder)
    if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        yield Check(
            "do",
            f"Compiled rules cannot be stored in {folder}, so bots that search play weaker and simulations do not run: "
            "make it writable, or name another folder in the environment variable SPIELTISCH_CACHE.",
        )
        return
    missing = [key for key in game_modules() if native_library.find(game(key)) is None]
    reason = native_library.problem()
    if missing and reason:
        text = f"The medium, hard and expert bots play weaker in {', '.join(missing)}"
        yield Check("do", f"{text}: {reason}")
    elif missing:
        text = f"What bots search with is not compiled yet: {', '.join(missing)}. Until then the medium, hard and"
        yield Check(
            "note", f"{text} expert bots play weaker. A server compiles it unless started with --no-compile-search."
        )
    else:
        yield Check("ok", "What bots search with is compiled, for all games.")
    if reason:
        return
    current = {key: game(key).engine.binding.folder for key in game_modules()}
    ready = [key for key, stored in current.items() if any(stored.glob("*/*.nbi"))]
    stored = [path for path in (folder / "rules").glob("*") if path.is_dir()]
    old = [path for path in stored if path not in current.values()]
    size = sum(file.stat().st_size for path in stored for file in path.rglob("*") if file.is_file())
    text = f"Compiled rules in {folder}: {', '.join(ready) or 'none yet'}; {_bytes_text(size)}"
    if old:
        yield Check("note", f"{text}, {len(old)} of {len(stored)} folders from other versions, which can be deleted.")
    else:
        yield Check("ok", f"{text}.")
