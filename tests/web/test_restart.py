"""Stopping in the middle of everything, starting again, and starting again under other rules."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

import spieltisch
from spieltisch import Record
from tests.web.conftest import QUIET, Server, Visitor
from tests.web.faulty_bots import DREAMING

Start = Callable[..., Server]
NAMES = ("Ada", "Ben", "Cid")
RUN = [sys.executable, "-c", "from spieltisch.cli import app; app()", "serve", *QUIET, "--data"]
"""The command of a server from the first package that Python finds: a changed one, in a test."""
SHARES = re.compile(r'class="shares-held">(\d+)<')


@pytest.fixture
def people() -> Iterator[Callable[[Server], list[Visitor]]]:
    """Three visitors for each server that comes, the same people with the same cookies every time."""
    with ExitStack() as stack:
        known: list[Visitor] = []

        def visit(server: Server) -> list[Visitor]:
            fresh = [stack.enter_context(Visitor(server)) for _ in NAMES]
            for new, old in zip(fresh, known, strict=False):
                new.cookies.update(old.cookies)
            known[:] = fresh
            return fresh

        yield visit


def seated(people: list[Visitor]) -> str:
    """Start a table of these three; return its path."""
    ada, ben, cid = people
    path = ada.table("me", "open", "open")
    assert ben.sit(path, "Ben").status_code == 303
    assert cid.sit(path, "Cid").status_code == 303
    return path


def moved(people: list[Visitor], path: str, begins: str) -> str:
    """Play the deciding person's first move that begins with this word; return it."""
    decides = next(person for person in people if person.state(path)["moves"])
    move = next(move for move in decides.state(path)["moves"] if move.startswith(begins))
    answer = decides.play(path, move)
    assert answer.status_code == 200, answer.text
    return str(move)


def test_stopped_while_people_move_bots_think_and_streams_run(
    own_server: Start, people: Callable[[Server], list[Visitor]]
) -> None:
    server = own_server()
    friends = people(server)
    path = seated(friends)
    with Visitor(server) as host:
        bots = host.table("me", "bot:easy", "bot:easy")
    answers: list[int] = []
    going = threading.Event()

    def play_on() -> None:
        try:
            while True:
                for friend in friends:
                    for move in friend.state(path)["moves"][:1]:
                        answers.append(friend.play(path, move).status_code)
                        going.set()
        except httpx.TransportError:
            return  # the server has stopped

    def watch(topic: str) -> None:
        with (
            httpx.Client(timeout=30, verify=False) as client,
            client.stream("GET", f"{server.address}/stream", params={"watch": f"{topic}@0"}) as lines,
        ):
            for _ in lines.iter_lines():
                pass

    topics = (path.rpartition("/")[2], bots.rpartition("/")[2], "lobby")
    threads = [threading.Thread(target=watch, args=(topic,)) for topic in topics]
    threads.append(threading.Thread(target=play_on))
    for thread in threads:
        thread.start()
    while httpx.get(f"{server.address}/health", verify=False).json()["streams"] < len(topics):
        pass
    assert going.wait(30)
    code = server.stop(signal.SIGTERM)
    for thread in threads:
        thread.join(30)
    assert code == 0
    assert server.log == server.quiet_log
    assert set(answers) <= {200, 409}
    again = own_server()
    moves = [line for line in people(again)[0].state(path)["log"] if line["seat"] is not None]
    assert len(moves) >= answers.count(200), "every move that was acknowledged"


@pytest.mark.parametrize(
    ("how", "to"),
    [
        (signal.SIGTERM, "the server"),
        (signal.SIGINT, "all its processes"),
        (signal.SIGHUP, "all its processes"),  # as when a terminal is closed
    ],
)
def test_stopped_while_a_bot_is_thinking(own_server: Start, how: signal.Signals, to: str) -> None:
    server = own_server(command=DREAMING)
    with Visitor(server) as ada:
        ada.table("bot:random", "bot:random", "bot:random")
    server.says("dreaming\n")
    if to == "the server":
        server.process.send_signal(how)
    else:
        os.killpg(server.process.pid, how)
    assert server.stop() == 0
    assert server.log.replace("dreaming\n", "") == server.quiet_log


def stays_secret(server: Server, people: list[Visitor], path: str) -> None:
    """A frozen game may be continued one day: until then, each visitor sees what they saw while it ran."""
    hands = [SHARES.findall(person.get(f"{path}/replay?at=0").text) for person in people]
    assert all(sum(map(int, hand)) == 10 for hand in hands)
    with Visitor(server) as stranger:
        for visitor in (stranger, people[0]):
            page = visitor.get(f"{path}/replay?at=0").text
            assert 'id="eyes"' not in page
            assert not re.search(r"[?&;]as=", page)
            for eyes in ("2", "all"):
                refused = visitor.get(f"{path}/replay?at=0&as={eyes}")
                assert refused.status_code == 403
                assert SHARES.findall(refused.text) == []
            record = Record.parse(visitor.get(f"{path}/record").text)
            assert record.secret is None
            assert "?" in record.drew
            assert len(re.findall(r"<code[^>]*>[0-9a-f]{64}</code>", visitor.get(f"{path}/fairness").text)) == 1, (
                "no secret"
            )
        assert SHARES.findall(stranger.get(path).text) == []
        assert SHARES.findall(stranger.get(f"{path}/replay?at=0").text) == []


@pytest.mark.crash
def test_tables_that_differ_under_changed_rules_are_frozen_and_the_others_go_on(
    own_server: Start,
    people: Callable[[Server], list[Visitor]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = own_server()
    friends = people(server)
    passed, building, waiting = seated(friends), seated(friends), friends[0].table("me", "open", "open")
    moved(friends, passed, "trade")
    moved(friends, building, "build")
    turn = friends[0].state(building)["to_decide"]
    assert server.stop() == 0, server.log

    # The same package, where the turn goes round the other way.
    package = Path(spieltisch.__file__).parent
    shutil.copytree(package, tmp_path / "other" / "spieltisch", ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "other" / "spieltisch" / "games" / "paris_connection" / "rules" / "turns.py"
    text = rules.read_text(encoding="utf-8")
    assert "s.seat = (s.seat + 1) % s.seats" in text
    rules.write_text(text.replace("(s.seat + 1) % s.seats", "(s.seat + s.seats - 1) % s.seats"), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'other'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    changed = own_server(command=RUN, forked=False)
    friends = people(changed)
    ada = friends[0]
    assert ada.state(building)["status"] == "running"
    assert ada.state(building)["to_decide"] == turn
    moved(friends, building, "build")
    assert friends[1].get(waiting).status_code == 200
    assert friends[1].sit(waiting, "Ben").status_code == 303
    frozen = ada.state(passed)
    assert frozen["status"] == "frozen"
    assert frozen["moves"] == []
    page = ada.get(passed)
    assert page.status_code == 200, "it can still be read"
    assert "a different player is to move." in page.text, "and says why"
    assert ada.get(f"{passed}/record").status_code == 200
    stays_secret(changed, friends, passed)
    refused = ada.play(passed, "done")
    assert (refused.status_code, refused.json()["code"]) == (409, "frozen")
    lobby = ada.get("/")
    assert passed in lobby.text
    assert changed.stop() == 0
    lines = [line for line in changed.log.splitlines() if line not in changed.quiet_log]
    assert len(lines) == 1, lines
    assert "table frozen" in lines[0]
    assert passed.rpartition("/")[2] in lines[0]

    # Under the old rules again: what was frozen stays so, what went on is found to differ in its turn, or not.
    monkeypatch.undo()
    ada = people(own_server())[0]
    assert ada.state(passed)["status"] == "frozen"
    assert ada.state(waiting)["status"] == "open"


def test_a_table_whose_component_file_can_no_longer_be_read_is_still_read(
    own_server: Start, people: Callable[[Server], list[Visitor]]
) -> None:
    server = own_server()
    friends = people(server)
    ada = friends[0]
    seated(friends)  # everybody has a name
    address = "/games/paris-connection/components"
    own = ada.get(f"{address}.toml").text.replace('name = "', 'name = "my-', 1).replace("penalty = 20", "penalty = 19")
    digest = ada.submit(address, text=own).headers["location"].rpartition("=")[2]
    path = ada.table("me", "open", "open", components=digest)
    for friend, name in zip(friends[1:], NAMES[1:], strict=True):
        assert friend.sit(path, name).status_code == 303
    moves = [moved(friends, path, ""), moved(friends, path, "")]
    assert server.stop() == 0, server.log
    with closing(sqlite3.connect(server.file)) as database, database:
        database.execute("UPDATE component_sets SET text = 'game = 1' WHERE digest = ?", (digest,))

    again = own_server("--limit", "tables_per_host=2")
    friends = people(again)
    ada = friends[0]
    for language, word in (("en", "frozen"), ("de", "eingefroren"), ("fr", "gelée"), ("nl", "bevroren")):
        ada.submit("/preferences", language=language)
        page = ada.get(path)
        assert page.status_code == 200
        assert word in page.text
        assert "game = 1" not in page.text
    for page in (ada.get(path), ada.get(f"{path}/log")):
        assert all(move in page.text for move in moves)
    assert ada.get(f"{path}/fairness").status_code == 200
    state = ada.state(path)
    assert (state["status"], state["moves"], state["game"]) == ("frozen", [], "paris-connection")
    record = Record.parse(ada.get(f"{path}/record").text)
    assert [play.move for play in record.moves] == moves
    assert (record.components_digest, record.secret, record.players) == (digest, None, NAMES)
    assert ada.play(path, "done").json()["code"] == "frozen"
    assert ada.get(f"{path}/replay").status_code == 409
    with ada.stream("GET", "/stream", params={"watch": f"{path.rpartition('/')[2]}@1"}) as stream:
        lines = stream.iter_lines()
        assert next(line for line in lines if "data-version" in line)
    assert path in ada.get("/").text
    # Whose file it was is told, and may go on with another.
    refused = ada.get(f"{address}?set={digest}", headers={"Accept": "application/json"})
    assert (refused.status_code, refused.json()["code"]) == (422, "components")
    answer = ada.submit(
        "/new/paris-connection", **{"seat-0": "me", "seat-1": "open", "seat-2": "open"}, components=digest
    )
    assert answer.status_code == 422
    ada.table("me", "open", "open")  # a second one: what is frozen does not count
    assert again.stop() == 0
    assert "trace" not in again.log
