"""A database restored from an older copy: log, `doctor` and tables report it, and open pages are updated."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from spieltisch.core.words import LANGUAGES
from tests.forked import run
from tests.web.conftest import SECONDS, SERVE, Server, Visitor, let_in

STEPS = 5


def doctor(server: Server) -> list[dict[str, Any]]:
    """Return what `spieltisch doctor` finds about the newest events."""
    output = json.loads(run(SERVE[0], "doctor", "--json", "--data", server.data).stdout)
    return [finding for finding in output["findings"] if "lost their newest events" in finding["text"]]


def move(people: list[Visitor], path: str) -> None:
    """Whoever decides plays the first move there is."""
    mover = people[people[0].state(path)["to_decide"]]
    assert mover.play(path, mover.state(path)["moves"][0]).status_code == 200


@pytest.mark.browser
def test_a_log_deleted_after_a_kill(own_server: Callable[..., Server], chromium: Browser) -> None:
    server = own_server()
    port = server.address.rpartition(":")[2]
    people = [Visitor(server) for _ in range(3)]
    ada = people[0]
    path = ada.table("me", "open", "open")
    for visitor, name in zip(people[1:], ("Grace", "Mary"), strict=True):
        assert visitor.sit(path, name).status_code == 303
    assert server.stop() == 0
    server = own_server("--port", port)  # what was written until now is in the database itself
    kept = ada.state(path)
    decider = people[kept["to_decide"]]

    page = chromium.new_page()
    let_in(page.context, people[(kept["to_decide"] + 1) % 3])
    page.goto(server.address + path)
    for _ in range(STEPS):
        move(people, path)
    newest = ada.state(path)["version"]
    expect(page.locator("#live")).to_have_attribute("data-version", str(newest), timeout=SECONDS)
    gone = ada.table("me", "bot:random", "bot:random")
    assert server.stop(signal.SIGKILL) == -signal.SIGKILL
    for end in ("-wal", "-shm"):
        (server.data / f"spieltisch.sqlite3{end}").unlink()

    (finding,) = doctor(server)
    assert finding["grade"] == "do"
    assert f"{path.rpartition('/')[2]} at {kept['version']} of {newest} events" in finding["text"]

    server = own_server("--port", port)
    assert "the database is older than it was" in server.log
    lost = newest - kept["version"]
    expect(page.locator("#lost")).to_contain_text(f"lost the last {lost} moves", timeout=SECONDS)
    expect(page.locator("#line")).to_be_hidden()
    page.close()
    now = ada.state(path)
    assert now["version"] > newest, "newer than what any page has seen"
    assert now["to_decide"] == kept["to_decide"]
    assert now["log"][-1]["text"] == [
        f"The server lost the last {lost} moves at this table: an older copy of its file was restored."
    ]
    for seen in (kept["version"], kept["version"] + 1, newest):
        answer = decider.play(path, decider.state(path)["moves"][0], seen)
        assert answer.status_code == 409, "decided on what is not there any more"
    (finding,) = doctor(server)
    assert finding["grade"] == "note"
    assert "The server lost this table" in ada.get(gone).text
    for language in LANGUAGES:
        with Visitor(server, language) as watcher:
            assert re.search(rf'id="lost">[^<]*\b{lost}\b', watcher.get(path).text), language

    decider.play(path, decider.state(path)["moves"][0])
    assert 'id="lost"' not in decider.get(path).text, "who has moved on knows"
    others = [visitor for visitor in people if visitor is not decider]
    assert all('id="lost"' in visitor.get(path).text for visitor in others)
    assert server.stop() == 0
    server = own_server("--port", port)
    assert "older" not in server.log
    assert server.stop() == 0
    for visitor in people:
        visitor.close()
