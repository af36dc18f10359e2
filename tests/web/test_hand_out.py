"""A lost link, through the pages: the host hands the seat out again, and whoever has the new link plays on."""

from __future__ import annotations

import re

from tests.web.conftest import Server, Visitor


def test_a_new_link_to_a_lost_seat(server: Server, running: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, mary) = running
    assert f"{path}/hand-out/1" in ada.get(path).text
    assert f"{path}/hand-out/0" not in ada.get(path).text, "not one's own"
    assert "/hand-out/" not in grace.get(path).text, "only the host"
    assert grace.submit(f"{path}/hand-out/2").status_code == 403
    assert ada.submit(f"{path}/hand-out/0").status_code == 409
    assert ada.submit(f"{path}/hand-out/9").status_code == 422
    assert grace.submit(f"{path}/consent/ask-abort").status_code == 303
    assert ada.submit(f"{path}/hand-out/1").status_code == 303
    assert "The seat of Grace is handed out again." in mary.get(f"{path}/log").text
    found = re.search(r'id="seat-1".*?data-copy="(/join/[^"]+)"', ada.get(path).text, re.S)
    assert found
    with Visitor(server) as newcomer:
        assert newcomer.submit(found.group(1), name="Grace again").status_code == 303
        assert newcomer.state(path)["seat"] == 1
        assert newcomer.state(path)["seats"][1]["name"] == "Grace again"
    proposed = "Grace</b> proposes to end the game"
    assert all(proposed in mary.get(page).text for page in (path, f"{path}/log")), "as she was called then"
    said = [" ".join(line["text"]) for line in mary.state(path)["log"]]
    assert "Grace proposes to end the game without a result." in said
    assert said[-1] == "Grace again takes the seat that Grace left."
    assert grace.state(path)["seat"] is None
    assert mary.state(path)["status"] == "running"
