"""Check the pages of groups: what members, hosts and strangers get, in two worlds, and the whole flow."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.features.group_visitors import JSON, NAME, create, link_of, named, without_path
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import SHORT, Visitor, let_in, trade_on


def key_of(visitor: Visitor, path: str, name: str) -> str:
    """Return the key of a member on a visitor's page."""
    found = re.search(rf'name="with-([^"]+)">\s*<span translate="no">{name}<', visitor.get(path).text)
    assert found, name
    return html.unescape(found.group(1))


def test_a_group_is_joined_plays_and_has_standings(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as ben, Visitor(server) as cleo:
        path = create(named(ada, "Ada"))
        link = link_of(ada, path)
        assert NAME in cleo.get(link).text
        for visitor, name in ((ben, "Ben"), (cleo, "Cleo")):
            answer = visitor.submit(link, name=name)
            assert (answer.status_code, answer.headers["location"]) == (303, path)
        assert ben.get(link).headers["location"] == path
        options = {"option-standstill": SHORT["option-standstill"], "clock": "live"}
        defaults = f"{path}/defaults/paris-connection"
        assert ada.get(defaults).status_code == 200
        assert ada.submit(defaults, **options).status_code == 303
        kept = {f"with-{key_of(ben, path, 'Ada')}": "on"}
        table = ben.submit(f"{path}/open", game="paris-connection", seats="3", **kept).headers["location"]
        assert [(seat["kind"], seat["name"]) for seat in ben.state(table)["seats"]][:2] == [
            ("person", "Ben"),
            ("reserved", "Ada"),
        ]
        for visitor in (ada, cleo):
            assert f'value="{table.rpartition("/")[2]}"' in visitor.get(path).text
            seated = visitor.submit(f"{path}/sit", table=table.rpartition("/")[2])
            assert seated.headers["location"] == table
        people = [ben, ada, cleo]
        with Visitor(server) as dora:
            dora.submit(link, name="Dora")
            picture = f'<a href="{table}"><img class="game-cover" src="{table}/picture"'
            for member in (dora, ada):
                assert picture in member.get(path).text
            assert dora.get(f"{table}/picture").headers["content-type"].startswith("image/svg+xml")
        trade_on(people, table, None)
        assert 'id="standings-title"' not in ada.get(path).text, "no one has agreed"
        for visitor in (ada, ben):
            assert visitor.submit(f"{path}/choose", ranked="on").status_code == 303
        ben.get("/me/history")  # computes the result, if that has not happened
        standings = re.search(r'aria-labelledby="standings-title".*?</section>', cleo.get(path).text, re.DOTALL)
        assert standings
        assert ("Ada" in standings.group(), "Ben" in standings.group(), "Cleo" in standings.group()) == (
            True,
            True,
            False,
        )
        assert "±" in standings.group()
        assert ada.submit(f"{path}/leave").status_code == 303
        standings = re.search(r'aria-labelledby="standings-title".*?</section>', cleo.get(path).text, re.DOTALL)
        assert standings
        assert "Ada" not in standings.group()
        assert ada.get(path).status_code == 404


POSTS = ("open", "sit", "choose", "change", "reset-link", "remove", "leave", "defaults/paris-connection")
GETS = ("", "/defaults/paris-connection")


def answers(visitor: Visitor, path: str) -> list[tuple[int, str]]:
    """Return all answers about a group that a visitor can ask for."""
    token, seen = visitor.token(), []
    for address in GETS:
        seen += [visitor.get(f"{path}{address}", headers=headers) for headers in ({}, JSON)]
    for address in POSTS:
        fields = {
            "token": token,
            "game": "chess",
            "title": "",
            "member": "x",
            "table": "x",
            "seats": "x",
            "with-x": "on",
        }
        seen += [visitor.post(f"{path}/{address}", data=fields, headers=headers) for headers in ({}, JSON)]
        seen.append(visitor.post(f"{path}/{address}", data={**fields, "token": "forged"}))
    return [(answer.status_code, without_path(answer.text, path)) for answer in seen]


@pytest.mark.parametrize("is_named", [True, False])
def test_a_stranger_gets_the_answers_of_a_group_that_does_not_exist(
    own_server: Callable[..., Server], is_named: bool
) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as stranger:
        path = create(named(ada, "Ada"))
        table = ada.submit(f"{path}/open", game="paris-connection", seats="3").headers["location"]
        if is_named:
            create(named(stranger, "Zoe"))
        there = answers(stranger, path)
        assert there == answers(stranger, "/group/AAAAAAAAAAAA")
        assert {status for status, _ in there} == {403, 404}
        assert stranger.get(table).status_code == stranger.get("/table/AAAAAAAAAAAA").status_code == 404
        for page in ("/", "/groups", "/people"):
            assert NAME not in stranger.get(page).text or is_named
            assert path not in stranger.get(page).text
        link = link_of(ada, path)
        assert ada.submit(f"{path}/reset-link").status_code == 303
        old, wrong = (stranger.get(address, headers=JSON).json() for address in (link, "/join-group/nonsense"))
        assert old == wrong


def test_a_member_who_may_not_invite_sees_no_link_and_manages_nothing(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as ben, Visitor(server) as cleo:
        path = create(named(ada, "Ada"))
        assert ben.submit(link_of(ada, path), name="Ben").status_code == 303
        known = link_of(ben, path)
        assert ada.submit(f"{path}/change", title="Friday Club").status_code == 303
        assert cleo.submit(known, name="Cleo").status_code == 404, "the members know this link"
        (form,) = re.findall(r'<form[^>]*action="[^"]*/change">.*?</form>', ada.get(path).text, re.DOTALL)
        assert re.findall(r'name="(alerts|ranked)" checked', form) == ["alerts"]
        assert ada.submit(f"{path}/change", title="Friday Club", own="on", ranked="on").status_code == 303
        (form,) = re.findall(r'<form[^>]*action="[^"]*/change">.*?</form>', ada.get(path).text, re.DOTALL)
        assert re.findall(r'name="(alerts|ranked)" checked', form) == ["ranked"], "one button stores all"
        assert cleo.submit(link_of(ada, path), name="Cleo").status_code == 303
        seen = ben.get(path).text
        assert "Friday Club" in seen
        assert "group-link" not in seen
        assert f"{path}/change" not in seen
        for address in ("change", "reset-link", "defaults/paris-connection"):
            answer = ben.post(f"{path}/{address}", data={"token": ben.token(), "title": "Mine"}, headers=JSON)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-host")
        key = key_of(ada, path, "Ben")
        answer = ben.post(f"{path}/remove", data={"token": ben.token(), "member": key}, headers=JSON)
        assert answer.json()["code"] == "no-person", "a key is of one viewer"
        assert ada.submit(f"{path}/remove", member=key).status_code == 303
        assert ben.get(path).status_code == 404


@pytest.mark.browser
def test_two_friends_make_a_group_and_open_a_table_for_each_other(
    own_server: Callable[..., Server], open_page: Person
) -> None:
    server, hers, his = own_server(), open_page(), open_page()
    with Visitor(server) as ada:
        let_in(hers.context, named(ada, "Ada"))
        hers.goto(f"{server.address}/groups")
        hers.fill('[name="title"]', NAME)
        hers.keyboard.press("Enter")
        expect(hers.locator("h1")).to_have_text(NAME)
        his.goto(str(hers.locator("#group-link").get_attribute("data-share-url")))
        his.fill('[name="name"]', "Ben")
        his.keyboard.press("Enter")
        expect(his.locator("h1")).to_have_text(NAME)
        hers.reload()
        hers.locator("#open-form .checkbox-row input").check()
        hers.locator("#open-form .button.primary").click()
        expect(hers.locator(".seats .seat-kind-reserved")).to_have_count(1)
        his.reload()
        his.locator('[form="sit-form"]').click()
        expect(his.locator(".seats .is-own-seat .seat-name")).to_have_text("Ben")
