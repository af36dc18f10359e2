"""Check that chat messages are reported to administrators, and that nobody else notices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest

from spieltisch.core import words
from spieltisch.core.words import LANGUAGES
from spieltisch.features.chat.service import TOPIC
from tests.features.admin.administrators import follow, link
from tests.features.shown_pages import HTMX, JSON, pushed
from tests.web.servers import Server
from tests.web.visitors import SHORT, Visitor, table_of_three, trade_on

INSULT = "You play like a teapot"
GUEST = words.Words("en").say(words.message("Guest"))


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


def report_name(visitor: Visitor, path: str, **what: str) -> int:
    return visitor.submit(f"{path}/report", **what).status_code


def test_a_reported_name_is_hidden_by_an_administrator(admin: Visitor, players: tuple[str, list[Visitor]]) -> None:
    path, (ada, grace, mary) = players
    assert 'name="seat" value="0"' in grace.get(f"{path}/chat").text
    assert 'name="seat" value="1"' not in grace.get(f"{path}/chat").text, "it is her own"
    before = [chat_pages(visitor, path) for visitor in (ada, mary)]
    assert [report_name(grace, path, seat="0") for _ in range(2)] == [303, 303]
    assert [chat_pages(visitor, path) for visitor in (ada, mary)] == before, "no one else learns of it"
    assert 'name="seat" value="0"' not in grace.get(f"{path}/chat").text
    (entry,) = reported(admin, path)
    assert 'translate="no">Ada</b>' in entry
    assert 'value="remove"' not in entry, "there is no message to remove"
    settled = admin.submit("/admin/reports", table=path.rpartition("/")[2], number="-1", message="rename")
    assert settled.headers["location"] == "/admin#reports-title"
    assert reported(admin, path) == []
    assert 'data-admin-act="name-hide"' in admin.get("/admin").text
    assert f'title="{GUEST}"' in ada.get("/").text
    assert [message["text"] for message in grace.get(f"{path}/chat", headers=JSON).json()] == [INSULT]


def test_a_closed_report_of_a_name_leaves_it(admin: Visitor, players: tuple[str, list[Visitor]]) -> None:
    path, (ada, _, mary) = players
    report_name(mary, path, seat="0")
    admin.submit("/admin/reports", table=path.rpartition("/")[2], number="-1", message="keep")
    assert reported(admin, path) == []
    assert 'title="Ada"' in ada.get("/").text


def test_an_invitation_is_reported_by_whoever_was_sent_it(
    admin: Visitor, players: tuple[str, list[Visitor]], server: Server
) -> None:
    with Visitor(server) as ada, Visitor(server) as grace, Visitor(server) as mary:
        finished, people = table_of_three(ada, grace, mary, **SHORT)
        trade_on(people, finished, None)
        (key,) = re.findall(r'name="with-([^"]+)"[^>]*> <b translate="no">Grace</b>', ada.get("/people").text)
        path = ada.submit("/people/invite", invite=unescape(key)).headers["location"]
        assert 'name="invitation"' in grace.get(f"{path}/chat").text
        assert [report_name(grace, path, invitation="1") for _ in range(2)] == [303, 303]
        assert 'name="invitation"' not in grace.get(f"{path}/chat").text
        (entry,) = reported(admin, path)
        assert 'translate="no">Ada</b>' in entry
        number = entry.partition('name="number" value="')[2].partition('"')[0]
        admin.submit("/admin/reports", table=path.rpartition("/")[2], number=number, message="rename")
        assert f'title="{GUEST}"' in ada.get("/").text
        assert reported(admin, path) == []


def test_only_names_of_others_and_only_invitations_to_oneself_are_reported(
    admin: Visitor, server: Server, players: tuple[str, list[Visitor]]
) -> None:
    path, (ada, grace, _) = players
    with Visitor(server) as stranger:
        assert report_name(stranger, path, seat="0") in (401, 403), "who has no name"
        for visitor, fields in ((ada, {"seat": "0"}), (grace, {"seat": "7"}), (grace, {"invitation": "1"})):
            assert report_name(visitor, path, **fields) == 404, fields
        forged = grace.post(f"{path}/report", data={"token": "forged", "seat": "0"})
        assert forged.status_code == 403
    assert reported(admin, path) == []
    admin.submit("/admin/reports", table=path.rpartition("/")[2], number="-1", message="rename")
    assert 'title="Ada"' in ada.get("/").text, "nobody has reported it"
