"""Check `spieltisch export` and `spieltisch import` as processes, and the imported games on the web."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from spieltisch import Record, game
from spieltisch.store.schema import DATABASE
from tests.commands.command_line import spieltisch
from tests.commands.finished_games import played, simulated
from tests.sentences import sentence_after
from tests.web.servers import Server
from tests.web.visitors import Visitor

Start = Callable[..., Server]


def test_records_exported_from_a_running_server_are_imported_elsewhere(own_server: Start, tmp_path: Path) -> None:
    path = played(tmp_path / "data")
    server = own_server()
    with Visitor(server) as ada:
        ada.table("me", "open", "open")
    command_result = spieltisch("export", tmp_path / "games", "--data", server.data)
    assert (command_result.returncode, command_result.stderr) == (0, "")
    assert command_result.stdout == f"{tmp_path / 'games'}: 1 of 1 finished games.\n"
    (file,) = (tmp_path / "games").iterdir()
    assert file.name == f"paris-connection-{path.rpartition('/')[2]}.record"
    record = Record.read(file)
    assert record.verify().is_over
    assert record.secret is not None
    assert spieltisch("export", tmp_path / "games", "--data", server.data).returncode == 0, "again does no harm"
    refusal = spieltisch("import", file, "--data", server.data)
    assert refusal.returncode == 1
    assert "is using" in refusal.stderr
    server.stop()
    command_result = spieltisch("import", file, "--data", server.data)
    assert (command_result.returncode, command_result.stdout) == (0, f"{file}: {path} (there already)\n")

    command_result = spieltisch("import", file, "--data", tmp_path / "new")
    assert (command_result.returncode, command_result.stderr) == (0, "")
    simulated(0).write(tmp_path / "simulated.record")
    of_nobody = spieltisch("import", tmp_path / "simulated.record", "--data", tmp_path / "new")
    assert (of_nobody.returncode, of_nobody.stderr) == (0, "")
    new_server = Server(tmp_path / "new")
    try:
        page, simulated_page = (
            re.sub(r"^.*(/table/\S+)\n$", r"\1", result.stdout, flags=re.S) for result in (command_result, of_nobody)
        )
        assert f'href="{page}"' in httpx.get(f"{new_server.address}/", verify=False).text, "it is in the lobby"
        imported_sentence = sentence_after("tables/fold.py", "if opened.imported")
        unverifiable = sentence_after("web/templates/fairness.html", "{% if table.draws_from_record %}")
        shown_page = httpx.get(f"{new_server.address}{page}", verify=False)
        assert shown_page.status_code == 200
        assert "Cid" in shown_page.text
        assert httpx.get(f"{new_server.address}{page}/record", verify=False).text == file.read_text(encoding="utf-8")
        assert imported_sentence in httpx.get(f"{new_server.address}{page}/log", verify=False).text
        assert record.secret in httpx.get(f"{new_server.address}{page}/fairness", verify=False).text
        with Visitor(new_server) as ada:
            assert ada.get(simulated_page).status_code == 200
            assert unverifiable in ada.get(f"{simulated_page}/fairness").text
            assert ada.state(simulated_page)["status"] == "finished"
            assert f'href="{simulated_page}"' in ada.get("/").text
            Record.parse(ada.get(f"{simulated_page}/record").text).verify()
            assert ada.submit(f"{simulated_page}/rematch").status_code == 403
    finally:
        assert new_server.stop() == 0
    assert new_server.log == new_server.quiet_log
    command_result = spieltisch("verify", "--data", tmp_path / "new")
    assert (command_result.returncode, command_result.stdout) == (0, "2 of 2 tables verified.\n")


def test_each_record_is_imported_once_and_faulty_records_are_named(tmp_path: Path) -> None:
    files = [tmp_path / "1.record", tmp_path / "2.record"]
    for seed, file in enumerate(files):
        simulated(seed).write(file)
    torn_file = tmp_path / "torn.record"
    torn_file.write_text(files[0].read_text(encoding="utf-8").replace("seat 1: ", "seat 2: "), encoding="utf-8")
    other_file = tmp_path / "other.record"
    other_file.write_text(files[0].read_text(encoding="utf-8").replace("game: paris-connection", "game: go"), "utf-8")
    command_result = spieltisch("import", other_file, torn_file, *files, "--data", tmp_path / "data")
    assert command_result.returncode == 1
    assert f"{other_file}: there is no game 'go'" in command_result.stderr
    assert f"{torn_file}: move 1: seat 2 moves where seat 1 decides" in command_result.stderr
    pages = re.findall(r"(/table/\S+)\n", command_result.stdout)
    assert len(pages) == 2
    command_result = spieltisch("import", *files, "--data", tmp_path / "data")
    assert command_result.stdout.count("(there already)") == 2
    assert spieltisch("verify", "--data", tmp_path / "data").stdout == "2 of 2 tables verified.\n"
    command_result = spieltisch("export", tmp_path / "out", "--data", tmp_path / "data")
    assert command_result.stdout == f"{tmp_path / 'out'}: 2 of 2 finished games.\n"


def test_records_are_imported_and_exported_with_their_component_file(tmp_path: Path) -> None:
    own_file, file = tmp_path / "own.toml", tmp_path / "own.record"
    assert spieltisch("components", "export", "paris-connection", own_file).returncode == 0
    own_file.write_text(own_file.read_text(encoding="utf-8").replace('name = "', 'name = "own-', 1), encoding="utf-8")
    simulated(1, game("paris-connection").read_components(own_file)).write(file)
    command_result = spieltisch("import", file, "--data", tmp_path / "data")
    assert command_result.returncode == 1
    assert "which must be given" in command_result.stderr
    assert spieltisch("import", file, "--data", tmp_path / "data", "--components", own_file).returncode == 0
    assert spieltisch("export", tmp_path / "out", "--data", tmp_path / "data").returncode == 0
    output_files = {record_file.suffix: record_file for record_file in (tmp_path / "out").iterdir()}
    assert output_files[".toml"].read_text(encoding="utf-8") == own_file.read_text(encoding="utf-8")
    command_result = spieltisch("verify", output_files[".record"], "--components", output_files[".toml"])
    assert command_result.returncode == 0, command_result.stderr


def test_export_names_a_table_whose_replay_differs_and_writes_no_record(tmp_path: Path) -> None:
    path = played(tmp_path / "data")
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as database, database:
        database.execute(
            "UPDATE events SET data = CAST(replace(CAST(data AS TEXT), '\"points\":[', '\"points\":[7,') AS BLOB)"
        )
    command_result = spieltisch("export", tmp_path / "games", "--data", tmp_path / "data")
    assert command_result.returncode == 1
    assert command_result.stderr.startswith(f"table {path.rpartition('/')[2]}: ")
    assert "scores differently" in command_result.stderr
    assert list((tmp_path / "games").iterdir()) == []


@pytest.mark.parametrize("command", ["export", "import"])
def test_export_and_import_of_missing_sources_fail_without_a_traceback(command: str, tmp_path: Path) -> None:
    command_result = spieltisch(command, tmp_path / "nothing", "--data", tmp_path / "data")
    assert command_result.returncode != 0
    assert "Traceback" not in command_result.stderr


@pytest.mark.parametrize("words", [["verify"], ["replay"], ["import", "--data", "tables"]])
def test_a_deeply_nested_record_is_refused_with_an_explanation(tmp_path: Path, words: list[str]) -> None:
    file = tmp_path / "deep.record"
    text = simulated(3).text
    for field in ("options", "result"):
        lines = [f"{field}: {'[' * 50_000}" if line.startswith(f"{field}: ") else line for line in text.split("\n")]
        file.write_text("\n".join(lines), "utf-8")
        result = spieltisch(*[str(tmp_path / word) if word == "tables" else word for word in words], str(file))
        assert result.returncode == 1
        assert f"{field}: Expected `object`, got `array`" in result.stdout + result.stderr
        assert "Traceback" not in result.stdout + result.stderr
