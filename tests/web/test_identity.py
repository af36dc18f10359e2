"""A person's data, from outside: access by a recovery code, export into a file, deletion."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Person, Server, Visitor, let_in


def recovery_code(visitor: Visitor) -> str:
    page = visitor.submit("/me/recovery")
    assert page.status_code == 200
    match = re.search(r'id="recovery" translate="no">([^<]+)<', page.text)
    assert match
    assert page.headers["cache-control"] == "no-store"
    return match.group(1)


def test_a_printed_code_makes_any_device_oneself_and_is_shown_once(
    running: tuple[str, list[Visitor]], server: Server
) -> None:
    path, (ada, *_) = running
    assert "You have no recovery code yet." in ada.get("/me/recovery").text
    code = recovery_code(ada)
    after = ada.get("/me/recovery").text
    assert "You have a recovery code." in after
    assert code not in after
    for _ in range(2):
        with Visitor(server) as telephone:
            assert telephone.submit("/device", code=code.lower()).status_code == 303
            assert telephone.state(path)["seat"] == 0
    newer = recovery_code(ada)
    with Visitor(server) as eve:
        assert eve.submit("/device", code=code).status_code == 404
        assert eve.submit("/device", code=newer[:-1] + ("2" if newer[-1] == "3" else "3")).status_code == 404
        assert eve.state(path)["seat"] is None


def test_a_recovery_code_merges_nobody(running: tuple[str, list[Visitor]], server: Server) -> None:
    path, (ada, *_) = running
    code = recovery_code(ada)
    with Visitor(server) as telephone:
        own = telephone.table("me", "open", "bot:random", name="Bo")
        refused = telephone.submit("/device", code=code, merge="on")
        assert refused.status_code == 409
        assert "signed in here as Bo" in refused.text
        assert telephone.state(path)["seat"] is None
        assert telephone.state(own)["seat"] == 0
        assert ada.state(own)["seat"] is None


def test_nobody_has_nothing_and_no_form_comes_from_elsewhere(server: Server, ada: Visitor) -> None:
    ada.table("me", "open", "open")
    with Visitor(server) as nobody:
        nobody.get("/")
        for path in ("/me/recovery", "/me/export", "/me/leave"):
            assert nobody.get(path).status_code == 403
        for path in ("/me/recovery", "/me/leave"):
            assert nobody.submit(path, sure="on").status_code == 403
    for path in ("/me/recovery", "/me/leave"):
        assert ada.post(path, data={"sure": "on"}).status_code == 403, "without the token"
        token = {"token": ada.token(), "sure": "on"}
        assert ada.post(path, data=token, headers={"Origin": "https://elsewhere.example"}).status_code == 403
    assert "You have no recovery code yet." in ada.get("/me/recovery").text


def test_everything_comes_in_one_file(running: tuple[str, list[Visitor]]) -> None:
    path, (ada, *_) = running
    answer = ada.get("/me/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="spieltisch.json"'
    data = answer.json()
    assert data["name"] == "Ada"
    assert path.removeprefix("/table/") in [table["id"] for table in data["tables"]]


def test_going_for_good_asks_first_and_leaves_the_table_to_the_others(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as zoe, Visitor(server) as ben:
        path = ben.table("me", "open", "bot:random", name="Ben")
        zoe.sit(path, "Żywia")
        code = recovery_code(zoe)
        assert "Delete everything about" in zoe.get("/me/leave").text
        assert zoe.submit("/me/leave").status_code == 422
        assert zoe.state(path)["seat"] == 1
        left = zoe.submit("/me/leave", sure="on")
        assert left.status_code == 200
        assert "Your data has been deleted" in left.text
        assert "Żywia" not in left.text + zoe.get("/").text + ben.get(path).text + ben.get(f"{path}/log").text
        assert zoe.state(path)["seat"] is None
        assert zoe.submit("/device", code=code).status_code == 404
        assert ben.submit(f"{path}/replace/1/random").status_code == 303
    assert server.stop() == 0
    assert "Żywia".encode() not in b"".join(file.read_bytes() for file in server.data.iterdir())


@pytest.mark.browser
def test_the_code_is_printed_and_typed_on_the_telephone(person: Person, server: Server, ada: Visitor) -> None:
    ada.table("me", "open", "open")
    desk, telephone = person(), person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    let_in(desk.context, ada)
    desk.goto(f"{server.address}/preferences")
    desk.get_by_role("link", name="Recovery code").click()
    desk.get_by_role("button", name="Create code").click()
    code = desk.locator("#recovery").inner_text()
    telephone.goto(f"{server.address}/device")
    telephone.get_by_label("Code").fill(code)
    telephone.get_by_role("button", name="Sign in").click()
    expect(telephone.get_by_role("link", name="Ada", exact=True)).to_be_visible()
