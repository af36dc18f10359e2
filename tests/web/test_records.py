"""Uploading a record to a server with default settings, from outside."""

from __future__ import annotations

from pathlib import Path

from spieltisch.core.record import MAX_RECORD_LENGTH, Record
from tests.web.conftest import Server, Visitor

GOLDEN = Path(__file__).parents[1] / "golden"


def test_a_record_becomes_a_game_to_look_at(server: Server) -> None:
    record = Record.read(GOLDEN / "paris-connection" / "4-depots-secret.txt")
    with Visitor(server) as ada, Visitor(server, language="de") as grete:
        answer = ada.submit("/records", text=record.text)
        assert answer.status_code == 303, answer.text
        path = answer.headers["location"]
        assert grete.submit("/records", text=record.text).headers["location"] == path
        imported = Record.parse(grete.get(f"{path}/record").text)
        assert [play.move for play in imported.moves] == [play.move for play in record.moves]
        for page in ("", "/replay?at=7", "/log", "/analysis", "/end", "/fairness"):
            assert grete.get(path + page).status_code == 200, page
        assert path not in ada.get("/").text
        assert "Aufzeichnung hochladen" in grete.get("/records").text


def test_what_is_no_record_is_said(server: Server) -> None:
    golden = (GOLDEN / "paris-connection" / "4-depots-secret.txt").read_text()
    with Visitor(server) as ada:
        for text in ("", "<script>alert(1)</script>", golden[: len(golden) // 2], golden + 9000 * golden[-60:]):
            answer = ada.submit("/records", text=text)
            assert answer.status_code == 422, text[:40]
            assert "This game record can’t be read: " in answer.text
            assert "<script>alert" not in answer.text
        assert ada.submit("/records", text="x" * MAX_RECORD_LENGTH).status_code == 413
        assert ada.post("/records", data={"text": golden}).status_code == 403
