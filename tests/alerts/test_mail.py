"""Check mails as a mail server receives them, read without the library that wrote them."""

from __future__ import annotations

import asyncio
import re
import socket
from typing import Any

import pytest
from structlog.testing import capture_logs

from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.alerts.channels import MAIL, SERVICE, recipient_of
from spieltisch.alerts.mail import MailServer, clean_address, recipient
from tests.live.fake_services import posting

END = "https://games.example.org/alerts/end/" + "WyJlbmQiLCJhYmNkZWZnaGlqa2wi" * 4 + ".zW0x_Q-9a"
ALERT = Alert(
    "id", "Du bist am Zug: " + "Größe " * 20, "Text", "https://games.example.org/", "/", 1, "de", END, "Ende:"
)


def headers(content: bytes) -> dict[str, str]:
    """Return the header fields of a mail, unfolded as in RFC 5322 and not decoded."""
    head, _, _ = content.partition(b"\r\n\r\n")
    assert max(map(len, head.split(b"\r\n"))) <= 998
    fields = re.sub(rb"\r\n(?=[ \t])", b"", head).decode("ascii").split("\r\n")
    return {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}


def received(alert: Alert) -> bytes:
    """Return the message that the mail server received."""

    async def main() -> bytes:
        async with posting() as post:
            await post.settings.send("ben@example.org", alert)
            return post.received[0]

    return asyncio.run(main())


@pytest.mark.parametrize("length", [10, 60, 200, 800])
def test_the_unsubscribe_header_is_one_line_and_allows_one_click(length: int) -> None:
    end = f"https://games.example.org/alerts/end/{'x.y-_' * (length // 5)}"
    mail_headers = headers(
        received(Alert("id", "Title", "Text", "https://games.example.org/", "/", 1, "en", end, "End:"))
    )
    assert mail_headers["list-unsubscribe"] == f"<{end}>"
    assert mail_headers["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"


def test_only_the_subject_header_of_a_mail_uses_encoded_words() -> None:
    mail_headers = headers(received(ALERT))
    assert [name for name, value in mail_headers.items() if "=?" in value] == ["subject"]
    assert mail_headers["list-unsubscribe"] == f"<{END}>"


def test_one_click_unsubscribe_is_offered_over_https_only() -> None:
    """RFC 8058 allows one-click links over https only."""
    end = "http://192.0.2.7:8000/alerts/end/abc"
    mail_headers = headers(received(Alert("id", "Title", "Text", "http://192.0.2.7:8000/", "/", 1, "en", end, "End:")))
    assert mail_headers["list-unsubscribe"] == f"<{end}>"
    assert "list-unsubscribe-post" not in mail_headers


@pytest.mark.parametrize(
    "address",
    [
        "bob@127.0.0.1",
        "bob@[127.0.0.1]",
        "bob@[IPv6:::1]",
        "bob@2130706433",
        "bob@example.123",
        "bob@0x7f.0x1",
        "bob@localhost",
        "%0abob@example.org",
        "bob%example.net@example.org",
        "example.net!bob@example.org",
        "|program@example.org",
        "/etc/passwd@example.org",
        '"bob b"@example.org',
        '"bob"@example.org',
        ".bob@example.org",
        "bob..b@example.org",
        "bob@example.org@example.net",
        "bob@-example.org",
        "bob@example.org\r\nBcc: eve@example.org",
        "böb@example.org",
        "",
    ],
)
def test_invalid_mail_addresses_are_refused(address: str) -> None:
    with pytest.raises(DeliveryFailed):
        clean_address(address)


@pytest.mark.parametrize(
    "address", ["bob@example.org", "b.o'b+games=1@mail.example.museum", "bob_b-b@xn--bcher-kva.example", "1@9.example"]
)
def test_valid_mail_addresses_are_accepted_without_surrounding_spaces(address: str) -> None:
    assert clean_address(f" {address} ") == address
    assert recipient(address.upper()) == recipient(address)


def test_spellings_and_domains_of_one_mailbox_count_as_one_recipient() -> None:
    assert recipient("bob@googlemail.com") == recipient("b.ob@gmail.com")
    assert len({recipient(f"b{mark}ob@proton.me") for mark in ("", ".", "-", "_")}) == 1
    assert recipient("anything@bob.fastmail.com") == recipient("bob@fastmail.com")
    assert len({recipient(f"bob{mark}1@example.org") for mark in "+-="} | {recipient("bob@example.org")}) == 1
    assert len({recipient(f"bob@{domain}") for domain in ("yandex.ru", "yandex.by", "yandex.kz", "ya.ru")}) == 1
    assert len({recipient(f"bob@{domain}") for domain in ("proton.me", "pm.me", "protonmail.com")}) == 1
    assert len({recipient(f"bob@{domain}") for domain in ("icloud.com", "me.com", "mac.com")}) == 1


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("smtp://127.0.0.1:{closed}", "Connect call failed"),
        ("smtp://nowhere.invalid:25", "not known"),
        ("smtps://127.0.0.1:{plain}", "SSL"),
        ("smtp://games:secret@127.0.0.1:{plain}", "STARTTLS"),
    ],
)
def test_a_failed_mail_is_logged_with_its_server_and_problem(address: str, problem: str) -> None:
    async def main() -> list[Any]:
        with socket.socket() as closed_socket:
            closed_socket.bind(("127.0.0.1", 0))
            async with posting() as post:
                address_text = address.format(closed=closed_socket.getsockname()[1], plain=post.settings.port)
                mail = MailServer.read(address_text, "games@example.org")
                assert mail is not None
                with capture_logs() as logs, pytest.raises(DeliveryFailed):
                    await mail.send("ben@example.org", ALERT)
                return [(entry["host"], entry["port"], entry["problem"]) for entry in logs] + [mail]

    (host, port, failed_server), mail = asyncio.run(main())
    assert (host, port) == (mail.host, mail.port)
    assert problem in failed_server
    assert "secret" not in failed_server


@pytest.mark.parametrize("organization", ["example.org", "abc.org", "ab.de", "or.de", "example.co.uk"])
def test_names_below_a_domain_count_for_its_organization(organization: str) -> None:
    names = (organization, f"a.{organization}", f"b.c.{organization}")
    assert {recipient_of(MAIL, {"address": f"ada@{name}"})[1] for name in names} == {organization}
    assert {recipient_of(SERVICE, {"address": f"https://{name}/topic"})[1] for name in names} == {organization}
