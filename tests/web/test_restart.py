"""Check stopping a server in the middle of games, and starting again, also under other rules."""

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
from tests.sentences import template_after
from tests.web.faulty_bots import DREAMING
from tests.web.servers import QUIET, Server
from tests.web.visitors import Visitor

Start = Callable[..., Server]
NAMES = ("Ada", "Ben", "Cid")
RUN = [sys.executable, "-c", "from spieltisch.cli import app; app()", "serve", *QUIET, "--data"]
"""The command of a server from the first package that Python finds: a changed one, in a test."""
SHARES = re.compile(r'class="shares-held">(\d+)<')


@pytest.fixture
def visit_as_same_people() -> Iterator[Callable[[Server], list[Visitor]]]:
    """Return a function that opens three visitors of a server, always the same people."""
    with ExitStack() as stack:
        earlier_visitors: list[Visitor] = []

        def visit(server: Server) -> list[Visitor]:
            fresh_visitors = [stack.enter_context(Visitor(server)) for _ in NAMES]
            for new_visitor, old_visitor in zip(fresh_visitors, earlier_visitors, strict=False):
                new_visitor.cookies.update(old_visitor.cookies)
            earlier_visitors[:] = fresh_visitors
            return fresh_visitors

        yield visit


def seated(people: list[Visitor]) -> str:
    """Start a table of these three; return its path."""
    ada, ben, cid = people
    path = ada.table("me", "open", "open")
    assert ben.sit(path, "Ben").status_code == 303
    assert cid.sit(path, "Cid").status_code == 303
    return path


def moved(people: list[Visitor], path: str, start_text: str) -> str:
    """Play the first legal move of the deciding player with this beginning, and return it."""
    deciding_person = next(person for person in people if person.state(path)["moves"])
    move = next(move for move in deciding_person.state(path)["moves"] if move.startswith(start_text))
    answer = deciding_person.play(path, move)
    assert answer.status_code == 200, answer.text
    return str(move)


def test_stopping_a_server_while_people_and_bots_move_loses_nothing(
    own_server: Start, visit_as_same_people: Callable[[Server], list[Visitor]]
) -> None:
    server = own_server()
    friends = visit_as_same_people(server)
    path = seated(friends)
    friends[0].submit("/preferences", language="de")
    del friends[0].cookies["language"]
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

    def watch_topic(topic: str) -> None:
        with (
            httpx.Client(timeout=30, verify=False) as client,
            client.stream("GET", f"{server.address}/stream", params={"watch": f"{topic}@0"}) as lines,
        ):
            for _ in lines.iter_lines():
                pass

    topics = (path.rpartition("/")[2], bots.rpartition("/")[2], "lobby")
    threads = [threading.Thread(target=watch_topic, args=(topic,)) for topic in topics]
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
    ada = visit_as_same_people(own_server())[0]
    for missing in (ada.get("/nowhere"), ada.put("/new")):  # who is known is known also on the first page of all
        assert missing.status_code in (404, 405)
        assert '<html lang="de-' in missing.text
        assert '<a class="own-name" href="/preferences" translate="no" title="Ada">Ada</a>' in missing.text
    moves = [line for line in ada.state(path)["log"] if line["seat"] is not None]
    assert len(moves) >= answers.count(200), "every move that was acknowledged"


@pytest.mark.parametrize(
    ("stop_signal", "to"),
    [
        (signal.SIGTERM, "the server"),
        pytest.param(signal.SIGINT, "all its processes", marks=pytest.mark.crash),
        pytest.param(signal.SIGHUP, "all its processes", marks=pytest.mark.crash),  # as when a terminal is closed
    ],
)
def test_stopping_a_server_while_a_bot_is_thinking_logs_no_error(
    own_server: Start, stop_signal: signal.Signals, to: str
) -> None:
    server = own_server(command=DREAMING)
    with Visitor(server) as ada:
        ada.table("bot:random", "bot:random", "bot:random")
    server.says("dreaming\n")
    if to == "the server":
        server.process.send_signal(stop_signal)
    else:
        os.killpg(server.process.pid, stop_signal)
    assert server.stop() == 0
    assert server.log.replace("dreaming\n", "") == server.quiet_log


def check_hidden_information(server: Server, people: list[Visitor], path: str) -> None:
    """Check that a frozen game still hides from each visitor what was hidden before."""
    hands = [SHARES.findall(person.get(f"{path}/replay?at=0").text) for person in people]
    assert all(sum(map(int, hand)) == 10 for hand in hands)
    with Visitor(server) as stranger:
        for visitor in (stranger, people[0]):
            page = visitor.get(f"{path}/replay?at=0").text
            assert 'id="perspective-links"' not in page
            assert not re.search(r"[?&;]as=", page)
            for eyes in ("2", "all"):
                refusal = visitor.get(f"{path}/replay?at=0&as={eyes}")
                assert refusal.status_code == 403
                assert SHARES.findall(refusal.text) == []
            record = Record.parse(visitor.get(f"{path}/record").text)
            assert record.secret is None
            assert "?" in record.drew
            assert len(re.findall(r"<code[^>]*>[0-9a-f]{64}</code>", visitor.get(f"{path}/fairness").text)) == 1, (
                "no secret"
            )
        assert SHARES.findall(stranger.get(path).text) == []
        assert SHARES.findall(stranger.get(f"{path}/replay?at=0").text) == []


@pytest.mark.crash
def test_tables_whose_replay_differs_under_changed_rules_are_frozen_and_other_tables_continue(
    own_server: Start,
    visit_as_same_people: Callable[[Server], list[Visitor]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = own_server()
    friends = visit_as_same_people(server)
    table_with_pass, building, waiting_path = seated(friends), seated(friends), friends[0].table("me", "open", "open")
    moved(friends, table_with_pass, "trade")
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
    changed_server = own_server(command=RUN, forked=False)
    friends = visit_as_same_people(changed_server)
    ada = friends[0]
    assert ada.state(building)["status"] == "running"
    assert ada.state(building)["to_decide"] == turn
    moved(friends, building, "build")
    assert friends[1].get(waiting_path).status_code == 200
    assert friends[1].sit(waiting_path, "Ben").status_code == 303
    frozen_state = ada.state(table_with_pass)
    assert frozen_state["status"] == "frozen"
    assert frozen_state["moves"] == []
    page = ada.get(table_with_pass)
    assert page.status_code == 200, "it can still be read"
    differs = template_after("tables/fold.py", "if next_seat != event.next_seat").text.partition("{move}”")[2]
    assert differs in page.text, "and says why"
    assert ada.get(f"{table_with_pass}/record").status_code == 200
    check_hidden_information(changed_server, friends, table_with_pass)
    refusal = ada.play(table_with_pass, "done")
    assert (refusal.status_code, refusal.json()["code"]) == (409, "frozen")
    lobby = ada.get("/")
    assert table_with_pass in lobby.text
    assert changed_server.stop() == 0
    # The copy of the rules lies in no checkout, so its version has no commit.
    own_lines = [
        f"Spieltisch {spieltisch.__version__} is at {changed_server.address}/",
        *changed_server.quiet_log.splitlines()[1:],
    ]
    lines = [line for line in changed_server.log.splitlines() if line not in own_lines]
    assert len(lines) == 1, lines
    assert "table frozen" in lines[0]
    assert table_with_pass.rpartition("/")[2] in lines[0]

    # Under the old rules again: what was frozen stays so, what went on is found to differ in its turn, or not.
    monkeypatch.undo()
    ada = visit_as_same_people(own_server())[0]
    assert ada.state(table_with_pass)["status"] == "frozen"
    assert ada.state(waiting_path)["status"] == "open"


def test_a_table_with_an_unreadable_component_file_can_still_be_viewed(
    own_server: Start, visit_as_same_people: Callable[[Server], list[Visitor]]
) -> None:
    server = own_server()
    friends = visit_as_same_people(server)
    ada = friends[0]
    seated(friends)  # everybody has a name
    address = "/games/paris-connection/components"
    own_components = (
        ada.get(f"{address}.toml").text.replace('name = "', 'name = "my-', 1).replace("penalty = 20", "penalty = 19")
    )
    digest = ada.submit(address, text=own_components).headers["location"].rpartition("=")[2]
    path = ada.table("me", "open", "open", components=digest)
    for friend, name in zip(friends[1:], NAMES[1:], strict=True):
        assert friend.sit(path, name).status_code == 303
    moves = [moved(friends, path, ""), moved(friends, path, "")]
    assert server.stop() == 0, server.log
    with closing(sqlite3.connect(server.file)) as database, database:
        for table in ("component_sets", "component_owners"):
            database.execute(f"UPDATE {table} SET text = 'game = 1' WHERE digest = ?", (digest,))  # noqa: S608  # ours

    restored_server = own_server("--limit", "tables_per_host=2")
    friends = visit_as_same_people(restored_server)
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
    refusal = ada.get(f"{address}?set={digest}", headers={"Accept": "application/json"})
    assert (refusal.status_code, refusal.json()["code"]) == (422, "components")
    answer = ada.submit(
        "/new/paris-connection", **{"seat-0": "me", "seat-1": "open", "seat-2": "open"}, components=digest
    )
    assert answer.status_code == 422
    ada.table("me", "open", "open")  # a second one: what is frozen does not count
    assert restored_server.stop() == 0
    assert "trace" not in restored_server.log
