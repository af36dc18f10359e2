"""Check component files made to keep a server busy: a short response, and other requests served in between."""

from __future__ import annotations

import threading

import httpx
import pytest
from bench.component_files import FILES

from spieltisch.core.components import MAX_FINDINGS, ComponentsError
from spieltisch.core.toml_limits import MAX_FILE_BYTES
from spieltisch.games import game
from spieltisch.tables.refusals import bad_components, components_too_slow
from tests.web.servers import Server
from tests.web.visitors import Visitor

COMPONENTS = "/games/paris-connection/components"
MAX_TEXT_BYTES = 64_000
"""The size of the text about a file."""


@pytest.fixture
def owner(ada: Visitor) -> Visitor:
    """Yield a visitor with a name, who may upload files."""
    ada.table("me", "open", "open")
    return ada


@pytest.mark.parametrize("name", FILES)
def test_the_findings_about_a_hostile_file_are_bounded(name: str) -> None:
    text = FILES[name]
    assert 0.9 * MAX_FILE_BYTES < len(text.encode()) <= MAX_FILE_BYTES
    with pytest.raises(ComponentsError) as error:
        game("paris-connection").read_components(text)
    assert len(error.value.findings) <= MAX_FINDINGS + 1
    assert len(str(error.value).encode()) < MAX_TEXT_BYTES


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_refused_with_its_findings(owner: Visitor, name: str) -> None:
    answer = owner.submit(COMPONENTS, text=FILES[name])
    assert answer.status_code == 422
    assert str(bad_components("").message) in answer.text
    assert str(components_too_slow().message) not in answer.text
    assert len(answer.content) < 2 * MAX_TEXT_BYTES


def test_the_lobby_is_served_while_a_hostile_file_is_read(server: Server, owner: Visitor) -> None:
    answers: list[httpx.Response] = []
    text = FILES["tables in one list"]
    uploading = threading.Thread(target=lambda: answers.append(owner.submit(COMPONENTS, text=text)))
    answered_count = 0
    with Visitor(server) as other_visitor:
        uploading.start()
        while uploading.is_alive():
            assert other_visitor.get("/").status_code == 200
            answered_count += uploading.is_alive()
    assert answers[0].status_code == 422
    assert answered_count > 3, "somebody who only looked had to wait until the file was read"
