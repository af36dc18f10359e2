"""Check a person's data from outside: access by a recovery code, export and deletion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from spieltisch.tables.refusals import logged_in
from tests.sentences import sentence_after
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import SHORT, Visitor, let_in, table_of_three, trade_on

RECOVERY = "web/templates/recovery_code.html"
NO_CODE = sentence_after(RECOVERY, "<p>{% if made %}", "{% else %}")


def recovery_code(visitor: Visitor) -> str:
    page = visitor.submit("/me/recovery")
    assert page.status_code == 200
    match = re.search(r'id="recovery-code" translate="no">([^<]+)<', page.text)
    assert match
    assert page.headers["cache-control"] == "no-store"
    return match.group(1)


def test_a_recovery_code_signs_in_any_device_and_is_shown_once(
    running_table: tuple[str, list[Visitor]], server: Server
) -> None:
    path, (ada, *_) = running_table
    assert NO_CODE in ada.get("/me/recovery").text
    code = recovery_code(ada)
    after = ada.get("/me/recovery").text
    assert sentence_after(RECOVERY, "<p>{% if made %}") in after
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


def test_the_name_of_a_guest_who_has_chosen_none_follows_the_language_of_each_page(server: Server) -> None:
    with Visitor(server, "fr") as guest, Visitor(server, "en") as spectator:
        table = guest.table("me", "open", "open", name="Invité")
        assert guest.submit("/preferences", language="de").status_code == 303
        for page in ("/", "/preferences"):
            text = guest.get(page).text
            assert 'title="Gast">' in text, page
            assert "Invité" not in text, page
        text = spectator.get(table).text
        assert '<span class="seat-name" translate="no">Guest</span>' in text
        assert "Invité" not in text


def test_a_recovery_code_does_not_merge_two_people(running_table: tuple[str, list[Visitor]], server: Server) -> None:
    path, (ada, *_) = running_table
    code = recovery_code(ada)
    with Visitor(server) as telephone:
        own_table = telephone.table("me", "open", "bot:random", name="Bo")
        refusal = telephone.submit("/device", code=code, merge="on")
        assert refusal.status_code == 409
        assert str(logged_in("Bo").message) in refusal.text
        assert telephone.state(path)["seat"] is None
        assert telephone.state(own_table)["seat"] == 0
        assert ada.state(own_table)["seat"] is None


def test_pages_of_personal_data_need_a_signed_in_person_and_a_form_of_this_site(server: Server, ada: Visitor) -> None:
    ada.table("me", "open", "open")
    with Visitor(server) as newcomer:
        newcomer.get("/")
        for path in ("/me/recovery", "/me/export", "/me/leave"):
            assert newcomer.get(path).status_code == 403
        for path in ("/me/recovery", "/me/leave"):
            assert newcomer.submit(path, sure="on").status_code == 403
    for path in ("/me/recovery", "/me/leave"):
        assert ada.post(path, data={"sure": "on"}).status_code == 403, "without the token"
        token = {"token": ada.token(), "sure": "on"}
        assert ada.post(path, data=token, headers={"Origin": "https://elsewhere.example"}).status_code == 403
    assert NO_CODE in ada.get("/me/recovery").text


def test_the_export_of_a_person_has_people_and_tables_in_one_file(running_table: tuple[str, list[Visitor]]) -> None:
    path, (ada, *_) = running_table
    answer = ada.get("/me/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="spieltisch.json"'
    data = answer.json()
    assert [exported_person["name"] for exported_person in data["people"]] == ["Ada"]
    assert path.removeprefix("/table/") in [table["id"] for table in data["tables"]]


def test_a_person_confirms_deleting_their_data_and_leaves_the_table_to_the_other_players(server: Server) -> None:
    with Visitor(server) as zoe, Visitor(server) as ben:
        path = ben.table("me", "open", "bot:random", name="Ben")
        zoe.sit(path, "Żywia")
        code = recovery_code(zoe)
        assert 'type="checkbox" id="deletion-confirmed" name="sure" required' in zoe.get("/me/leave").text
        assert zoe.submit("/me/leave").status_code == 422
        assert zoe.state(path)["seat"] == 1
        leave_response = zoe.submit("/me/leave", sure="on")
        assert leave_response.status_code == 200
        assert sentence_after("web/templates/person_deleted.html", "<h1>") in leave_response.text
        assert "Żywia" not in leave_response.text + zoe.get("/").text + ben.get(path).text + ben.get(f"{path}/log").text
        assert zoe.state(path)["seat"] is None
        assert zoe.submit("/device", code=code).status_code == 404
        assert ben.submit(f"{path}/replace/1/random").status_code == 303


def test_pages_of_a_finished_game_do_not_keep_the_name_of_a_deleted_player(server: Server) -> None:
    """No event is added there, so the version of the table is the one of pages that were rendered before."""
    with Visitor(server) as ada, Visitor(server) as zoe, Visitor(server) as ben, Visitor(server) as stranger:
        path, people = table_of_three(ada, zoe, ben, **SHORT)
        trade_on(people, path, None)
        version = ada.state(path)["version"]

        def shown() -> list[bool]:
            changes = {"watch": f"{path.removeprefix('/table/')}@0"}
            pages = [visitor.get(path).text + visitor.get("/changes", params=changes).text for visitor in readers]
            return ["Grace" in page for page in pages]

        readers = (ada, ben, stranger)
        assert shown() == [True, True, True]
        assert zoe.submit("/me/leave", sure="on").status_code == 200
        assert ada.state(path)["version"] == version
        assert shown() == [False, False, False]


@pytest.mark.browser
def test_a_recovery_code_created_on_a_desk_signs_in_a_phone(open_page: Person, server: Server, ada: Visitor) -> None:
    ada.table("me", "open", "open")
    desk, telephone = open_page(), open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    let_in(desk.context, ada)
    desk.goto(f"{server.address}/preferences")
    desk.locator('a[href="/me/recovery"]').click()
    desk.locator('form[action="/me/recovery"] button').click()
    code = desk.locator("#recovery-code").inner_text()
    telephone.goto(f"{server.address}/device")
    telephone.fill("#code[name=code]", code)
    telephone.locator('form[action="/device"] .primary').click()
    expect(telephone.get_by_role("link", name="Ada", exact=True)).to_be_visible()
