"""Component files made to keep a server busy: each gets a short response, and other requests are served in between."""

from __future__ import annotations

import threading

import httpx
import pytest
from bench.component_files import FILES

from spieltisch.core.components import MAX_FINDINGS, ComponentsError
from spieltisch.core.toml_limits import MAX_FILE_BYTES
from spieltisch.games import game
from tests.web.conftest import Server, Visitor

COMPONENTS = "/games/paris-connection/components"
MAX_TEXT_BYTES = 64_000
"""The size of the text about a file."""


@pytest.fixture
def owner(ada: Visitor) -> Visitor:
    """Yield a visitor who has a name, and may upload."""
    ada.table("me", "open", "open")
    return ada


@pytest.mark.parametrize("name", FILES)
def test_what_is_told_of_a_hostile_file_is_bounded(name: str) -> None:
    text = FILES[name]
    assert 0.9 * MAX_FILE_BYTES < len(text.encode()) <= MAX_FILE_BYTES
    with pytest.raises(ComponentsError) as caught:
        game("paris-connection").read_components(text)
    assert len(caught.value.findings) <= MAX_FINDINGS + 1
    assert len(str(caught.value).encode()) < MAX_TEXT_BYTES


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_answered_with_what_is_wrong(owner: Visitor, name: str) -> None:
    answer = owner.submit(COMPONENTS, text=FILES[name])
    assert answer.status_code == 422
    assert "This component file can’t be used: " in answer.text
    assert "reading it takes too much" not in answer.text
    assert len(answer.content) < 2 * MAX_TEXT_BYTES


def test_the_lobby_is_there_while_a_hostile_file_is_in_work(server: Server, owner: Visitor) -> None:
    answers: list[httpx.Response] = []
    text = FILES["tables in one list"]
    uploading = threading.Thread(target=lambda: answers.append(owner.submit(COMPONENTS, text=text)))
    meanwhile = 0
    with Visitor(server) as other:
        uploading.start()
        while uploading.is_alive():
            assert other.get("/").status_code == 200
            meanwhile += uploading.is_alive()
    assert answers[0].status_code == 422
    assert meanwhile > 3, "somebody who only looked had to wait until the file was read"
