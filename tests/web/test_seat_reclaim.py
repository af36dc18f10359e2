"""Check that the host can reclaim a seat, after asking a present player, and pass it on by a new link.

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
from spieltisch.tables.table_settings import QUARTER_HOUR
from tests.sentences import sentence_after, template_after
from tests.web.conftest import Person
from tests.web.key_player import reach
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

NOTICE = 'class="seat-given-away"'
CONSENT, MENU = "web/templates/consent_requests.html", "web/templates/table_menu.html"
REPLACE, SEATS = "web/templates/replaceable_seats.html", "tables/fold_seats.py"
KEEPS = "player=SeatName(event.seat))\n    else:"
TAKES_OVER = "name=event.name)\n    else:\n"
GIVE_SEAT = "{% for seat in table.people if seat.person != table.host %}"
WAITING = "{% else %}\n<p>"


def request_log_text(name: str) -> str:
    """Return the sentence of the log about a player who is asked to give up their seat."""
    return sentence_after(SEATS, "def _apply_reclaim_requested", player=name)


def kept_seat_log_text(name: str) -> str:
    """Return the sentence of the log about a player who keeps their seat."""
    return sentence_after(SEATS, KEEPS, player=name)


def links(host: Visitor, path: str) -> list[str]:
    """Return the links to seats that the host can pass on."""
    return re.findall(r'id="seat-\d".*?data-copy-url="(/join/[^"]+)"', host.get(path).text, re.S)


def test_a_player_gets_a_lost_seat_back_by_a_new_link(server: Server, running_table: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, mary) = running_table
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
    assert sentence_after(SEATS, "if event.agreed", name="Grace") in mary.get(f"{path}/log").text
    (link,) = links(ada, path)
    with Visitor(server) as newcomer:
        assert newcomer.submit(link, name="Grace again").status_code == 303
        assert newcomer.state(path)["seat"] == 1
        assert newcomer.state(path)["seats"][1]["name"] == "Grace again"
    proposed = sentence_after("tables/fold.py", "def _apply_abort_requested", player="Grace</b>")
    assert all(proposed in mary.get(page).text for page in (path, f"{path}/log")), "as she was called then"
    sentences = [" ".join(line["text"]) for line in mary.state(path)["log"]]
    assert sentence_after("tables/fold.py", "def _apply_abort_requested", player="Grace") in sentences
    assert sentences[-1] == sentence_after(SEATS, TAKES_OVER, name="Grace again", other="Grace")
    assert grace.state(path)["seat"] is None
    assert mary.state(path)["status"] == "running"


def test_a_recently_active_player_is_asked_and_may_refuse(running_table: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, mary) = running_table
    hand = grace.state(path)["scores"]
    assert ada.submit(f"{path}/reclaim/1").status_code == 303
    assert ada.submit(f"{path}/reclaim/1").status_code == 409, "asked already"
    assert (ada.state(path)["seat"], grace.state(path)["seat"]) == (0, 1)
    assert links(ada, path) == [], "nothing to hand on"
    waiting_page, other_visitor_page = ada.get(path).text, mary.get(path).text
    assert 'id="asked-1"' in waiting_page
    assert template_after(CONSENT, WAITING).text.partition("{player}")[2] in waiting_page
    assert sentence_after(CONSENT, "{%- elif hours_away %}", count=DEFAULT.away_hours) in waiting_page
    assert "agree-hand-out" not in waiting_page + other_visitor_page
    for other_seat in (ada, mary):
        assert other_seat.submit(f"{path}/consent/agree-hand-out").status_code == 409
    assert mary.submit(f"{path}/reclaim/1/cancel").status_code == 403
    assert grace.submit(f"{path}/consent/refuse-hand-out").status_code == 303
    assert grace.state(path)["scores"] == hand
    assert ada.submit(f"{path}/reclaim/1").status_code == 303
    assert ada.submit(f"{path}/reclaim/1/cancel").status_code == 303
    sentences = [" ".join(line["text"]) for line in mary.state(path)["log"]]
    assert sentences[-4:] == [
        request_log_text("Grace"),
        kept_seat_log_text("Grace"),
        request_log_text("Grace"),
        sentence_after(SEATS, "if event.withdrawn", player="Grace"),
    ]
    assert "agree-hand-out" not in grace.get(path).text


def test_one_of_two_players_on_a_device_is_asked_by_name(ada: Visitor, grace: Visitor) -> None:
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
    handoff_page, page_as_grace = grace.get(path).text, grace.get(f"{path}?me=0").text
    (hot_seat,) = re.findall(r'consent/agree-hand-out" name="me" value="(\d+)"', handoff_page)
    assert "agree-hand-out" not in page_as_grace
    assert "agree-hand-out" in grace.get(f"{path}?me={hot_seat}").text
    assert grace.submit(f"{path}/consent/agree-hand-out", me="0").status_code == 409, "Grace is not asked"
    assert grace.submit(f"{path}/consent/agree-hand-out", me=hot_seat).status_code == 303
    assert ada.state(path)["seats"][seats["Ben"]]["kind"] == "left"
    assert ada.state(path)["seats"][seats["Grace"]]["kind"] == "person"


def pretend_last_use(server: Server, hours: float) -> None:
    """Change the time of the last use of a stopped server to this number of hours ago."""
    with closing(sqlite3.connect(server.file)) as database, database:
        (stored_value,) = database.execute("SELECT value FROM settings WHERE name = 'seen'").fetchone()
        earlier = {person: at - 3600 * hours for person, at in json.loads(stored_value).items()}
        database.execute("UPDATE settings SET value = ? WHERE name = 'seen'", (json.dumps(earlier).encode(),))


def test_a_seat_is_reclaimed_without_asking_after_the_time_chosen_by_the_host(
    own_server: Callable[..., Server],
) -> None:
    server = own_server()
    port = server.address.rpartition(":")[2]
    with Visitor(server) as ada, Visitor(server) as ben:
        path = ada.table("me", "open", "bot:easy", away_hours="0.25")
        assert ben.sit(path, "Ben").status_code == 303
        assert (
            sentence_after("web/pages/table_settings.py", "if charter.away_hours == QUARTER_HOUR") in ben.get(path).text
        )
        for hours, kind in ((0, "person"), (QUARTER_HOUR, "left")):
            server.stop()
            pretend_last_use(server, hours)
            server = own_server("--port", port)
            assert ada.submit(f"{path}/reclaim/1").status_code == 303
            assert ada.state(path)["seats"][1]["kind"] == kind
            assert (sentence_after(CONSENT, "hours_away < 1") in ada.get(path).text) == (kind == "person")
            ada.submit(f"{path}/reclaim/1/cancel")


def test_after_a_days_absence_a_seat_is_given_away_and_its_player_may_return_while_the_seat_is_free(
    own_server: Callable[..., Server],
) -> None:
    """A day is the default limit, and includes the time while the server is stopped."""
    server = own_server()
    port = server.address.rpartition(":")[2]
    with Visitor(server) as kost, Visitor(server) as vic, Visitor(server) as helper, Visitor(server) as other:
        path = kost.table("me", "open", "bot:easy", name="Kost")
        assert vic.sit(path, "Vic").status_code == 303
        assert NOTICE not in vic.get("/").text
        for hours, kind in ((DEFAULT.away_hours - 1, "person"), (2, "left")):
            server.stop()
            pretend_last_use(server, hours)
            server = own_server("--port", port)
            assert kost.submit(f"{path}/reclaim/1").status_code == 303
            assert kost.state(path)["seats"][1]["kind"] == kind
            assert bool(links(kost, path)) == (kind == "left")
        (link,) = links(kost, path)
        assert helper.submit(link, name="Helper").status_code == 303
        log = [" ".join(line["text"]) for line in vic.state(path)["log"]]
        assert sentence_after(SEATS, "elif event.reclaimed and host is not None", player="Kost", name="Vic") in log
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


def test_a_seat_reserved_by_a_rematch_can_be_declined(server: Server, ada: Visitor, grace: Visitor) -> None:
    before = ada.table("me", "open", "link")
    assert grace.sit(before, "Grace").status_code == 303
    assert ada.submit(f"{before}/consent/ask-abort").status_code == 303
    path = ada.submit(f"{before}/rematch").headers["location"]
    assert [seat["kind"] for seat in grace.state(path)["seats"]] == ["person", "reserved", "link"]
    assert f"{path}/leave" in grace.get(path).text
    assert ['id="own-seat-note"' in visitor.get(path).text for visitor in (grace, ada)] == [True, False]
    waiting_text = sentence_after("web/templates/lobby_row.html", "is_kept %}<b")
    assert [f">{waiting_text}</b>" in visitor.get("/").text for visitor in (grace, ada)] == [True, False]
    section = grace.get("/").text.partition('class="my-turn"')[2].partition("</section>")[0]
    row = re.search(rf'<li class="keeps-seat"><a href="{path}">.*?</li>', section, re.DOTALL)
    assert row, "a seat that waits is among what waits"
    assert '<svg class="game-cover"' in row[0]
    assert '<span class="small">' in row[0]
    assert grace.leave(path).status_code == 303
    assert [seat["kind"] for seat in ada.state(path)["seats"]] == ["person", "link", "link"], "free"
    assert path not in grace.get("/").text
    assert grace.submit(f"{path}/leave").status_code == 403
    assert grace.submit(f"{path}/sit", seat="1").status_code == 403
    with Visitor(server) as newcomer:
        label = sentence_after("web/templates/waiting_room.html", "if links[seat.number] is defined %}", number=2)
        (link,) = re.findall(rf'href="[^"]*(/join/[^"]+)">{label}', ada.get(path).text)
        assert newcomer.submit(link, name="Mary").status_code == 303
        assert newcomer.leave(path).status_code == 303
        assert [seat["kind"] for seat in ada.state(path)["seats"]] == ["person", "link", "link"], "not kept again"


def test_declining_the_seat_of_a_guest_leaves_no_other_seat_of_the_device(ada: Visitor, grace: Visitor) -> None:
    before = grace.table("me", "here", "open", name="Grace", **{"here-1": "Ben"})
    assert ada.sit(before, "Ada").status_code == 303
    assert ada.submit(f"{before}/consent/ask-abort").status_code == 303
    assert grace.submit(f"{before}/consent/agree-abort", me="0").status_code == 303
    path = ada.submit(f"{before}/rematch").headers["location"]
    seats = {seat["name"]: number for number, seat in enumerate(ada.state(path)["seats"])}
    assert grace.submit(f"{path}/sit", seat=str(seats["Grace"])).status_code == 303
    assert "outcome=declines" in grace.submit(f"{path}/leave", decline="yes").text
    assert grace.submit(f"{path}/leave?outcome=declines").status_code == 303
    kinds = {name: ada.state(path)["seats"][number]["kind"] for name, number in seats.items()}
    assert kinds == {"Ada": "person", "Grace": "person", "Ben": "link"}
    assert grace.submit(f"{path}/leave?outcome=declines").status_code == 403, "nothing else is kept, and nobody leaves"


@pytest.mark.browser
def test_a_seat_request_appears_at_once_and_is_answered_by_keyboard_or_without_a_script(
    server: Server, running_table: tuple[str, list[Visitor]], open_page: Person
) -> None:
    path, (ada, grace, mary) = running_table
    host, asked_page, scriptless_page = (
        open_page(locale="en"),
        open_page(locale="en"),
        open_page(locale="en", java_script_enabled=False),
    )
    for page, visitor in ((host, ada), (asked_page, grace), (scriptless_page, mary)):
        let_in(page.context, visitor)
        page.goto(server.address + path)
    reach(host, "Table")
    host.keyboard.press("Enter")
    reach(host, sentence_after(MENU, GIVE_SEAT, name="Grace"))
    host.keyboard.press("Enter")
    expect(host.locator("#asked-1")).to_contain_text(sentence_after(CONSENT, WAITING, player="Grace"))
    expect(asked_page.locator("#asked-1")).to_contain_text(sentence_after(CONSENT, "{% if own %}", player="Grace"))
    expect(asked_page.locator("#live-region")).to_contain_text(request_log_text("Grace"))
    reach(asked_page, sentence_after(CONSENT, "/consent/refuse-hand-out"))
    asked_page.keyboard.press("Enter")
    expect(host.locator("#asked-1")).to_have_count(0)
    expect(host.locator(".log li").first).to_have_text(re.compile(re.escape(kept_seat_log_text("Grace"))))

    host.locator("#table-menu summary").click()
    host.locator(f'[formaction="{path}/reclaim/2"]').click()
    expect(host.locator("#asked-2")).to_contain_text(sentence_after(CONSENT, WAITING, player="Mary"))
    scriptless_page.reload()
    scriptless_page.locator(f'[formaction="{path}/consent/agree-hand-out"]').click()
    scriptless_page.wait_for_url(server.address + path)
    expect(scriptless_page.locator("#asked-2")).to_have_count(0)
    expect(host.locator("#seat-2")).to_contain_text("has left")
    expect(host.locator("#replace-2 summary").first).to_contain_text(sentence_after(REPLACE, "{%- if seat.number =="))
    invite = host.locator("#replace-2").locator('[data-action="invite"]')
    # Read at once: a moment later, the button has its own words again.
    assert invite.evaluate("(button) => (button.click(), button.innerText)") == sentence_after(
        "web/templates/share_macros.html", 'data-action="invite"'
    )
    expect(invite).to_be_visible()
    reach(host, sentence_after(REPLACE, 'data-action="wait"'))
    host.keyboard.press("Enter")
    expect(invite).to_be_hidden()
    assert ada.submit(f"{path}/consent/ask-abort").status_code == 303
    expect(host.locator("#prompt")).to_contain_text(sentence_after(CONSENT, "{% if table.abort_asked %}", player="Ada"))
    expect(invite).to_be_hidden()
