"""`spieltisch export` and `spieltisch import` as processes, and the imported games on the web."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from spieltisch import Record, game, tables
from spieltisch.core.components import Components
from spieltisch.core.position import Position
from spieltisch.core.record import RecordedMove
from spieltisch.live import Live
from spieltisch.store.schema import DATABASE
from spieltisch.tables import NewTable
from tests.commands.test_backup import spieltisch
from tests.web.conftest import Server, Visitor

Start = Callable[..., Server]


def played(data: Path) -> str:
    """Open a table of three people and play its game to the end; return its path."""

    async def main() -> str:
        live = await Live.open(data / DATABASE)
        try:
            people = {
                person.id: person for person in [(await live.people.create(name))[0] for name in ("Ada", "Ben", "Cid")]
            }
            ada, ben, cid = people.values()
            plan = NewTable("paris-connection", ("me", "open", "open"), {"standstill": "ends"})
            table = await live.tables.open(ada, plan)
            for person in (ben, cid):
                table = await live.tables.run(table.id, tables.sit, person)
            while table.position is not None and table.to_decide is not None:
                move = str(table.position.legal_moves[0])
                decides = table.seats[table.to_decide].person
                table = await live.tables.run(table.id, tables.play, decides, move, table.version)
            return f"/table/{table.id}"
        finally:
            await live.close()

    return asyncio.run(main())


def simulated(seed: int, components: Components[Any] | None = None) -> Record:
    """Return the record of a simulated game, without a secret."""
    chance = random.Random(seed)
    position = Position.start(game("paris-connection").setup(3, components), seed=seed)
    plays: list[RecordedMove] = []
    while not position.is_over:
        move = position.play(chance.choice(list(position.legal_moves)))
        plays.append(RecordedMove(move.seat, move.move.text, move.drew))
    return Record.of(position, plays, players=("A", "B", "C"), seed=seed)


def test_out_of_a_running_server_and_into_another(own_server: Start, tmp_path: Path) -> None:
    path = played(tmp_path / "data")
    server = own_server()
    with Visitor(server) as ada:
        ada.table("me", "open", "open")
    asked = spieltisch("export", tmp_path / "games", "--data", server.data)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout == f"{tmp_path / 'games'}: 1 of 1 finished games.\n"
    (file,) = (tmp_path / "games").iterdir()
    assert file.name == f"paris-connection-{path.rpartition('/')[2]}.record"
    record = Record.read(file)
    assert record.verify().is_over
    assert record.secret is not None
    assert spieltisch("export", tmp_path / "games", "--data", server.data).returncode == 0, "again does no harm"
    refused = spieltisch("import", file, "--data", server.data)
    assert refused.returncode == 1
    assert "is using" in refused.stderr
    server.stop()
    asked = spieltisch("import", file, "--data", server.data)
    assert (asked.returncode, asked.stdout) == (0, f"{file}: {path} (there already)\n")

    asked = spieltisch("import", file, "--data", tmp_path / "new")
    assert (asked.returncode, asked.stderr) == (0, "")
    new = Server(tmp_path / "new")
    try:
        page = re.sub(r"^.*(/table/\S+)\n$", r"\1", asked.stdout, flags=re.S)
        assert f'href="{page}"' in httpx.get(f"{new.address}/", verify=False).text, "it is in the lobby"
        shown = httpx.get(f"{new.address}{page}", verify=False)
        assert shown.status_code == 200
        assert "Cid" in shown.text
        assert httpx.get(f"{new.address}{page}/record", verify=False).text == file.read_text(encoding="utf-8")
        assert "imported from a game record" in httpx.get(f"{new.address}{page}/log", verify=False).text
        assert record.secret in httpx.get(f"{new.address}{page}/fairness", verify=False).text
    finally:
        assert new.stop() == 0
    assert new.log == new.quiet_log
    asked = spieltisch("verify", "--data", tmp_path / "new")
    assert (asked.returncode, asked.stdout) == (0, "1 of 1 tables verified.\n")


def test_simulated_games_are_looked_at_too(own_server: Start, tmp_path: Path) -> None:
    files = [tmp_path / "1.record", tmp_path / "2.record"]
    for seed, file in enumerate(files):
        simulated(seed).write(file)
    torn = tmp_path / "torn.record"
    torn.write_text(files[0].read_text(encoding="utf-8").replace("seat 1: ", "seat 2: "), encoding="utf-8")
    other = tmp_path / "other.record"
    other.write_text(files[0].read_text(encoding="utf-8").replace("game: paris-connection", "game: go"), "utf-8")
    asked = spieltisch("import", other, torn, *files, "--data", tmp_path / "data")
    assert asked.returncode == 1
    assert f"{other}: there is no game 'go'" in asked.stderr
    assert f"{torn}: move 1: seat 2 moves where seat 1 decides" in asked.stderr
    pages = re.findall(r"(/table/\S+)\n", asked.stdout)
    assert len(pages) == 2
    asked = spieltisch("import", *files, "--data", tmp_path / "data")
    assert asked.stdout.count("(there already)") == 2
    server = own_server()
    with Visitor(server) as ada:
        for page in pages:
            assert ada.get(page).status_code == 200
            assert "can’t be verified" in ada.get(f"{page}/fairness").text
            assert ada.state(page)["status"] == "finished"
            assert f'href="{page}"' in ada.get("/").text
            Record.parse(ada.get(f"{page}/record").text).verify()
            assert ada.submit(f"{page}/rematch").status_code == 403
    assert server.stop() == 0
    assert spieltisch("verify", "--data", tmp_path / "data").stdout == "2 of 2 tables verified.\n"
    asked = spieltisch("export", tmp_path / "out", "--data", tmp_path / "data")
    assert asked.stdout == f"{tmp_path / 'out'}: 2 of 2 finished games.\n"


def test_own_components_travel_along(tmp_path: Path) -> None:
    own, file = tmp_path / "own.toml", tmp_path / "own.record"
    assert spieltisch("components", "export", "paris-connection", own).returncode == 0
    own.write_text(own.read_text(encoding="utf-8").replace('name = "', 'name = "own-', 1), encoding="utf-8")
    simulated(1, game("paris-connection").read_components(own)).write(file)
    asked = spieltisch("import", file, "--data", tmp_path / "data")
    assert asked.returncode == 1
    assert "which must be given" in asked.stderr
    assert spieltisch("import", file, "--data", tmp_path / "data", "--components", own).returncode == 0
    assert spieltisch("export", tmp_path / "out", "--data", tmp_path / "data").returncode == 0
    out = {record_file.suffix: record_file for record_file in (tmp_path / "out").iterdir()}
    assert out[".toml"].read_text(encoding="utf-8") == own.read_text(encoding="utf-8")
    asked = spieltisch("verify", out[".record"], "--components", out[".toml"])
    assert asked.returncode == 0, asked.stderr


def test_a_game_that_differs_is_named_and_not_written(tmp_path: Path) -> None:
    path = played(tmp_path / "data")
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as database, database:
        database.execute(
            "UPDATE events SET data = CAST(replace(CAST(data AS TEXT), '\"points\":[', '\"points\":[7,') AS BLOB)"
        )
    asked = spieltisch("export", tmp_path / "games", "--data", tmp_path / "data")
    assert asked.returncode == 1
    assert asked.stderr.startswith(f"table {path.rpartition('/')[2]}: ")
    assert "scores differently" in asked.stderr
    assert list((tmp_path / "games").iterdir()) == []


@pytest.mark.parametrize("command", ["export", "import"])
def test_what_is_not_there_is_named(command: str, tmp_path: Path) -> None:
    asked = spieltisch(command, tmp_path / "nothing", "--data", tmp_path / "data")
    assert asked.returncode != 0
    assert "Traceback" not in asked.stderr


@pytest.mark.parametrize("words", [["verify"], ["replay"], ["import", "--data", "tables"]])
def test_a_record_that_lies_deep_is_refused_in_words(tmp_path: Path, words: list[str]) -> None:
    file = tmp_path / "deep.record"
    text = simulated(3).text
    for field in ("options", "result"):
        lines = [f"{field}: {'[' * 50_000}" if line.startswith(f"{field}: ") else line for line in text.split("\n")]
        file.write_text("\n".join(lines), "utf-8")
        done = spieltisch(*[str(tmp_path / word) if word == "tables" else word for word in words], str(file))
        assert done.returncode == 1
        assert f"{field}: Expected `object`, got `array`" in done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
