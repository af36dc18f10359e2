"""Check that chat messages are reported to administrators, and that nobody else notices."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.features.chat.service import TOPIC
from tests.features.admin.administrators import follow, link
from tests.features.shown_pages import HTMX, JSON, pushed
from tests.web.servers import Server
from tests.web.visitors import Visitor, table_of_three

INSULT = "You play like a teapot"


@pytest.fixture
def players(server: Server) -> Iterator[tuple[str, list[Visitor]]]:
    """Return a table of three at which the first player has insulted the others, and its players."""
    people = [Visitor(server) for _ in range(3)]
    path, visitors = table_of_three(*people)
    assert visitors[0].submit(f"{path}/chat", room="table", text=INSULT).status_code == 303
    yield path, visitors
    for each in people:
        each.close()


def report(visitor: Visitor, path: str, message: str = "table/1") -> int:
    return visitor.submit(f"{path}/chat/{message}/report").status_code


def reported(admin: Visitor, path: str) -> list[str]:
    """Return the entries of an administrator's page about reports from a table."""
    entries = admin.get("/admin").text.split('data-report="')[1:]
    key = path.rpartition("/")[2]
    return [unescape(entry.partition("</li>")[0]) for entry in entries if entry.startswith(f"{key}/")]


def chat_pages(visitor: Visitor, path: str) -> list[str]:
    """Return the chat of a table as this visitor is shown it, as pages, as JSON and by the stream."""
    pages = [visitor.get(f"{path}/chat", headers=kind).text for kind in ({}, JSON, HTMX)]
    return [*pages, pushed(visitor, f"{TOPIC}{path.rpartition('/')[2]}")]


def settle(admin: Visitor, path: str, message: str) -> None:
    answer = admin.submit("/admin/reports", table=path.rpartition("/")[2], number="1", message=message)
    assert answer.headers["location"] == "/admin#reports-title"


def test_an_administrator_reads_a_reported_message_and_removes_it(
    admin: Visitor, players: tuple[str, list[Visitor]]
) -> None:
    path, (ada, grace, mary) = players
    assert reported(admin, path) == []
    assert (report(grace, path), report(grace, path), report(mary, path)) == (303, 303, 303)
    entries = reported(admin, path)
    assert len(entries) == 2, "one of each person"
    assert all(INSULT in entry and 'translate="no">Ada</b>' in entry for entry in entries)
    assert {name for name in ("Grace", "Mary") for entry in entries if f" {name}, " in entry} == {"Grace", "Mary"}
    settle(admin, path, "remove")
    assert reported(admin, path) == []
    for player in (ada, grace, mary):
        (message,) = player.get(f"{path}/chat", headers=JSON).json()
        assert message["text"] is None


def test_a_closed_report_leaves_its_message(admin: Visitor, players: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, _) = players
    report(grace, path)
    settle(admin, path, "keep")
    assert reported(admin, path) == []
    assert [message["text"] for message in ada.get(f"{path}/chat", headers=JSON).json()] == [INSULT]
    assert report(grace, path) == 303, "it can be reported again"
    assert len(reported(admin, path)) == 1


def test_a_message_that_nobody_has_reported_is_not_removed(admin: Visitor, players: tuple[str, list[Visitor]]) -> None:
    path, (ada, _, _) = players
    settle(admin, path, "remove")
    assert [message["text"] for message in ada.get(f"{path}/chat", headers=JSON).json()] == [INSULT]
    assert path.rpartition("/")[2] not in admin.get("/admin").text.partition('id="log-title"')[2]


def test_a_reported_message_stays_readable_for_administrators_when_its_author_removes_it(
    admin: Visitor, players: tuple[str, list[Visitor]]
) -> None:
    path, (ada, grace, _) = players
    report(grace, path)
    assert ada.submit(f"{path}/chat/table/1/remove").status_code == 303
    assert [INSULT in entry for entry in reported(admin, path)] == [True]


def test_only_the_reporter_sees_that_a_message_is_reported(server: Server, players: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, mary) = players
    with Visitor(server) as stranger:
        stranger.get("/")
        others = (ada, mary, stranger)
        before, chat = [chat_pages(visitor, path) for visitor in others], grace.get(f"{path}/chat").text
        report(grace, path)
        assert [chat_pages(visitor, path) for visitor in others] == before
    assert f"{path}/chat/table/1/report" in chat
    assert f"{path}/chat/table/1/report" not in grace.get(f"{path}/chat").text


def test_reports_of_own_unknown_removed_and_unreadable_messages_are_refused(
    server: Server, admin: Visitor, players: tuple[str, list[Visitor]]
) -> None:
    path, (ada, grace, mary) = players
    grace.submit(f"{path}/chat", room="note", text="my own note")
    with Visitor(server) as cid:
        cid.table("me", "bot:random", "bot:random", name="Cid")
        assert cid.submit(f"{path}/chat", room="watch", text="What a table!").status_code == 303
        assert report(cid, path) == 303, "spectators may report what they read"
    for visitor, message in (
        (ada, "table/1"),
        (grace, "note/1"),
        (mary, "note/1"),
        (mary, "watch/1"),
        (mary, "table/2"),
    ):
        assert report(visitor, path, message) == 404
    assert ada.submit(f"{path}/chat/table/1/remove").status_code == 303
    assert report(mary, path) == 404
    assert len(reported(admin, path)) == 1
    for visitor in (ada, grace):
        assert visitor.submit("/admin/reports", table="x", number="1", message="remove").status_code == 404


def test_a_report_is_deleted_with_the_data_of_its_author(admin: Visitor, players: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, _) = players
    report(grace, path)
    assert ada.submit("/me/leave", sure="on").status_code == 200
    assert reported(admin, path) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_reports_are_shown_in_each_language(server: Server, players: tuple[str, list[Visitor]], language: str) -> None:
    path, (_, grace, _) = players
    report(grace, path)
    with Visitor(server, language) as reader:
        assert follow(reader, link(server)).headers["location"] == "/admin"
        assert INSULT in reader.get("/admin").text
