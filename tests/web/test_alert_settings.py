"""Check the settings of turn alerts: subscriptions, links by mail, limits, and bad addresses."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from email.message import EmailMessage

import httpx
import pytest

from spieltisch.core.words import LANGUAGES, Words
from tests.live.fake_services import Post, Web, mail_server, web_server
from tests.sentences import sentence_after, template_after
from tests.tiers import first_alone
from tests.web.servers import Server, running_server
from tests.web.visitors import MANY_ADDRESSES, Visitor, trade_on

FIELDS = {"zone": "Europe/Berlin", "quiet-from": "22:30", "quiet-to": "07:00", "away": "0", "pause": "60"}


class Outside:
    """A server that sends mail and may reach this machine, and the services that run here."""

    def __init__(self, server: Server, post: Post, web: Web) -> None:
        self.server, self.post, self.web = server, post, web

    def mail(self, number: int) -> EmailMessage:
        """Return the mail with this number once it has arrived."""
        while len(self.post.mails) < number:
            assert self.post.arrived.acquire(timeout=60), "it does not come"
        return self.post.mails[number - 1]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    with mail_server() as post, web_server() as web:
        mail_address = f"smtp://127.0.0.1:{post.settings.port}"
        options = ("--mail-server", mail_address, "--mail-from", "games@example.org", "--allow-private-alerts")
        with running_server(tmp_path_factory.mktemp("house"), *options) as started_server:
            yield Outside(started_server, post, web)


@pytest.fixture
def outside(house: Outside) -> Outside:
    """Return the services of the module, which have received nothing yet."""
    house.post.mails.clear()
    house.web.sent.clear()
    house.web.challenges.clear()
    house.web.status, house.web.headers = 200, {}
    return house


def forms(page: str, end: str) -> list[str]:
    """Return the targets of the forms of a page that end with this text."""
    return re.findall(rf'formaction="([^"]+/{end})"', page)


def address_in(mail: EmailMessage, act: str) -> str:
    return next(word for word in str(mail.get_content()).split() if f"/alerts/{act}/" in word)


def test_quiet_hours_last_as_long_as_their_box_is_ticked(outside: Outside) -> None:
    with Visitor(outside.server) as ada:
        ada.table("me", "open", "open")
        tick = 'id="quiet-hours" name="quiet" checked>'
        for ticked_box, is_ticked, begins in (
            ({}, False, "22:00"),
            ({"quiet": "on"}, True, "22:30"),
            ({}, False, "22:00"),
        ):
            ada.submit("/me/alerts", **FIELDS, **ticked_box)
            page = ada.get("/me/alerts").text
            assert (tick in page) is is_ticked
            assert f'type="time" value="{begins}"' in page


def test_mail_alerts_start_with_a_confirmation_and_end_with_a_one_click_unsubscribe(outside: Outside) -> None:
    with Visitor(outside.server, "de") as ada, Visitor(outside.server) as grace, httpx.Client(verify=False) as program:
        path = ada.table("me", "open", "open")
        assert ada.submit("/me/alerts", **FIELDS).headers["location"] == "/me/alerts?saved=1"
        response = ada.submit("/me/alert-subscriptions", kind="mail", address="ada@example.org")
        assert (response.status_code, response.headers["location"]) == (303, "/me/alerts#subscriptions-title")
        confirm = address_in(outside.mail(1), "confirm")
        confirmation_page = program.get(confirm)
        assert confirmation_page.status_code == 200
        assert "ada@example.org" in confirmation_page.text
        assert "Öffne den Link darin" in ada.get("/me/alerts").text, "asking changes nothing"
        assert program.post(confirm).status_code == 200
        page = ada.get("/me/alerts").text
        assert "Öffne den Link darin" not in page
        assert ada.submit(forms(page, "send")[0]).headers["location"] == "/me/alerts?sent=1#subscriptions-title"
        assert outside.mail(2)["Subject"] == "Testnachricht von Spieltisch"

        grace.sit(path, "Grace")
        with Visitor(outside.server) as mary:
            mary.sit(path, "Mary")
            trade_on([ada, grace, mary], path, 0)
        mails = outside.mail(3)
        assert mails["Subject"] == "Du bist am Zug: Paris Connection"
        link = next(word for word in mails.get_content().split() if "/table/" in word)
        assert link == f"{outside.server.address}{path}"
        assert program.get(link).status_code == 200, "the table as everybody may see it"
        assert "Du bist am Zug" in html.unescape(ada.get(link).text)
        assert "Du bist am Zug" not in html.unescape(program.get(link).text), "the link holds no seat"

        end = mails["List-Unsubscribe"].strip("<>")
        assert program.get(end).status_code == 200
        assert "ada@example.org" in ada.get("/me/alerts").text
        unsubscribe_response = program.post(end, data={"List-Unsubscribe": "One-Click"})
        assert unsubscribe_response.status_code == 200
        assert "ada@example.org" not in ada.get("/me/alerts").text
        assert program.post(end).status_code == 404
        assert program.get(end.replace("/end/", "/confirm/")).status_code == 404


def test_a_webhook_gets_alerts_and_the_settings_show_its_last_failure(outside: Outside) -> None:
    with Visitor(outside.server, "fr") as ada:
        ada.table("me", "open", "open")
        assert (
            ada.submit("/me/alert-subscriptions", kind="service", address=f"{outside.web.address}/hook").status_code
            == 303
        )
        send_form = forms(ada.get("/me/alerts").text, "send")[0]
        outside.web.status = 500
        assert ada.submit(send_form).status_code == 303
        assert "127.0.0.1 a refusé le message (code 500)." in html.unescape(ada.get("/me/alerts").text)
        outside.web.status = 200
        assert ada.submit(send_form).status_code == 303
        assert "a refusé" not in html.unescape(ada.get("/me/alerts").text)
        assert outside.web.sent[1].json["text"] == "Test : c’est ainsi que vos alertes vous parviendront."
        outside.web.status, outside.web.headers = 302, {"Location": f"{outside.web.address}/secret"}
        ada.submit(send_form)
        assert len(outside.web.sent) == 3, "nobody is led elsewhere"
        assert ada.submit(forms(ada.get("/me/alerts").text, "remove")[0]).status_code == 303
        assert forms(ada.get("/me/alerts").text, "send") == []


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_invalid_addresses_and_settings_are_refused_in_the_visitors_language(server: Server, language: str) -> None:
    sources = (
        ("alerts/mail.py", "no_address = DeliveryFailed"),
        ("alerts/ssrf_guard.py", 'parts.scheme != "https"'),
        ("live/people.py", "alerts.zone not in zones()"),
    )
    speak_text = Words(language).say
    with Visitor(server, language) as ada:
        ada.table("me", "open", "open")
        tried_forms = (
            ada.submit("/me/alert-subscriptions", kind="mail", address="ada"),
            ada.submit("/me/alert-subscriptions", kind="service", address="http://127.0.0.1/"),
            ada.submit("/me/alerts", **{**FIELDS, "zone": "Mars/Olympus"}),
        )
        for answer, source in zip(tried_forms, sources, strict=True):
            assert answer.status_code == 422
            assert speak_text(template_after(*source).fill({})) in html.unescape(answer.text)
        for field, invalid_value in (("quiet-from", "25:00"), ("away", "-1"), ("pause", "1e3"), ("quiet-to", "noon")):
            assert ada.submit("/me/alerts", **{**FIELDS, "quiet": "on", field: invalid_value}).status_code == 400
        assert ada.submit("/me/alert-subscriptions", kind="fax", address="1").status_code == 400
        assert ada.submit("/me/alert-subscriptions", kind="service", address="file:///etc/passwd").status_code == 422


def test_subscriptions_of_other_people_can_neither_be_tested_nor_removed(outside: Outside) -> None:
    with Visitor(outside.server) as ada, Visitor(outside.server) as ben, Visitor(outside.server) as newcomer:
        ada.table("me", "open", "open")
        ben.table("me", "open", "open", name="Ben")
        ada.submit("/me/alert-subscriptions", kind="service", address=f"{outside.web.address}/hook")
        page = ada.get("/me/alerts").text
        for act in ("send", "remove"):
            assert ben.submit(forms(page, act)[0]).status_code == 404
            assert newcomer.submit(forms(page, act)[0]).status_code == 403
        assert forms(ada.get("/me/alerts").text, "send")
        assert outside.web.sent == []
        assert newcomer.get("/me/alerts").status_code == 200
        assert newcomer.get("/active").json() == {"turns": 0}


@MANY_ADDRESSES
def test_subscriptions_and_test_alerts_are_limited(outside: Outside) -> None:
    with Visitor(outside.server, address="127.0.0.2") as ada:
        ada.table("me", "open", "open")
        for number in range(8):
            address = f"{outside.web.address}/{number}"
            assert ada.submit("/me/alert-subscriptions", kind="service", address=address).status_code == 303
        assert (
            ada.submit("/me/alert-subscriptions", kind="service", address=f"{outside.web.address}/9").status_code == 409
        )
        send_form = forms(ada.get("/me/alerts").text, "send")[0]
        assert [ada.submit(send_form).status_code for _ in range(4)] == [303] * 3 + [429], (
            "the addresses were asked, too"
        )
        assert len(outside.web.challenges) == 9
        assert len(outside.web.sent) == 3
        second_response = ada.submit("/me/alert-subscriptions", kind="service", address=f"{outside.web.address}/10")
        assert second_response.status_code == 429
        assert len(outside.web.challenges) == 9


def test_the_offline_page_names_the_player_to_move_and_holds_no_link_or_token(
    running_table: tuple[str, list[Visitor]],
) -> None:
    path, people = running_table
    seat_to_move = people[0].state(path)["to_decide"]
    page = people[seat_to_move - 1].get("/offline").text
    assert path not in page
    assert "token" not in page
    to_move_sentence = sentence_after(
        "web/templates/offline.html", "elif row.summary.mover", name=("Ada", "Grace", "Mary")[seat_to_move]
    )
    assert to_move_sentence in html.unescape(page)
    own_page = people[seat_to_move].get("/offline").text
    assert own_page.count('<td><b class="turn-note">') == own_page.count("<tr>") == 1
    worker = people[0].get("/service-worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-store"


def test_table_and_settings_pages_link_to_the_alert_settings(running_table: tuple[str, list[Visitor]]) -> None:
    path, people = running_table
    decides = people[0].state(path)["to_decide"]
    for seat, visitor in enumerate(people):
        offers = re.findall(r'<p class="fine-print"><a href="/me/alerts">', visitor.get(path).text)
        assert len(offers) == (seat != decides)
        assert '<a href="/me/alerts">' in visitor.get("/preferences").text
