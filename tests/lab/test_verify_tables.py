"""`spieltisch verify --data`: every table of a server replayed, the first difference reported."""

from __future__ import annotations

import asyncio
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
    """Store an open table and one whose game runs; return the id of the second."""
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
def running(tmp_path: Path) -> tuple[Path, str]:
    """A folder with tables, and the id of one whose game runs."""

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
    """Change the file behind the server's back."""

    async def main() -> None:
        live = await Live.open(folder / DATABASE)
        try:
            await live.tables.replaying
            await live.store.write(lambda connection: connection.execute(text(statement), values))
        finally:
            await live.close()

    asyncio.run(main())


def test_good_tables_verify(running: tuple[Path, str]) -> None:
    folder, _ = running
    done = verify(folder)
    assert done.exit_code == 0, done.output
    assert done.output == "2 of 2 tables verified.\n"


def test_the_first_move_that_comes_out_differently_is_named(running: tuple[Path, str]) -> None:
    folder, table = running
    changed = """UPDATE events SET data = replace(data, '"points":[', '"points":[9,') WHERE table_id = :table"""
    change(folder, changed, table=table)
    done = verify(folder)
    assert done.exit_code == 1
    assert f"table {table}: event " in done.stderr
    assert "scores differently" in done.stderr
    assert "1 of 2 tables verified." in done.stdout
    change(folder, "SELECT 1")  # a server starts, and freezes the table
    assert verify(folder).stderr == done.stderr


def test_an_event_that_is_none_is_named(running: tuple[Path, str]) -> None:
    folder, table = running
    change(folder, "UPDATE events SET data = 'noise' WHERE table_id = :table AND version = 3", table=table)
    done = verify(folder)
    assert done.exit_code == 1
    assert f"table {table}: event 3: " in done.stderr


def test_a_secret_that_was_not_promised_is_named(running: tuple[Path, str]) -> None:
    folder, table = running
    change(folder, "UPDATE secrets SET secret = zeroblob(32) WHERE table_id = :table", table=table)
    done = verify(folder)
    assert done.exit_code == 1
    assert f"table {table}: " in done.stderr


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    done = verify(tmp_path)
    assert (done.exit_code, "does not exist" in done.stderr) == (1, True)
    (tmp_path / DATABASE).write_bytes(b"noise" * 1000)
    assert verify(tmp_path).exit_code == 1
