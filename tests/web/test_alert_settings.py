"""The page "me": where and when I am told that it is my turn; what a mail leads to; limits, and bad addresses."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage

import httpx
import pytest

from spieltisch.core.words import LANGUAGES
from tests.live.fake_services import Post, Web, mail_server, web_server
from tests.tiers import first_alone
from tests.web.conftest import Server, Visitor, trade_on

FIELDS = {"zone": "Europe/Berlin", "quiet-from": "22:30", "quiet-to": "07:00", "away": "0", "pause": "60"}


class Outside:
    """A server that sends mail and reaches its own machine, and what it reaches there."""

    def __init__(self, server: Server, post: Post, web: Web) -> None:
        self.server, self.post, self.web = server, post, web

    def mail(self, number: int) -> EmailMessage:
        """The mail with this number, as soon as it has come."""
        while len(self.post.mails) < number:
            assert self.post.arrived.acquire(timeout=60), "it does not come"
        return self.post.mails[number - 1]


@pytest.fixture
def outside(own_server: Callable[..., Server]) -> Iterator[Outside]:
    with mail_server() as post, web_server() as web:
        where = f"smtp://127.0.0.1:{post.settings.port}"
        options = ("--mail-server", where, "--mail-from", "games@example.org", "--allow-private-alerts")
        yield Outside(own_server(*options), post, web)


def forms(page: str, end: str) -> list[str]:
    """Return the targets of the forms of a page that end with this text."""
    return re.findall(rf'formaction="([^"]+/{end})"', page)


def address_in(mail: EmailMessage, act: str) -> str:
    return next(word for word in str(mail.get_content()).split() if f"/alerts/{act}/" in word)


def test_told_by_mail_from_the_first_wish_to_the_one_click_that_ends_it(outside: Outside) -> None:
    with Visitor(outside.server, "de") as ada, Visitor(outside.server) as grace, httpx.Client(verify=False) as program:
        path = ada.table("me", "open", "open")
        awake = {**FIELDS, "quiet-from": "00:00", "quiet-to": "00:00"}
        assert ada.submit("/me/alerts", **awake).headers["location"] == "/me/alerts?kept=1"
        added = ada.submit("/me/alert-subscriptions", kind="mail", address="ada@example.org")
        assert (added.status_code, added.headers["location"]) == (303, "/me/alerts#subscriptions")
        confirm = address_in(outside.mail(1), "confirm")
        confirmation_page = program.get(confirm)
        assert confirmation_page.status_code == 200
        assert "ada@example.org" in confirmation_page.text
        assert "Öffne den Link darin" in ada.get("/me/alerts").text, "asking changes nothing"
        assert program.post(confirm).status_code == 200
        page = ada.get("/me/alerts").text
        assert "Öffne den Link darin" not in page
        assert ada.submit(forms(page, "send")[0]).headers["location"] == "/me/alerts?sent=1#subscriptions"
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
        done = program.post(end, data={"List-Unsubscribe": "One-Click"})
        assert done.status_code == 200
        assert "ada@example.org" not in ada.get("/me/alerts").text
        assert program.post(end).status_code == 404
        assert program.get(end.replace("/end/", "/confirm/")).status_code == 404


def test_told_by_a_webhook_and_why_it_was_not_taken(outside: Outside) -> None:
    with Visitor(outside.server, "fr") as ada:
        ada.table("me", "open", "open")
        assert (
            ada.submit("/me/alert-subscriptions", kind="service", address=f"{outside.web.address}/hook").status_code
            == 303
        )
        send = forms(ada.get("/me/alerts").text, "send")[0]
        outside.web.status = 500
        assert ada.submit(send).status_code == 303
        assert "127.0.0.1 a refusé le message (code 500)." in html.unescape(ada.get("/me/alerts").text)
        outside.web.status = 200
        assert ada.submit(send).status_code == 303
        assert "a refusé" not in html.unescape(ada.get("/me/alerts").text)
        assert outside.web.sent[1].json["text"] == "Test : c’est ainsi que vos alertes vous parviendront."
        outside.web.status, outside.web.headers = 302, {"Location": f"{outside.web.address}/secret"}
        ada.submit(send)
        assert len(outside.web.sent) == 3, "nobody is led elsewhere"
        assert ada.submit(forms(ada.get("/me/alerts").text, "remove")[0]).status_code == 303
        assert forms(ada.get("/me/alerts").text, "send") == []


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_what_cannot_be_gets_a_clear_sentence(server: Server, language: str) -> None:
    sentences = {
        "en": ("Enter an email address like", "The address must begin with https://", "Unknown time zone."),
        "de": ("Gib eine E-Mail-Adresse wie", "Die Adresse muss mit https://", "Unbekannte Zeitzone."),
        "fr": ("Saisissez une adresse e-mail", "L’adresse doit commencer par https://", "Fuseau horaire inconnu."),
        "nl": ("Voer een e-mailadres in", "Het adres moet met https://", "Onbekende tijdzone."),
    }[language]
    with Visitor(server, language) as ada:
        ada.table("me", "open", "open")
        tried = (
            ada.submit("/me/alert-subscriptions", kind="mail", address="ada"),
            ada.submit("/me/alert-subscriptions", kind="service", address="http://127.0.0.1/"),
            ada.submit("/me/alerts", **{**FIELDS, "zone": "Mars/Olympus"}),
        )
        for answer, sentence in zip(tried, sentences, strict=True):
            assert answer.status_code == 422
            assert sentence in html.unescape(answer.text)
        for field, odd in (("quiet-from", "25:00"), ("away", "-1"), ("pause", "1e3"), ("quiet-to", "noon")):
            assert ada.submit("/me/alerts", **{**FIELDS, field: odd}).status_code == 400
        assert ada.submit("/me/alert-subscriptions", kind="fax", address="1").status_code == 400
        assert ada.submit("/me/alert-subscriptions", kind="service", address="file:///etc/passwd").status_code == 422


def test_nobody_touches_the_ways_of_others(outside: Outside) -> None:
    with Visitor(outside.server) as ada, Visitor(outside.server) as ben, Visitor(outside.server) as nobody:
        ada.table("me", "open", "open")
        ben.table("me", "open", "open", name="Ben")
        ada.submit("/me/alert-subscriptions", kind="service", address=f"{outside.web.address}/hook")
        page = ada.get("/me/alerts").text
        for act in ("send", "remove"):
            assert ben.submit(forms(page, act)[0]).status_code == 404
            assert nobody.submit(forms(page, act)[0]).status_code == 403
        assert forms(ada.get("/me/alerts").text, "send")
        assert outside.web.sent == []
        assert nobody.get("/me/alerts").status_code == 200
        assert nobody.get("/active").json() == {"turns": 0}


def test_no_more_ways_and_no_more_tries_than_the_default_limits(outside: Outside) -> None:
    with Visitor(outside.server) as ada:
        ada.table("me", "open", "open")
        for number in range(8):
            address = f"{outside.web.address}/{number}"
            assert ada.submit("/me/alert-subscriptions", kind="service", address=address).status_code == 303
        assert (
            ada.submit("/me/alert-subscriptions", kind="service", address=f"{outside.web.address}/9").status_code == 409
        )
        send = forms(ada.get("/me/alerts").text, "send")[0]
        assert [ada.submit(send).status_code for _ in range(4)] == [303] * 3 + [429], "the addresses were asked, too"
        assert len(outside.web.challenges) == 9
        assert len(outside.web.sent) == 3
        again = ada.submit("/me/alert-subscriptions", kind="service", address=f"{outside.web.address}/10")
        assert again.status_code == 429
        assert len(outside.web.challenges) == 9


def test_what_is_kept_for_a_time_without_a_connection_says_nothing_but_words(
    running: tuple[str, list[Visitor]],
) -> None:
    path, people = running
    decides = people[0].state(path)["to_decide"]
    page = people[decides - 1].get("/offline").text
    assert path not in page
    assert "token" not in page
    assert f"{('Ada', 'Grace', 'Mary')[decides]} to move" in html.unescape(page)
    worker = people[0].get("/service-worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-store"


def test_at_the_table_and_in_the_preferences_there_is_a_way_to_it(running: tuple[str, list[Visitor]]) -> None:
    path, people = running
    decides = people[0].state(path)["to_decide"]
    for seat, visitor in enumerate(people):
        offers = re.findall(r'<p class="fine"><a href="/me/alerts">', visitor.get(path).text)
        assert len(offers) == (seat != decides)
        assert '<a href="/me/alerts">' in visitor.get("/preferences").text
