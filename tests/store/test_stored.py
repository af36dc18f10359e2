"""What 0.1.0 stored is read, verified and played on by every later version.

`tests/stored` was written once, as the base of 0.1.0, and is never written again:

- `KIND.jsonl`: JSON as it is stored, one value a line; of events every kind, with all fields and with the fewest;
- `records/`, `components/`: a finished game and a component file of each game;
- `database.sql`: what `furnish` in `tests/commands/test_people.py` made, tables in every state; `database.json` has its
  people, with their sessions, and its tables.
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
from spieltisch.store import Preferences
from spieltisch.store.schema import DATABASE
from spieltisch.tables import GameResult, TableSummary, decode, encode
from spieltisch.tables.events import Event
from spieltisch.tables.planning import PlannedTurn
from tests.forked import run
from tests.web.conftest import Server, Visitor

KINDS: Final[dict[str, Any]] = {
    "summaries": TableSummary,
    "preferences": Preferences,
    "results": GameResult,
    "plans": PlannedTurn,
    "analyses": Analysis,
}
STORED: Final = Path(__file__).parent.parent / "stored"
CONTENTS: Final[dict[str, Any]] = json.loads((STORED / "database.json").read_text("utf-8"))
TABLES: Final[dict[str, str]] = CONTENTS["tables"]
GAMES: Final = tuple(sorted(file.stem for file in (STORED / "records").iterdir()))
SPIELTISCH: Final = Path(sys.executable).parent / "spieltisch"
DIGEST: Final = "9a128eba7c824e76c565e247dc0c1faca4818f3473cee7c3d5b844d9d306d269"


def contains(new: Any, old: Any) -> bool:
    """Return True if a value has everything that an older one has: later versions may add fields."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(contains(new.get(name, "missing"), value) for name, value in old.items())
    if isinstance(old, list):
        return isinstance(new, list) and len(new) == len(old) and all(map(contains, new, old))
    return bool(new == old)


def command(*words: str | Path) -> dict[str, Any]:
    """Return the object that a command prints."""
    output: dict[str, Any] = json.loads(run(SPIELTISCH, *words, "--json").stdout)
    return output


def lines(kind: str) -> list[bytes]:
    return (STORED / f"{kind}.jsonl").read_bytes().splitlines()


def test_the_samples_are_those_of_0_1_0() -> None:
    files = sorted(file for file in STORED.rglob("*") if file.is_file())
    digest = sha256()
    for file in files:
        digest.update(f"{file.relative_to(STORED).as_posix()}\n".encode() + file.read_bytes())
    assert digest.hexdigest() == DIGEST, "what 0.1.0 has stored stays; add samples of a later version beside it"


def test_every_kind_of_event_has_a_sample() -> None:
    assert {type(decode(line)) for line in lines("events")} == set(get_args(Event))


@pytest.mark.parametrize("kind", ["events", *KINDS])
def test_stored_values_are_written_as_they_were(kind: str) -> None:
    for line in lines(kind):
        value = decode(line) if kind == "events" else msgspec.json.decode(line, type=KINDS[kind])
        written = encode(value) if kind == "events" else msgspec.json.encode(value)
        assert contains(json.loads(written), json.loads(line)), line


@pytest.mark.parametrize("game", GAMES)
def test_a_record_verifies_and_a_changed_one_does_not(game: str, tmp_path: Path) -> None:
    file = STORED / "records" / f"{game}.record"
    assert command("verify", file)["records"]["verified"] == 1
    changed = tmp_path / "changed.record"
    changed.write_text(file.read_text("utf-8").replace('"scores": [', '"scores": [1', 1), "utf-8")
    assert command("verify", changed)["records"]["verified"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_component_file_is_valid(game: str) -> None:
    assert command("components", "check", STORED / "components" / f"{game}.toml")["ok"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The data folder with the stored database, where `own_server` serves it."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        connection.executescript((STORED / "database.sql").read_text("utf-8"))
    return data


def test_every_table_is_verified_and_served_and_a_game_goes_on(folder: Path, own_server: Callable[..., Server]) -> None:
    assert command("verify", "--data", folder)["tables"] == {"looked_at": len(TABLES), "verified": len(TABLES)}
    server = own_server("--limit", "waiting_days=0")  # tables that have waited for so long stay open
    played = 0
    for person in CONTENTS["people"].values():
        with Visitor(server) as visitor:
            visitor.cookies.set("session", person["session"])
            for name in ("over", "running", "waiting"):
                for page in ("", "/log", "/fairness", "/chat"):
                    assert visitor.get(f"/table/{TABLES[name]}{page}").status_code == 200, (name, page)
            assert visitor.get(f"/table/{TABLES['over']}/record").status_code == 200
            running = f"/table/{TABLES['running']}"
            for me in ("0", "2"):  # the person, and the player beside Ada on her device
                answer = visitor.get(running, params={"me": me}, headers={"accept": "application/json"})
                moves = answer.json()["moves"] if answer.status_code == 200 else []
                if moves and not played:
                    fields = {"token": visitor.token(), "move": moves[0], "version": str(answer.json()["version"])}
                    played += visitor.post(f"{running}/play", data={**fields, "me": me}).status_code in (200, 303)
    assert played == 1, "somebody is to move"
    assert server.stop() == 0
    assert command("verify", "--data", folder)["tables"]["verified"] == len(TABLES)


def test_a_person_can_be_removed(folder: Path) -> None:
    person = next(iter(CONTENTS["people"].values()))["id"]
    assert command("people", "remove", person, "--data", folder)["ok"]
    assert command("verify", "--data", folder)["tables"]["verified"] == len(TABLES)
    assert person.encode() not in (folder / DATABASE).read_bytes()
