"""A lost link: the host reclaims the seat and whoever has the new link plays on.

A present player is asked first, and no one sees the hand before that player has agreed or been away long enough.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import expect

from spieltisch.live.limits import DEFAULT
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.key_player import reach

NOTICE = 'class="given-away"'
ASKED = "has been asked to give up their seat."


def links(host: Visitor, path: str) -> list[str]:
    """The links to seats that the host can hand on."""
    return re.findall(r'id="seat-\d".*?data-copy="(/join/[^"]+)"', host.get(path).text, re.S)


def test_a_new_link_to_a_lost_seat(server: Server, running: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, mary) = running
    assert f"{path}/reclaim/1" in ada.get(path).text
    assert f"{path}/reclaim/0" not in ada.get(path).text, "not one's own"
    assert "/reclaim/" not in grace.get(path).text, "only the host"
    assert grace.submit(f"{path}/reclaim/2").status_code == 403
    assert ada.submit(f"{path}/reclaim/0").status_code == 409
    assert ada.submit(f"{path}/reclaim/9").status_code == 422
    assert grace.submit(f"{path}/consent/ask-abort").status_code == 303
    assert ada.submit(f"{path}/reclaim/1").status_code == 303
    assert f"{path}/consent/agree-hand-out" in grace.get(path).text
    assert grace.submit(f"{path}/consent/agree-hand-out").status_code == 303
    assert "Grace has given up their seat." in mary.get(f"{path}/log").text
    (link,) = links(ada, path)
    with Visitor(server) as newcomer:
        assert newcomer.submit(link, name="Grace again").status_code == 303
        assert newcomer.state(path)["seat"] == 1
        assert newcomer.state(path)["seats"][1]["name"] == "Grace again"
    proposed = "Grace</b> proposes ending the game"
    assert all(proposed in mary.get(page).text for page in (path, f"{path}/log")), "as she was called then"
    sentences = [" ".join(line["text"]) for line in mary.state(path)["log"]]
    assert "Grace proposes ending the game without a result." in sentences
    assert sentences[-1] == "Grace again takes over Grace’s seat."
    assert grace.state(path)["seat"] is None
    assert mary.state(path)["status"] == "running"


def test_who_was_just_here_is_asked_and_may_refuse(running: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, mary) = running
    hand = grace.state(path)["scores"]
    assert ada.submit(f"{path}/reclaim/1").status_code == 303
    assert ada.submit(f"{path}/reclaim/1").status_code == 409, "asked already"
    assert (ada.state(path)["seat"], grace.state(path)["seat"]) == (0, 1)
    assert links(ada, path) == [], "nothing to hand on"
    waiting, elsewhere = ada.get(path).text, mary.get(path).text
    assert "to agree to give up their seat." in waiting
    assert f"If they’re away for {DEFAULT.away_hours} hours" in waiting
    assert "agree-hand-out" not in waiting + elsewhere
    for other in (ada, mary):
        assert other.submit(f"{path}/consent/agree-hand-out").status_code == 409
    assert mary.submit(f"{path}/reclaim/1/cancel").status_code == 403
    assert grace.submit(f"{path}/consent/refuse-hand-out").status_code == 303
    assert grace.state(path)["scores"] == hand
    assert ada.submit(f"{path}/reclaim/1").status_code == 303
    assert ada.submit(f"{path}/reclaim/1/cancel").status_code == 303
    sentences = [" ".join(line["text"]) for line in mary.state(path)["log"]]
    assert sentences[-4:] == [
        f"Grace {ASKED}",
        "Grace keeps their seat.",
        f"Grace {ASKED}",
        "The host has withdrawn the request for Grace’s seat.",
    ]
    assert "agree-hand-out" not in grace.get(path).text


def test_one_of_two_on_a_device_is_asked_by_name(ada: Visitor, grace: Visitor) -> None:
    before = grace.table("me", "here", "open", name="Grace", **{"here-1": "Ben"})
    assert ada.sit(before, "Ada").status_code == 303
    assert ada.submit(f"{before}/consent/ask-abort").status_code == 303
    assert grace.submit(f"{before}/consent/agree-abort", me="0").status_code == 303
    path = ada.submit(f"{before}/rematch").headers["location"]
    state = ada.state(path)
    seats = {seat["name"]: number for number, seat in enumerate(state["seats"])}
    for name in ("Grace", "Ben"):
        assert grace.submit(f"{path}/sit", seat=str(seats[name])).status_code == 303
    assert ada.submit(f"{path}/reclaim/{seats['Ben']}").status_code == 303
    behind_curtain, as_grace = grace.get(path).text, grace.get(f"{path}?me=0").text
    (me,) = re.findall(r'consent/agree-hand-out" name="me" value="(\d+)"', behind_curtain)
    assert "agree-hand-out" not in as_grace
    assert "agree-hand-out" in grace.get(f"{path}?me={me}").text
    assert grace.submit(f"{path}/consent/agree-hand-out", me="0").status_code == 409, "Grace is not asked"
    assert grace.submit(f"{path}/consent/agree-hand-out", me=me).status_code == 303
    assert ada.state(path)["seats"][seats["Ben"]]["kind"] == "left"
    assert ada.state(path)["seats"][seats["Grace"]]["kind"] == "person"


def away(server: Server, hours: float) -> None:
    """As if the server, which is stopped, had last been used so many hours ago."""
    with closing(sqlite3.connect(server.file)) as database, database:
        (kept,) = database.execute("SELECT value FROM settings WHERE name = 'seen'").fetchone()
        earlier = {person: at - 3600 * hours for person, at in json.loads(kept).items()}
        database.execute("UPDATE settings SET value = ? WHERE name = 'seen'", (json.dumps(earlier).encode(),))


def test_a_day_after_they_were_here_nobody_is_asked_any_more(own_server: Callable[..., Server]) -> None:
    """With the default of that limit, and while the server is stopped, too."""
    server = own_server()
    port = server.address.rpartition(":")[2]
    with Visitor(server) as ada, Visitor(server) as grace:
        path = ada.table("me", "open", "bot:easy")
        assert grace.sit(path, "Grace").status_code == 303
        for hours, kind in ((DEFAULT.away_hours - 1, "person"), (2, "left")):
            server.stop()
            away(server, hours)
            server = own_server("--port", port)
            assert ada.submit(f"{path}/reclaim/1").status_code == 303
            assert ada.state(path)["seats"][1]["kind"] == kind
            assert bool(links(ada, path)) == (kind == "left")


def test_a_seat_given_away_is_told_to_its_owner_who_may_return_while_it_is_free(
    own_server: Callable[..., Server],
) -> None:
    server = own_server()
    port = server.address.rpartition(":")[2]
    with Visitor(server) as kost, Visitor(server) as vic, Visitor(server) as helper, Visitor(server) as other:
        path = kost.table("me", "open", "bot:easy", name="Kost")
        assert vic.sit(path, "Vic").status_code == 303
        assert NOTICE not in vic.get("/").text
        server.stop()
        away(server, DEFAULT.away_hours + 1)
        server = own_server("--port", port)
        assert kost.submit(f"{path}/reclaim/1").status_code == 303
        (link,) = links(kost, path)
        assert helper.submit(link, name="Helper").status_code == 303
        log = [" ".join(line["text"]) for line in vic.state(path)["log"]]
        assert "Kost has given Vic’s seat away." in log
        lobby = vic.get("/").text
        assert (NOTICE in lobby, f"{path}/sit" in lobby) == (True, False)
        assert NOTICE not in kost.get("/").text + helper.get("/").text
        assert vic.submit(f"{path}/sit", seat="1").status_code == 409

        assert helper.get(link).headers["location"] == path, "for its player the link leads to the table"
        assert helper.leave(path).status_code == 303
        assert other.get(link).status_code == 403
        assert other.submit(link, name="Other").status_code == 403, "a link gives a seat once"
        assert f"{path}/sit" in vic.get("/").text
        assert vic.submit(f"{path}/sit", seat="1").status_code == 303
        assert vic.state(path)["seat"] == 1
        assert NOTICE not in vic.get("/").text


def test_a_seat_kept_by_a_rematch_of_others_can_be_declined(server: Server, ada: Visitor, grace: Visitor) -> None:
    before = ada.table("me", "open", "link")
    assert grace.sit(before, "Grace").status_code == 303
    assert ada.submit(f"{before}/consent/ask-abort").status_code == 303
    path = ada.submit(f"{before}/rematch").headers["location"]
    assert [seat["kind"] for seat in grace.state(path)["seats"]] == ["person", "reserved", "link"]
    assert f"{path}/leave" in grace.get(path).text
    assert path in grace.get("/").text
    assert grace.leave(path).status_code == 303
    assert [seat["kind"] for seat in ada.state(path)["seats"]] == ["person", "link", "link"], "free"
    assert path not in grace.get("/").text
    assert grace.submit(f"{path}/leave").status_code == 403
    assert grace.submit(f"{path}/sit", seat="1").status_code == 403
    with Visitor(server) as newcomer:
        (link,) = re.findall(r'href="[^"]*(/join/[^"]+)">Invite link for seat 2', ada.get(path).text)
        assert newcomer.submit(link, name="Mary").status_code == 303
        assert newcomer.leave(path).status_code == 303
        assert [seat["kind"] for seat in ada.state(path)["seats"]] == ["person", "link", "link"], "not kept again"


@pytest.mark.browser
def test_the_question_comes_at_once_and_is_answered_by_keyboard_or_without_a_script(
    server: Server, running: tuple[str, list[Visitor]], person: Person
) -> None:
    path, (ada, grace, mary) = running
    host, asked_page, plain = person(locale="en"), person(locale="en"), person(locale="en", java_script_enabled=False)
    for page, visitor in ((host, ada), (asked_page, grace), (plain, mary)):
        let_in(page.context, visitor)
        page.goto(server.address + path)
    reach(host, "Table")
    host.keyboard.press("Enter")
    reach(host, "Give Grace’s seat to someone else")
    host.keyboard.press("Enter")
    expect(host.locator("#asked-1")).to_contain_text("Waiting for Grace")
    expect(asked_page.locator("#asked-1")).to_contain_text("who will see everything you see")
    expect(asked_page.locator("#said")).to_contain_text(f"Grace {ASKED}")
    reach(asked_page, "Keep my seat")
    asked_page.keyboard.press("Enter")
    expect(host.locator("#asked-1")).to_have_count(0)
    expect(host.locator(".log li").first).to_have_text(re.compile("Grace keeps their seat."))

    host.locator("#menu summary").click()
    host.get_by_role("button", name="Give Mary’s seat to someone else").click()
    expect(host.locator("#asked-2")).to_contain_text("Waiting for Mary")
    plain.reload()
    plain.get_by_role("button", name="Give up my seat").click()
    plain.wait_for_url(server.address + path)
    expect(plain.locator("#asked-2")).to_have_count(0)
    expect(host.locator("#seat-2")).to_contain_text("has left")
    expect(host.locator("#replace-2 summary").first).to_contain_text("What now?")
    invite = host.locator("#replace-2").get_by_role("button", name="Invite someone")
    # Read at once: a moment later, the button has its own words again.
    assert invite.evaluate("(button) => (button.click(), button.innerText)") == "Link copied"
    expect(invite).to_be_visible()
    reach(host, "Wait")
    host.keyboard.press("Enter")
    expect(invite).to_be_hidden()
    assert ada.submit(f"{path}/consent/ask-abort").status_code == 303
    expect(host.locator("#prompt")).to_contain_text("proposes aborting the game")
    expect(invite).to_be_hidden()
