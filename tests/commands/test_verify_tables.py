"""Check `spieltisch verify --data`, which replays every table and reports the first difference."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

from spieltisch import tables
from spieltisch.cli import app
from spieltisch.live import Live
from spieltisch.store.schema import DATABASE
from spieltisch.tables import NewTable

MOVES = 12


def verify(folder: Path) -> Result:
    return CliRunner().invoke(app, ["verify", "--data", str(folder)])


async def some_tables(live: Live) -> str:
    """Store an open table and a running table, and return the id of the running table."""
    ada, _ = await live.people.create("Ada")
    await live.tables.open(ada, NewTable("paris-connection", ("me", "open", "open")))
    table = await live.tables.open(ada, NewTable("paris-connection", ("me", "bot:easy", "bot:random")))
    for _ in range(MOVES):
        assert table.position is not None
        move = str(table.position.legal_moves[0])
        turn = table.bot_to_move()
        if turn is not None:
            table = await live.tables.run(table.id, tables.play_bot_move, turn, move)
        else:
            table = await live.tables.run(table.id, tables.play, ada.id, move, table.version)
    return table.id


@pytest.fixture
def folder_with_running_table(tmp_path: Path) -> tuple[Path, str]:
    """Return a folder with tables and the id of the running table."""

    async def main() -> str:
        live = await Live.open(tmp_path / DATABASE)
        try:
            table = await some_tables(live)
            assert (await asyncio.to_thread(verify, tmp_path)).exit_code == 0  # while the server runs
            return table
        finally:
            await live.close()

    return tmp_path, asyncio.run(main())


def change(folder: Path, statement: str, **values: object) -> None:
    """Change the database of a server directly."""

    async def main() -> None:
        live = await Live.open(folder / DATABASE)
        try:
            await live.tables.replaying
            await live.store.write(lambda connection: connection.execute(text(statement), values))
        finally:
            await live.close()

    asyncio.run(main())


def test_undamaged_tables_are_verified(folder_with_running_table: tuple[Path, str]) -> None:
    folder, _ = folder_with_running_table
    result = verify(folder)
    assert result.exit_code == 0, result.output
    assert result.output == "2 of 2 tables verified.\n"


def test_verify_names_the_first_move_with_a_different_result(folder_with_running_table: tuple[Path, str]) -> None:
    folder, table = folder_with_running_table
    change_statement = (
        """UPDATE events SET data = replace(data, '"points":[', '"points":[9,') WHERE table_id = :table"""
    )
    change(folder, change_statement, table=table)
    result = verify(folder)
    assert result.exit_code == 1
    assert f"table {table}: event " in result.stderr
    assert "scores differently" in result.stderr
    assert "1 of 2 tables verified." in result.stdout
    change(folder, "SELECT 1")  # a server starts, and freezes the table
    assert verify(folder).stderr == result.stderr


def test_checking_an_upgrade_names_tables_that_would_freeze_and_changes_nothing(
    folder_with_running_table: tuple[Path, str],
) -> None:
    folder, table = folder_with_running_table

    def upgrade(*options: str) -> Result:
        return CliRunner().invoke(app, ["upgrade", "--data", str(folder), *options])

    assert upgrade().exit_code == 1
    assert json.loads(upgrade("--check", "--json").stdout)["tables"] == {"looked_at": 2, "going_on": 2}
    with closing(sqlite3.connect(folder / DATABASE)) as connection, connection:
        other = """UPDATE events SET data = replace(data, '"points":[', '"points":[9,') WHERE table_id = ?"""
        assert connection.execute(other, (table,)).rowcount > MOVES
    before = (folder / DATABASE).read_bytes()
    done = upgrade("--check")
    assert (done.exit_code, f"table {table} would freeze: event " in done.stderr) == (1, True)
    assert (folder / DATABASE).read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        ("UPDATE events SET data = 'noise' WHERE table_id = :table AND version = 3", "event 3: "),
        ("UPDATE secrets SET secret = zeroblob(32) WHERE table_id = :table", ""),
    ],
    ids=["event", "secret"],
)
def test_verify_names_an_invalid_event_and_a_secret_that_does_not_match_its_commitment(
    folder_with_running_table: tuple[Path, str], damage: str, place: str
) -> None:
    folder, table = folder_with_running_table
    change(folder, damage, table=table)
    result = verify(folder)
    assert result.exit_code == 1
    assert f"table {table}: {place}" in result.stderr


def test_verifying_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    result = verify(tmp_path)
    assert (result.exit_code, "does not exist" in result.stderr) == (1, True)
    (tmp_path / DATABASE).write_bytes(b"noise" * 1000)
    assert verify(tmp_path).exit_code == 1
