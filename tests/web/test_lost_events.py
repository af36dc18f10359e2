"""Check that log, `doctor`, tables and open pages report a database restored from an older copy."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.tables.refusals import lost_table
from tests.forked import run
from tests.sentences import sentence_after
from tests.web.conftest import SECONDS
from tests.web.servers import SERVE, Server
from tests.web.visitors import Visitor, let_in

STEPS = 5


def doctor(server: Server) -> list[dict[str, Any]]:
    """Return the findings of `spieltisch doctor` about the newest events."""
    output = json.loads(run(SERVE[0], "doctor", "--json", "--data", server.data).stdout)
    return [finding for finding in output["findings"] if "lost their newest events" in finding["text"]]


def move(people: list[Visitor], path: str) -> None:
    """Play the first legal move for the deciding player."""
    mover = people[people[0].state(path)["to_decide"]]
    assert mover.play(path, mover.state(path)["moves"][0]).status_code == 200


@pytest.mark.browser
def test_moves_lost_with_the_write_ahead_log_are_reported_to_players_and_operator(
    own_server: Callable[..., Server], chromium: Browser
) -> None:
    server = own_server()
    port = server.address.rpartition(":")[2]
    people = [Visitor(server) for _ in range(3)]
    ada = people[0]
    path = ada.table("me", "open", "open")
    for visitor, name in zip(people[1:], ("Grace", "Mary"), strict=True):
        assert visitor.sit(path, name).status_code == 303
    assert server.stop() == 0
    server = own_server("--port", port)  # what was written until now is in the database itself
    state_before = ada.state(path)
    decider = people[state_before["to_decide"]]

    page = chromium.new_page()
    let_in(page.context, people[(state_before["to_decide"] + 1) % 3])
    page.goto(server.address + path)
    for _ in range(STEPS):
        move(people, path)
    newest = ada.state(path)["version"]
    expect(page.locator("#live-part")).to_have_attribute("data-version", str(newest), timeout=SECONDS)
    gone = ada.table("me", "bot:random", "bot:random")
    assert server.stop(signal.SIGKILL) == -signal.SIGKILL
    for end in ("-wal", "-shm"):
        (server.data / f"spieltisch.sqlite3{end}").unlink()

    (finding,) = doctor(server)
    assert finding["grade"] == "do"
    assert f"{path.rpartition('/')[2]} at {state_before['version']} of {newest} events" in finding["text"]

    server = own_server("--port", port)
    assert "the database is older than it was" in server.log
    lost_versions = newest - state_before["version"]
    report = sentence_after("web/templates/table_live.html", 'id="lost-moves-notice"', count=lost_versions)
    expect(page.locator("#lost-moves-notice")).to_have_text(report, timeout=SECONDS)
    expect(page.locator("#connection-notice")).to_be_hidden()
    page.close()
    now = ada.state(path)
    assert now["version"] > newest, "newer than what any page has seen"
    assert now["to_decide"] == state_before["to_decide"]
    assert now["log"][-1]["text"] == [sentence_after("tables/fold.py", "if not event.count:", count=lost_versions)]
    for seen_version in (state_before["version"], state_before["version"] + 1, newest):
        answer = decider.play(path, decider.state(path)["moves"][0], seen_version)
        assert answer.status_code == 409, "decided on what is not there any more"
    (finding,) = doctor(server)
    assert finding["grade"] == "note"
    assert str(lost_table().message) in ada.get(gone).text
    for language in LANGUAGES:
        with Visitor(server, language) as watcher:
            assert re.search(rf'id="lost-moves-notice">[^<]*\b{lost_versions}\b', watcher.get(path).text), language

    decider.play(path, decider.state(path)["moves"][0])
    assert 'id="lost-moves-notice"' not in decider.get(path).text, "who has moved on knows"
    other_visitors = [visitor for visitor in people if visitor is not decider]
    assert all('id="lost-moves-notice"' in visitor.get(path).text for visitor in other_visitors)
    assert server.stop() == 0
    server = own_server("--port", port)
    assert "older" not in server.log
    assert server.stop() == 0
    for visitor in people:
        visitor.close()
