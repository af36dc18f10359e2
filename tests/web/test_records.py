"""Check uploads of records from outside with default settings."""

from __future__ import annotations

from spieltisch.core.record import MAX_RECORD_LENGTH, Record
from tests.paths import ROOT
from tests.sentences import template_after
from tests.web.servers import Server
from tests.web.visitors import Visitor

REFUSED = template_after("tables/refusals.py", "def bad_record").text.partition("{problem}")[0]

GOLDEN = ROOT / "tests" / "golden"


def test_an_uploaded_record_becomes_a_game_to_replay(server: Server) -> None:
    record = Record.read(GOLDEN / "paris-connection" / "4-depots-secret.txt")
    with Visitor(server) as ada, Visitor(server, language="de") as grete:
        answer = ada.submit("/records", text=record.text)
        assert answer.status_code == 303, answer.text
        path = answer.headers["location"]
        assert grete.submit("/records", text=record.text).headers["location"] == path
        imported_record = Record.parse(grete.get(f"{path}/record").text)
        assert [play.move for play in imported_record.moves] == [play.move for play in record.moves]
        for page in ("", "/replay?at=7", "/log", "/analysis", "/end", "/fairness"):
            assert grete.get(path + page).status_code == 200, page
        assert path not in ada.get("/").text
        assert "Aufzeichnung hochladen" in grete.get("/records").text


def test_an_invalid_record_is_refused_with_a_reason(server: Server) -> None:
    golden = (GOLDEN / "paris-connection" / "4-depots-secret.txt").read_text()
    with Visitor(server) as ada:
        for text in ("", "<script>alert(1)</script>", golden[: len(golden) // 2], golden + 9000 * golden[-60:]):
            answer = ada.submit("/records", text=text)
            assert answer.status_code == 422, text[:40]
            assert REFUSED in answer.text
            assert "<script>alert" not in answer.text
        assert ada.submit("/records", text="x" * MAX_RECORD_LENGTH).status_code == 413
        assert ada.post("/records", data={"text": golden}).status_code == 403
