"""Check that every later version reads, verifies and continues what version 0.1.0 stored.

`tests/stored` was written once, as the base of 0.1.0, and is never written again:

- `KIND.jsonl`: JSON as it is stored, one value on each line; every kind of event, with all fields and with the fewest;
- `records/`, `components/`: a finished game and a component file of each game;
- `database.sql`: the database of `fill_server` in `tests/commands/test_people.py`, with tables in every state;
  `database.json` has its people, with their sessions, and its tables.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest

from spieltisch.bots.analysis import Analysis
from spieltisch.features.planned_turns.commands import PlannedTurn
from spieltisch.store import Preferences
from spieltisch.store.schema import DATABASE
from spieltisch.tables import GameResult, TableSummary, decode, encode
from spieltisch.tables.events import Event
from tests.forked import run
from tests.paths import ROOT
from tests.web.servers import Server
from tests.web.visitors import Visitor

KINDS: Final[dict[str, Any]] = {
    "summaries": TableSummary,
    "preferences": Preferences,
    "results": GameResult,
    "plans": PlannedTurn,
    "analyses": Analysis,
}
STORED: Final = ROOT / "tests" / "stored"
CONTENTS: Final[dict[str, Any]] = json.loads((STORED / "database.json").read_text("utf-8"))
TABLES: Final[dict[str, str]] = CONTENTS["tables"]
GAMES: Final = tuple(sorted(file.stem for file in (STORED / "records").iterdir()))
SPIELTISCH: Final = Path(sys.executable).parent / "spieltisch"
DIGEST: Final = "cf397d977bfac595269c9e65bc46af7230357e62cde39ceb8fbba9c6362494fd"


def contains(new_value: Any, old: Any) -> bool:
    """Return True if a value has everything that an older value has; later versions may add fields."""
    if isinstance(old, dict):
        return isinstance(new_value, dict) and all(
            contains(new_value.get(name, "missing"), value) for name, value in old.items()
        )
    if isinstance(old, list):
        return isinstance(new_value, list) and len(new_value) == len(old) and all(map(contains, new_value, old))
    return bool(new_value == old)


def command(*words: str | Path) -> dict[str, Any]:
    """Return the JSON object that a command prints."""
    output: dict[str, Any] = json.loads(run(SPIELTISCH, *words, "--json").stdout)
    return output


def lines(kind: str) -> list[bytes]:
    return (STORED / f"{kind}.jsonl").read_bytes().splitlines()


def test_the_stored_samples_are_those_of_0_1_0() -> None:
    files = sorted(file for file in STORED.rglob("*") if file.is_file())
    digest = sha256()
    for file in files:
        digest.update(f"{file.relative_to(STORED).as_posix()}\n".encode() + file.read_bytes())
    assert digest.hexdigest() == DIGEST, "what 0.1.0 has stored stays; add samples of a later version beside it"


def test_every_kind_of_event_has_a_sample() -> None:
    assert {type(decode(line)) for line in lines("events")} == set(get_args(Event))


@pytest.mark.parametrize("kind", ["events", *KINDS])
def test_stored_values_are_encoded_as_in_0_1_0(kind: str) -> None:
    for line in lines(kind):
        value = decode(line) if kind == "events" else msgspec.json.decode(line, type=KINDS[kind])
        written_value = encode(value) if kind == "events" else msgspec.json.encode(value)
        assert contains(json.loads(written_value), json.loads(line)), line


@pytest.mark.parametrize("game", GAMES)
def test_a_stored_record_is_verified_and_a_changed_record_is_refused(game: str, tmp_path: Path) -> None:
    file = STORED / "records" / f"{game}.record"
    assert command("verify", file)["records"]["verified"] == 1
    changed_record = tmp_path / "changed.record"
    changed_record.write_text(file.read_text("utf-8").replace('"scores": [', '"scores": [1', 1), "utf-8")
    assert command("verify", changed_record)["records"]["verified"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_stored_component_file_is_valid(game: str) -> None:
    assert command("components", "check", STORED / "components" / f"{game}.toml")["ok"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the data folder with the stored database for `own_server`."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        connection.executescript((STORED / "database.sql").read_text("utf-8"))
    return data


def test_every_stored_table_is_verified_and_served_and_its_game_continues(
    folder: Path, own_server: Callable[..., Server]
) -> None:
    assert command("verify", "--data", folder)["tables"] == {"looked_at": len(TABLES), "verified": len(TABLES)}
    server = own_server("--limit", "waiting_days=0")  # tables that have waited for so long stay open
    turn_count = 0
    for person in CONTENTS["people"].values():
        with Visitor(server) as visitor:
            visitor.cookies.set("session", person["session"])
            for name in ("over", "running", "waiting"):
                for page in ("", "/log", "/fairness", "/chat"):
                    assert visitor.get(f"/table/{TABLES[name]}{page}").status_code == 200, (name, page)
            assert visitor.get(f"/table/{TABLES['over']}/record").status_code == 200
            running_path = f"/table/{TABLES['running']}"
            for seat_value in ("0", "2"):  # the person, and the player beside Ada on her device
                answer = visitor.get(running_path, params={"me": seat_value}, headers={"accept": "application/json"})
                moves = answer.json()["moves"] if answer.status_code == 200 else []
                if moves and not turn_count:
                    fields = {"token": visitor.token(), "move": moves[0], "version": str(answer.json()["version"])}
                    turn_count += visitor.post(
                        f"{running_path}/play", data={**fields, "me": seat_value}
                    ).status_code in (
                        200,
                        303,
                    )
    assert turn_count == 1, "somebody is to move"
    assert server.stop() == 0
    assert command("verify", "--data", folder)["tables"]["verified"] == len(TABLES)


def test_a_person_in_a_stored_database_can_be_removed(folder: Path) -> None:
    person = next(iter(CONTENTS["people"].values()))["id"]
    assert command("people", "remove", person, "--data", folder)["ok"]
    assert command("verify", "--data", folder)["tables"]["verified"] == len(TABLES)
    assert person.encode() not in (folder / DATABASE).read_bytes()
