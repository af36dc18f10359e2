"""Databases of earlier versions: they open, verify and can be played on.

`tests/stored` was written once, by version 0.1 with database shape 0010, and is never made anew:

- `KIND.jsonl`: JSON texts as they are written, one a line; of events every kind, with all fields and with the fewest;
- `older.json`: such texts from before some fields were there;
- `records/`, `components/`: a finished game and an own component file of each game;
- `database.sql`: tables in every state, with two people who were made one ("Ada" and "Ada on the go"), somebody who was
  removed, texts that players added to chance, and every kind of address for alerts; `database.json` says what it holds.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from spieltisch.bots.analysis import SCHEME, Analysis
from spieltisch.store import Preferences
from spieltisch.tables import GameResult, TableSummary, decode, encode
from spieltisch.tables.planning import PlannedTurn
from tests.forked import run
from tests.web.conftest import Server, Visitor

KINDS: Final[dict[str, Any]] = {
    "summaries": TableSummary,
    "preferences": Preferences,
    "results": GameResult,
    "planned": PlannedTurn,
    "analyses": Analysis,
}
STORED: Final = Path(__file__).parent.parent / "stored"
OLDER: Final[dict[str, list[str]]] = json.loads((STORED / "older.json").read_text())
HELD: Final[dict[str, Any]] = json.loads((STORED / "database.json").read_text())
GAMES: Final = tuple(sorted(file.stem for file in (STORED / "records").iterdir()))
SPIELTISCH: Final = Path(sys.executable).parent / "spieltisch"


def written_again(kind: str, text: str) -> str:
    """A JSON text, read and written."""
    if kind == "events":
        return encode(decode(text.encode())).decode()
    return msgspec.json.encode(msgspec.json.decode(text, type=KINDS[kind])).decode()


def holds(new: Any, old: Any) -> bool:
    """Return True if a value contains everything that an older one does."""
    if isinstance(old, dict):
        return all(holds(new.get(name, "nothing"), value) for name, value in old.items())
    if isinstance(old, list):
        return len(new) == len(old) and all(map(holds, new, old))
    return bool(new == old)


def command(*words: str | Path) -> dict[str, Any]:
    """The object that a command prints."""
    result = run(SPIELTISCH, *words, "--json")
    output: dict[str, Any] = json.loads(result.stdout)
    return output


@pytest.mark.parametrize("kind", ["events", *KINDS])
def test_json_is_written_as_it_was(kind: str) -> None:
    for text in (STORED / f"{kind}.jsonl").read_text().splitlines():
        assert written_again(kind, text) == text


@pytest.mark.parametrize("kind", ["events", *(kind for kind in KINDS if kind != "analyses")])
def test_older_json_keeps_its_values(kind: str) -> None:
    for text in OLDER[kind]:
        assert holds(json.loads(written_again(kind, text)), json.loads(text)), text


def test_an_older_analysis_is_recognised_and_computed_again() -> None:
    """Its game and its result are those of the record; what it says about moves is of another kind."""
    schemes = {msgspec.json.decode(text, type=Analysis).scheme for text in OLDER["analyses"]}
    assert schemes
    assert SCHEME not in schemes


@pytest.mark.parametrize("game", GAMES)
def test_a_record_of_before_verifies(game: str, tmp_path: Path) -> None:
    file = STORED / "records" / f"{game}.record"
    own = ("--components", STORED / "components" / f"{game}.toml") if game == "paris-connection" else ()
    assert command("verify", file, *own)["records"]["verified"] == 1
    assert command("replay", file, *own)["over"]
    changed = tmp_path / "changed.record"
    changed.write_text(file.read_text().replace('"scores": [', '"scores": [1', 1))
    assert command("verify", changed, *own)["records"]["verified"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_component_file_of_before_is_sound(game: str) -> None:
    assert command("components", "check", STORED / "components" / f"{game}.toml")["ok"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the stored database, where `own_server` serves it."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    with closing(sqlite3.connect(data / "spieltisch.sqlite3")) as connection:
        connection.executescript((STORED / "database.sql").read_text())
    return data


def as_before(folder: Path) -> None:
    """All tables replay; the one that was frozen still says where it differs."""
    frozen, many = HELD["tables"]["frozen"]["id"], len(HELD["tables"])
    output = command("verify", "--data", folder)
    assert [fault.partition(":")[0] for fault in output["faults"]] == [f"table {frozen}"]
    assert output["tables"]["verified"] == many - 1
    assert output["tables"]["looked_at"] == many


def test_every_table_of_before_verifies(folder: Path) -> None:
    as_before(folder)
    statuses = {table["id"]: table["status"] for table in command("tables", "list", "--data", folder)["tables"]}
    assert statuses == {table["id"]: table["status"] for table in HELD["tables"].values()}
    assert set(statuses.values()) == {"open", "running", "finished", "aborted", "frozen"}


def test_finished_games_of_before_are_exported_as_they_were(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "records"
    faults = command("export", out, "--data", folder)["faults"]
    kept_back = HELD["tables"]["deal-finished"]["id"]
    assert [fault.partition(":")[0] for fault in faults] == [f"table {kept_back}"]
    for game, name in zip(GAMES, ("finished-era", "finished-legendary", "finished-stirred"), strict=True):
        new = (out / f"{game}-{HELD['tables'][name]['id']}.record").read_text()
        old = (STORED / "records" / f"{game}.record").read_text()
        assert without_version(new) == without_version(old)


def without_version(record: str) -> list[str]:
    return [line for line in record.splitlines() if not line.startswith("version: ")]


def sign_in(server: Server, session: str) -> Visitor:
    """The browser that has this session."""
    visitor = Visitor(server)
    visitor.cookies.set("session", HELD["sessions"][session])
    return visitor


def test_people_of_before_hold_their_seats(folder: Path, own_server: Callable[..., Server]) -> None:
    """Whoever once brought the telephone's seats along to the laptop has them on both."""
    server = own_server()
    for session in ("ada", "ada-laptop", "phone"):
        with sign_in(server, session) as ada:
            for name, table in HELD["tables"].items():
                if table["seat"] is not None:
                    state = ada.state(f"/table/{table['id']}?me=0")
                    assert (state["seat"], state["game"]) == (table["seat"], table["game"]), (session, name)
            assert json.loads(ada.get("/me/export").text)["name"] == "Ada"


def test_a_running_game_of_before_goes_on(folder: Path, own_server: Callable[..., Server]) -> None:
    server = own_server()
    with sign_in(server, "phone") as ada, sign_in(server, "ben") as ben:
        for name in ("running-scheme-1", "running-lost"):
            path = f"/table/{HELD['tables'][name]['id']}"
            assert ada.play(path, ada.state(path)["moves"][0]).status_code == 200, name
        path = f"/table/{HELD['tables']['running-merged']['id']}"
        state = ben.state(path)
        assert state["to_decide"] == state["seat"]
        assert ben.play(path, state["moves"][0]).status_code == 200
        assert ben.submit(f"{path}/renew-spectators").status_code == 403
        assert ada.submit(f"{path}/renew-spectators").status_code == 303, "she is its host"
        page = ada.get(f"{path}/chat?me=0").text
        assert "On the train" in page
        assert "from the train" in page, "a note of her own"
        assert "from the train" not in ben.get(f"{path}/chat").text
    assert server.stop() == 0
    as_before(folder)


def test_every_page_of_before_is_served(folder: Path, own_server: Callable[..., Server]) -> None:
    with sign_in(own_server(), "ada") as ada:
        for name, table in HELD["tables"].items():
            path = f"/table/{table['id']}"
            pages = ["", "/log", "/fairness"] + (["/record", "/replay"] if table["status"] == "finished" else [])
            if table["hosts"] or table["seat"] is not None or name in ("brought", "imported"):
                for page in pages:
                    assert ada.get(path + page).status_code == 200, (name, page)
        over = f"/table/{HELD['tables']['finished-stirred']['id']}"
        assert ada.get(f"{over}/analysis").status_code == 200
        for page in ("/", "/me/alerts", "/me/history", "/me/passkeys", "/me/recovery", "/devices", "/preferences"):
            assert ada.get(page, follow_redirects=True).status_code == 200, page
        result = json.loads(ada.get("/me/export").text)["told"]
        assert {way["kind"] for way in result} >= {"mail", "push"}
        assert len(result) == 18


def test_a_recovery_code_of_before_leads_back(folder: Path, own_server: Callable[..., Server]) -> None:
    with Visitor(own_server()) as stranger:
        assert stranger.submit("/device", code=HELD["recovery"]).status_code == 303
        table = HELD["tables"]["running-merged"]
        assert stranger.state(f"/table/{table['id']}?me=0")["seat"] == table["seat"]


def test_who_was_there_before_can_be_removed(folder: Path) -> None:
    person = HELD["person"]
    assert command("people", "remove", person, "--data", folder)["ok"]
    as_before(folder)
    assert person.encode() not in (folder / "spieltisch.sqlite3").read_bytes()
