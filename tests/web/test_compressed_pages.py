"""Check which parts of pages are compressed, and that their length tells nothing of what they keep secret."""

from __future__ import annotations

import re
import zlib

import pytest

from spieltisch.games import GAMES
from tests.web.servers import Server
from tests.web.visitors import Visitor, table_of_three


def raw(visitor: Visitor, path: str) -> bytes:
    """Return a page as it was sent, and check that it is what a browser without compression gets."""
    with visitor.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
        content = b"".join(answer.iter_raw())
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["vary"] == "Accept-Encoding"
    plain_page = visitor.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain_page.headers
    assert zlib.decompress(content, 31) == plain_page.content
    return content


def secrets(page: str) -> set[str]:
    """Return what a table page has of its reader: form token, key of the stream and links to share."""
    keys = re.findall(r'(?:name="token" value|data-stream-key)="([^"]+)"', page)
    return {*keys, *re.findall(r"/join/([\w.~-]+)", page), *re.findall(r"[?&;]link=([\w.~-]+)", page)}


@pytest.mark.parametrize("key", GAMES)
def test_a_table_page_is_compressed_but_for_the_secrets_of_its_reader(
    ada: Visitor, grace: Visitor, mary: Visitor, key: str
) -> None:
    path, _ = table_of_three(ada, grace, mary, game=key, spectators="link")
    for table in (ada.table("me", "open", "open", game=key), path):
        page, sent = ada.get(table).text, raw(ada, table)
        assert len(sent) < 0.8 * len(page.encode())
        assert len(secrets(page)) >= 3, "a token, a key and an invitation"
        for secret in secrets(page):
            assert sent.count(secret.encode()) == page.count(secret), secret


def test_the_link_of_a_spectator_is_not_compressed(ada: Visitor, grace: Visitor, mary: Visitor, server: Server) -> None:
    path, _ = table_of_three(ada, grace, mary, spectators="link")
    (link,) = set(re.findall(r"/join/([\w.~-]+?)[\"/]", ada.get(path).text))
    with Visitor(server) as visitor:
        watched = visitor.get(f"/join/{link}").headers["location"]
        page, sent = visitor.get(watched).text, raw(visitor, watched)
    assert link in secrets(page)
    assert sent.count(link.encode()) == page.count(link)


def test_the_length_of_a_page_does_not_tell_whether_its_address_has_a_secret(
    ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    path, _ = table_of_three(ada, grace, mary, spectators="link")
    for secret in secrets(ada.get(path).text):
        guesses = [secret, secret[::-1], "x" * len(secret)]
        assert len({len(raw(ada, f"{path}?a={guess}")) for guess in guesses}) == 1, secret


def test_messages_on_a_table_page_are_not_compressed(ada: Visitor) -> None:
    path, message = ada.table("me", "open", "open"), "the same words " * 20
    assert ada.submit(f"{path}/chat", room="table", text=message).status_code == 303
    assert message.strip().encode() in raw(ada, path)


def test_pages_without_a_table_are_not_compressed(ada: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random")
    for page in ("/", "/preferences", "/me/recovery", "/devices", f"{path}/log", f"{path}/fairness"):
        assert "content-encoding" not in ada.get(page).headers, page
