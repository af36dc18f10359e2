"""Check a whole game by mouse, and printed reference cards, in Debian's Firefox through WebDriver BiDi.

All other browser tests use Chromium.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from spieltisch.core.words import LANGUAGES
from spieltisch.games import game_modules
from tests.web.conftest import SECONDS
from tests.web.servers import Server
from tests.web.whole_games import COMES, moved

FIREFOX = shutil.which("firefox-esr")
FIND = """(selector, which) => {
  const [one] = [...document.querySelectorAll(selector)].slice(which);
  one.scrollIntoView({ block: 'center', behavior: 'instant' });
  return one;
}"""
COUNT = "(selector) => document.querySelectorAll(selector).length"
VERSION = "() => document.getElementById('live-part').dataset.version"
AGAINST_BOTS = """() => {
  document.getElementById('name').value = 'Ada';
  for (const seat of [1, 2]) document.getElementById(`seat-${seat}`).value = 'bot:random';
}"""
DRAWN = "() => new Promise((so) => requestAnimationFrame(() => requestAnimationFrame(() => so(0))))"
SWITCHED = "() => `${document.documentElement.lang.slice(0, 2)} ${document.documentElement.dataset.theme}`"
DAY_INK = (0x2B, 0x25, 0x20)
NIGHT_COLOURS = {(0xE8, 0xDF, 0xCA), (0x1E, 0x1B, 0x17)}
"""The ink and the paper of the dark theme."""
PACE = "() => { document.documentElement.dataset.pace = 'still'; }"


class Firefox:
    """A Firefox with one page. `complaints` are the errors of its scripts."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.number = 0
        self.complaints: list[str] = []
        self.loads = 0
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "browsingContext.load"])
        (page, *_) = self.call("browsingContext.getTree")["contexts"]
        self.page: str = page["context"]

    def call(self, method: str, **params: Any) -> Any:
        """Send a command and return its result, recording log events before it."""
        self.number += 1
        self.line.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while (answer := self.hear()).get("id") != self.number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def hear(self) -> Any:
        """Return the next message, and count errors and pages."""
        message = json.loads(self.line.recv(timeout=SECONDS / 1000))
        self.loads += message.get("method") == "browsingContext.load"
        entry = message.get("params", {})
        if message.get("method") == "log.entryAdded" and entry["level"] == "error":
            self.complaints.append(entry["text"])
        return message

    def goto(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self.page, url=address, wait="complete")

    def run(self, function: str, *arguments: str | int) -> Any:
        """Call a function of the page and return its result, awaiting promises."""
        kinds = {str: "string", int: "number"}
        script_arguments = [{"type": kinds[type(argument)], "value": argument} for argument in arguments]
        call = {"functionDeclaration": function, "arguments": script_arguments, "awaitPromise": True}
        answer = self.call("script.callFunction", target={"context": self.page}, **call)
        assert answer["type"] == "success", answer
        return answer["result"] if "sharedId" in answer["result"] else answer["result"].get("value")

    def comes(self, selector: str) -> None:
        """Wait until there is an element."""
        self.run(COMES, selector)

    def click(self, selector: str, element_index: int = 0) -> None:
        """Click one of these elements with the mouse, once it has been drawn where it was scrolled to."""
        place = {"type": "element", "element": {"sharedId": self.run(FIND, selector, element_index)["sharedId"]}}
        self.run(DRAWN)
        moves = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": place},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}
        self.call("input.performActions", context=self.page, actions=[mouse])

    def follow(self, selector: str) -> None:
        """Click a link and wait for the new page."""
        before = self.loads
        self.click(selector)
        while self.loads == before:
            self.hear()


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    if not FIREFOX and os.environ.get("SPIELTISCH_BROWSER_TESTS") != "required":
        pytest.skip("firefox-esr is not installed")
    assert FIREFOX, "firefox-esr is not installed"
    words = [FIREFOX, "--headless", "--no-remote", "--profile", str(tmp_path), "--remote-debugging-port", "0"]
    settings: dict[str, Any] = {
        "env": {**os.environ, "HOME": str(tmp_path)},
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.PIPE,
    }
    with subprocess.Popen([*words, "--width", "1440", "--height", "900"], text=True, **settings) as process:
        try:
            assert process.stderr
            address = next(
                match for line in process.stderr if (match := re.search(r"BiDi listening on (ws://\S+)", line))
            )
            with connect(f"{address[1]}/session", max_size=None) as line:
                yield Firefox(line)
        finally:
            process.terminate()


@pytest.mark.whole_game
def test_a_whole_game_is_played_in_firefox(quick_server: Server, firefox: Firefox) -> None:
    chance = Random(1889)
    firefox.goto(f"{quick_server.address}/new/paris-connection")
    firefox.run(AGAINST_BOTS)
    firefox.follow("form.form .primary")
    firefox.run(PACE)
    decisions = 0
    choice_selector = "#choices .choice:not(.final-choice, .blocked-choice)"
    end_turn_button = "#choices .choice.final-choice"
    while True:
        firefox.comes("#live-part.status-finished, #choices .choice:not(.blocked-choice)")
        firefox.run(DRAWN)
        if firefox.run(COUNT, "#live-part.status-finished"):
            break
        before = firefox.run(VERSION)
        while not (count := firefox.run(COUNT, end_turn_button)) or (
            firefox.run(COUNT, choice_selector) and chance.random() < 0.8
        ):
            firefox.click(choice_selector, chance.randrange(firefox.run(COUNT, choice_selector)))
            firefox.run(DRAWN)
        firefox.click(end_turn_button, chance.randrange(count))
        firefox.comes(f"#confirm-button, {moved(before)}")
        if firefox.run(COUNT, "#confirm-button"):
            firefox.run(DRAWN)
            firefox.click("#confirm-button")
        firefox.comes(moved(before))
        decisions += 1
    assert decisions > 20
    firefox.follow("#result-link")
    firefox.comes("#panel-end .is-winner")
    assert firefox.complaints == []


@pytest.mark.screens
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reference_card_is_printed_on_one_sheet_dark_on_white(
    server: Server, firefox: Firefox, language: str
) -> None:
    firefox.goto(server.address)
    firefox.follow(f"button[name='language'][value='{language}']")
    firefox.follow("button[name='theme'][value='dark']")
    for key in game_modules():
        firefox.goto(f"{server.address}/games/{key}/card")
        assert firefox.run(SWITCHED) == f"{language} dark"
        printed = firefox.call("browsingContext.print", context=firefox.page, background=True)
        document = unpacked(base64.b64decode(printed["data"]))
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", document)) == 1, key
        fills = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) rg\b", document)
        colours = {tuple(round(255 * float(part)) for part in fill_colour) for fill_colour in fills}
        assert DAY_INK in colours
        assert not colours & NIGHT_COLOURS


def unpacked(document: bytes) -> bytes:
    """Return a PDF with its packed streams written out."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", document, re.DOTALL)
    return document + b"".join(zlib.decompressobj().decompress(stream) for stream in streams if stream[:1] == b"x")
